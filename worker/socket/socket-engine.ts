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
  encodeTextEvent,
  type ClientPacket,
} from './socket-packet.ts'

/** A refusal of a client's CONNECT packet. After this refusal, the official client does not try to connect again. */
export interface Refused {
  refuse: { message: string; data?: unknown }
}

/** The functions with which the owner of the sockets (the Durable Object) handles what clients do. */
export interface SocketHandlers {
  /**
   * Checks a client's credentials, before `connect` is called with the same `auth`. `admit` sets how long the client
   * may take part (`peer.admit`). A client that sends an event before `admit` has finished is disconnected. If `admit`
   * throws, the socket is closed and the client tries again.
   */
  admit?(peer: Peer, auth: unknown): Promise<void | Refused>
  /**
   * Handles a client's CONNECT packet. `auth` is the packet's payload; undefined if it has none. `recovered` is true if
   * the client gets the events that it missed. Events that `connect` emits to `peer` arrive after CONNECT and after the
   * missed events. After a refusal, the official client never tries again. If `connect` throws instead, the socket is
   * closed and the client tries again.
   */
  connect(peer: Peer, auth: unknown, recovered: boolean): void | Refused
  /**
   * Handles an event from a connected client. `body` is the event's first argument, not yet checked, and `args` are all
   * its arguments. `ack` sends the answer to the event; only its first call counts. `ack` is null if the client
   * requested no answer. If this function throws, the client gets a refusal as its answer.
   */
  event(
    peer: Peer,
    name: string,
    body: unknown,
    ack: ((...args: unknown[]) => void) | null,
    args: readonly unknown[],
  ): void | Promise<void>
  /**
   * Returns the answer to an event from a client that is no longer admitted. If this function is missing, the answer is
   * `not-admitted`.
   */
  expired?(): Refusal
  /** Called when a frame has led to an early ping: `nextDeadline` may be earlier than before. Must not throw. */
  pinged?(): void
  /** Called once when a connected client is gone, unless the owner itself closed the connection with `peer.close`. */
  disconnect?(peer: Peer): void
}

/** An event in short: another name, and a body that says the same in fewer bytes. */
export interface ShortForm {
  readonly name: string
  readonly body: unknown
}

/**
 * A line for the log about an error in the engine or in the owner's functions. The line never contains text of a client
 * or the message of the error.
 */
export interface SocketLogEntry {
  what: 'connect-failed' | 'event-failed' | 'disconnect-failed' | 'engine-failed'
  /** An id of this error. A client that waits for an answer to its event gets this id too. */
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
  /** How long a client whose admission has ended may still send `renew`, in milliseconds. */
  renewGrace?: number
  /** The most packets of one connection that are handled within ten seconds. Further packets are refused. */
  maxPacketsTaken?: number
  /** The most packets that one connection may send within ten seconds. A connection that sends more is closed. */
  floodLimit?: number
  /**
   * Gives clients that reconnect and request recovery the events that they missed; null if the server offers no
   * recovery.
   */
  recovery?: Recovery | null
  log?: (entry: SocketLogEntry) => void
}

/**
 * Implements Engine.IO v4 and Socket.IO v5 for one Durable Object (`docs/reference/protocol.md`, "Transport"). The
 * state of hibernatable WebSockets is in their attachments, which survive hibernation. The object forwards `fetch`,
 * `webSocketMessage`, `webSocketClose`, `webSocketError` and `alarm` to the engine. None of the methods that handle
 * these calls throws.
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
   * The readers of packets whose attachments have not all arrived yet, by the line's id. Hibernation loses these
   * readers; an attachment that arrives afterwards is refused.
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
        pinged: () => handlers.pinged?.(),
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
   * Handles one frame of a WebSocket, for `webSocketMessage`. The promise never rejects; it resolves when the frame's
   * event has been handled.
   */
  message(ws: WebSocket, data: string | ArrayBuffer): Promise<void> | void {
    return this.#engine.frame(ws, data)
  }

  /** Handles a socket that has closed, for `webSocketClose`. */
  closed(ws: WebSocket): void {
    this.#engine.closed(ws)
  }

  /** Handles a socket that has failed, for `webSocketError`. */
  errored(ws: WebSocket): void {
    this.#engine.closed(ws)
  }

  /** Returns every client that is connected to the namespace `/`, in no particular order. */
  peers(): Peer[] {
    return this.#engine
      .lines()
      .flatMap((line) => this.#peersOf(line))
      .filter((peer) => peer.namespace === '/' && peer.isReady)
  }

  /**
   * Sends an event to every connected client. `offset` is the place of a durable event in the log; a client that
   * recovers missed events requests those after the last offset that it got. A client whose admission has ended does
   * not get the event: its connection is closed, so that the client reconnects with new credentials.
   *
   * @param short the same event in short, for clients that asked for short events; null if there is no short form
   * @throws TypeError if a body cannot be written as JSON
   */
  broadcast(name: string, body: unknown, offset?: string, short: ShortForm | null = null): void {
    // Most clients of a conversation are alike, so each form is written only once, and only if a client gets it.
    const written = new Map<string, Frame[]>()
    const write = (isShort: boolean, isPlaced: boolean): Frame[] => {
      const key = `${isShort} ${isPlaced}`
      const form = isShort && short ? short : { name, body }
      const known = written.get(key) ?? this.#encode(form.name, isPlaced ? [form.body, offset] : [form.body])
      written.set(key, known)
      return known
    }
    for (const peer of this.peers()) {
      if (this.#isExpired(peer)) this.#engine.drop(peer.line, 'expired')
      else peer.send(write(peer.isShort, peer.recovers && offset !== undefined))
    }
  }

  /**
   * Returns when `runDeadlines` has to run next (milliseconds since 1970, not before `now`); null if there is no
   * deadline. The caller must set its alarm to this time after each `handle`, each call of `pinged`, and each
   * `runDeadlines`.
   */
  nextDeadline(now: number): number | null {
    return this.#engine.nextDeadline(now)
  }

  /**
   * Sends the pings that are due. Closes each connection whose client did not send CONNECT in time or did not answer a
   * ping in time. This method may run at any time.
   */
  runDeadlines(now: number): void {
    this.#engine.runDeadlines(now)
  }

  /** Returns how many entries are kept in memory, so that tests can check that the number does not grow. */
  kept(): { polling: number; probes: number; awake: number; readers: number } {
    return { ...this.#engine.kept(), readers: this.#readers.size }
  }

  #encode(name: string, args: readonly unknown[]): Frame[] {
    return this.#options.maxAttachments > 0 ? encodeEvent('/', name, args) : encodeTextEvent(name, args)
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
        // The server requests no acknowledgements, because hibernation would lose the requests. So an ACK is ignored.
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
    // A second CONNECT to the same namespace is ignored, as by the official server.
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
      // The client may have disconnected during the await.
      if (!peer.isOpen) return
      if (result !== undefined) return this.#refuse(peer, result.refuse)
      const returning = recovery && (await readReturn(recovery, auth))
      if (peer.isOpen) this.#connect(peer, auth, returning)
    } catch (error) {
      this.#failToConnect(peer, error)
    }
  }

  #connect(peer: Peer, auth: unknown, returning: Returning | null): void {
    // This method is synchronous, so that no broadcast can come before the missed events or between them.
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
    // CONNECT is sent before the missed events. The official server sends CONNECT after them. Then a client that is
    // disconnected between the missed events and CONNECT gets the events twice.
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
   * Closes older connections of the same tab, because the platform may take long to notice that such a connection is
   * dead.
   */
  #replaceOlder(newest: Peer): void {
    const { clientId, sid } = newest
    if (clientId === null || newest.namespace !== '/') return
    for (const peer of this.peers()) {
      if (peer.clientId !== clientId || peer.sid === sid) continue
      // If the older connection is alive (in a duplicated tab), DISCONNECT tells its client not to reconnect. Otherwise
      // the two tabs would replace each other for ever.
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
    // An error is caught and answered with a refusal. Otherwise the client would wait for its answer for ever.
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
    // If the server has several namespaces, a client that leaves one may join another, so its connection stays open.
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

/** Refuses an event if its client waits for an answer. Any other packet is dropped without an answer. */
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

/** A client that wants to recover missed events: the recovery id that it sent, and what the server sends back. */
interface Returning {
  /** The recovery id that the client sent; undefined if this object did not make it for the present log. */
  pid: string | undefined
  /** The new recovery id that the client gets if it starts over. */
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
    isShort: false,
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
