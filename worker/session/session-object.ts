import { DurableObject } from 'cloudflare:workers'
import type { Actor } from '../actor/actor.ts'
import { chooseActor, createPace } from '../actor/choose-actor.ts'
import { systemClock } from '../clock.ts'
import { createMeteredActor } from '../budget/metered-actor.ts'
import { openBudget } from '../budget/open-budget.ts'
import type { SessionBudget } from '../budget/session-budget.ts'
import type { TranscriptMessage } from '../chain/scope.ts'
import type { Account } from '../core/run/account.ts'
import { transcriptOf } from '../core/run/transcript.ts'
import type { InteractionLog } from '../core/walk/interaction-log.ts'
import type { KeepReason } from '../core/walk/migrate.ts'
import { readConfig } from '../env.ts'
import { log } from '../log.ts'
import { createCarry } from '../outbox/carry.ts'
import { Outbox } from '../outbox/outbox.ts'
import type { DeliveryConfig } from '../outbox/delivery-config.ts'
import type { SendState } from '../outbox/outbox-store.ts'
import type { EmailBinding } from '../outbox/send-email.ts'
import { discardBody } from '../read-body.ts'
import type { Peer } from '../socket/peer.ts'
import { SocketEngine } from '../socket/socket-engine.ts'
import { connectAuthSchema, upSchemas } from '../wire/schema.ts'
import { WIRE_VERSION } from '../wire/version.ts'
import type { Acknowledgement, Cursor, Down, PartialReply, Renewed, Up } from '../wire/messages.ts'
import { accountOf, readLog } from './read-log.ts'
import { createGate, type Gate } from './admission.ts'
import { beginSession, type Opening } from './begin.ts'
import { beginSessionCopy, type CopyOpening } from './begin-as.ts'
import { type ChainSide, createChainSide, earliest } from './chain-side.ts'
import type { ConversationCopy, CopyResult, CopyMoment } from './conversation-copy.ts'
import { deployed } from './deployed.ts'
import { helloFor } from './hello.ts'
import { type Overview, overviewOf } from './overview.ts'
import { refuse } from './refuse.ts'
import { replayOf } from './replay.ts'
import type { SessionInfo } from './session-info.ts'
import { newSeparator, type SeparatorKind } from './hear.ts'
import { SessionStore } from './session-store.ts'
import type { TurnDeps } from './turn-deps.ts'
import { type StepName, stepped, steppedAsync } from '../steps.ts'
import { bringUpToDate } from './versions.ts'
import { type MessageOutcome, takeChoose, takeRetry, takeSay } from './take-message.ts'
import { TurnRunner } from './turn-runner.ts'

/** Why a conversation may stay on its version for now and not for good. */
const PASSING: ReadonlySet<KeepReason> = new Set<KeepReason>(['turn-open', 'fork-open'])

/** The frames that a deadline waits for: a CONNECT, and the answer to a ping. */
const WAITED_FOR = /^(?:40|3)/

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
  readonly #chain: ChainSide
  readonly #gate: Gate
  readonly #actor: Actor
  readonly #budget: SessionBudget
  readonly #leaseMs: number
  readonly #separator: SeparatorKind
  #info: SessionInfo | null = null
  /** Made once for each `#info`. */
  #lastDeps: TurnDeps | null = null
  #isCurrent = false
  readonly #runner = new TurnRunner({
    deps: () => this.#deps(),
    sendDelta: (delta) => this.#broadcast('delta', delta),
    waitUntil: (work) => this.ctx.waitUntil(work),
    schedule: () => this.#schedule(),
  })

  constructor(ctx: DurableObjectState, env: object) {
    super(ctx, env)
    this.#store = new SessionStore(ctx.storage)
    this.#store.migrate()
    const config = readConfig({ ...env })
    this.#leaseMs = config.turnLeaseMs
    this.#separator = config.separator
    this.#budget = openBudget(config, env, ctx, () => this.#info)
    const actor = chooseActor(config, { pace: createPace(config.rehearsalPaceMs) })
    const { speaker } = config
    this.#actor = speaker.kind === 'model' ? createMeteredActor(actor, this.#budget, speaker.maxOutputTokens) : actor
    this.#gate = createGate({
      trust: config.trust,
      session: ctx.id.toString(),
      epoch: () => this.#store.epoch(),
      now: () => Date.now(),
    })
    this.#engine = new SocketEngine(
      ctx,
      {
        admit: async (peer, auth) => ((await this.#gate.admit(peer, auth)) ? undefined : refusal('not-admitted')),
        connect: (peer, auth, recovered) => this.#connect(peer, auth, recovered),
        event: (peer, name, body, acknowledge) => this.#event(peer, name, body, acknowledge),
        expired: () => refuse('not-admitted'),
      },
      { recovery: replayOf(() => this.#replayed(), ctx.storage.kv), log: (entry) => log('socket', { ...entry }) },
    )
    this.#outbox = this.#newOutbox(config.delivery, emailBinding(env))
    this.#chain = createChainSide({
      env,
      trust: config.trust,
      session: ctx.id.toString(),
      store: this.#store,
      probe: (step, when) => this.probe(step, when),
    })
  }

  /** Begins the conversation. The Worker calls it once, when it makes the session; a second call changes nothing. */
  begin(opening: Opening): void {
    beginSession(this.#store, opening, Date.now())
  }

  /** Begins it as a copy of another. Called again, or after it was erased, it changes nothing. */
  beginAs(copy: ConversationCopy, opening: CopyOpening): void {
    beginSessionCopy(this.#store, copy, opening, Date.now())
  }

  /**
   * The conversation as it stood at a moment ([again-2]); null if there was none, it never began or was erased. A revoked
   * conversation is not copied: the copy would let those in again who were put out.
   */
  copyUntil(moment: CopyMoment): CopyResult {
    const copy = this.#store.info() && this.#store.copies.until(moment)
    return copy !== null && this.#store.epoch() > 0 ? 'not-kept' : copy
  }

  /** The actor's whole view of the conversation, or null if it never began. Nothing of it is for a learner. */
  interactionLog(): InteractionLog | null {
    const info = this.#store.info()
    return info && readLog(info, this.#store.recorded(), Date.now())
  }

  /** The conversation's state in names and numbers; null if it never began. */
  overview(): Overview | null {
    const info = this.#store.info()
    return info && overviewOf(info, this.#store, { sockets: this.#engine.peers().length, live: this.#runner.live })
  }

  /** The transcript as the learner saw it; null if the conversation never began. */
  transcript(): readonly TranscriptMessage[] | null {
    return this.#store.info() && transcriptOf(this.#store.eventsAfter(0))
  }

  /** How often it was revoked; null if it never began, or was erased. */
  revocations(): number | null {
    return this.#known() && this.#store.epoch()
  }

  /** Brings what it has for the chain there now, as far as that can be done within a few seconds. */
  async flush(): Promise<void> {
    if (this.#known() === null) return
    await this.#chain.flush()
    await this.#schedule()
  }

  /**
   * How it went, for the debrief of its run; null if it never began, or was revoked: the key of the run is no way round that.
   * What it has for the chain is brought there before.
   *
   * @throws Error where that cannot be done within a few seconds: what it told is then missing from the run
   */
  async account(): Promise<Account | null> {
    if (this.#known() === null) return null
    await this.flush()
    if (this.#chain.isBringing()) throw new Error('not all that was told is in the run yet')
    const info = this.#store.epoch() > 0 ? null : this.#known()
    return info && accountOf(info, this.#store, Date.now())
  }

  /** The state of its outbox, without any content; null if the conversation never began. */
  sends(): readonly SendState[] | null {
    return this.#store.info() && this.#store.outbox.all()
  }

  /** Revokes all credentials: closes every socket, and admits only credentials signed after this call. */
  revoke(): { session: string; epoch: number; learner: string | undefined } | null {
    const info = this.#store.info()
    if (info === null) return null
    const epoch = this.#store.revoke()
    for (const peer of this.#engine.peers()) peer.close('expired')
    const { session, learner } = info
    return { session, epoch, learner: learner.kind === 'verified' ? learner.id : undefined }
  }

  /**
   * Erases the conversation for good ([person-6]). The running turn is called off; whoever is connected is cut off, and told to
   * start over when their client comes back; nothing is sent, brought into the chain or begun here any more. A second time
   * changes nothing.
   */
  async erase(): Promise<void> {
    this.#runner.stop()
    for (const peer of this.#engine.peers()) peer.close('expired')
    this.#info = null
    await this.#store.erase()
    await this.#schedule()
    log('session-erased', { session: this.ctx.id.toString() })
  }

  override async fetch(request: Request): Promise<Response> {
    if (!this.#gate.passes(request)) return this.#turnAway(request)
    this.#runner.recover()
    const response = this.#engine.handle(request)
    await this.#schedule()
    return response
  }

  async #turnAway(request: Request): Promise<Response> {
    await discardBody(request)
    return new Response(null, { status: 401 })
  }

  override async webSocketMessage(ws: WebSocket, data: string | ArrayBuffer): Promise<void> {
    // Not in the constructor: what goes wrong there leaves the platform with requests that nobody answers.
    this.#runner.recover()
    await this.#engine.message(ws, data)
    // The alarm that stood for it would wake a sleeping object for nothing.
    if (typeof data === 'string' && WAITED_FOR.test(data)) await this.#schedule()
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
    this.#runner.callOff(now)
    this.#runner.recover()
    this.#deliver()
    await this.#schedule()
  }

  /** Called before and after every step of a turn. Nothing here; a build for tests stops at it. */
  protected probe(_step: StepName, _when: 'before' | 'after'): void | Promise<void> {}

  #connect(peer: Peer, auth: unknown, recovered: boolean): void | { refuse: { message: string; data: unknown } } {
    const deps = this.#deps()
    if (deps === null) return refusal('unknown-session')
    if (!this.#gate.isCurrent(peer)) return refusal('not-admitted')
    const read = connectAuthSchema.safeParse(auth)
    if (!read.success) return refusal('malformed')
    if (read.data.v !== WIRE_VERSION) return refusal('wrong-version')
    // Who recovered has been told everything up to here already.
    const upToNow = { epoch: deps.info.epoch, seq: this.#store.head() }
    this.#greet(peer, deps, recovered ? { ...read.data, cursor: upToNow } : read.data)
  }

  async #event(
    peer: Peer,
    name: string,
    body: unknown,
    acknowledge: ((a: Acknowledgement | Renewed) => void) | null,
  ): Promise<void> {
    const deps = this.#deps()
    if (deps === null) return acknowledge?.(refuse('unknown-session'))
    switch (name) {
      case 'say':
        return this.#take(this.#upToDate(deps), 'say', body, takeSay, acknowledge)
      case 'choose':
        return this.#take(deps, 'choose', body, takeChoose, acknowledge)
      case 'retry':
        return this.#take(deps, 'retry', body, takeRetry, acknowledge)
      case 'cancel': {
        const read = upSchemas.cancel.safeParse(body)
        if (!read.success) return acknowledge?.(refuse('malformed'))
        return this.#runner.cancel(deps, read.data, (answer) => acknowledge?.(answer))
      }
      case 'renew':
        return acknowledge?.(await this.#gate.renew(peer))
      case 'sync': {
        const read = upSchemas.sync.safeParse(body)
        if (!read.success) return acknowledge?.(refuse('malformed'))
        return this.#greet(peer, deps, read.data)
      }
      default:
        return acknowledge?.(refuse('unknown-event'))
    }
  }

  async #take<K extends keyof typeof upSchemas & keyof Up>(
    deps: TurnDeps,
    name: K,
    body: unknown,
    take: (deps: TurnDeps, message: Up[K]) => MessageOutcome,
    acknowledge: ((a: Acknowledgement) => void) | null,
  ): Promise<void> {
    const read = upSchemas[name].safeParse(body)
    if (!read.success) return acknowledge?.(refuse('malformed'))
    const { probe } = deps
    const taken = stepped(probe, 'accept', () => take(deps, read.data as Up[K]))
    if (!taken.ok) return acknowledge?.(taken.refusal)
    // Begun before the acknowledgement and not awaited: the platform holds frames back until the writes before them are
    // durable, and an await would let another message in between.
    const { turn } = taken
    const leased = turn && stepped(probe, 'lease', () => this.ctx.storage.setAlarm(this.#nextAlarm(turn.lease)))
    stepped(probe, 'acknowledge', () => acknowledge?.(taken.acknowledgement))
    stepped(probe, 'announce', () => deps.sendEvents(taken.events))
    if (turn) this.#runner.start(deps, turn)
    await leased
  }

  /** Before a message opens a turn, its conversation moves to a newer version of its graph, if that asks for it. */
  #upToDate(deps: TurnDeps): TurnDeps {
    // The stored walk is at rest while a turn runs, and what runs goes on with its graph.
    if (this.#isCurrent || this.#store.lastTurn()?.status === 'running') return deps
    const versioned = bringUpToDate(deps.info, this.#store.walk(), deployed)
    // A deployment starts this object anew, so what holds for good is asked once; an open fork closes some time.
    this.#isCurrent = versioned.outcome !== 'kept' || !PASSING.has(versioned.why)
    if (versioned.outcome === 'refused') deps.log('migration-refused', { node: versioned.error.node })
    if (versioned.outcome !== 'moved') return deps
    const at = Date.now()
    const records = versioned.trace.map((entry) => ({ at, turn: 'migration', entry }))
    this.#store.repin(versioned.info, versioned.walk, records)
    this.#info = null
    deps.log('migrated', { version: versioned.info.graph.version })
    return this.#deps() ?? deps
  }

  #greet(peer: Peer, deps: TurnDeps, known: { cursor?: Cursor; have?: PartialReply }): void {
    const hello = helloFor(deps, this.#runner.live, known)
    peer.emitAt(String(hello.head), 'hello' satisfies keyof Down, hello)
  }

  #broadcast<K extends keyof Down>(name: K, body: Down[K], offset?: string): void {
    this.#engine.broadcast(name, body, offset)
  }

  /** The log as a recovering client knows it. Only a conversation that has begun has one. */
  #replayed() {
    const info = this.#known()
    const store = this.#store
    return {
      epoch: info?.epoch ?? '',
      head: () => (info ? store.head() : 0),
      eventsAfter: (seq: number) => store.eventsAfter(seq),
    }
  }

  /** Begins to send what is due, and waits for none of it: a receiver may be slow, and the alarm is everybody's. */
  #deliver(): void {
    if (this.#known() === null) return
    const deps = this.#deps()
    for (const attempt of [...this.#outbox.deliver(), ...(deps ? this.#chain.deliver(deps) : [])])
      this.ctx.waitUntil(attempt.then(() => this.#schedule()))
  }

  /**
   * When the one alarm has to ring: for the sockets' deadlines, for a turn that runs or is left over, for the outbox, or
   * for what waits for the chain. Null when nothing waits, and never with a turn that is about to run and the end of its `lease`.
   */
  #nextAlarm(lease: number): number
  #nextAlarm(lease?: number): number | null
  #nextAlarm(lease?: number): number | null {
    const deps = this.#deps()
    const turn = lease ?? (deps && this.#runner.nextDue(deps))
    const outbox = this.#known() && this.#outbox.nextDue()
    return earliest([this.#engine.nextDeadline(Date.now()), turn, outbox, deps && this.#chain.nextDue(deps)])
  }

  #schedule(): Promise<void> {
    return steppedAsync(
      (step, when) => this.probe(step, when),
      'schedule',
      () => this.#setAlarm(),
    )
  }

  async #setAlarm(): Promise<void> {
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
        const info = this.#known()
        if (info === null) throw new Error('nothing can be sent by a conversation that was never begun')
        return info
      },
      now,
      probe: (step, when) => this.probe(step, when),
      log: (event, ids) => log(event, { session: this.#info?.session ?? null, ...ids }),
    })
  }

  /** The data that the conversation began with, read once; null if it never began. */
  #known(): SessionInfo | null {
    return (this.#info ??= this.#store.info())
  }

  #deps(): TurnDeps | null {
    const info = this.#known()
    if (this.#lastDeps?.info !== info) this.#lastDeps = info && this.#depsOf(info)
    return this.#lastDeps
  }

  #depsOf(info: SessionInfo): TurnDeps | null {
    const npc = info.scenario.npcs.find(({ id }) => id === info.npc)
    if (!npc) return null
    return {
      info,
      npc,
      store: this.#store,
      actor: this.#actor,
      budget: this.#budget,
      memory: (turn) => this.#chain.memory(info, turn),
      separator: () => newSeparator(this.#separator),
      leaseMs: this.#leaseMs,
      now: () => Date.now(),
      after: (ms, task) => systemClock.after(ms, task),
      sendEvents: (events) => events.forEach((event) => this.#broadcast('event', event, String(event.seq))),
      probe: (step, when) => this.probe(step, when),
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
