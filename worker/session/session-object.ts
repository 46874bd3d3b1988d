import { DurableObject } from 'cloudflare:workers'
import type { Actor } from '../actor/actor.ts'
import { chooseActor, createPace } from '../actor/choose-actor.ts'
import { loadWordTable } from '../actor/load-word-table.ts'
import { inTime, systemClock } from '../clock.ts'
import { createMeteredActor } from '../budget/metered-actor.ts'
import { openBudget } from '../budget/open-budget.ts'
import type { SessionBudget } from '../budget/session-budget.ts'
import type { TranscriptMessage } from '../chain/scope.ts'
import type { Account } from '../core/run/account.ts'
import { transcriptOf } from '../core/run/transcript.ts'
import type { InteractionLog } from '../core/walk/interaction-log.ts'
import type { KeepReason } from '../core/walk/migrate.ts'
import { type NpcState, npcStateOf, type Rehydrated, rehydrate } from '../core/walk/npc-state.ts'
import { configOf } from '../env.ts'
import { log, nameOf } from '../log.ts'
import { createCarry } from '../outbox/carry.ts'
import { Outbox } from '../outbox/outbox.ts'
import { callTool } from '../outbox/call-tool.ts'
import type { DeliveryConfig, WebhookConfig } from '../outbox/delivery-config.ts'
import type { SendState } from '../outbox/outbox-store.ts'
import type { EmailBinding } from '../outbox/send-email.ts'
import { discardBody } from '../read-body.ts'
import type { Peer } from '../socket/peer.ts'
import { SocketEngine } from '../socket/socket-engine.ts'
import { connectAuthSchema, upSchemas } from '../wire/schema.ts'
import { WIRE_VERSION } from '../wire/version.ts'
import type { Acknowledgement, Cursor, Down, LogEvent, PartialReply, Renewed, Up } from '../wire/messages.ts'
import { Alarm } from './alarm.ts'
import { accountOf, readLog } from './read-log.ts'
import { createGate, type Gate } from './admission.ts'
import { beginSession, bindGraphs, type Opening } from './begin.ts'
import { beginSessionCopy, type CopyOpening } from './begin-as.ts'
import { staticFiles } from '../chain/scenarios/contents.ts'
import { ownScope } from '../chain/runs/own-scope.ts'
import { type ChainSide, createChainSide, earliest } from './chain-side.ts'
import type { ConversationCopy, CopyResult, CopyMoment } from './conversation-copy.ts'
import { deployedCatalogue, deployedHash } from './deployed.ts'
import type { ConversationMetadata, ConversationState } from '../core/assistant/conversation-state.ts'
import type { Described } from './assistant/assistant-store.ts'
import type { ToldTurns } from './assistant/assistant-record.ts'
import { stateNow } from './assistant/tell.ts'
import { takePermit, takeRevoke, takeToolAnswer } from './assistant/tool-calls.ts'
import { takeVerdict } from './assistant/take-verdict.ts'
import { takeLock, takePage } from './assistant/take-page.ts'
import { helloFor } from './hello.ts'
import { type Overview, overviewOf } from './overview.ts'
import { refuse } from './refuse.ts'
import { shortDelta, shortEvent } from './short-events.ts'
import { replayOf } from './replay.ts'
import { SessionContents } from './session-contents.ts'
import { ContentMissing, pinsOf, readFacts, type SessionInfo } from './session-info.ts'
import { newSeparator, type SeparatorKind } from './hear.ts'
import { SessionStore } from './session-store.ts'
import type { TurnDeps } from './turn-deps.ts'
import { type StepName, stepped, steppedAsync } from '../steps.ts'
import { bringUpToDate } from './versions.ts'
import { type MessageOutcome, takeChoose, takeRetry, takeSay } from './take-message.ts'
import { TurnRunner } from './turn-runner.ts'

/**
 * Temporary reasons to keep a conversation's graph although a newer version is deployed. After such a reason, the next
 * message checks the version again.
 */
const PASSING: ReadonlySet<KeepReason> = new Set<KeepReason>(['turn-open', 'fork-open'])

/** Matches the frames that a client has to send before a deadline: CONNECT (`40`), and the answer to a ping (`3`). */
const WAITED_FOR = /^(?:40|3)/

/**
 * How long `alarm` waits for storage before it throws, in milliseconds. The platform retries an alarm that throws.
 * Without this limit, one alarm whose storage hangs could hold back all later ones for up to a quarter of an hour.
 */
const ALARM_MS = 10_000

/** The lease of a delivery attempt, as a multiple of the time that the attempt may take. */
const LEASE_FACTOR = 2

/** How long the object waits for contents, in milliseconds. Meanwhile it handles no message. */
const LOAD_MS = 5_000
/** How long the object waits before it tries again to load contents that could not be loaded, in milliseconds. */
const RELOAD_MS = 5_000
/** The longest of these waits. Each is twice as long as the one before it. */
const LONGEST_RELOAD_MS = 3_600_000

/** A conversation with an assistant in a person's list. */
type ConversationCard = Pick<ConversationMetadata, 'title' | 'is_pinned' | 'is_archived'> & { readonly said: string }

/** Why the object does not have its contents: they cannot be read now, or no source has them. */
type Lack = 'unavailable' | 'gone'

/**
 * The Durable Object of one conversation. The object connects the sockets, the store and the runner of turns. The
 * object may hibernate at any time between turns, so all its state is in the store and in the sockets' attachments.
 */
export class ConversationObject extends DurableObject<object> {
  readonly #alarm: Alarm
  readonly #store: SessionStore
  readonly #contents: SessionContents
  /** Null if the object has its contents, or needs none. */
  #lack: Lack | null = null
  /** How often in a row the contents could not be loaded. */
  #misses = 0
  readonly #engine: SocketEngine
  readonly #outbox: Outbox
  readonly #chain: ChainSide
  readonly #gate: Gate
  readonly #actor: Actor
  readonly #budget: SessionBudget
  readonly #leaseMs: number
  readonly #separator: SeparatorKind
  #info: SessionInfo | null = null
  /** The dependencies that were made for the latest `#info`; null before they are made for the first time. */
  #lastDeps: TurnDeps | null = null
  #isCurrent = false
  /** True if early pings were sent, whose answers may have a deadline before the alarm. */
  #isAlarmLate = false
  readonly #webhook: WebhookConfig | null
  /** How long the deployment's server may take to run a tool, in milliseconds. */
  readonly #toolMs: number
  readonly #runner = new TurnRunner({
    deps: () => this.#deps(),
    sendDelta: (delta) => this.#engine.broadcast('delta' satisfies keyof Down, delta, undefined, shortDelta(delta)),
    waitUntil: (work) => this.ctx.waitUntil(work),
    schedule: () => this.#schedule(),
  })

  constructor(ctx: DurableObjectState, env: object) {
    super(ctx, env)
    const config = configOf(env)
    this.#contents = new SessionContents({ files: staticFiles(env), chain: () => ownScope(env, config.trust) })
    this.#alarm = new Alarm(ctx.storage)
    this.#store = new SessionStore(ctx.storage, this.#contents, this.#alarm, config.gatherMs)
    const pins = this.#store.migrate() ? this.#store.pins() : null
    if (pins !== null && !this.#contents.hold(pins)) {
      this.#lack = 'unavailable'
      void ctx.blockConcurrencyWhile(() => this.#load())
    }
    this.#leaseMs = config.turnLeaseMs
    this.#separator = config.separator
    this.#budget = openBudget(config, env, ctx, () => this.#info)
    const actor = chooseActor(config, {
      pace: createPace(config.rehearsalPaceMs),
      table: () => loadWordTable(staticFiles(env), (error) => log('words-not-loaded', { error })),
    })
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
        pinged: () => void (this.#isAlarmLate = true),
      },
      { recovery: replayOf(() => this.#replayed(), ctx.storage.kv), log: (entry) => log('socket', { ...entry }) },
    )
    this.#webhook = config.delivery.webhook
    this.#toolMs = config.delivery.timeoutMs
    this.#outbox = this.#newOutbox(config.delivery, emailBinding(env))
    this.#chain = createChainSide({
      env,
      trust: config.trust,
      session: ctx.id.toString(),
      store: this.#store,
      probe: (step, when) => this.probe(step, when),
    })
  }

  /**
   * Begins the conversation. The Worker calls this method once, when it creates the session. A second call changes
   * nothing.
   */
  async begin(opening: Opening): Promise<void> {
    const stored = await this.#contents.stored(opening.content)
    if (stored === null) throw new Error(`there is no content ${opening.content}`)
    const { scenario } = stored
    const bound = bindGraphs(stored, opening)
    // The contents are kept before the conversation begins, so that no conversation is pinned to what nobody has.
    const pins = await this.#contents.keep(opening.content, scenario, bound)
    beginSession(this.#store, opening, { scenario, bound, pins }, Date.now())
  }

  /**
   * Begins the conversation as a copy of another conversation. A repeated call, or a call after an erasure, changes
   * nothing.
   */
  async beginAs(copy: ConversationCopy, opening: CopyOpening): Promise<void> {
    if (this.#store.hasBegun()) return
    const pins = pinsOf(copy.info)
    const loaded = pins && (await this.#contents.load(pins, readFacts(copy.info)))
    if (loaded?.ok === false) throw new Error(`there is no content ${loaded.gone}`)
    beginSessionCopy(this.#store, copy, opening, Date.now(), this.#contents)
  }

  /**
   * Returns the conversation as it was at a moment ([again-2]); null if the conversation has no such moment, never
   * began or was erased. A revoked conversation is not copied, because the copy would admit the clients that the
   * revocation shut out.
   */
  copyUntil(moment: CopyMoment): CopyResult {
    const copy = this.#store.hasBegun() ? this.#store.copies.until(moment) : null
    return copy !== null && this.#store.epoch() > 0 ? 'not-kept' : copy
  }

  /**
   * Returns the interaction log: every state that the conversation visited, and what happened there; null if the
   * conversation never began. No learner may see the log, because it contains the colleague's thoughts.
   */
  async interactionLog(): Promise<InteractionLog | null> {
    const info = await this.#whole()
    return info && readLog(info, this.#store.recorded(), Date.now())
  }

  /** Returns the conversation's state in names and numbers; null if the conversation never began. */
  async overview(): Promise<Overview | null> {
    const info = await this.#whole()
    return info && overviewOf(info, this.#store, { sockets: this.#engine.peers().length, live: this.#runner.live })
  }

  /**
   * Returns what was sent in a turn of an assistant, or in the latest ones if `turn` is null, part by part with the
   * reasons, for people who may read conversations; null if the conversation never began.
   */
  told(turn: number | null): ToldTurns | null {
    return this.#store.hasBegun() ? this.#store.assistant.told(turn) : null
  }

  /**
   * Returns the state of a conversation with an assistant, for people who may read conversations; null if this is no such
   * conversation.
   */
  conversationState(): ConversationState | null {
    const info = this.#known()
    return info?.scenario.assistant ? stateNow(info, this.#store) : null
  }

  /**
   * Changes what a person has written about a conversation with an assistant, and returns all of it; null if this is no
   * such conversation. Without a change nothing is written.
   */
  async describe(given: Described): Promise<ConversationMetadata | null> {
    const info = await this.#whole()
    return info?.scenario.assistant ? this.#store.assistant.describe(info, given, Date.now()) : null
  }

  /**
   * Returns how a person's list names the conversation with an assistant: its title, empty unless the person has given one,
   * and what the person said first.
   * Returns null if this is no such conversation, or it was revoked.
   */
  async card(): Promise<ConversationCard | null> {
    const info = await this.#whole()
    if (!info?.scenario.assistant || this.#store.epoch() > 0) return null
    const { title, is_pinned, is_archived } = this.#store.assistant.describe(info, {}, Date.now())
    const first = this.#store.eventsAfter(0).find((event) => event.type === 'turn-start')
    const given = title === info.scenario.title ? '' : title
    return { title: given, said: first?.text ?? '', is_pinned, is_archived }
  }

  /** Returns the walk's position as hosts with their own engine store it; null if the conversation never began. */
  npcState(): NpcState | null {
    return this.#store.hasBegun() ? npcStateOf(this.#store.walk()) : null
  }

  /**
   * Continues the conversation from a host's state. Refuses it while a turn runs, after the end, and if the state does
   * not fit the graph. Returns null if the conversation never began.
   */
  async setNpcState(state: NpcState): Promise<Rehydrated | null> {
    const info = await this.#whole()
    if (info === null) return null
    if (this.#store.lastTurn()?.status === 'running') return { ok: false, why: 'turn-open' }
    const done = rehydrate(info.graph, this.#store.walk(), state)
    if (done.ok) this.#store.putWalk(done.walk)
    return done
  }

  /** Returns the transcript as the learner saw it; null if the conversation never began. */
  transcript(): readonly TranscriptMessage[] | null {
    return this.#store.hasBegun() ? transcriptOf(this.#store.eventsAfter(0)) : null
  }

  /** Returns how often the conversation was revoked; null if the conversation never began or was erased. */
  revocations(): number | null {
    return this.#store.hasBegun() ? this.#store.epoch() : null
  }

  /** Delivers waiting events to the chain now, as many as can be delivered within a few seconds. */
  async flush(): Promise<void> {
    if (!this.#store.hasBegun()) return
    await this.#chain.flush()
    await this.#schedule()
  }

  /**
   * Delivers the waiting events to the chain, and returns how the conversation went, for the debrief of its run.
   * Returns null if the conversation never began, or was revoked: the run's key must not give access to a revoked
   * conversation.
   *
   * @throws Error if the events cannot be delivered within a few seconds, because the run in the chain would then lack
   *   something that the learner heard or did in this conversation
   */
  async account(): Promise<Account | null> {
    if ((await this.#whole()) === null) return null
    await this.flush()
    if (this.#chain.isBringing()) throw new Error('not all that was told is in the run yet')
    const info = this.#store.epoch() > 0 ? null : this.#known()
    return info && accountOf(info, this.#store, Date.now())
  }

  /** Returns the state of the outbox, without any content; null if the conversation never began. */
  sends(): readonly SendState[] | null {
    return this.#store.hasBegun() ? this.#store.outbox.all() : null
  }

  /**
   * Revokes all credentials: closes every socket, and admits only credentials signed after this call. Returns null if
   * the conversation never began.
   */
  revoke(): { session: string; epoch: number; learner: string | undefined } | null {
    const facts = this.#store.facts()
    if (facts === null) return null
    const epoch = this.#store.revoke()
    for (const peer of this.#engine.peers()) peer.close('expired')
    const { session, learner } = facts
    return { session, epoch, learner: learner.kind === 'verified' ? learner.id : undefined }
  }

  /**
   * Erases the conversation ([person-6]). The running turn is aborted and every connection is closed. A client that
   * comes back is told to start over. From then on the object sends nothing, delivers nothing to the chain and begins
   * no conversation. A repeated call changes nothing.
   */
  async erase(): Promise<void> {
    this.#runner.stop()
    for (const peer of this.#engine.peers()) peer.close('expired')
    this.#info = null
    this.#lack = null
    await this.#store.erase()
    this.#alarm.forget()
    await this.#schedule()
    log('session-erased', { session: this.ctx.id.toString() })
  }

  override async fetch(request: Request): Promise<Response> {
    if (!this.#gate.passes(request)) return this.#turnAway(request)
    if (this.#lack !== null) await this.#load()
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
    if (this.#lack !== null) await this.#load()
    // Recovery does not run in the constructor, because requests would get no answer if recovery failed there.
    this.#runner.recover()
    await this.#engine.message(ws, data)
    // The frame may have arrived before its deadline. If the alarm for that deadline stayed set, it would wake a
    // sleeping object for nothing.
    const isAwaited = typeof data === 'string' && WAITED_FOR.test(data)
    if (!isAwaited && !this.#isAlarmLate) return
    this.#isAlarmLate = false
    await this.#schedule()
  }

  override webSocketClose(ws: WebSocket): Promise<void> {
    this.#engine.closed(ws)
    return this.#left()
  }

  override webSocketError(ws: WebSocket): Promise<void> {
    this.#engine.errored(ws)
    return this.#left()
  }

  /**
   * Delivers what was gathered for the chain once nobody is connected ([run-15]): whoever leaves a talk looks at the run
   * next.
   */
  async #left(): Promise<void> {
    if (this.#lack === null && this.#engine.peers().length === 0 && this.#chain.isBringing()) await this.flush()
  }

  override async alarm(): Promise<void> {
    if (this.#lack !== null) await this.#load()
    const now = Date.now()
    this.#alarm.forget()
    this.#engine.runDeadlines(now)
    this.#runner.callOff(now)
    this.#runner.recover()
    this.#deliver()
    await inTime(this.#schedule(), ALARM_MS, () => {
      throw new Error('the next alarm was not set in time')
    })
  }

  /**
   * Does nothing. The object calls this method before and after every step of a turn. A test build overrides this
   * method to stop the object at a step.
   */
  protected probe(_step: StepName, _when: 'before' | 'after'): void | Promise<void> {}

  #connect(peer: Peer, auth: unknown, recovered: boolean): void | { refuse: { message: string; data: unknown } } {
    const deps = this.#deps()
    if (deps === null) return refusal(this.#codeOfLack())
    if (!this.#gate.isCurrent(peer)) return refusal('not-admitted')
    const read = connectAuthSchema.safeParse(auth)
    if (!read.success) return refusal('malformed')
    if (read.data.v !== WIRE_VERSION) return refusal('wrong-version')
    if (read.data.short) peer.update({ isShort: true })
    // A recovered client gets the events that it missed from Socket.IO's own recovery, so `hello` need not repeat them.
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
    if (deps === null) return acknowledge?.(refuse(this.#codeOfLack()))
    switch (name) {
      case 'say':
        return this.#take(
          this.#isNewerDeployed(deps) ? await this.#upToDate(deps) : deps,
          'say',
          body,
          takeSay,
          acknowledge,
        )
      case 'choose':
        return this.#take(deps, 'choose', body, takeChoose, acknowledge)
      case 'retry':
        return this.#take(deps, 'retry', body, takeRetry, acknowledge)
      case 'cancel': {
        const read = upSchemas.cancel.safeParse(body)
        if (!read.success) return acknowledge?.(refuse('malformed'))
        return this.#runner.cancel(deps, read.data, (answer) => acknowledge?.(answer))
      }
      case 'page': {
        const read = upSchemas.page.safeParse(body)
        return acknowledge?.(read.success ? takePage(deps, read.data) : refuse('malformed'))
      }
      case 'lock': {
        const read = upSchemas.lock.safeParse(body)
        return acknowledge?.(read.success ? takeLock(deps, read.data) : refuse('malformed'))
      }
      case 'revoke': {
        const read = upSchemas.revoke.safeParse(body)
        return acknowledge?.(read.success ? takeRevoke(deps, read.data) : refuse('malformed'))
      }
      case 'verdict': {
        const read = upSchemas.verdict.safeParse(body)
        return acknowledge?.(read.success ? takeVerdict(deps, read.data) : refuse('malformed'))
      }
      case 'permit':
      case 'tool': {
        const read = upSchemas[name].safeParse(body)
        if (!read.success) return acknowledge?.(refuse('malformed'))
        const taken =
          name === 'permit'
            ? takePermit(deps, read.data as Up['permit'])
            : takeToolAnswer(deps, read.data as Up['tool'])
        acknowledge?.(taken.acknowledgement)
        if (taken.goesOn) this.#runner.goOn(deps)
        return this.#schedule()
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
    // The alarm is set before the acknowledgement is sent. The platform sends a frame only when all earlier writes are
    // durable, so an acknowledged message always has an alarm. The setting of the alarm is awaited only at the end,
    // because an await here would let another message be handled in between.
    const { turn } = taken
    const leased = turn && stepped(probe, 'lease', () => this.#alarm.set(this.#nextAlarm(turn.lease)))
    stepped(probe, 'acknowledge', () => acknowledge?.(taken.acknowledgement))
    stepped(probe, 'announce', () => deps.sendEvents(taken.events))
    if (turn) this.#runner.start(deps, turn)
    await leased
  }

  /**
   * Returns true if the deployment may have a newer version of the conversation's graph, which has to be read then. A
   * conversation that is pinned to the deployed scenario has the newest version ([version-23]).
   */
  #isNewerDeployed({ info }: TurnDeps): boolean {
    // While a turn runs, the graph does not change, because the turn continues with the graph with which it began.
    if (this.#isCurrent || this.#store.lastTurn()?.status === 'running') return false
    const deployed = deployedHash(info.scenario.id)
    this.#isCurrent = deployed === null || deployed === this.#store.pins()?.scenario
    return !this.#isCurrent
  }

  /**
   * Moves the conversation to the deployed version of its graph, if that version declares a migration, before a message
   * opens a turn. Meanwhile no other message is handled. If the deployed version cannot be read now, the conversation
   * goes on as it is, and its next message checks again.
   */
  #upToDate(deps: TurnDeps): Promise<TurnDeps> {
    return this.ctx.blockConcurrencyWhile(async () => {
      try {
        await this.#takeOver(deps)
      } catch (error) {
        deps.log('newer-not-read', { error: nameOf(error) })
      }
      return this.#deps() ?? deps
    })
  }

  async #takeOver(deps: TurnDeps): Promise<void> {
    const hash = deployedHash(deps.info.scenario.id)
    const stored = hash === null ? null : await inTime(this.#contents.stored(hash), LOAD_MS, notInTime)
    this.#isCurrent = stored === null
    if (hash === null || stored === null) return
    const versioned = bringUpToDate(deps.info, this.#store.walk(), deployedCatalogue(stored))
    if (versioned.outcome === 'moved') {
      const { info, walk, trace } = versioned
      const pins = await inTime(this.#contents.keep(hash, info.scenario, info), LOAD_MS, notInTime)
      const at = Date.now()
      const records = trace.map((entry) => ({ at, turn: 'migration', entry }))
      this.#store.repin(info, walk, records, pins)
      this.#info = null
      deps.log('migrated', { version: info.graph.version })
    }
    if (versioned.outcome === 'refused') deps.log('migration-refused', { node: versioned.error.node })
    // One check is enough until the object restarts, because only a deployment brings a newer version, and every
    // deployment restarts the object. But if the conversation kept its version for a temporary reason, such as an open
    // fork, the next message checks again.
    this.#isCurrent = versioned.outcome !== 'kept' || !PASSING.has(versioned.why)
  }

  #greet(peer: Peer, deps: TurnDeps, known: { cursor?: Cursor; have?: PartialReply }): void {
    const hello = helloFor(deps, this.#runner.live, known)
    peer.emitAt(String(hello.head), 'hello' satisfies keyof Down, hello)
  }

  #sendEvent(event: LogEvent): void {
    const short = shortEvent(event, this.#runner.live)
    this.#engine.broadcast('event' satisfies keyof Down, event, String(event.seq), short)
  }

  /** Returns the log for a recovering client. The log of a conversation that never began is empty. */
  #replayed() {
    const info = this.#known()
    const store = this.#store
    return {
      epoch: info?.epoch ?? '',
      head: () => (info ? store.head() : 0),
      eventsAfter: (seq: number) => store.eventsAfter(seq),
    }
  }

  /**
   * Begins to send due messages and events, without waiting for them to arrive: a receiver may be slow, and the object
   * has one alarm for all its work.
   */
  #deliver(): void {
    if (this.#known() === null) return
    const deps = this.#deps()
    for (const attempt of [...this.#outbox.deliver(), ...(deps ? this.#chain.deliver(deps) : [])])
      this.ctx.waitUntil(attempt.then(() => this.#schedule()))
  }

  /**
   * Returns when the object's one alarm has to ring: for the sockets' deadlines, for a running or unfinished turn, for
   * the outbox, or for the chain's queue. Returns null if nothing waits. With the `lease` of a turn that is about to
   * run, the result is never null.
   */
  #nextAlarm(lease: number): number
  #nextAlarm(lease?: number): number | null
  #nextAlarm(lease?: number): number | null {
    if (this.#lack === 'unavailable') {
      const wait = Math.min(RELOAD_MS * 2 ** Math.min(this.#misses - 1, 20), LONGEST_RELOAD_MS)
      return earliest([this.#engine.nextDeadline(Date.now()), Date.now() + wait])
    }
    const deps = this.#deps()
    const turn = lease ?? (deps && this.#runner.nextDue(deps))
    const outbox = this.#known() && this.#outbox.nextDue()
    return earliest([this.#engine.nextDeadline(Date.now()), turn, outbox, deps && this.#chain.nextDue(deps)])
  }

  #schedule(): Promise<void> {
    return steppedAsync(
      (step, when) => this.probe(step, when),
      'schedule',
      () => this.#alarm.schedule(() => this.#nextAlarm()),
    )
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

  /**
   * Returns the conversation's `SessionInfo`, which is read once and then kept in memory; null if the conversation
   * never began, or lacks its contents.
   */
  #known(): SessionInfo | null {
    return this.#lack === null ? (this.#info ??= this.#store.info()) : null
  }

  /**
   * Returns the conversation's `SessionInfo`; null if the conversation never began.
   *
   * @throws ContentMissing if the contents cannot be loaded now
   */
  async #whole(): Promise<SessionInfo | null> {
    if (this.#lack !== null) await this.#load()
    if (this.#lack !== null) throw new ContentMissing()
    return this.#known()
  }

  /** Loads the contents to which the conversation is pinned ([version-21]). Never throws. */
  async #load(): Promise<void> {
    try {
      const pins = this.#store.pins()
      const facts = this.#store.facts()
      const loaded =
        pins && facts ? await inTime(this.#contents.load(pins, facts), LOAD_MS, notInTime) : ({ ok: true } as const)
      this.#lack = loaded.ok ? null : 'gone'
      if (!loaded.ok) this.#logLack('content-gone', { hash: loaded.gone })
      this.#misses = 0
    } catch (error) {
      this.#misses += 1
      this.#logLack('content-not-loaded', { error: nameOf(error) })
    }
  }

  #logLack(event: string, ids: Readonly<Record<string, string>>): void {
    log(event, { session: this.ctx.id.toString(), ...ids })
  }

  #codeOfLack(): 'unavailable' | 'unknown-session' {
    return this.#lack === 'unavailable' ? 'unavailable' : 'unknown-session'
  }

  #deps(): TurnDeps | null {
    const info = this.#known()
    if (this.#lastDeps?.info !== info) this.#lastDeps = info && this.#depsOf(info)
    return this.#lastDeps
  }

  #depsOf(info: SessionInfo): TurnDeps | null {
    const npc = info.scenario.npcs.find(({ id }) => id === info.npc)
    if (!npc) return null
    const webhook = this.#webhook
    return {
      info,
      npc,
      store: this.#store,
      actor: this.#actor,
      budget: this.#budget,
      memory: (turn) => this.#chain.memory(info, turn),
      brought: (turn) => this.#chain.brought(info, turn),
      ...(webhook && {
        callTool: (call, signal) => callTool(webhook, call, { timeoutMs: this.#toolMs, now: () => Date.now(), signal }),
      }),
      separator: () => newSeparator(this.#separator),
      leaseMs: this.#leaseMs,
      now: () => Date.now(),
      after: (ms, task) => systemClock.after(ms, task),
      sendEvents: (events) => events.forEach((event) => this.#sendEvent(event)),
      probe: (step, when) => this.probe(step, when),
      log: (event, ids) => log(event, { session: info.session, ...ids }),
    }
  }
}

function notInTime(): never {
  throw new Error('not read in time')
}

function emailBinding(env: object): EmailBinding | null {
  return 'EMAIL' in env ? (env.EMAIL as EmailBinding) : null
}

function refusal(code: Parameters<typeof refuse>[0]): { refuse: { message: string; data: unknown } } {
  const data = refuse(code)
  return { refuse: { message: data.message, data } }
}
