import { log } from '../log.ts'
import type { Refusal } from '../wire/messages.ts'
import { HEARTBEAT_PING, HEARTBEAT_PONG } from '../wire/version.ts'
import type { CloseReason } from './close-reason.ts'
import { deadlineOf } from './deadline.ts'
import type { Deadline } from './deadline.ts'
import { decodeEnginePacket, encodeEnginePacket } from './engine-packet.ts'
import { readHandshake, refusalResponse } from './handshake.ts'
import type { Handshake, OpenFields } from './handshake.ts'
import { Peer, peerOf } from './peer.ts'
import type { PeerRecord } from './peer.ts'
import {
  decodeSocketPacket,
  encodeConnect,
  encodeConnectError,
  encodeDisconnect,
  encodeEvent,
} from './socket-packet.ts'
import type { ClientPacket } from './socket-packet.ts'

/** What the owner of the sockets does with them. */
export interface SocketHandlers {
  /**
   * A client asks to connect, `auth` being the payload of its CONNECT packet (undefined when it sent none). What is
   * emitted to `peer` in here arrives right after CONNECT. Refuse only for good: the official client never comes
   * back from a refusal. A throw closes the socket, and the client tries again.
   */
  connect(peer: Peer, auth: unknown): void | { refuse: { message: string; data?: unknown } }
  /**
   * A connected client sent an event. `body` is its first argument, not yet checked. `ack` answers it, once; it is
   * null when the client asked for no answer. A throw is answered with a refusal.
   */
  event(peer: Peer, name: string, body: unknown, ack: ((body: unknown) => void) | null): void | Promise<void>
  /** A connected socket is gone, other than by the owner's own `peer.close`. Called once. */
  disconnect?(peer: Peer): void
}

/** What the engine reports. Never holds a message, a payload or a name that a client chose. */
export interface SocketLogEntry {
  what: 'connect-failed' | 'event-failed' | 'disconnect-failed' | 'engine-failed'
  /** Told to the client too, where it asked for an answer. */
  incident: string
  sid: string | null
  /** The error's class, such as `TypeError`. */
  error: string
}

/** All times in milliseconds. */
export interface SocketEngineOptions {
  /** The largest frame that is read, in bytes. */
  maxFrame?: number
  maxSockets?: number
  /** For clients that send no heartbeats. Not less than `pingTimeout`, or pings come late: see `nextDeadline`. */
  pingInterval?: number
  /** For clients that do. The sum with `pingTimeout` must fit a timer: 2^31 - 1 ms. */
  heartbeatPingInterval?: number
  pingTimeout?: number
  connectTimeout?: number
  /** How long a client with heartbeats may be silent before it loses its place to a newcomer, when all are taken. */
  silenceLimit?: number
  log?: (entry: SocketLogEntry) => void
  now?: () => number
}

/**
 * Engine.IO v4 and Socket.IO v5 over the hibernatable WebSockets of one Durable Object (`docs/protocol.md`,
 * "Transport"). It keeps nothing in memory: all state is in the sockets' attachments, so an object that slept goes
 * on as if it had not. The object forwards `fetch`, `webSocketMessage`, `webSocketClose`, `webSocketError` and
 * `alarm`; none of what takes those throws.
 */
export class SocketEngine {
  readonly #ctx: DurableObjectState
  readonly #handlers: SocketHandlers
  readonly #options: Required<SocketEngineOptions>

  constructor(ctx: DurableObjectState, handlers: SocketHandlers, options: SocketEngineOptions = {}) {
    this.#ctx = ctx
    this.#handlers = handlers
    this.#options = { ...DEFAULTS, ...options }
    // Matched to the letter and answered by the platform: it neither wakes the object nor is it billed.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(HEARTBEAT_PING, HEARTBEAT_PONG))
  }

  /** Answers an upgrade request: 101 with the socket, 400 or 426 for what is no handshake, 503 when all places are taken. */
  upgrade(request: Request): Response {
    const result = readHandshake(request)
    if (!result.ok) return refusalResponse(result.refusal)
    // Refused over HTTP, because then the client's back-off grows; accepting and closing would start it anew.
    if (!this.#makeRoom()) return tooManySockets()
    return this.#accept(result.handshake)
  }

  /** Takes one frame, from `webSocketMessage`. The promise is that of the event's handler and never rejects. */
  message(ws: WebSocket, data: string | ArrayBuffer): Promise<void> | void {
    try {
      const peer = peerOf(ws)
      if (peer === null) return closeQuietly(ws, 1011)
      // Frames that were on their way when the server closed still arrive.
      if (!peer.isOpen) return
      if (typeof data !== 'string') return this.#drop(peer, 'binary')
      if (isLongerThan(data, this.#options.maxFrame)) return this.#drop(peer, 'too-large')
      return this.#takeFrame(peer, data)
    } catch (error) {
      this.#report('engine-failed', error, null)
      // The client reconnects, which is better than a socket that no longer answers.
      closeQuietly(ws, 1011)
    }
  }

  /** The socket has closed, from `webSocketClose`. */
  closed(ws: WebSocket): void {
    const peer = peerOf(ws)
    if (peer !== null) this.#forget(peer)
    // Before the compatibility flag web_socket_auto_reply_to_close, finishing the close handshake is the server's part.
    closeQuietly(ws, 1000)
  }

  /** The socket broke, from `webSocketError`. */
  errored(ws: WebSocket): void {
    this.closed(ws)
  }

  /** Every socket that is connected now, in no particular order; also right after a wake. */
  peers(): Peer[] {
    return this.#openPeers().filter((peer) => peer.record.ready)
  }

  /**
   * Sends an event to every connected peer.
   *
   * @throws TypeError when `body` cannot be written as JSON.
   */
  broadcast(name: string, body: unknown): void {
    const frame = encodeEnginePacket('message', encodeEvent(name, body))
    for (const peer of this.peers()) peer.send(frame)
  }

  /**
   * When `runDeadlines` has to run next (milliseconds since 1970, not before `now`), or null when nobody waits for
   * anything. Only `upgrade` brings it nearer, so the alarm is to be set after `upgrade` and after `runDeadlines`.
   */
  nextDeadline(now: number): number | null {
    const times = this.#deadlines().map(({ deadline }) => deadline.at)
    return times.length === 0 ? null : Math.max(now, Math.min(...times))
  }

  /** Pings whom it is time to ping and closes whoever did not CONNECT or answer in time. Safe to run at any time. */
  runDeadlines(now: number): void {
    for (const { peer, deadline } of this.#deadlines()) {
      if (deadline.at <= now) this.#act(peer, deadline, now)
    }
  }

  #accept(handshake: Handshake): Response {
    const { 0: client, 1: server } = new WebSocketPair()
    const now = this.#options.now()
    const record: PeerRecord = {
      sid: randomId(),
      clientId: null,
      ready: false,
      hb: handshake.hb,
      connectedAt: now,
      lastPingAt: now,
      pongDue: false,
    }
    this.#ctx.acceptWebSocket(server)
    server.serializeAttachment(record)
    new Peer(server).send(encodeEnginePacket('open', JSON.stringify(this.#openFields(handshake))))
    return new Response(null, { status: 101, webSocket: client })
  }

  #openFields({ hb }: Handshake): OpenFields {
    const { heartbeatPingInterval, pingInterval, pingTimeout, maxFrame } = this.#options
    return {
      // The Engine.IO id is a secret of the transport; it is not the Socket.IO id that the application sees.
      sid: randomId(),
      upgrades: [],
      pingInterval: hb ? heartbeatPingInterval : pingInterval,
      pingTimeout,
      maxPayload: maxFrame,
    }
  }

  /** Returns false when there is no place for another socket and nobody to take one from. */
  #makeRoom(): boolean {
    const open = this.#openPeers()
    if (open.length < this.#options.maxSockets) return true
    const oldestFirst = open.toSorted((a, b) => a.record.connectedAt - b.record.connectedAt)
    const leaver = oldestFirst.find((peer) => !peer.record.ready) ?? this.#silentPeer()
    if (leaver === null) return false
    this.#drop(leaver, 'made-room')
    return true
  }

  /**
   * A client with heartbeats that has sent none for long: most likely a page that is gone, whose connection the
   * platform has not noticed to be dead. Without this, such sockets could lock a conversation for hours.
   */
  #silentPeer(): Peer | null {
    const limit = this.#options.now() - this.#options.silenceLimit
    for (const ws of this.#ctx.getWebSockets()) {
      const peer = peerOf(ws)
      if (peer === null || !peer.isOpen || !peer.hb) continue
      const lastHeartbeat = this.#ctx.getWebSocketAutoResponseTimestamp(ws)?.getTime() ?? 0
      if (Math.max(lastHeartbeat, peer.record.connectedAt) <= limit) return peer
    }
    return null
  }

  #takeFrame(peer: Peer, frame: string): Promise<void> | void {
    // The platform answers this one; it comes here only in the moment before the pair is set.
    if (frame === HEARTBEAT_PING) return void peer.send(HEARTBEAT_PONG)
    const packet = decodeEnginePacket(frame)
    switch (packet?.type) {
      case 'message':
        return this.#takeMessage(peer, packet.data)
      case 'ping':
        return void peer.send(encodeEnginePacket('pong', packet.data))
      case 'pong':
        return peer.record.pongDue ? peer.update({ pongDue: false }) : undefined
      case 'close':
        return this.#drop(peer, 'client-left')
      default:
        return this.#drop(peer, 'malformed', 'engine packet')
    }
  }

  #takeMessage(peer: Peer, text: string): Promise<void> | void {
    const decoded = decodeSocketPacket(text)
    if (!decoded.ok) return this.#drop(peer, 'malformed', decoded.fault)
    const { packet } = decoded
    if (packet.type === 'connect') return this.#takeConnect(peer, packet)
    if (packet.namespace !== '/' || !peer.record.ready) return this.#drop(peer, 'not-connected')
    switch (packet.type) {
      case 'event':
        return this.#takeEvent(peer, packet)
      case 'disconnect':
        return this.#drop(peer, 'client-left')
      case 'ack':
        // The server asks for no acknowledgement: whom it asked would be forgotten in its sleep.
        return
    }
  }

  #takeConnect(peer: Peer, { namespace, auth }: ClientPacket & { type: 'connect' }): void {
    if (namespace !== '/') return this.#refuse(peer, namespace, { message: 'Invalid namespace' })
    // As the official server does with a second CONNECT.
    if (peer.record.ready) return
    peer.update({ clientId: clientIdOf(auth) })
    peer.hold()
    try {
      const result = this.#handlers.connect(peer, auth)
      if (result !== undefined) return this.#refuse(peer, namespace, result.refuse)
    } catch (error) {
      this.#report('connect-failed', error, peer.sid)
      return this.#drop(peer, 'failed')
    }
    if (!peer.isOpen) return
    this.#replaceOlder(peer)
    peer.release(encodeEnginePacket('message', encodeConnect(peer.sid)))
    peer.update({ ready: true })
  }

  #refuse(peer: Peer, namespace: string, error: { message: string; data?: unknown }): void {
    peer.releaseOnly(encodeEnginePacket('message', encodeConnectError(namespace, error)))
  }

  /** The newest socket of a tab is the one that lives; the platform can take long to notice that one is dead. */
  #replaceOlder(newest: Peer): void {
    const { clientId, sid } = newest
    if (clientId === null) return
    for (const peer of this.peers()) {
      if (peer.clientId !== clientId || peer.sid === sid) continue
      // Should it be alive after all (a duplicated tab), DISCONNECT keeps the two from replacing each other for ever.
      peer.send(encodeEnginePacket('message', encodeDisconnect()))
      this.#drop(peer, 'replaced')
    }
  }

  async #takeEvent(peer: Peer, { name, body, ackId }: ClientPacket & { type: 'event' }): Promise<void> {
    let answered = ackId === null
    const answer = (answerBody: unknown) => {
      if (answered || ackId === null) return
      peer.ack(ackId, answerBody)
      answered = true
    }
    // The platform swallows what a handler throws, and the client would wait for ever.
    try {
      await this.#handlers.event(peer, name, body, ackId === null ? null : answer)
    } catch (error) {
      const incident = this.#report('event-failed', error, peer.sid)
      answer(unavailable(incident))
    }
  }

  #act(peer: Peer, { act }: Deadline, now: number): void {
    try {
      if (act !== 'ping') return this.#drop(peer, act)
      peer.send(encodeEnginePacket('ping'))
      peer.update({ lastPingAt: now, pongDue: true })
    } catch (error) {
      this.#report('engine-failed', error, null)
    }
  }

  #deadlines(): { peer: Peer; deadline: Deadline }[] {
    return this.#openPeers().flatMap((peer) => {
      const deadline = deadlineOf(peer.record, this.#options)
      return deadline === null ? [] : [{ peer, deadline }]
    })
  }

  #openPeers(): Peer[] {
    return this.#ctx.getWebSockets().flatMap((ws) => {
      const peer = peerOf(ws)
      return peer?.isOpen === true ? [peer] : []
    })
  }

  #drop(peer: Peer, reason: CloseReason, detail?: string): void {
    this.#forget(peer)
    peer.close(reason, detail)
  }

  /** Tells the owner, once, that a connected peer is gone. */
  #forget(peer: Peer): void {
    if (!peer.record.ready) return
    peer.update({ ready: false })
    try {
      this.#handlers.disconnect?.(peer)
    } catch (error) {
      this.#report('disconnect-failed', error, peer.sid)
    }
  }

  #report(what: SocketLogEntry['what'], error: unknown, sid: string | null): string {
    const incident = randomId()
    this.#options.log({ what, incident, sid, error: error instanceof Error ? error.constructor.name : typeof error })
    return incident
  }
}

const DEFAULTS: Required<SocketEngineOptions> = {
  maxFrame: 65_536,
  maxSockets: 8,
  pingInterval: 300_000,
  heartbeatPingInterval: 86_400_000,
  pingTimeout: 60_000,
  connectTimeout: 10_000,
  silenceLimit: 180_000,
  log: (entry) => log('socket', { ...entry }),
  now: () => Date.now(),
}

const MAX_CLIENT_ID = 64

/** Closes a socket in whatever state it is: `close` throws when the connection is already lost. */
function closeQuietly(ws: WebSocket, code: 1000 | 1011): void {
  try {
    ws.close(code)
  } catch {
    // There is nothing left to close.
  }
}

/** True when the text is longer than `limit` bytes of UTF-8. Encodes it only when its length leaves that open. */
function isLongerThan(text: string, limit: number): boolean {
  if (text.length > limit) return true
  return text.length * 3 > limit && new TextEncoder().encode(text).length > limit
}

function clientIdOf(auth: unknown): string | null {
  if (typeof auth !== 'object' || auth === null || !('clientId' in auth)) return null
  const { clientId } = auth
  return typeof clientId === 'string' && clientId !== '' && clientId.length <= MAX_CLIENT_ID ? clientId : null
}

function unavailable(incident: string): Refusal {
  return {
    ok: false,
    next: 'retry-after',
    code: 'unavailable',
    message: `Something went wrong on our side. Try again in a moment. (Incident ${incident})`,
  }
}

function tooManySockets(): Response {
  return Response.json(
    { message: 'Too many connections to this conversation' },
    { status: 503, headers: { 'Retry-After': '10', 'Cache-Control': 'no-store' } },
  )
}

/** 128 random bits, 22 characters of base64url. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
