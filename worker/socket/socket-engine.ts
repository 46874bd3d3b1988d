import { log } from '../log.ts'
import type { Refusal } from '../wire/messages.ts'
import type { CloseReason, Line, Seat } from './line.ts'
import { ENGINE_DEFAULTS, Engine, type EngineOptions } from './engine.ts'
import { encodeMessage, type Frame } from './engine-packet.ts'
import { Peer } from './peer.ts'
import { randomId } from '../bytes.ts'
import { isOurPid, issuePid, type Missed, type Recovery } from './recovery.ts'
import {
  PacketReader,
  encodeAck,
  encodeConnect,
  encodeConnectError,
  encodeDisconnect,
  encodeEvent,
  type ClientPacket,
} from './socket-packet.ts'

/** A refusal that keeps a client out for good. */
export interface Refused {
  refuse: { message: string; data?: unknown }
}

/** The callbacks of the owner of the sockets: the Durable Object. */
export interface SocketHandlers {
  /**
   * Decides whether a client may connect at all. This callback is called and awaited before `connect`, with the same
   * payload. A client that sends an event before the callback's promise settles is disconnected. The callback sets how
   * long the peer is admitted (`peer.admit`). If the callback throws, the socket is closed and the client tries again.
   */
  admit?(peer: Peer, auth: unknown): Promise<void | Refused>
  /**
   * Handles a client's request to connect. `auth` is the payload of its CONNECT packet (undefined if the packet has
   * none). Events that this callback emits to `peer` arrive right after CONNECT, or after the missed events if
   * `recovered` is true. The callback should refuse a client only for good, because the official client never retries
   * after a refusal. If the callback throws, the socket is closed and the client tries again.
   */
  connect(peer: Peer, auth: unknown, recovered: boolean): void | Refused
  /**
   * Handles an event from a connected client. `body` is the event's first argument, not yet checked, and `args` are all
   * its arguments. `ack` answers the event, once; `ack` is null if the client requested no answer. If the callback
   * throws, the event is answered with a refusal.
   */
  event(
    peer: Peer,
    name: string,
    body: unknown,
    ack: ((...args: unknown[]) => void) | null,
    args: readonly unknown[],
  ): void | Promise<void>
  /**
   * Returns the answer to an event from a peer that is no longer admitted. Without this callback, the answer is
   * `not-admitted`.
   */
  expired?(): Refusal
  /** Handles the end of a connected socket that the owner did not close by `peer.close`. Called once. */
  disconnect?(peer: Peer): void
}

/** A report of an error in the engine. It never contains a message, a payload or a name that a client chose. */
export interface SocketLogEntry {
  what: 'connect-failed' | 'event-failed' | 'disconnect-failed' | 'engine-failed'
  /** The id of the report. The client gets the id too, if it requested an answer. */
  incident: string
  sid: string | null
  /** The error's class, such as `TypeError`. */
  error: string
}

export interface SocketEngineOptions extends Partial<Omit<EngineOptions, 'binary'>> {
  /** The namespaces of this server. If `/` is the only namespace, a client that leaves it is disconnected. */
  namespaces?: readonly string[]
  /** The most binary attachments of a packet. */
  maxAttachments?: number
  /** How long a peer that is no longer admitted may still send `renew`, in milliseconds. */
  renewGrace?: number
  /** The most packets of one connection that are handled in ten seconds. Further packets are refused. */
  maxPacketsTaken?: number
  /** The most packets in ten seconds. A connection that sends more is closed. */
  floodLimit?: number
  /**
   * Gives clients that reconnect and request recovery the events that they missed; null if the server offers no
   * recovery.
   */
  recovery?: Recovery | null
  log?: (entry: SocketLogEntry) => void
}

/**
 * Implements Engine.IO v4 and Socket.IO v5 for one Durable Object (`docs/reference/protocol.md`, "Transport"). Over
 * hibernatable WebSockets, all state of the engine is in the sockets' attachments, so an object that has hibernated
 * goes on as if it had not. The object forwards `fetch`, `webSocketMessage`, `webSocketClose`, `webSocketError` and
 * `alarm` to the engine. The engine's methods for these calls never throw.
 */
export class SocketEngine {
  readonly #engine: Engine
  readonly #handlers: SocketHandlers
  readonly #options: Required<SocketEngineOptions>
  /**
   * How many packets each connection has sent in the current ten seconds, by the line's id. Hibernation loses the
   * counts, but an object hibernates only while no packets arrive.
   */
  readonly #counts = new Map<string, { since: number; packets: number }>()
  /**
   * Packets whose attachments have not all arrived, by the line's id. If the object hibernates before all of them
   * arrive, it refuses the remaining attachments.
   */
  readonly #readers = new Map<string, PacketReader>()

  constructor(ctx: DurableObjectState, handlers: SocketHandlers, options: SocketEngineOptions = {}) {
    this.#handlers = handlers
    this.#options = { ...DEFAULTS, ...options }
    this.#engine = new Engine(
      ctx,
      {
        message: (line, message) => this.#takeMessage(line, message),
        leave: (line) => this.#leave(line),
        isStale: (line) => this.#peersOf(line).some((peer) => this.#isExpired(peer)),
        failed: (error) => void this.#report('engine-failed', error, null),
      },
      { ...this.#options, binary: this.#options.maxAttachments > 0 },
    )
  }

  /**
   * Answers an Engine.IO request: 101 with the socket, 200 for a polling client, 400, 413 or 426 for a request that the
   * protocol does not allow, 503 if too many connections are open. The answer to a poll may take long.
   */
  handle(request: Request): Response | Promise<Response> {
    return this.#engine.handle(request)
  }

  /**
   * Handles one frame, from `webSocketMessage`. The returned promise is that of the event's handler and never rejects.
   */
  message(ws: WebSocket, data: string | ArrayBuffer): Promise<void> | void {
    return this.#engine.frame(ws, data)
  }

  /** Handles a socket that has closed, from `webSocketClose`. */
  closed(ws: WebSocket): void {
    this.#engine.closed(ws)
  }

  /** Handles a socket that broke, from `webSocketError`. */
  errored(ws: WebSocket): void {
    this.#engine.closed(ws)
  }

  /**
   * Returns every peer that is connected to `/` now, in no particular order. This works even right after the object has
   * woken.
   */
  peers(): Peer[] {
    return this.#engine
      .lines()
      .flatMap((line) => this.#peersOf(line))
      .filter((peer) => peer.namespace === '/' && peer.isReady)
  }

  /**
   * Sends an event to every connected peer. `offset` is the place of a durable event in the log: a client that recovers
   * requests the events after the last offset it got. A peer that is no longer admitted does not get the event and is
   * closed, so that its client reconnects with new credentials.
   *
   * @throws TypeError if `body` cannot be written as JSON
   */
  broadcast(name: string, body: unknown, offset?: string): void {
    const packet = encodeEvent('/', name, [body])
    const packetAt = offset === undefined ? packet : encodeEvent('/', name, [body, offset])
    for (const peer of this.peers()) {
      if (this.#isExpired(peer)) this.#engine.drop(peer.line, 'expired')
      else peer.send(peer.recovers ? packetAt : packet)
    }
  }

  /**
   * Returns when `runDeadlines` has to run next (milliseconds since 1970, not before `now`), or null if there is no
   * deadline. The alarm must be set after `handle`, because only `handle` brings the next deadline nearer, and after
   * `runDeadlines`, for the deadlines that are left.
   */
  nextDeadline(now: number): number | null {
    return this.#engine.nextDeadline(now)
  }

  /**
   * Sends the pings that are due and closes connections that did not CONNECT or answer in time. This method may run at
   * any time.
   */
  runDeadlines(now: number): void {
    this.#engine.runDeadlines(now)
  }

  /** Returns how many entries of each kind are kept in memory. */
  kept(): { polling: number; probes: number; awake: number; readers: number } {
    return { ...this.#engine.kept(), readers: this.#readers.size }
  }

  #takeMessage(line: Line, message: Frame): Promise<void> | void {
    const { id } = line.record
    const begun = this.#readers.get(id)
    if (begun === undefined && typeof message !== 'string') return this.#drop(line, 'binary')
    const reader = begun ?? new PacketReader(this.#options.maxAttachments)
    const decoded = reader.read(message)
    if (decoded === null) return void this.#readers.set(id, reader)
    this.#readers.delete(id)
    if (!decoded.ok) return this.#drop(line, 'malformed', decoded.fault)
    return this.#takePacket(line, decoded.packet)
  }

  #takePacket(line: Line, packet: ClientPacket): Promise<void> | void {
    const { packets, left } = this.#count(line)
    if (packets > this.#options.floodLimit) return this.#drop(line, 'flood')
    if (packets > this.#options.maxPacketsTaken) return refuseFast(line, packet, left)
    if (packet.type === 'connect') return this.#takeConnect(line, packet)
    const peer = this.#peersOf(line).find(({ namespace }) => namespace === packet.namespace)
    if (peer?.isReady !== true) return this.#drop(line, 'not-connected')
    switch (packet.type) {
      case 'event':
        return this.#takeEvent(peer, packet)
      case 'disconnect':
        return this.#takeDisconnect(peer)
      case 'ack':
        // The packet is ignored. The server requests no acknowledgements, because hibernation would lose the requests.
        return
    }
  }

  /**
   * Counts one more packet of a connection. Returns the number of its packets in the current ten seconds, and how many
   * milliseconds of these ten seconds are left.
   */
  #count({ record: { id } }: Line): { packets: number; left: number } {
    const now = this.#options.now()
    const known = this.#counts.get(id)
    const count =
      known !== undefined && now - known.since < COUNTED_MS && now >= known.since ? known : { since: now, packets: 0 }
    count.packets += 1
    this.#counts.set(id, count)
    return { packets: count.packets, left: count.since + COUNTED_MS - now }
  }

  // ── Connecting ───────────────────────────────────────────────────────────────────────────────────────

  #takeConnect(line: Line, { namespace, auth }: ClientPacket & { type: 'connect' }): Promise<void> | void {
    if (!this.#options.namespaces.includes(namespace)) {
      const error = encodeConnectError(namespace, { message: 'Invalid namespace' })
      return void line.send(encodeMessage(error))
    }
    const { seats, recovers } = line.record
    // A second CONNECT is ignored, as by the official server. The first CONNECT may not be decided yet.
    if (seats.some((seat) => seat.namespace === namespace)) return
    const seat = newSeat(namespace, auth)
    line.update({ seats: [...seats, seat] })
    const peer = new Peer(line, seat)
    const mayRecover = recovers && this.#options.recovery !== null
    if (this.#handlers.admit === undefined && !mayRecover) return this.#connect(peer, auth, null)
    return this.#admit(peer, auth, mayRecover ? this.#options.recovery : null)
  }

  async #admit(peer: Peer, auth: unknown, recovery: Recovery | null): Promise<void> {
    try {
      const result = await this.#handlers.admit?.(peer, auth)
      // The peer may have left, or run out of time, during the await.
      if (!peer.isOpen) return
      if (result !== undefined) return this.#refuse(peer, result.refuse)
      const returning = recovery && (await readReturn(recovery, auth))
      if (peer.isOpen) this.#connect(peer, auth, returning)
    } catch (error) {
      this.#failToConnect(peer, error)
    }
  }

  #connect(peer: Peer, auth: unknown, returning: Returning | null): void {
    // This method is synchronous, so that nothing can come between the missed events, the owner's events and the first
    // broadcast.
    const missed = returning?.missedSince() ?? null
    peer.hold()
    try {
      peer.update({ recovers: returning !== null })
      const result = this.#handlers.connect(peer, auth, missed !== null)
      if (result !== undefined) return this.#refuse(peer, result.refuse)
    } catch (error) {
      return this.#failToConnect(peer, error)
    }
    if (!peer.isOpen) return
    this.#replaceOlder(peer)
    const { namespace, sid } = peer
    const pid = missed === null ? returning?.newPid : returning?.pid
    const connect = encodeConnect(namespace, pid === undefined ? { sid } : { sid, pid })
    // CONNECT is sent before the missed events. The official server sends CONNECT after them, so a client that is
    // dropped in between gets the events twice.
    const replay = (missed ?? []).flatMap(({ name, body, offset }) => encodeEvent(namespace, name, [body, offset]))
    peer.release(connect, ...replay)
    peer.update({ ready: true })
    peer.line.update({ idleSince: null })
  }

  #failToConnect(peer: Peer, error: unknown): void {
    this.#report('connect-failed', error, peer.sid)
    this.#drop(peer.line, 'failed')
  }

  #refuse(peer: Peer, error: { message: string; data?: unknown }): void {
    peer.releaseOnly(encodeConnectError(peer.namespace, error))
    this.#removeSeat(peer)
  }

  /**
   * Closes older connections of the same tab. The newest connection is alive, and the platform can take long to notice
   * that an older connection is dead.
   */
  #replaceOlder(newest: Peer): void {
    const { clientId, sid } = newest
    if (clientId === null || newest.namespace !== '/') return
    for (const peer of this.peers()) {
      if (peer.clientId !== clientId || peer.sid === sid) continue
      // If the older connection is alive (a duplicated tab), DISCONNECT keeps the two connections from replacing each
      // other for ever.
      peer.send([encodeDisconnect('/')])
      this.#drop(peer.line, 'replaced')
    }
  }

  // ── Taking part ──────────────────────────────────────────────────────────────────────────────────────

  async #takeEvent(peer: Peer, { name, args, ackId }: ClientPacket & { type: 'event' }): Promise<void> {
    let answered = ackId === null
    const answer = (...answerArgs: unknown[]) => {
      if (answered || ackId === null) return
      peer.ack(ackId, ...answerArgs)
      answered = true
    }
    // Errors are caught, because the platform would swallow an error that a handler throws, and the client would wait
    // for ever.
    try {
      if (this.#isExpired(peer) && !this.#mayRenew(peer, name)) {
        return answer(this.#handlers.expired?.() ?? NOT_ADMITTED)
      }
      await this.#handlers.event(peer, name, args[0], ackId === null ? null : answer, args)
    } catch (error) {
      const incident = this.#report('event-failed', error, peer.sid)
      answer(unavailable(incident))
    }
  }

  #isExpired({ admittedUntil }: Peer): boolean {
    return admittedUntil !== null && admittedUntil <= this.#options.now()
  }

  #mayRenew({ admittedUntil }: Peer, name: string): boolean {
    return name === RENEW && (admittedUntil ?? 0) + this.#options.renewGrace > this.#options.now()
  }

  // ── Leaving ──────────────────────────────────────────────────────────────────────────────────────────

  #takeDisconnect(peer: Peer): void {
    // If the server has one namespace, a client that leaves it is disconnected. If the server has several, the client
    // may join another namespace.
    if (this.#options.namespaces.length === 1) return this.#drop(peer.line, 'client-left')
    this.#forget(peer)
    this.#removeSeat(peer)
    const isIdle = peer.line.record.seats.length === 0
    if (isIdle) peer.line.update({ idleSince: this.#options.now() })
  }

  #removeSeat({ line, sid }: Peer): void {
    line.update({ seats: line.record.seats.filter((seat) => seat.sid !== sid) })
  }

  #drop(line: Line, reason: CloseReason, detail?: string): void {
    this.#engine.drop(line, reason, detail)
  }

  #leave(line: Line): void {
    this.#readers.delete(line.record.id)
    this.#counts.delete(line.record.id)
    for (const peer of this.#peersOf(line)) this.#forget(peer)
  }

  /** Tells the owner, once, that a connected peer is gone. */
  #forget(peer: Peer): void {
    if (!peer.isReady) return
    peer.update({ ready: false })
    try {
      this.#handlers.disconnect?.(peer)
    } catch (error) {
      this.#report('disconnect-failed', error, peer.sid)
    }
  }

  #peersOf(line: Line): Peer[] {
    return line.record.seats.map((seat) => new Peer(line, seat))
  }

  #report(what: SocketLogEntry['what'], error: unknown, sid: string | null): string {
    const incident = randomId()
    this.#options.log({ what, incident, sid, error: error instanceof Error ? error.constructor.name : typeof error })
    return incident
  }
}

const DEFAULTS: Required<SocketEngineOptions> = {
  ...ENGINE_DEFAULTS,
  namespaces: ['/'],
  maxAttachments: 0,
  maxPacketsTaken: 2_000,
  floodLimit: 4_000,
  recovery: null,
  renewGrace: 60_000,
  log: (entry) => log('socket', { ...entry }),
}

/** The period over which packets are counted, in milliseconds. */
const COUNTED_MS = 10_000

/** Refuses an event that requests an answer. Any other packet is dropped silently. */
function refuseFast(line: Line, packet: ClientPacket, retryAfterMs: number): void {
  if (packet.type !== 'event' || packet.ackId === null) return
  const refusal: Refusal = {
    ok: false,
    next: 'retry-after',
    code: 'too-fast',
    message: 'Those were many messages at once. Wait a few seconds, then send this again.',
    retryAfterMs,
  }
  for (const part of encodeAck(packet.namespace, packet.ackId, [refusal])) line.send(encodeMessage(part))
}

const MAX_CLIENT_ID = 64

/** The event by which a client gets new credentials. */
const RENEW = 'renew'

const NOT_ADMITTED: Refusal = {
  ok: false,
  next: 'sign-in',
  code: 'not-admitted',
  message: 'This page has been let in for a while only. It has to be let in again.',
}

/** The data of a client that may recover. */
interface Returning {
  /** The id that the client presented, if this object made the id; undefined if the client starts over. */
  pid: string | undefined
  /** The id that the client gets if it starts over. */
  newPid: string
  /** Returns the events that the client missed, as of the call; null if the client starts over. */
  missedSince(): readonly Missed[] | null
}

async function readReturn(recovery: Recovery, auth: unknown): Promise<Returning> {
  const { pid, offset } = fieldsOf(auth)
  const isOurs = typeof pid === 'string' && (await isOurPid(recovery, pid))
  return {
    pid: isOurs ? pid : undefined,
    newPid: await issuePid(recovery),
    missedSince: () => {
      if (!isOurs || (offset !== undefined && typeof offset !== 'string')) return null
      return recovery.missedSince(offset ?? null)
    },
  }
}

function newSeat(namespace: string, auth: unknown): Seat {
  return {
    namespace,
    sid: randomId(),
    clientId: clientIdOf(auth),
    ready: false,
    recovers: false,
    admittedUntil: null,
    admission: null,
  }
}

function clientIdOf(auth: unknown): string | null {
  const { clientId } = fieldsOf(auth)
  return typeof clientId === 'string' && clientId !== '' && clientId.length <= MAX_CLIENT_ID ? clientId : null
}

function fieldsOf(auth: unknown): Readonly<Record<string, unknown>> {
  return typeof auth === 'object' && auth !== null ? { ...auth } : {}
}

function unavailable(incident: string): Refusal {
  return {
    ok: false,
    next: 'retry-after',
    code: 'unavailable',
    message: `Something went wrong on our side. Try again in a moment. (Incident ${incident})`,
  }
}
