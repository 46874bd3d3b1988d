import type { Frame } from './engine-packet.ts'

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
