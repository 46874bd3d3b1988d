import { CLOSE_CODES, type CloseReason, type Line, type LineRecord } from './line.ts'
import { encodeEnginePacket, type Frame } from './engine-packet.ts'

export interface SocketLineParts {
  backlog: Backlog
  /**
   * Returns when the platform last answered a heartbeat of this socket by itself (milliseconds since 1970); null if it
   * has answered none.
   */
  lastHeartbeat: (ws: WebSocket) => number | null
  /** Called when the client leaves too much unread. The callback must close the line. */
  tooSlow: (line: Line) => void
}

/**
 * A connection over a WebSocket. A `SocketLine` has no state of its own, but reads everything from the socket's
 * attachment when needed. So a line that is made after a wake has the same data as the line before the wake.
 */
export class SocketLine implements Line {
  readonly #ws: WebSocket
  readonly #parts: SocketLineParts

  constructor(ws: WebSocket, parts: SocketLineParts) {
    this.#ws = ws
    this.#parts = parts
  }

  get isOpen(): boolean {
    return this.#ws.readyState === WebSocket.OPEN
  }

  /** @throws Error if the engine has not accepted the socket */
  get record(): LineRecord {
    const attachment: unknown = this.#ws.deserializeAttachment()
    if (!isRecord(attachment)) throw new Error('this socket has no record')
    return attachment
  }

  update(change: Partial<LineRecord>): void {
    this.#ws.serializeAttachment({ ...this.record, ...change } satisfies LineRecord)
  }

  send(frame: Frame): boolean {
    if (!this.isOpen) return false
    // `send` throws on a socket that has closed since the check; the error must not stop a broadcast.
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

  /** Closes the socket. `detail` is appended to the reason, which the platform limits to 123 bytes. */
  close(reason: CloseReason, detail?: string): void {
    if (!this.isOpen) return
    this.#ws.close(CLOSE_CODES[reason], detail === undefined ? reason : `${reason}: ${detail}`)
  }

  /** Records that the client has read everything that was sent before the last ping. */
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
  /** How much may be unread before the server sends a ping, to find out how far the client has read. */
  askAfter: number
  /** How much may be unread before the client counts as too slow. */
  limit: number
}

interface Count {
  /** Characters sent since the client last showed that it had read everything. */
  unread: number
  /** The part of `unread` that was sent after the unanswered ping; null if every ping is answered. */
  afterPing: number | null
}

/**
 * Counts how many characters the client of each WebSocket may not have read yet. The platform buffers the data for a
 * slow client in memory, without a limit and without reporting the amount. A pong shows that the client has read
 * everything that was sent before the ping. The counts are only in memory, because an object that has hibernated has no
 * data in transit.
 */
export class Backlog {
  readonly #policy: BacklogPolicy
  readonly #counts = new WeakMap<WebSocket, Count>()

  constructor(policy: BacklogPolicy) {
    this.#policy = policy
  }

  /** Counts a frame that is sent now, and returns what to do next: nothing, send a ping, or close. */
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

  /** Handles a pong: the client has read everything that was sent before the ping. */
  answered(ws: WebSocket): void {
    const count = this.#counts.get(ws)
    if (count === undefined || count.afterPing === null) return
    count.unread = count.afterPing
    count.afterPing = null
  }
}
