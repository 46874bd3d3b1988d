import { SHIPPED_LIBRARY } from './backbones.ts'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Locator } from 'playwright-core'
import { readScenario } from '../../sims/authoring/read-scenario.ts'
import type { Scenario, Simulation } from '../../worker/core/scenario/scenario.ts'
import lines from '../fixtures/game-lines.json' with { type: 'json' }
import type { Hands } from './game-hands.ts'
import type { GamePlayer } from './game-player.ts'
import { SHARED_FOLDER } from './shared.ts'

/**
 * What an attentive learner does in a simulation: the learner's messages in each conversation, and the decision. A line
 * such as `#1` is no message: the learner picks the first card of a fork.
 */
export interface Play {
  readonly talks: readonly { readonly npc: string; readonly lines: readonly string[] }[]
  readonly decision: { readonly option: string; readonly reason: string }
}

export const PLAYS: Readonly<Record<string, Play>> = lines

/** Returns the learner's lines in one conversation. @throws when the fixture has no such conversation */
export function linesOf(scenario: string, npc: string): readonly string[] {
  const talk = PLAYS[scenario]?.talks.find((each) => each.npc === npc)
  if (!talk) throw new Error(`nothing to say to ${npc} in ${scenario}`)
  return talk.lines
}

/** Reads a simulation file. @throws when the file is not a simulation or has findings */
export function simulationFile(scenario: string): SimulationFile {
  const read = files.get(scenario) ?? readSimulation(scenario)
  files.set(scenario, read)
  return read
}

type SimulationFile = Scenario & { readonly simulation: Simulation }
const files = new Map<string, SimulationFile>()

/** Reads a simulation file, or what another test file has read of it: reading one takes seconds. */
function readSimulation(scenario: string): SimulationFile {
  const folder = process.env[SHARED_FOLDER]
  if (folder === undefined) return readAnew(scenario)
  const kept = path.join(folder, `${scenario}.json`)
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as SimulationFile
  const read = readAnew(scenario)
  writeFileSync(`${kept}.${process.pid}`, JSON.stringify(read))
  renameSync(`${kept}.${process.pid}`, kept)
  return read
}

function readAnew(scenario: string): SimulationFile {
  const file = new URL(`../../sims/${scenario}/scenario.yaml`, import.meta.url)
  const read = readScenario(readFileSync(file, 'utf8'), file.pathname, SHIPPED_LIBRARY)
  if (!read.ok) throw new Error(`${scenario} has findings`)
  const { simulation } = read.scenario
  if (!simulation) throw new Error(`${scenario} is no simulation`)
  return { ...read.scenario, simulation }
}

/** Returns the ids of the facts that count as deciding in a simulation, or only of those that one colleague tells. */
export function decidingIn(scenario: string, who?: string): readonly string[] {
  return simulationFile(scenario).simulation.facts.flatMap(({ id, npc, deciding }) =>
    deciding && npc === (who ?? npc) ? [id] : [],
  )
}

/** A learner who operates the page by touch or with the keyboard, as `hands` says. */
export class Learner {
  readonly player: GamePlayer
  readonly hands: Hands

  constructor(player: GamePlayer, hands: Hands) {
    this.player = player
    this.hands = hands
  }

  get panel(): Locator {
    return this.player.page.locator('.talk-host .panel')
  }

  get cards(): Locator {
    return this.panel.locator('.card')
  }

  /** The button at the end of the conversation, which leads to the next step. */
  get next(): Locator {
    return this.panel.locator('.foot').getByRole('button')
  }

  async begin(title: string): Promise<void> {
    await this.hands.press(this.player.simulation(title).getByRole('button'))
    await this.player.page.locator('.brief').waitFor()
    await this.player.arrived()
  }

  /** Sends a message and waits until the reply is complete. A line `#1` instead picks a card. */
  async say(line: string): Promise<void> {
    if (line.startsWith('#')) return this.pick(Number(line.slice(1)))
    await this.player.joined()
    const whole = this.player.log.locator('.speech[aria-busy="false"]')
    const before = await whole.count()
    await this.hands.write(this.player.field, line)
    await this.hands.send(this.panel)
    await whole.nth(before).waitFor()
  }

  /** Picks a card, and waits until the page says what the choice has led to. */
  async pick(number: number): Promise<void> {
    await this.cards.nth(number - 1).waitFor({ state: 'attached' })
    // The cards fold once the learner has written something else.
    const folded = this.panel.locator('.pivot:not([open]) > summary')
    if ((await folded.count()) > 0) await this.hands.press(folded)
    await this.cards.nth(number - 1).waitFor()
    const effects = this.panel.locator('.effect')
    const before = await effects.count()
    await this.hands.pick(this.cards, number)
    await effects.nth(before).waitFor()
    await this.cards.first().waitFor({ state: 'detached' })
  }

  /**
   * Says all lines of a conversation. Waits until the conversation has ended and the page shows the button that leads
   * to the next colleague.
   */
  async talk(said: readonly string[]): Promise<void> {
    await this.player.field.waitFor()
    for (const line of said) await this.say(line)
    await this.next.waitFor()
  }

  /** Goes to the next colleague, by pressing the button at the end of the conversation. One press is enough. */
  async goOn(npc: string): Promise<void> {
    await this.hands.press(this.next)
    await this.player.page.waitForURL((url) => url.hash.endsWith(`/talk/${npc}`))
  }
}
