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

/** The callbacks of the layer above, which speaks over the connections. */
export interface EngineHandlers {
  /** A message came. The promise must not reject. */
  message(line: Line, message: Frame): Promise<void> | void
  /** The connection is gone or about to be closed. Called at least once; must not throw. */
  leave(line: Line): void
  /** Whether the connection may be given up for a newcomer, whatever it says. */
  isStale(line: Line): boolean
  /** The engine itself failed. */
  failed(error: unknown): void
}

/** Times in milliseconds. */
export interface EngineOptions {
  /** The largest frame, and the largest body of a POST, that is read, in bytes. */
  maxFrame: number
  /** How many packets one body may hold. */
  maxPackets: number
  maxSockets: number
  /** Whether bytes are messages too. */
  binary: boolean
  /** The object may sleep while its sockets are open. Without, they are accepted plainly and keep it awake. */
  hibernate: boolean
  /** For clients that send no heartbeats. Not less than `pingTimeout`, or pings come late: see `nextDeadline`. */
  pingInterval: number
  /** For clients that do. The sum with `pingTimeout` must fit a timer: 2^31 - 1 ms. */
  heartbeatPingInterval: number
  pingTimeout: number
  connectTimeout: number
  /** How long a client with heartbeats may be silent before it loses its place to a newcomer, when all are taken. */
  silenceLimit: number
  pollIdle: number
  upgradeCheck: number
  /** How much a client may leave unread before it is asked how far it is, and before it is closed, in characters. */
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

/** What is attached to a WebSocket that a polling client tries before it moves to it. */
interface Probe {
  probes: string
  since: number
}

/**
 * Engine.IO v4 for one Durable Object: who is connected, by which transport, and whether it still lives. Over
 * WebSockets it keeps nothing in memory; clients that poll are kept there alone. None of what it is called by throws.
 */
export class Engine {
  readonly #ctx: DurableObjectState
  readonly #handlers: EngineHandlers
  readonly #options: EngineOptions
  readonly #backlog: Backlog
  readonly #polling = new Map<string, PollingLine>()
  /** The WebSocket that a polling client tries, by the client's id. */
  readonly #probes = new Map<string, WebSocket>()
  /** Sockets that were accepted plainly. */
  readonly #awake = new Set<WebSocket>()
  readonly #tooSlow = (line: Line): void => this.drop(line, 'too-slow')

  constructor(ctx: DurableObjectState, handlers: EngineHandlers, options: EngineOptions) {
    this.#ctx = ctx
    this.#handlers = handlers
    this.#options = options
    this.#backlog = new Backlog({ askAfter: options.backlogAskAfter, limit: options.backlogLimit })
    // Matched to the letter and answered by the platform: it neither wakes the object nor is it billed.
    if (options.hibernate) {
      ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(HEARTBEAT_PING, HEARTBEAT_PONG))
    }
  }

  /** Answers a request to the transport. A poll's answer may be long in coming; a new connection's is not. */
  handle(request: Request): Response | Promise<Response> {
    const read = readHandshake(request)
    if (!read.ok) return refusalResponse(read.refusal)
    // The alarm may be late, and a client that has run out of time has done so all the same.
    this.runDeadlines(this.#options.now())
    const { transport, sid } = read.handshake
    const page = request.headers.get(ORIGIN_HEADER) || null
    if (sid === null) return this.#open(read.handshake, page)
    const line = this.#polling.get(sid)
    const isPost = request.method === 'POST'
    // A page's ticket never reaches another page's connection, even with a stolen id.
    if (line !== undefined && line.record.origin !== page) return this.#refusePost(request, UNKNOWN_SID)
    if (transport === 'websocket') return this.#openProbe(sid)
    if (line !== undefined) return isPost ? this.#post(line, request) : this.#poll(line)
    const refusal = this.#find(sid) === undefined ? UNKNOWN_SID : BAD_REQUEST
    return isPost ? this.#refusePost(request, refusal) : refusalResponse(refusal)
  }

  /** Takes one WebSocket frame, from `webSocketMessage`. The promise is that of the handler and does not reject. */
  frame(ws: WebSocket, data: string | ArrayBuffer): Promise<void> | void {
    try {
      const attachment: unknown = ws.deserializeAttachment()
      if (isProbe(attachment)) return this.#takeProbeFrame(ws, attachment, data)
      if (!isRecord(attachment)) return closeQuietly(ws, 1011)
      const line = this.#lineOf(ws)
      // Frames that were on their way when the server closed still arrive.
      if (!line.isOpen) return
      this.#pingWhoWaits(this.#options.now())
      return this.#takeFrame(line, typeof data === 'string' ? data : new Uint8Array(data))
    } catch (error) {
      this.#handlers.failed(error)
      // The client reconnects, which is better than a socket that no longer answers.
      closeQuietly(ws, 1011)
    }
  }

  /** The WebSocket has closed or broke, from `webSocketClose` and `webSocketError`. */
  closed(ws: WebSocket): void {
    const attachment: unknown = ws.deserializeAttachment()
    this.#awake.delete(ws)
    if (isProbe(attachment)) this.#endProbe(attachment.probes, ws)
    else if (isRecord(attachment)) this.#handlers.leave(this.#lineOf(ws))
    // Before the compatibility flag web_socket_auto_reply_to_close, finishing the close handshake is the server's part.
    closeQuietly(ws, 1000)
  }

  /** Every open connection, in no particular order; also right after a wake. */
  lines(): Line[] {
    const sockets = this.#sockets().filter((ws) => isRecord(ws.deserializeAttachment()))
    return [...sockets.map((ws) => this.#lineOf(ws)), ...this.#polling.values()].filter((line) => line.isOpen)
  }

  /** Ends a connection; `detail` is for its developer. */
  drop(line: Line, reason: CloseReason, detail?: string): void {
    this.#handlers.leave(line)
    line.close(reason, detail)
  }

  /** What is kept in memory, which is to be little and not to grow. */
  kept(): { polling: number; probes: number; awake: number } {
    this.#sweep()
    return { polling: this.#polling.size, probes: this.#probes.size, awake: this.#awake.size }
  }

  /**
   * When `runDeadlines` has to run next (milliseconds since 1970, not before `now`), or null when nobody waits for
   * anything. Only `handle` brings it nearer, so the alarm is to be set after `handle` and after `runDeadlines`.
   */
  nextDeadline(now: number): number | null {
    const lines = this.#deadlines().map(({ deadline }) => deadline.at)
    const probes = this.#probing().map(({ probe }) => this.#probeDeadline(probe))
    const times = [...lines, ...probes]
    return times.length === 0 ? null : Math.max(now, Math.min(...times))
  }

  /** Sends the pings that are due and closes connections that did not CONNECT or answer in time. Safe to run at any time. */
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
    // Refused over HTTP, because then the client's back-off grows; accepting and closing would restart it.
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
    this.#lineOf(server).send(opening)
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

  /** Frees a place for one more connection. Returns false if all places are taken by connections that must stay. */
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
   * A client with heartbeats that has sent none for long: most likely a page that is gone, whose connection the
   * platform has not noticed to be dead. Without this, such sockets could lock a conversation for hours.
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
      // The client went away in the middle of its body.
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
      // The answer says that the body was read, not what came of it.
      if (done !== undefined) this.#ctx.waitUntil(done)
    }
    const isFine = line.closedFor === null || line.closedFor === 'client-left'
    return isFine ? payloadResponse('ok') : refusalResponse(BAD_REQUEST)
  }

  /** Forgets polling clients that are gone. Of the closed ones that still have something to fetch, the newest stay. */
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
      // Plain `accept()`: a hibernatable socket that the server closes before the client has spoken is never torn down.
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
    line.moveTo(successor)
    // It ended while the client moved, which is still to hear why.
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
    // The platform answers this one on a WebSocket; it comes here from clients that poll.
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
    // A ping that is a little late is not to prolong the time that both sides agreed on.
    const lastPingAt = now - due <= this.#options.pingTimeout * SLACK ? due : now
    line.update({ lastPingAt, pongDue: true })
  }

  /** Pings early, while the object is awake anyway, so that the alarm need not wake it soon. */
  #pingWhoWaits(now: number): void {
    for (const line of this.lines()) {
      const { hb, pongDue, lastPingAt } = line.record
      if (hb || pongDue || lastPingAt + this.#options.pingInterval * EARLY > now) continue
      this.#act(line, { at: now, act: 'ping' }, now)
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

  #lineOf(ws: WebSocket): SocketLine {
    return new SocketLine(ws, {
      backlog: this.#backlog,
      tooSlow: this.#tooSlow,
      lastHeartbeat: (each) =>
        this.#options.hibernate ? (this.#ctx.getWebSocketAutoResponseTimestamp(each)?.getTime() ?? null) : null,
    })
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

const PROBE = encodeEnginePacket('ping', 'probe')

/** How much of `pingTimeout` a ping may be late and still count from when it was due. */
const SLACK = 0.5

/** From which part of `pingInterval` on a client is pinged when the object is awake anyway. */
const EARLY = 0.5

function isProbe(attachment: unknown): attachment is Probe {
  return typeof attachment === 'object' && attachment !== null && 'probes' in attachment
}

/** Closes a socket in whatever state it is: `close` throws when the connection is already lost. */
function closeQuietly(ws: WebSocket, code: 1000 | 1008 | 1011): void {
  try {
    ws.close(code)
  } catch {
    // There is nothing left to close.
  }
}

/** True when the frame is longer than `limit` bytes, of UTF-8 if it is text. Encodes it only when its length leaves that open. */
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
