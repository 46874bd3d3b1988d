import { discardBody, readBody } from '../read-body.ts'
import { HEARTBEAT_PING, HEARTBEAT_PONG } from '../wire/version.ts'
import { Backlog, SocketLine, isRecord } from './socket-line.ts'
import {
  type CloseReason,
  newRecord,
  type Line,
  type LineRecord,
  deadlineOf,
  pollDeadline,
  type Deadline,
} from './line.ts'
import { decodeEnginePacket, encodeEnginePacket, type Frame, decodePayload } from './engine-packet.ts'
import {
  BAD_REQUEST,
  TOO_LARGE,
  UNKNOWN_SID,
  readHandshake,
  refusalResponse,
  type Handshake,
  type HandshakeRefusal,
  type OpenFields,
  ORIGIN_HEADER,
} from './handshake.ts'
import { PollingLine, payloadResponse } from './polling-line.ts'
import { randomId } from '../bytes.ts'

/** The functions that the Socket.IO layer (`SocketEngine`) passes to the engine. */
export interface EngineHandlers {
  /** Handles a message. The promise must not reject. */
  message(line: Line, message: Frame): Promise<void> | void
  /** Called when a connection is gone or about to be closed, perhaps more than once. Must not throw. */
  leave(line: Line): void
  /**
   * Returns true if the engine may close this connection to make room for a new one, although this connection still
   * works.
   */
  isStale(line: Line): boolean
  /** Called when a frame has led to an early ping: `nextDeadline` may be earlier than before. Must not throw. */
  pinged?(): void
  /** Called with an unexpected error inside the engine. */
  failed(error: unknown): void
}

/** Options of the engine. Times are in milliseconds. */
export interface EngineOptions {
  /** The largest frame and the largest body of a POST that are read, in bytes. */
  maxFrame: number
  /** The most packets in one body of a POST. */
  maxPackets: number
  maxSockets: number
  /** Whether binary messages are accepted. */
  binary: boolean
  /** Whether the object may hibernate while its sockets are open. If false, open sockets keep the object awake. */
  hibernate: boolean
  /**
   * The interval between pings to clients that send no heartbeats. The interval must not be shorter than `pingTimeout`.
   * Otherwise the next ping would be late: after a ping, the alarm is set for the end of `pingTimeout`, and a pong does
   * not set the alarm earlier.
   */
  pingInterval: number
  /**
   * Some clients send heartbeats themselves. The server sends them no pings, but announces this ping interval to them.
   * Such a client closes the connection when it has heard nothing for this interval plus `pingTimeout`. The client
   * waits with one timer, so the sum must be at most 2^31 - 1 ms.
   */
  heartbeatPingInterval: number
  pingTimeout: number
  connectTimeout: number
  /**
   * How long a client with heartbeats may be silent. If it is silent for longer and `maxSockets` connections are open,
   * its connection may be closed to make room for a new one.
   */
  silenceLimit: number
  pollIdle: number
  upgradeCheck: number
  /**
   * Two limits on the number of characters that a client has not read. Above `backlogAskAfter`, the server sends the
   * client a ping, to find out how far it has read. Above `backlogLimit`, the server closes the connection.
   */
  backlogAskAfter: number
  backlogLimit: number
  now: () => number
}

export const ENGINE_DEFAULTS: EngineOptions = {
  maxFrame: 65_536,
  maxPackets: 1_000,
  maxSockets: 8,
  binary: false,
  hibernate: true,
  pingInterval: 300_000,
  heartbeatPingInterval: 86_400_000,
  pingTimeout: 60_000,
  connectTimeout: 10_000,
  silenceLimit: 180_000,
  pollIdle: 20_000,
  upgradeCheck: 50,
  backlogAskAfter: 262_144,
  backlogLimit: 4_194_304,
  now: () => Date.now(),
}

/**
 * The attachment of a WebSocket to which a polling client wants to upgrade: the id of the polling connection, and when
 * the socket was opened (milliseconds since 1970).
 */
interface Probe {
  probes: string
  since: number
}

/**
 * Implements Engine.IO v4 for one Durable Object: opens and closes connections, sends pings, and upgrades polling
 * clients to WebSockets. The data of a WebSocket connection is stored in the socket's attachment; a polling client is
 * only in memory. No method that the Durable Object calls throws.
 */
export class Engine {
  readonly #ctx: DurableObjectState
  readonly #handlers: EngineHandlers
  readonly #options: EngineOptions
  readonly #backlog: Backlog
  readonly #polling = new Map<string, PollingLine>()
  /** The WebSockets to which polling clients want to upgrade, by the id of the polling connection. */
  readonly #probes = new Map<string, WebSocket>()
  /** Sockets that were accepted by plain `accept()`. */
  readonly #awake = new Set<WebSocket>()
  /**
   * The connections that are open over WebSockets. Hibernation loses this map; what it says stands in the sockets'
   * attachments too, but reading those for each piece of a reply would cost more than sending the piece.
   */
  readonly #lines = new WeakMap<WebSocket, SocketLine>()
  readonly #tooSlow = (line: Line): void => this.drop(line, 'too-slow')

  constructor(ctx: DurableObjectState, handlers: EngineHandlers, options: EngineOptions) {
    this.#ctx = ctx
    this.#handlers = handlers
    this.#options = options
    this.#backlog = new Backlog({ askAfter: options.backlogAskAfter, limit: options.backlogLimit })
    // The platform itself answers every frame that equals `HEARTBEAT_PING`, so that heartbeats neither wake the object
    // nor are billed.
    if (options.hibernate) {
      ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(HEARTBEAT_PING, HEARTBEAT_PONG))
    }
  }

  /** Answers an Engine.IO request. Only the answer to a poll may take long. */
  handle(request: Request): Response | Promise<Response> {
    const read = readHandshake(request)
    if (!read.ok) return refusalResponse(read.refusal)
    // The alarm may be late, so connections that should have been closed by now are closed first.
    this.runDeadlines(this.#options.now())
    const { transport, sid } = read.handshake
    const page = request.headers.get(ORIGIN_HEADER) || null
    if (sid === null) return this.#open(read.handshake, page)
    const line = this.#polling.get(sid)
    const isPost = request.method === 'POST'
    // A request from a page of another origin than the connection's is refused, even if it has a valid ticket and the
    // connection's id.
    if (line !== undefined && line.record.origin !== page) return this.#refusePost(request, UNKNOWN_SID)
    if (transport === 'websocket') return this.#openProbe(sid)
    if (line !== undefined) return isPost ? this.#post(line, request) : this.#poll(line)
    const refusal = this.#find(sid) === undefined ? UNKNOWN_SID : BAD_REQUEST
    return isPost ? this.#refusePost(request, refusal) : refusalResponse(refusal)
  }

  /**
   * Handles one frame of a WebSocket, for `webSocketMessage`. Returns the promise of the handler `message`, which does
   * not reject.
   */
  frame(ws: WebSocket, data: string | ArrayBuffer): Promise<void> | void {
    try {
      const line = this.#lineOf(ws)
      if (line === null) {
        const attachment: unknown = ws.deserializeAttachment()
        return isProbe(attachment) ? this.#takeProbeFrame(ws, attachment, data) : closeQuietly(ws, 1011)
      }
      // Frames that still arrive after the server has closed the connection are ignored.
      if (!line.isOpen) return
      this.#pingWhoWaits(this.#options.now())
      return this.#takeFrame(line, typeof data === 'string' ? data : new Uint8Array(data))
    } catch (error) {
      this.#handlers.failed(error)
      // After the unexpected error, the socket is closed, so that the client reconnects.
      closeQuietly(ws, 1011)
    }
  }

  /** Handles a WebSocket that has closed or failed, for `webSocketClose` and `webSocketError`. */
  closed(ws: WebSocket): void {
    const attachment: unknown = ws.deserializeAttachment()
    const line = this.#lineOf(ws)
    this.#awake.delete(ws)
    if (isProbe(attachment)) this.#endProbe(attachment.probes, ws)
    else if (line !== null) this.#handlers.leave(line)
    // The server answers the client's close frame itself, because the compatibility flag web_socket_auto_reply_to_close
    // may be off.
    closeQuietly(ws, 1000)
  }

  /** Returns every open connection, in no particular order. */
  lines(): Line[] {
    const open: Line[] = []
    for (const ws of this.#sockets()) {
      const line = this.#lineOf(ws)
      if (line?.isOpen) open.push(line)
    }
    for (const line of this.#polling.values()) if (line.isOpen) open.push(line)
    return open
  }

  /** Closes a connection; `detail` is for the client's developer. */
  drop(line: Line, reason: CloseReason, detail?: string): void {
    this.#handlers.leave(line)
    line.close(reason, detail)
  }

  /** Returns how many entries are kept in memory, so that tests can check that the number does not grow. */
  kept(): { polling: number; probes: number; awake: number } {
    this.#sweep()
    return { polling: this.#polling.size, probes: this.#probes.size, awake: this.#awake.size }
  }

  /**
   * Returns when `runDeadlines` has to run next (milliseconds since 1970, not before `now`); null if there is no
   * deadline. The caller must set its alarm to this time after each `handle`, each call of `pinged`, and each
   * `runDeadlines`.
   */
  nextDeadline(now: number): number | null {
    const lines = this.#deadlines().map(({ deadline }) => deadline.at)
    const probes = this.#probing().map(({ probe }) => this.#probeDeadline(probe))
    const times = [...lines, ...probes]
    return times.length === 0 ? null : Math.max(now, Math.min(...times))
  }

  /**
   * Sends the pings that are due. Closes each connection whose client did not send CONNECT in time or did not answer a
   * ping in time. This method may run at any time.
   */
  runDeadlines(now: number): void {
    for (const { line, deadline } of this.#deadlines()) {
      if (deadline.at <= now) this.#act(line, deadline, now)
    }
    for (const { ws, probe } of this.#probing()) {
      if (this.#probeDeadline(probe) <= now) this.#endProbe(probe.probes, ws)
    }
    this.#sweep()
  }

  // ── Opening ──────────────────────────────────────────────────────────────────────────────────────────

  #open(handshake: Handshake, origin: string | null): Response {
    // The client is refused with an HTTP status, so that it waits longer before each new try. An opened socket, even if
    // it is closed at once, would reset the client's wait.
    if (!this.#makeRoom()) return tooManySockets()
    const { transport, hb, recovers } = handshake
    const record = newRecord({ id: randomId(), transport, hb, recovers, origin }, this.#options.now())
    const opening = encodeEnginePacket('open', JSON.stringify(this.#openFields(record)))
    if (transport === 'polling') {
      this.#polling.set(record.id, new PollingLine(record, { ...this.#options, tooSlow: this.#tooSlow }))
      return payloadResponse(opening)
    }
    const { 0: client, 1: server } = new WebSocketPair()
    this.#accept(server, record)
    this.#lineOf(server)?.send(opening)
    return new Response(null, { status: 101, webSocket: client })
  }

  #openFields({ id, transport, hb }: LineRecord): OpenFields {
    const { heartbeatPingInterval, pingInterval, pingTimeout, maxFrame } = this.#options
    return {
      sid: id,
      upgrades: transport === 'polling' ? ['websocket'] : [],
      pingInterval: hb ? heartbeatPingInterval : pingInterval,
      pingTimeout,
      maxPayload: maxFrame,
    }
  }

  #accept(ws: WebSocket, attachment: LineRecord | Probe): void {
    ws.serializeAttachment(attachment)
    if (this.#options.hibernate) return this.#ctx.acceptWebSocket(ws)
    ws.binaryType = 'arraybuffer'
    ws.accept()
    this.#awake.add(ws)
    ws.addEventListener('message', ({ data }) => void this.frame(ws, data as string | ArrayBuffer))
    ws.addEventListener('close', () => this.closed(ws))
    ws.addEventListener('error', () => this.closed(ws))
  }

  /**
   * Makes room for one more connection: closes an old connection if `maxSockets` connections are open. Returns false if
   * there is no room and no connection may be closed.
   */
  #makeRoom(): boolean {
    const open = this.lines()
    if (open.length < this.#options.maxSockets) return true
    const oldestFirst = open.toSorted((a, b) => a.record.connectedAt - b.record.connectedAt)
    const leaver =
      oldestFirst.find((line) => line.record.idleSince !== null) ??
      oldestFirst.find((line) => this.#handlers.isStale(line)) ??
      oldestFirst.find((line) => this.#isSilent(line))
    if (leaver === undefined) return false
    this.drop(leaver, 'made-room')
    return true
  }

  /**
   * Returns true if a client with heartbeats has been silent for long. Most likely its page is gone, and the platform
   * has not noticed yet. Such dead connections could otherwise keep a learner out of the conversation for hours.
   */
  #isSilent(line: Line): boolean {
    return line.record.hb && line.lastSign() <= this.#options.now() - this.#options.silenceLimit
  }

  // ── Polling ──────────────────────────────────────────────────────────────────────────────────────────

  #poll(line: PollingLine): Response | Promise<Response> {
    const response = line.poll()
    if (line.closedFor !== null) this.#handlers.leave(line)
    this.#sweep()
    return response
  }

  async #post(line: PollingLine, request: Request): Promise<Response> {
    if (!line.isOpen) return this.#refusePost(request, UNKNOWN_SID)
    if (line.isPosting) {
      this.drop(line, 'malformed')
      return this.#refusePost(request, BAD_REQUEST)
    }
    line.isPosting = true
    try {
      const body = await readBody(request, this.#options.maxFrame)
      if (body === null) {
        this.drop(line, 'too-large')
        return refusalResponse(TOO_LARGE)
      }
      return this.#takePayload(line, UTF_8.decode(body))
    } catch {
      // The client disconnected while it was sending the body.
      this.drop(line, 'failed')
      return refusalResponse(BAD_REQUEST)
    } finally {
      line.isPosting = false
      this.#sweep()
    }
  }

  async #refusePost(request: Request, refusal: HandshakeRefusal): Promise<Response> {
    await discardBody(request)
    return refusalResponse(refusal)
  }

  #takePayload(line: PollingLine, body: string): Response {
    const frames = decodePayload(body, this.#options.maxPackets)
    if (frames === null) this.drop(line, 'malformed')
    for (const frame of frames ?? []) {
      if (!line.isOpen) break
      const done = this.#takeFrame(line, frame)
      // The answer to the POST does not wait until the messages are handled.
      if (done !== undefined) this.#ctx.waitUntil(done)
    }
    const isFine = line.closedFor === null || line.closedFor === 'client-left'
    return isFine ? payloadResponse('ok') : refusalResponse(BAD_REQUEST)
  }

  /**
   * Removes polling connections that are over. Of closed connections with packets still to fetch, the newest
   * `maxSockets` stay.
   */
  #sweep(): void {
    const closed: string[] = []
    for (const [id, line] of this.#polling) {
      if (line.isSpent) this.#polling.delete(id)
      else if (!line.isOpen) closed.push(id)
    }
    for (const id of closed.slice(0, -this.#options.maxSockets)) this.#polling.delete(id)
  }

  // ── Moving from polling to a WebSocket ───────────────────────────────────────────────────────────────

  #openProbe(sid: string): Response {
    const line = this.#polling.get(sid)
    const isPossible = line?.isOpen === true && !this.#probes.has(sid)
    if (!isPossible && line === undefined && this.#find(sid) === undefined) return refusalResponse(UNKNOWN_SID)
    const { 0: client, 1: server } = new WebSocketPair()
    if (isPossible) {
      this.#accept(server, { probes: sid, since: this.#options.now() })
      this.#probes.set(sid, server)
    } else {
      // This socket is accepted with plain `accept()`, because the platform never removes a hibernatable socket that
      // the server closes before the client's first frame.
      server.accept()
      server.close(1008, 'refused')
    }
    return new Response(null, { status: 101, webSocket: client })
  }

  #takeProbeFrame(ws: WebSocket, { probes: id }: Probe, data: string | ArrayBuffer): void {
    const line = this.#polling.get(id)
    if (line === undefined || line.isSpent || this.#probes.get(id) !== ws) return this.#endProbe(id, ws)
    if (data === PROBE) {
      ws.send(encodeEnginePacket('pong', 'probe'))
      return line.setUpgrading(true)
    }
    if (data !== encodeEnginePacket('upgrade')) return this.#endProbe(id, ws)
    this.#probes.delete(id)
    ws.serializeAttachment({ ...line.record, transport: 'websocket' } satisfies LineRecord)
    const { closedFor } = line
    const successor = this.#lineOf(ws)
    if (successor === null) return closeQuietly(ws, 1011)
    line.moveTo(successor)
    // If the polling connection was closed during the upgrade, the WebSocket is closed for the same reason.
    if (closedFor !== null) successor.close(closedFor)
    this.#sweep()
  }

  #endProbe(id: string, ws: WebSocket): void {
    if (this.#probes.get(id) === ws) {
      this.#probes.delete(id)
      this.#polling.get(id)?.setUpgrading(false)
    }
    closeQuietly(ws, 1008)
  }

  #probing(): { ws: WebSocket; probe: Probe }[] {
    return this.#sockets().flatMap((ws) => {
      const attachment: unknown = ws.deserializeAttachment()
      return isProbe(attachment) && ws.readyState === WebSocket.OPEN ? [{ ws, probe: attachment }] : []
    })
  }

  #probeDeadline({ since }: Probe): number {
    return since + this.#options.connectTimeout
  }

  // ── Packets ──────────────────────────────────────────────────────────────────────────────────────────

  #takeFrame(line: Line, frame: Frame): Promise<void> | void {
    if (isLongerThan(frame, this.#options.maxFrame)) return this.drop(line, 'too-large')
    if (typeof frame !== 'string') {
      return this.#options.binary ? this.#handlers.message(line, frame) : this.drop(line, 'binary')
    }
    // The platform answers heartbeats on hibernatable WebSockets. Other clients' heartbeats arrive here.
    if (frame === HEARTBEAT_PING) return void line.send(HEARTBEAT_PONG)
    const packet = decodeEnginePacket(frame)
    switch (packet?.type) {
      case 'message':
        return this.#handlers.message(line, packet.data)
      case 'ping':
        return void line.send(encodeEnginePacket('pong', packet.data))
      case 'pong':
        return this.#takePong(line)
      case 'close':
        return this.drop(line, 'client-left')
      default:
        return this.drop(line, 'malformed', 'engine packet')
    }
  }

  #takePong(line: Line): void {
    if (line instanceof SocketLine) line.answered()
    if (line.record.pongDue) line.update({ pongDue: false })
  }

  // ── Time ─────────────────────────────────────────────────────────────────────────────────────────────

  #act(line: Line, { at, act }: Deadline, now: number): void {
    try {
      if (act === 'ping') this.#ping(line, at, now)
      else this.drop(line, act)
    } catch (error) {
      this.#handlers.failed(error)
    }
  }

  #ping(line: Line, due: number, now: number): void {
    line.send(encodeEnginePacket('ping'))
    // A ping that is only slightly late counts as sent when it was due, so that delays do not add up from ping to ping.
    const lastPingAt = now - due <= this.#options.pingTimeout * SLACK ? due : now
    line.update({ lastPingAt, pongDue: true })
  }

  /**
   * Sends pings that will be due soon. The object is awake now anyway; without these early pings, the alarm would soon
   * wake the object only to send them.
   */
  #pingWhoWaits(now: number): void {
    for (const line of this.lines()) {
      const { hb, pongDue, lastPingAt } = line.record
      if (hb || pongDue || lastPingAt + this.#options.pingInterval * EARLY > now) continue
      this.#act(line, { at: now, act: 'ping' }, now)
      this.#handlers.pinged?.()
    }
  }

  #deadlines(): { line: Line; deadline: Deadline }[] {
    const { pollIdle, pingTimeout } = this.#options
    return this.lines().flatMap((line) => {
      const { record } = line
      const watched = deadlineOf(record, this.#options)
      const gone = record.transport === 'polling' ? pollDeadline(line.lastSign(), pollIdle + pingTimeout) : null
      const deadlines = [watched, gone].filter((deadline) => deadline !== null)
      return deadlines.length === 0 ? [] : [{ line, deadline: deadlines.reduce((a, b) => (b.at < a.at ? b : a)) }]
    })
  }

  // ── Sockets ──────────────────────────────────────────────────────────────────────────────────────────

  #sockets(): WebSocket[] {
    return this.#options.hibernate ? this.#ctx.getWebSockets() : [...this.#awake]
  }

  #find(id: string): Line | undefined {
    return this.lines().find((line) => line.record.id === id)
  }

  /** Returns the connection over a WebSocket; null for the socket of a client that only probes. */
  #lineOf(ws: WebSocket): SocketLine | null {
    const known = this.#lines.get(ws)
    if (known !== undefined) return known
    const record: unknown = ws.deserializeAttachment()
    if (!isRecord(record)) return null
    const line = new SocketLine(ws, record, {
      backlog: this.#backlog,
      tooSlow: this.#tooSlow,
      lastHeartbeat: (each) =>
        this.#options.hibernate ? (this.#ctx.getWebSocketAutoResponseTimestamp(each)?.getTime() ?? null) : null,
    })
    this.#lines.set(ws, line)
    return line
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

const PROBE = encodeEnginePacket('ping', 'probe')

/** The fraction of `pingTimeout` by which a ping may be late and still count as sent when it was due. */
const SLACK = 0.5

/** While the object is awake anyway, a client gets its next ping already after this fraction of `pingInterval`. */
const EARLY = 0.5

function isProbe(attachment: unknown): attachment is Probe {
  return typeof attachment === 'object' && attachment !== null && 'probes' in attachment
}

/** Closes a socket in any state. */
function closeQuietly(ws: WebSocket, code: 1000 | 1008 | 1011): void {
  try {
    ws.close(code)
  } catch {
    // `close` throws if the connection is already lost.
  }
}

/**
 * Returns true if a frame is longer than `limit` bytes; a text is measured in UTF-8. To save time, a text is encoded
 * only if its number of characters leaves the result open.
 */
function isLongerThan(frame: Frame, limit: number): boolean {
  if (frame.length > limit) return true
  if (typeof frame !== 'string') return false
  return frame.length * 3 > limit && new TextEncoder().encode(frame).length > limit
}

function tooManySockets(): Response {
  return Response.json(
    { message: 'Too many connections to this conversation' },
    { status: 503, headers: { 'Retry-After': '10', 'Cache-Control': 'no-store' } },
  )
}
