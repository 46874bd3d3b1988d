import { DurableObject } from 'cloudflare:workers'
import type { Actor } from '../actor/actor.ts'
import { chooseActor } from '../actor/choose-actor.ts'
import { systemClock } from '../actor/clock.ts'
import { createPace } from '../actor/pace.ts'
import { synonymsOf } from '../actor/rehearsal/vocabulary.ts'
import type { InteractionLog } from '../core/walk/interaction-log.ts'
import { SEPARATOR } from '../core/reply/separator.ts'
import type { Kept } from '../core/walk/migrate.ts'
import { readConfig } from '../env.ts'
import { log } from '../log.ts'
import { createCarry } from '../outbox/carry.ts'
import { Outbox } from '../outbox/outbox.ts'
import type { DeliveryConfig } from '../outbox/delivery-config.ts'
import type { EmailBinding } from '../outbox/send-email.ts'
import type { Peer } from '../socket/peer.ts'
import { SocketEngine } from '../socket/socket-engine.ts'
import { connectAuthSchema, upSchemas } from '../wire/schema.ts'
import { WIRE_VERSION } from '../wire/version.ts'
import type { Acknowledgement, Cursor, Down, Have, Up } from '../wire/messages.ts'
import { begin, type Opening } from './begin.ts'
import { deployed } from './deployed.ts'
import { helloFor } from './hello.ts'
import type { LiveReply } from './live-reply.ts'
import { readLog } from './read-log.ts'
import { recover } from './recover.ts'
import { refuse } from './refuse.ts'
import { runTurn } from './run-turn.ts'
import type { SessionInfo } from './session-info.ts'
import { SessionStore, type StoredTurn } from './session-store.ts'
import type { Stage } from './stage.ts'
import { bringUpToDate } from './versions.ts'
import { saidBefore, transcriptMemory } from './transcript-memory.ts'
import { type Taken, takeChoose, takeRetry, takeSay } from './take-message.ts'

/** Why a conversation may stay on its version for now and not for good. */
const PASSING: ReadonlySet<Kept> = new Set<Kept>(['turn-open', 'fork-open'])

/** An attempt to deliver something keeps others off for this many times what it may take. */
const LEASE_FACTOR = 2

/**
 * One conversation: a thin shell that joins the sockets, the store and the story of a turn. It may sleep at any time
 * between turns and remembers nothing that is not in the store or in a socket's attachment.
 */
export class ConversationObject extends DurableObject<object> {
  readonly #store: SessionStore
  readonly #engine: SocketEngine
  readonly #outbox: Outbox
  readonly #actor: Actor
  readonly #leaseMs: number
  #info: SessionInfo | null = null
  #live: LiveReply | null = null
  #isCurrent = false
  #running: { lease: number; controller: AbortController } | null = null

  constructor(ctx: DurableObjectState, env: object) {
    super(ctx, env)
    this.#store = new SessionStore(ctx.storage)
    this.#store.migrate()
    const config = readConfig({ ...env })
    this.#leaseMs = config.turnLeaseMs
    this.#actor = chooseActor(config, { pace: createPace(config.rehearsalPaceMs) })
    this.#engine = new SocketEngine(
      ctx,
      {
        connect: (peer, auth) => this.#connect(peer, auth),
        event: (peer, name, body, acknowledge) => this.#event(peer, name, body, acknowledge),
      },
      { log: (entry) => log('socket', { ...entry }) },
    )
    this.#outbox = this.#newOutbox(config.delivery, emailBinding(env))
    this.#recover()
  }

  /** Begins the conversation. Called once, by whoever made the session; again, it changes nothing. */
  begin(opening: Opening): void {
    begin(this.#store, opening, Date.now())
  }

  /** The actor's whole view of the conversation (S0-26), or null if it never began. Nothing of it is for a learner. */
  interactionLog(): InteractionLog | null {
    const info = this.#store.info()
    return info && readLog(info, this.#store.recorded(), Date.now())
  }

  override async fetch(request: Request): Promise<Response> {
    this.#recover()
    const response = this.#engine.upgrade(request)
    await this.#schedule()
    return response
  }

  override async webSocketMessage(ws: WebSocket, data: string | ArrayBuffer): Promise<void> {
    await this.#engine.message(ws, data)
  }

  override webSocketClose(ws: WebSocket): void {
    this.#engine.closed(ws)
  }

  override webSocketError(ws: WebSocket): void {
    this.#engine.errored(ws)
  }

  override async alarm(): Promise<void> {
    const now = Date.now()
    this.#engine.runDeadlines(now)
    // An actor holds its own, shorter deadlines; one that does not is called off here, and the turn ends as failed.
    if (this.#running && this.#running.lease <= now) this.#running.controller.abort()
    this.#recover()
    this.#deliver()
    await this.#schedule()
  }

  #connect(peer: Peer, auth: unknown): void | { refuse: { message: string; data: unknown } } {
    const stage = this.#stage()
    if (stage === null) return refusal('unknown-session')
    const read = connectAuthSchema.safeParse(auth)
    if (!read.success) return refusal('malformed')
    if (read.data.v !== WIRE_VERSION) return refusal('wrong-version')
    this.#greet(peer, stage, read.data)
  }

  async #event(
    peer: Peer,
    name: string,
    body: unknown,
    acknowledge: ((a: Acknowledgement) => void) | null,
  ): Promise<void> {
    const stage = this.#stage()
    if (stage === null) return acknowledge?.(refuse('unknown-session'))
    this.#recover()
    switch (name) {
      case 'say':
        return this.#take(this.#upToDate(stage), 'say', body, takeSay, acknowledge)
      case 'choose':
        return this.#take(stage, 'choose', body, takeChoose, acknowledge)
      case 'retry':
        return this.#take(stage, 'retry', body, takeRetry, acknowledge)
      case 'sync': {
        const read = upSchemas.sync.safeParse(body)
        if (!read.success) return acknowledge?.(refuse('malformed'))
        return this.#greet(peer, stage, read.data)
      }
      default:
        return acknowledge?.(refuse('unknown-event'))
    }
  }

  async #take<K extends keyof typeof upSchemas & keyof Up>(
    stage: Stage,
    name: K,
    body: unknown,
    take: (stage: Stage, message: Up[K]) => Taken,
    acknowledge: ((a: Acknowledgement) => void) | null,
  ): Promise<void> {
    const read = upSchemas[name].safeParse(body)
    if (!read.success) return acknowledge?.(refuse('malformed'))
    const taken = take(stage, read.data as Up[K])
    if (!taken.ok) return acknowledge?.(taken.refusal)
    // Begun before the acknowledgement and not awaited: the platform holds frames back until the writes before them are
    // durable, and an await would let another message in between.
    const leased = taken.turn && this.ctx.storage.setAlarm(this.#nextAlarm() ?? taken.turn.lease)
    acknowledge?.(taken.acknowledgement)
    stage.sendEvents(taken.events)
    if (taken.turn) this.#run(stage, taken.turn)
    await leased
  }

  /** Before a message opens a turn, its conversation moves to a newer version of its graph, if that asks for it. */
  #upToDate(stage: Stage): Stage {
    if (this.#isCurrent) return stage
    const versioned = bringUpToDate(stage.info, this.#store.walk(), deployed)
    // A deployment starts this object anew, so what holds for good is asked once; an open fork closes some time.
    this.#isCurrent = versioned.outcome !== 'kept' || !PASSING.has(versioned.why)
    if (versioned.outcome === 'refused') stage.log('migration-refused', { node: versioned.error.node })
    if (versioned.outcome !== 'moved') return stage
    const at = Date.now()
    const records = versioned.trace.map((entry) => ({ at, turn: 'migration', entry }))
    this.#store.repin(versioned.info, versioned.walk, records)
    this.#info = null
    stage.log('migrated', { version: versioned.info.graph.version })
    return this.#stage() ?? stage
  }

  #greet(peer: Peer, stage: Stage, known: { cursor?: Cursor; have?: Have }): void {
    peer.emit('hello' satisfies keyof Down, helloFor(stage, this.#live, known))
  }

  #broadcast<K extends keyof Down>(name: K, body: Down[K]): void {
    this.#engine.broadcast(name, body)
  }

  #run(stage: Stage, turn: StoredTurn): void {
    const controller = new AbortController()
    this.#running = { lease: turn.lease, controller }
    this.ctx.waitUntil(this.#runToEnd(stage, turn, controller.signal))
  }

  async #runToEnd(stage: Stage, turn: StoredTurn, signal: AbortSignal): Promise<void> {
    try {
      await runTurn(stage, turn, signal)
    } catch (error) {
      stage.log('turn-broke', { turn: turn.id, error: error instanceof Error ? error.name : 'unknown' })
    } finally {
      this.#running = null
    }
    this.#recover()
    await this.#schedule()
  }

  /**
   * Brings a turn back that runs in the store but not here: its runner died with an instance before this one, or its
   * end could not be written. Asked at every wake and with every message, so that no conversation stays stuck.
   */
  #recover(): void {
    const stage = this.#stage()
    if (stage === null || this.#running !== null) return
    const recovered = recover(stage)
    if (recovered === null) return
    stage.sendEvents(recovered.events)
    if (!recovered.turn) return
    this.#run(stage, recovered.turn)
    this.ctx.waitUntil(this.#schedule())
  }

  /** Begins to send what is due, and waits for none of it: a receiver may be slow, and the alarm is everybody's. */
  #deliver(): void {
    for (const attempt of this.#outbox.deliver()) this.ctx.waitUntil(attempt.then(() => this.#schedule()))
  }

  /** When the one alarm has to ring: for the sockets' deadlines, for the lease of a running turn, or for the outbox. */
  #nextAlarm(): number | null {
    const last = this.#store.lastTurn()
    const lease = last?.status === 'running' ? last.lease : null
    const times = [this.#engine.nextDeadline(Date.now()), lease, this.#outbox.nextDue()].filter((time) => time !== null)
    return times.length === 0 ? null : Math.min(...times)
  }

  async #schedule(): Promise<void> {
    const set = await this.ctx.storage.getAlarm()
    // Asked after the await, during which a turn may have begun or ended.
    const next = this.#nextAlarm()
    if (set === next) return
    // An alarm too many, or one too early, would wake a sleeping object for nothing.
    if (next === null) return this.ctx.storage.deleteAlarm()
    await this.ctx.storage.setAlarm(next)
  }

  #newOutbox(delivery: DeliveryConfig, email: EmailBinding | null): Outbox {
    const store = this.#store.outbox
    const now = () => Date.now()
    return new Outbox({
      store,
      carry: createCarry({ delivery, email, isGone: (destination) => store.isGone(destination), now }),
      leaseMs: delivery.timeoutMs * LEASE_FACTOR,
      origin: () => {
        const info = (this.#info ??= this.#store.info())
        if (info === null) throw new Error('nothing can be sent by a conversation that was never begun')
        return info
      },
      now,
      log: (event, ids) => log(event, { session: this.#info?.session ?? null, ...ids }),
    })
  }

  #stage(): Stage | null {
    this.#info ??= this.#store.info()
    const info = this.#info
    const npc = info?.scenario.npcs.find(({ id }) => id === info.npc)
    if (!info || !npc) return null
    return {
      info,
      npc,
      store: this.#store,
      actor: this.#actor,
      memory: (turn) => transcriptMemory(saidBefore(this.#store.eventsAfter(0), turn.id), synonymsOf(info.scenario)),
      separator: SEPARATOR,
      leaseMs: this.#leaseMs,
      now: () => Date.now(),
      after: (ms, task) => systemClock.after(ms, task),
      sendEvents: (events) => events.forEach((event) => this.#broadcast('event', event)),
      sendDelta: (delta) => this.#broadcast('delta', delta),
      setLive: (live) => {
        this.#live = live
      },
      log: (event, ids) => log(event, { session: info.session, ...ids }),
    }
  }
}

/** The platform's binding for mail, where the deployment has one of that name. */
function emailBinding(env: object): EmailBinding | null {
  return 'EMAIL' in env ? (env.EMAIL as EmailBinding) : null
}

function refusal(code: Parameters<typeof refuse>[0]): { refuse: { message: string; data: unknown } } {
  const data = refuse(code)
  return { refuse: { message: data.message, data } }
}
