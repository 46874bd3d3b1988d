import type { Backlog } from './backlog.ts'
import { CLOSE_CODES } from './close-reason.ts'
import type { CloseReason } from './close-reason.ts'
import { encodeEnginePacket } from './engine-packet.ts'
import type { Frame } from './engine-packet.ts'
import type { Line, LineRecord } from './line.ts'

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
