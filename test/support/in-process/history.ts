import { WIRE_VERSION } from '../../../worker/wire/version.ts'
import { runningSpeech } from '../../../widget/apply.ts'
import { newWalkOf } from './opening.ts'
import { Violation } from './checks.ts'
import { Disk } from './disk.ts'
import type { Draws } from './draws.ts'
import type { Tab } from './tab.ts'
import { World } from './world.ts'
import type { LogEvent } from '../../../worker/wire/messages.ts'
import type { StepName } from '../../../worker/steps.ts'

/** The outcome of a history. */
export interface Outcome {
  /** The message about the invariant that the history broke. Null if the history broke none. */
  readonly violation: string | null
  /** All choices that were drawn. A replay of these choices gives the same history. */
  readonly taken: readonly number[]
  readonly happened: readonly string[]
  readonly counts: Counts
}

/** How often each kind of thing happened in a history. */
export interface Counts {
  turns: number
  attempts: number
  /** The number of attempts whose text was on a screen while they were running. */
  shown: number
  failed: number
  cut: number
  choices: number
  commands: number
  ended: number
  crashes: number
  evictions: number
  drops: number
  reloads: number
  tabs: number
}

const NONE: Counts = {
  turns: 0,
  attempts: 0,
  shown: 0,
  failed: 0,
  cut: 0,
  choices: 0,
  commands: 0,
  ended: 0,
  crashes: 0,
  evictions: 0,
  drops: 0,
  reloads: 0,
  tabs: 1,
}

/**
 * The most steps that a history may take after the learners have stopped. If this is not enough, the test fails: the
 * conversation will never come to rest.
 */
const REST = 4_000
/**
 * How long after the last fault all turns must have ended, in milliseconds. This is the time of a lease, the actor's
 * own time limit, and some more.
 */
const REST_MS = 180_000
const CRASH_STEPS: readonly StepName[] = [
  'accept',
  'lease',
  'acknowledge',
  'announce',
  'open',
  'ask',
  'keep',
  'speak',
  'show',
  'apply',
  'tell',
  'done',
  'schedule',
  'recover',
  'cancel',
]

const disk = new Disk()

/**
 * Runs one history: a random sequence of what learners, the network and the platform may do. Checks that no message is
 * lost or doubled, and that every turn ends. With `isGated` false, the platform sends data before earlier writes are
 * durable. The real platform never does this, and the checks must then find many broken invariants.
 */
export async function liveHistory(draws: Draws, { isGated = true } = {}): Promise<Outcome> {
  disk.wipe()
  const world = new World(draws, disk, isGated)
  const history = new History(world)
  let violation: string | null = null
  try {
    newWalkOf(world.reader, draws, world.now)
    disk.endStretch()
    disk.commit()
    await history.live()
  } catch (error) {
    violation =
      error instanceof Violation
        ? error.message
        : `the history itself broke: ${String(error instanceof Error ? error.stack : error)}`
  }
  return { violation, taken: draws.taken, happened: world.happened, counts: history.counts }
}

/** A step that a history can take next: its name, and the function that takes the step. */
type Deed = readonly [name: string, act: () => void | Promise<void>]

class History {
  readonly counts: Counts = { ...NONE }
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  async live(): Promise<void> {
    const { draws } = this.#world
    this.#world.openTab()
    const length = draws.below(140)
    for (let i = 0; i < length; i++) await this.#do(this.#next())
    this.#world.calm()
    this.#world.happened.push('calm')
    await this.#comeToRest()
    const last = this.#world.openTab()
    this.#say(last)
    await this.#comeToRest()
    await this.#check()
  }

  async #do([name, act]: Deed): Promise<void> {
    this.#world.happened.push(name)
    await act()
  }

  #next(): Deed {
    const { draws } = this.#world
    const kind = draws.below(10)
    const deeds = kind < 6 ? this.#natural() : kind < 8 ? this.#learners() : this.#faults()
    return deeds.length === 0 ? ['nothing', () => {}] : draws.pick(deeds)
  }

  /** Returns the possible next steps that are not a learner's: those of the network, the platform and the tabs. */
  #natural(): Deed[] {
    const world = this.#world
    const { now } = world
    const deeds: Deed[] = []
    if (world.disk.isPending) deeds.push(['durable', () => world.commit()])
    for (const line of world.lines) {
      if (line.down.length > 0 && line.isOpen) deeds.push([`down ${line.id}`, () => world.deliverDown(line)])
      if (line.up.length > 0) deeds.push([`up ${line.id}`, () => world.deliverUp(line)])
      if (!line.isAlive && line.isOpen && line.down.length === 0)
        deeds.push([`line ${line.id} is down`, () => world.noticeDown(line)])
      if (!line.isAlive && line.isServed && line.up.length === 0)
        deeds.push([`line ${line.id} is gone`, () => world.noticeGone(line)])
    }
    for (const gate of world.gates) deeds.push(['on', () => world.letGo(gate)])
    for (const tab of world.tabs) {
      if (tab.line === null) deeds.push([`${tab.clientId} connects`, () => world.connect(tab)])
      if (tab.wakeAt !== null && tab.wakeAt <= now)
        deeds.push([`${tab.clientId} ticks`, () => tab.step({ type: 'tick' })])
      if ([...tab.waiting.values()].some(({ until }) => until <= now))
        deeds.push([`${tab.clientId} gives up`, () => tab.giveUp()])
    }
    const alarm = world.disk.alarm()
    if (alarm !== null && alarm <= now) deeds.push(['alarm', () => world.alarm()])
    if (world.nextTime !== null && world.nextTime <= now) deeds.push(['timers', () => world.pass(now)])
    const next = this.#nextTime()
    if (next !== null && (deeds.length === 0 || (!world.isCalm && next - now < 1_000)))
      deeds.push([`+${next - now} ms`, () => world.pass(next)])
    return deeds
  }

  #nextTime(): number | null {
    const {
      now,
      nextTime,
      disk: { alarm },
    } = { now: this.#world.now, nextTime: this.#world.nextTime, disk: { alarm: this.#world.disk.alarm() } }
    const times = [nextTime, alarm].filter((time): time is number => time !== null && time > now)
    return times.length === 0 ? null : Math.min(...times)
  }

  /** Returns the possible next steps of the learners. */
  #learners(): Deed[] {
    const world = this.#world
    return world.tabs.flatMap((tab): Deed[] => {
      const { state, clientId } = tab
      const { pivot } = state
      const speech = state.items.findLast((item) => item.kind === 'speech')
      const refused = tab.entries.find((entry) => entry.state === 'failed')
      return [
        [`${clientId} says`, () => this.#say(tab)],
        ...(pivot
          ? [
              [
                `${clientId} chooses`,
                () =>
                  this.#send(tab, {
                    name: 'choose',
                    pivot: pivot.pivot,
                    choice: this.#world.draws.pick(pivot.choices).id,
                  }),
              ] as Deed,
            ]
          : []),
        ...(speech?.outcome === 'failed'
          ? [[`${clientId} retries`, () => this.#send(tab, { name: 'retry', turn: speech.turn })] as Deed]
          : []),
        ...(runningSpeech(state) ? [[`${clientId} stops it`, () => tab.stop()] as Deed] : []),
        ...(refused ? [[`${clientId} sends again`, () => tab.step({ type: 'again', cid: refused.cid })] as Deed] : []),
        ...(refused ? [[`${clientId} takes back`, () => tab.step({ type: 'drop', cid: refused.cid })] as Deed] : []),
      ]
    })
  }

  #faults(): Deed[] {
    const world = this.#world
    const { draws, counts } = { draws: world.draws, counts: this.counts }
    const deeds: Deed[] = [
      ['time passes', () => world.pass(world.now + draws.pick([50, 500, 5_000, 20_000, 80_000]))],
      ['alarm once more', () => world.alarm()],
      [
        'a new tab',
        () => {
          if (world.tabs.length < 4) world.openTab()
          counts.tabs += 1
        },
      ],
    ]
    for (const line of world.lines)
      if (line.isAlive)
        deeds.push([
          `line ${line.id} dies`,
          () => {
            counts.drops += 1
            line.die(draws.below(line.up.length + 1), draws.below(line.down.length + 1))
          },
        ])
    for (const tab of world.tabs) {
      deeds.push([
        `${tab.clientId} is reloaded`,
        () => {
          counts.reloads += 1
          const { stored } = tab
          world.closeTab(tab)
          world.openTab(stored)
        },
      ])
      if (tab.line) deeds.push([`${tab.clientId} asks`, () => tab.ask()])
      if (world.tabs.length < 4) deeds.push([`${tab.clientId} is duplicated`, () => void world.openTab(tab.stored)])
      if (world.tabs.length > 1) deeds.push([`${tab.clientId} is closed`, () => world.closeTab(tab)])
    }
    if (world.hasInstance) {
      deeds.push([
        'the object dies',
        () => {
          counts.crashes += 1
          world.crash()
        },
      ])
      if (world.isIdle)
        deeds.push([
          'the object sleeps',
          () => {
            counts.evictions += 1
            world.evict()
          },
        ])
    }
    deeds.push([
      'the object will die',
      () => {
        counts.crashes += 1
        world.crashAt(draws.pick(CRASH_STEPS), draws.pick(['before', 'after'] as const))
      },
    ])
    return deeds
  }

  #say(tab: Tab): void {
    const cid = this.#world.name('say')
    const text = this.#world.draws.pick([`${cid}, and now?`, '1', 'go on', '👋', 'really'])
    this.#world.checks.sent(cid, { name: 'say', text })
    tab.step({ type: 'add', cid, message: { name: 'say', text } })
  }

  #send(
    tab: Tab,
    message: Parameters<Tab['step']>[0] extends infer E
      ? E extends { type: 'add'; message: infer M }
        ? M
        : never
      : never,
  ): void {
    const cid = this.#world.name(message.name)
    this.#world.checks.sent(cid, { name: message.name, text: '', ...('turn' in message && { turn: message.turn }) })
    tab.step({ type: 'add', cid, message })
  }

  /** Takes steps as long as there is one that is not a learner's. */
  async #comeToRest(): Promise<void> {
    const from = this.#world.now
    for (let i = 0; i < REST; i++) {
      const [deed] = this.#natural()
      if (!deed) return
      await this.#do(deed)
      if (this.#world.now - from > REST_MS) throw new Violation('I3 it did not come to rest in time')
    }
    throw new Violation('I11 it never came to rest')
  }

  async #check(): Promise<void> {
    const world = this.#world
    const watcher = world.openTab()
    await this.#comeToRest()
    world.tabs.splice(world.tabs.indexOf(watcher), 1)
    await world.stretch((host) => {
      const hello = host.connect({ v: WIRE_VERSION })
      if (hello === null) throw new Violation('I11 nobody is let in')
      world.checks.atRest(world.reader, world.tabs, hello)
    })
    const { log, shownAttempts } = world.checks
    const count = (is: (event: LogEvent) => boolean) => log.filter(is).length
    Object.assign(this.counts, {
      turns: count((event) => event.type === 'turn-start' && event.attempt === 1),
      attempts: count(({ type }) => type === 'turn-start'),
      shown: shownAttempts,
      failed: count((event) => event.type === 'turn' && event.outcome === 'failed'),
      cut: count((event) => event.type === 'turn' && event.outcome === 'cut'),
      choices: count((event) => event.type === 'pivot-end' && event.choice !== null),
      commands: count(({ type }) => type === 'command'),
      ended: count((event) => event.type === 'command' && event.command.name === 'AI_EndConversation'),
    } satisfies Partial<Counts>)
  }
}
