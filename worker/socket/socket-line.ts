import { CLOSE_CODES, type CloseReason, type Line, type LineRecord } from './line.ts'
import { encodeEnginePacket, type Frame } from './engine-packet.ts'

export interface SocketLineParts {
  backlog: Backlog
  /** When the platform last answered a heartbeat of this socket by itself (milliseconds since 1970), or null. */
  lastHeartbeat: (ws: WebSocket) => number | null
  /** The client leaves too much unread. Has to close the line. */
  tooSlow: (line: Line) => void
}

/**
 * A connection over a WebSocket. It holds no state of its own: everything is read from the attachment when asked for,
 * so one made after a wake knows what the one before it knew.
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

  /** @throws Error when the socket is not one that the engine accepted. */
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
    // `send` throws on a socket that closed since it was last looked at; that is no reason to stop a broadcast.
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

  /** `detail` is appended to the reason, which the platform limits to 123 bytes. */
  close(reason: CloseReason, detail?: string): void {
    if (!this.isOpen) return
    this.#ws.close(CLOSE_CODES[reason], detail === undefined ? reason : `${reason}: ${detail}`)
  }

  /** The client has read everything before the last ping. */
  answered(): void {
    this.#parts.backlog.answered(this.#ws)
  }

  lastSign(): number {
    return Math.max(this.#parts.lastHeartbeat(this.#ws) ?? 0, this.record.connectedAt)
  }
}

/** Only the engine writes attachments, so a record that has seats has all its fields. */
export function isRecord(attachment: unknown): attachment is LineRecord {
  return typeof attachment === 'object' && attachment !== null && 'seats' in attachment
}

/** Both in characters of what was sent. */
export interface BacklogPolicy {
  /** How much may be on its way before the client is asked, by a ping, how far it has read. */
  askAfter: number
  /** How much may be unread before the client counts as too slow. */
  limit: number
}

interface Count {
  /** Sent since the client last showed that it had read everything. */
  unread: number
  /** Of it, what was sent after the ping that is out; null when none is. */
  afterPing: number | null
}

/**
 * How much each WebSocket's client may not have read yet. The platform keeps what is sent to a slow client in memory,
 * without a limit and without telling how much. A pong tells: it answers a ping that came after everything before it.
 * Kept in memory only; an object that has slept has nothing on its way.
 */
export class Backlog {
  readonly #policy: BacklogPolicy
  readonly #counts = new WeakMap<WebSocket, Count>()

  constructor(policy: BacklogPolicy) {
    this.#policy = policy
  }

  /** Counts what is sent now, and says what is to be done: nothing, ask by a ping, or close. */
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

  /** A pong came: what was sent before its ping has been read. */
  answered(ws: WebSocket): void {
    const count = this.#counts.get(ws)
    if (count === undefined || count.afterPing === null) return
    count.unread = count.afterPing
    count.afterPing = null
  }
}
