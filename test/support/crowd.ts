import { setTimeout as pause } from 'node:timers/promises'
import { lots } from './lots.ts'
import type { MarkedModel } from './marked-model.ts'
import { openSession } from './player.ts'
import { Pulse, within } from './pulse.ts'
import type { ClientOptions } from './socket-client.ts'
import { type Breach, StreamWatcher } from './stream-watcher.ts'
import { type Closed, type Served, Talk } from './talk.ts'

export interface CrowdOptions {
  readonly seed: number
  /** How many learners talk at once. Every fourth learner has a second tab open. */
  readonly learners: number
  readonly line?: ClientOptions
}

/** Delay before another attempt to open a conversation, in milliseconds. */
const OPEN_AGAIN_MS = 50
const NPCS = ['maya', 'marcus', 'ines', 'otto'] as const

/** What came out of a crowd: its conversations, and the promises that the server broke in any of them. */
export interface Settled {
  readonly conversations: readonly Closed[]
  readonly breaches: readonly Breach[]
}

/**
 * A crowd of learners who all talk at once, until the test calls `settle`. Their model is a marked model
 * (`marked-model.ts`). A seed decides what each learner does: send a message, pick a card, stop a reply or retry. The
 * test may disturb the server at the same time. `settle` reports the promises that the server broke.
 */
export class Crowd {
  /** Counts everything that a client receives or sends. */
  readonly pulse = new Pulse()
  readonly #server: Served
  readonly #model: MarkedModel
  readonly #learners: readonly Learner[]
  #lives: readonly Promise<void>[] = []

  constructor(server: Served, model: MarkedModel, options: CrowdOptions) {
    this.#server = server
    this.#model = model
    this.#learners = Array.from(
      { length: options.learners },
      (_, number) => new Learner({ server, number, options, pulse: this.pulse }),
    )
  }

  /** Starts all learners. They go on until the test calls `settle`. */
  live(): void {
    this.#lives = this.#learners.map((learner) => learner.live())
  }

  get streaming(): number {
    return this.#learners.filter((learner) => learner.isStreaming).length
  }

  get tabs(): readonly StreamWatcher[] {
    return this.#learners.flatMap(({ talk }) => talk?.tabs ?? [])
  }

  /**
   * Waits until `holds` returns true. Checks this again whenever a client receives an event. @throws when the wait
   * takes too long
   */
  until(what: string, holds: () => boolean): Promise<void> {
    return within(what, this.pulse.until(holds), () => this.#whereabouts())
  }

  /**
   * Waits until the server has greeted every client again. `since` has the number of `hello`s that each client had
   * before.
   */
  allBack(tabs: readonly StreamWatcher[], since: readonly number[]): Promise<void> {
    return this.until('every client to come back', () =>
      tabs.every((tab, at) => tab.isLeft || tab.hellos > (since[at] ?? 0)),
    )
  }

  /**
   * Lets all conversations end, now without faults. Then compares what the clients saw with what the server has stored.
   */
  async settle(): Promise<Settled> {
    this.#model.paceMs = 0
    for (const learner of this.#learners) learner.isDone = true
    await within('every learner to come to an end', Promise.all(this.#lives), () => this.#whereabouts())
    const conversations: Closed[] = []
    for (const talk of this.#learners.flatMap(({ talks }) => talks))
      conversations.push(await talk.close(this.#server, this.#model))
    return { conversations, breaches: conversations.flatMap(({ breaches }) => breaches) }
  }

  #whereabouts(): string {
    return this.#learners.map((learner) => learner.whereabouts()).join('\n')
  }
}

interface Member {
  readonly server: Served
  readonly number: number
  readonly options: CrowdOptions
  readonly pulse: Pulse
}

/** One learner. Holds one conversation after the other until `isDone` is true. */
class Learner {
  isDone = false
  readonly talks: Talk[] = []
  readonly #server: Served
  readonly #name: string
  readonly #draw: (below: number) => number
  readonly #tabs: number
  readonly #line: ClientOptions
  readonly #pulse: Pulse
  #trouble = ''

  constructor({ server, number, options: { seed, line = {} }, pulse }: Member) {
    this.#server = server
    this.#name = `${seed}-${number}`
    this.#draw = lots(seed * 1_000 + number)
    this.#tabs = number % 4 === 0 ? 2 : 1
    this.#line = line
    this.#pulse = pulse
  }

  get talk(): Talk | undefined {
    return this.talks.at(-1)
  }

  get isStreaming(): boolean {
    return (this.talk?.tab.running?.text.length ?? 0) > 0 && this.talk?.tab.isLinked === true
  }

  async live(): Promise<void> {
    while (!this.isDone) {
      const talk = this.talk && !this.talk.isOver ? this.talk : await this.#begin()
      await talk.exchange(this.#draw)
    }
  }

  whereabouts(): string {
    const { tab, session } = this.talk ?? {}
    if (!tab) return `${this.#name}: no conversation yet, ${this.#trouble}`
    const last = tab.last && { ...tab.last, text: undefined, command: undefined }
    const line = tab.isLinked ? 'linked' : 'not linked'
    return `${this.#name} ${session?.slice(0, 8)}: ${line}, ${tab.running?.text.length ?? 'none'} running, last ${JSON.stringify(last)} ${JSON.stringify(tab.breaches)}`
  }

  async #begin(): Promise<Talk> {
    await this.talk?.leave()
    for (;;) {
      // If the server is down, this attempt fails, and the learner tries again.
      const npc = NPCS[this.#draw(NPCS.length)] ?? 'maya'
      const session = await openSession(this.#server, { scenario: 'launch-decision', npc }).catch((error: unknown) => {
        this.#trouble = String(error)
        return null
      })
      if (session === null) {
        await pause(OPEN_AGAIN_MS)
        continue
      }
      const name = `${this.#name}-${this.talks.length}`
      const tabs = Array.from(
        { length: this.#tabs },
        (_, at) =>
          new StreamWatcher(this.#server, session, `${name}-tab-${at}`, {
            line: this.#line,
            told: this.#pulse.note,
          }),
      )
      const talk = new Talk(session, name, tabs, this.#pulse)
      this.talks.push(talk)
      return talk
    }
  }
}
