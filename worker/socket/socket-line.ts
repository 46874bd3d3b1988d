import { CLOSE_CODES, type CloseReason, type Line, type LineRecord } from './line.ts'
import { encodeEnginePacket, type Frame } from './engine-packet.ts'

export interface SocketLineParts {
  backlog: Backlog
  /**
   * Returns when the platform last answered a heartbeat of this socket by itself (milliseconds since 1970); null if it
   * has answered none.
   */
  lastHeartbeat: (ws: WebSocket) => number | null
  /** Called when the client has left more than `limit` characters unread. The callback must close the line. */
  tooSlow: (line: Line) => void
}

/**
 * A connection over a WebSocket. Each change of its record is written to the socket's attachment, the data that the
 * platform keeps with the socket while the object sleeps. There is one `SocketLine` for a socket at a time.
 */
export class SocketLine implements Line {
  readonly #ws: WebSocket
  readonly #parts: SocketLineParts
  #record: LineRecord

  constructor(ws: WebSocket, record: LineRecord, parts: SocketLineParts) {
    this.#ws = ws
    this.#record = record
    this.#parts = parts
  }

  get isOpen(): boolean {
    return this.#ws.readyState === WebSocket.OPEN
  }

  get record(): LineRecord {
    return this.#record
  }

  update(change: Partial<LineRecord>): void {
    const record: LineRecord = { ...this.#record, ...change }
    this.#ws.serializeAttachment(record)
    this.#record = record
  }

  send(frame: Frame): boolean {
    if (!this.isOpen) return false
    // `send` throws if the socket has closed since the check. An error for one client must not keep other clients from
    // getting a broadcast.
    try {
      this.#ws.send(frame)
    } catch {
      return false
    }
    const verdict = this.#parts.backlog.add(this.#ws, frame)
    if (verdict === 'ask') this.send(encodeEnginePacket('ping'))
    if (verdict === 'too-slow') this.#parts.tooSlow(this)
    return verdict !== 'too-slow'
  }

  close(reason: CloseReason, detail?: string): void {
    if (!this.isOpen) return
    this.#ws.close(CLOSE_CODES[reason], detail === undefined ? reason : `${reason}: ${detail}`)
  }

  /** Handles a pong: the client has read everything that was sent before the last ping. */
  answered(): void {
    this.#parts.backlog.answered(this.#ws)
  }

  lastSign(): number {
    return Math.max(this.#parts.lastHeartbeat(this.#ws) ?? 0, this.record.connectedAt)
  }
}

/**
 * Returns true if an attachment is a record. Only the engine writes attachments, so an attachment with `seats` has all
 * fields of a record.
 */
export function isRecord(attachment: unknown): attachment is LineRecord {
  return typeof attachment === 'object' && attachment !== null && 'seats' in attachment
}

/** Limits on the data that a client has not read, in characters. */
export interface BacklogPolicy {
  /** When more than this is unread, the server sends a ping, to find out how far the client has read. */
  askAfter: number
  /** When more than this is unread, the client counts as too slow. */
  limit: number
}

interface Count {
  /** Characters that the client may not have read yet. */
  unread: number
  /** The part of `unread` that was sent after the unanswered ping; null if every ping is answered. */
  afterPing: number | null
}

/**
 * Counts how many characters the client of each WebSocket may not have read yet. The platform buffers the data for a
 * slow client in memory, without a limit and without reporting the amount. A client's pong shows that it has read
 * everything that was sent before the ping. The counts are lost when the object hibernates, but then no data is waiting
 * either.
 */
export class Backlog {
  readonly #policy: BacklogPolicy
  readonly #counts = new WeakMap<WebSocket, Count>()

  constructor(policy: BacklogPolicy) {
    this.#policy = policy
  }

  /**
   * Counts a frame that is sent now. Returns what the caller has to do next: nothing (`fine`), send a ping (`ask`) or
   * close the connection (`too-slow`).
   */
  add(ws: WebSocket, frame: Frame): 'fine' | 'ask' | 'too-slow' {
    const count = this.#counts.get(ws) ?? { unread: 0, afterPing: null }
    this.#counts.set(ws, count)
    count.unread += frame.length
    if (count.afterPing !== null) count.afterPing += frame.length
    if (count.unread > this.#policy.limit) return 'too-slow'
    if (count.afterPing !== null || count.unread <= this.#policy.askAfter) return 'fine'
    count.afterPing = 0
    return 'ask'
  }

  answered(ws: WebSocket): void {
    const count = this.#counts.get(ws)
    if (count === undefined || count.afterPing === null) return
    count.unread = count.afterPing
    count.afterPing = null
  }
}
