import { readFileSync } from 'node:fs'
import type { Locator } from 'playwright-core'
import { readScenario } from '../../sims/authoring/read-scenario.ts'
import type { Scenario, Simulation } from '../../worker/core/scenario/scenario.ts'
import lines from '../fixtures/game-lines.json' with { type: 'json' }
import type { Hands } from './game-hands.ts'
import type { GamePlayer } from './game-player.ts'

/**
 * An attentive learner's messages in a simulation, talk by talk, and their decision. `#1` picks the first card of a
 * fork.
 */
export interface Play {
  readonly talks: readonly { readonly npc: string; readonly lines: readonly string[] }[]
  readonly decision: { readonly option: string; readonly reason: string }
}

export const PLAYS: Readonly<Record<string, Play>> = lines

/** Returns the lines of one talk. @throws when there are none */
export function linesOf(scenario: string, npc: string): readonly string[] {
  const talk = PLAYS[scenario]?.talks.find((each) => each.npc === npc)
  if (!talk) throw new Error(`nothing to say to ${npc} in ${scenario}`)
  return talk.lines
}

/** Reads a simulation file. @throws when it is not a simulation or has findings */
export function simulationFile(scenario: string): SimulationFile {
  const read = files.get(scenario) ?? readSimulation(scenario)
  files.set(scenario, read)
  return read
}

type SimulationFile = Scenario & { readonly simulation: Simulation }
const files = new Map<string, SimulationFile>()

function readSimulation(scenario: string): SimulationFile {
  const file = new URL(`../../sims/${scenario}/scenario.yaml`, import.meta.url)
  const read = readScenario(readFileSync(file, 'utf8'), file.pathname)
  if (!read.ok) throw new Error(`${scenario} has findings`)
  const { simulation } = read.scenario
  if (!simulation) throw new Error(`${scenario} is no simulation`)
  return { ...read.scenario, simulation }
}

/** Returns the facts that decide a simulation. */
export function decidingIn(scenario: string): readonly string[] {
  return simulationFile(scenario).simulation.facts.flatMap(({ id, deciding }) => (deciding ? [id] : []))
}

/** A learner who operates the page with the given hands. */
export class Learner {
  readonly player: GamePlayer
  readonly hands: Hands

  constructor(player: GamePlayer, hands: Hands) {
    this.player = player
    this.hands = hands
  }

  /** The open conversation. */
  get panel(): Locator {
    return this.player.page.locator('.talk-host .panel')
  }

  /** The cards of a fork. */
  get cards(): Locator {
    return this.panel.locator('.card')
  }

  /** The button at a conversation's end. */
  get next(): Locator {
    return this.panel.locator('.foot').getByRole('button')
  }

  async begin(title: string): Promise<void> {
    await this.hands.press(this.player.simulation(title).getByRole('button'))
    await this.player.page.locator('.brief').waitFor()
    await this.player.arrived()
  }

  /** Sends a message or picks a card, and waits until the reply is complete. */
  async say(line: string): Promise<void> {
    if (line.startsWith('#')) return this.pick(Number(line.slice(1)))
    await this.player.joined()
    const whole = this.player.log.locator('.speech[aria-busy="false"]')
    const before = await whole.count()
    await this.hands.write(this.player.field, line)
    await this.hands.send(this.panel)
    await whole.nth(before).waitFor()
  }

  /** Picks a card and waits until the page describes its effect. */
  async pick(number: number): Promise<void> {
    await this.cards.nth(number - 1).waitFor()
    const effects = this.panel.locator('.effect')
    const before = await effects.count()
    await this.hands.pick(this.cards, number)
    await effects.nth(before).waitFor()
    await this.cards.first().waitFor({ state: 'detached' })
  }

  /** Holds a talk to its end, where the colleague names the next one. */
  async talk(said: readonly string[]): Promise<void> {
    await this.player.field.waitFor()
    for (const line of said) await this.say(line)
    await this.next.waitFor()
  }

  /** Goes on to the colleague that the current one has named, with a single press. */
  async goOn(npc: string): Promise<void> {
    await this.hands.press(this.next)
    await this.player.page.waitForURL((url) => url.hash.endsWith(`/talk/${npc}`))
  }
}
