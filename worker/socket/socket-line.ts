import { CLOSE_CODES, type CloseReason, type Line, type LineRecord } from './line.ts'
import { encodeEnginePacket, type Frame } from './engine-packet.ts'

export interface SocketLineParts {
  backlog: Backlog
  /**
   * Returns when the platform last answered a heartbeat of this socket by itself (milliseconds since 1970), or null.
   */
  lastHeartbeat: (ws: WebSocket) => number | null
  /** Called when the client leaves too much unread. It must close the line. */
  tooSlow: (line: Line) => void
}

/**
 * A connection over a WebSocket. It has no state of its own: it reads everything from the attachment when needed, so a
 * line made after a wake has the data of the one before.
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

  /** @throws Error if the socket is not one that the engine accepted */
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
    // `send` throws on a socket that has closed since the check; that must not stop a broadcast.
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

  /** Records that the client has read everything before the last ping. */
  answered(): void {
    this.#parts.backlog.answered(this.#ws)
  }

  lastSign(): number {
    return Math.max(this.#parts.lastHeartbeat(this.#ws) ?? 0, this.record.connectedAt)
  }
}

/**
 * Returns whether an attachment is a record. Only the engine writes attachments, so a record that has seats has all
 * fields.
 */
export function isRecord(attachment: unknown): attachment is LineRecord {
  return typeof attachment === 'object' && attachment !== null && 'seats' in attachment
}

/** Limits of what a client has not read, in characters. */
export interface BacklogPolicy {
  /** How much may be unread before a ping asks the client how far it has read. */
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
 * Counts how much each WebSocket's client may not have read yet. The platform buffers what is sent to a slow client in
 * memory, without a limit and without reporting how much. A pong shows that the client has read everything before its
 * ping. The counts are only in memory; an object that has hibernated has nothing in transit.
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

  /** Handles a pong: everything sent before its ping has been read. */
  answered(ws: WebSocket): void {
    const count = this.#counts.get(ws)
    if (count === undefined || count.afterPing === null) return
    count.unread = count.afterPing
    count.afterPing = null
  }
}
