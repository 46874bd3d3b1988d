import type { Actor } from '../../../worker/actor/actor.ts'
import { SessionBudget } from '../../../worker/budget/session-budget.ts'
import { SpendingStore } from '../../../worker/budget/spending-store.ts'
import { helloFor } from '../../../worker/session/hello.ts'
import { refuse } from '../../../worker/session/refuse.ts'
import { shortDelta, shortEvent, type ShortMessage } from '../../../worker/session/short-events.ts'
import { SEPARATOR } from '../../../worker/core/reply/separator.ts'
import { type SessionInfo } from '../../../worker/session/session-info.ts'
import { SessionStore } from '../../../worker/session/session-store.ts'
import type { TurnDeps } from '../../../worker/session/turn-deps.ts'
import { type Probe, stepped, steppedAsync } from '../../../worker/steps.ts'
import { type MessageOutcome, takeChoose, takeRetry, takeSay } from '../../../worker/session/take-message.ts'
import { saidBefore, transcriptMemory } from '../../../worker/session/transcript-memory.ts'
import { TurnRunner } from '../../../worker/session/turn-runner.ts'
import type { Acknowledgement, Cursor, Delta, PartialReply, Hello, LogEvent } from '../../../worker/wire/messages.ts'
import { connectAuthSchema, upSchemas } from '../../../worker/wire/schema.ts'
import type { ObjectStorage } from './disk.ts'
import { WIRE_VERSION } from '../../../worker/wire/version.ts'

/** What an instance of the object gets from the world around it. */
export interface Surroundings {
  readonly storage: ObjectStorage
  readonly actor: (store: SessionStore) => Actor
  readonly leaseMs: number
  now(): number
  after(ms: number, task: () => void): () => void
  /** Sends a message to all connected clients. */
  broadcast(name: 'event' | 'delta', body: LogEvent | Delta, short: ShortMessage | null): void
  readonly probe: Probe
}

/**
 * One instance of a conversation's object, without its network. It consists of the parts of `ConversationObject`,
 * connected in the same way. Admission, versions and deliveries are left out, because the histories do not test them.
 */
export class Host {
  readonly store: SessionStore
  readonly #around: Surroundings
  readonly #actor: Actor
  readonly #budget: SessionBudget
  readonly #runner: TurnRunner
  #info: SessionInfo | null = null

  constructor(around: Surroundings) {
    this.#around = around
    this.store = new SessionStore(around.storage)
    this.store.migrate()
    this.#actor = around.actor(this.store)
    this.#budget = new SessionBudget({
      store: new SpendingStore(around.storage.sql),
      limits: {
        turnsMinute: 30,
        turnsSession: 120,
        tokensSession: Number.MAX_SAFE_INTEGER,
        tokensLearnerDay: null,
        money: null,
      },
      ledgers: null,
      now: () => around.now(),
      after: (ms, task) => around.after(ms, task),
      keep: () => {},
      log: () => {},
    })
    this.#runner = new TurnRunner({
      deps: () => this.#deps(),
      sendDelta: (delta) => this.#around.broadcast('delta', delta, shortDelta(delta)),
      // After a reset of the instance, its code throws an error as soon as it goes on. This error does not matter here.
      waitUntil: (work) => void work.catch(() => undefined),
      schedule: () => this.#schedule(),
    })
    this.#runner.recover()
  }

  /** Lets a client connect. @returns the `hello` for the client; null when the client is refused */
  connect(auth: unknown): Hello | null {
    this.#runner.recover()
    const deps = this.#deps()
    const read = connectAuthSchema.safeParse(auth)
    if (!deps || !read.success || read.data.v !== WIRE_VERSION) return null
    return this.#hello(deps, read.data)
  }

  async event(
    name: string,
    body: unknown,
    greet: (hello: Hello) => void,
    acknowledge: (answer: Acknowledgement) => void,
  ): Promise<void> {
    const deps = this.#deps()
    if (deps === null) return acknowledge(refuse('unknown-session'))
    this.#runner.recover()
    switch (name) {
      case 'say':
        return this.#take(deps, () => takeSay(deps, upSchemas.say.parse(body)), acknowledge)
      case 'choose':
        return this.#take(deps, () => takeChoose(deps, upSchemas.choose.parse(body)), acknowledge)
      case 'retry':
        return this.#take(deps, () => takeRetry(deps, upSchemas.retry.parse(body)), acknowledge)
      case 'cancel':
        return this.#runner.cancel(deps, upSchemas.cancel.parse(body), acknowledge)
      case 'sync':
        return greet(this.#hello(deps, upSchemas.sync.parse(body)))
      default:
        return acknowledge(refuse('unknown-event'))
    }
  }

  async alarm(): Promise<void> {
    this.#runner.callOff(this.#around.now())
    this.#runner.recover()
    await this.#schedule()
  }

  async #take(
    deps: TurnDeps,
    take: () => MessageOutcome,
    acknowledge: (answer: Acknowledgement) => void,
  ): Promise<void> {
    const { probe } = deps
    const taken = stepped(probe, 'accept', take)
    if (!taken.ok) return acknowledge(taken.refusal)
    const { turn } = taken
    const leased = turn && stepped(probe, 'lease', () => this.#around.storage.setAlarm(turn.lease))
    stepped(probe, 'acknowledge', () => acknowledge(taken.acknowledgement))
    stepped(probe, 'announce', () => deps.sendEvents(taken.events))
    if (turn) this.#runner.start(deps, turn)
    await leased
  }

  #hello(deps: TurnDeps, known: { cursor?: Cursor; have?: PartialReply }): Hello {
    return helloFor(deps, this.#runner.live, known)
  }

  #nextAlarm(): number | null {
    const deps = this.#deps()
    return deps && this.#runner.nextDue(deps)
  }

  #schedule(): Promise<void> {
    return steppedAsync(this.#around.probe, 'schedule', async () => {
      const set = await this.#around.storage.getAlarm()
      const next = this.#nextAlarm()
      if (set === next) return
      if (next === null) return this.#around.storage.deleteAlarm()
      await this.#around.storage.setAlarm(next)
    })
  }

  #deps(): TurnDeps | null {
    this.#info ??= this.store.info()
    const info = this.#info
    const npc = info?.scenario.npcs.find(({ id }) => id === info.npc)
    if (!info || !npc) return null
    const { leaseMs, probe } = this.#around
    return {
      info,
      npc,
      store: this.store,
      actor: this.#actor,
      budget: this.#budget,
      memory: (turn) => transcriptMemory(saidBefore(this.store.eventsAfter(0), turn.id), new Map()),
      separator: () => SEPARATOR,
      leaseMs,
      now: () => this.#around.now(),
      after: (ms, task) => this.#around.after(ms, task),
      sendEvents: (events) =>
        events.forEach((event) => this.#around.broadcast('event', event, shortEvent(event, this.#runner.live))),
      probe,
      log: () => {},
    }
  }
}
