import type { CloseReason, Line, LineRecord } from './line.ts'
import { encodeEnginePacket, type Frame, encodePayload } from './engine-packet.ts'
import { BAD_REQUEST, UNKNOWN_SID, refusalResponse } from './handshake.ts'

/** Limits of polling connections. Times are in milliseconds. */
export interface PollingPolicy {
  /**
   * How long a poll waits before it gets an answer without messages. Networks and clients abort polls that take longer.
   */
  pollIdle: number
  /**
   * How long a poll waits while the client upgrades to a WebSocket. This time is short, because the client finishes the
   * upgrade only after the answer to its poll.
   */
  upgradeCheck: number
  /** The most characters that may wait for the client's next poll. */
  backlogLimit: number
  now: () => number
  /** Called when more than `backlogLimit` characters wait. The callback must close the line. */
  tooSlow: (line: Line) => void
}

/**
 * The connection of a polling client. The whole connection is in memory: the frames that wait for a poll, or the poll
 * that waits for a frame. So an object with a pending poll stays awake, and is billed for that. When the object dies,
 * its polling clients are told that their `sid` is unknown, and reconnect with their cursor.
 */
export class PollingLine implements Line {
  /** True while a POST is being read. A client may send only one POST at a time. */
  isPosting = false
  /** Why the connection was closed; null while it is open. */
  closedFor: CloseReason | null = null
  #record: LineRecord
  #lastPollAt: number
  #isUpgrading = false
  #successor: Line | null = null
  #waiting: Frame[] = []
  /** The length of all waiting frames. It is updated with each frame, because there may be thousands of frames. */
  #waitingSize = 0
  /** The packet that ends the connection, sent alone in the answer to a poll. */
  #lastWord: string | null = null
  #poll: { answer: (response: Response) => void; timer: ReturnType<typeof setTimeout> } | null = null
  readonly #policy: PollingPolicy

  constructor(record: LineRecord, policy: PollingPolicy) {
    this.#record = record
    this.#policy = policy
    this.#lastPollAt = record.connectedAt
  }

  get isOpen(): boolean {
    return this.#successor?.isOpen ?? this.closedFor === null
  }

  get record(): LineRecord {
    return this.#successor?.record ?? this.#record
  }

  update(change: Partial<LineRecord>): void {
    if (this.#successor !== null) this.#successor.update(change)
    else this.#record = { ...this.#record, ...change }
  }

  send(frame: Frame): boolean {
    if (this.#successor !== null) return this.#successor.send(frame)
    if (this.closedFor !== null) return false
    this.#put(frame)
    if (this.#poll !== null) {
      // Frames that are sent in one synchronous stretch are sent in one answer.
      if (this.#waiting.length === 1) queueMicrotask(() => this.#flush())
      return true
    }
    if (this.#waitingSize <= this.#policy.backlogLimit) return true
    this.#policy.tooSlow(this)
    return false
  }

  /**
   * Closes the connection. Polling has no close codes: the client gets a close packet, or learns that its `sid` is
   * unknown. The frames that the client has not fetched are kept for one more poll, unless a fault of the client caused
   * the close.
   */
  close(reason: CloseReason): void {
    if (this.#successor !== null) return this.#successor.close(reason)
    if (this.closedFor !== null) return
    this.closedFor = reason
    if (!TOLD.has(reason) && this.#poll === null) this.#takeFrames()
    // A client that has sent a close packet only needs an answer to its poll.
    const isFarewell = reason === 'client-left'
    if (isFarewell || this.#waiting.length > 0 || this.#poll !== null) {
      this.#lastWord = encodeEnginePacket(isFarewell ? 'noop' : 'close')
    }
    this.#flush()
  }

  lastSign(): number {
    return this.#successor?.lastSign() ?? this.#lastPollAt
  }

  /** True if the connection has ended or moved, and the client has nothing left to fetch. */
  get isSpent(): boolean {
    return this.#successor !== null || (this.closedFor !== null && !this.#hasWords)
  }

  /** Answers a poll, at once if a packet waits. */
  poll(): Response | Promise<Response> {
    this.#lastPollAt = this.#policy.now()
    if (this.isSpent) return refusalResponse(UNKNOWN_SID)
    if (this.#poll !== null) {
      // A second poll at the same time means that the client is broken or another client has its id.
      this.close('malformed')
      return refusalResponse(BAD_REQUEST)
    }
    if (this.#hasWords) return this.#takeWords()
    return new Promise((answer) => {
      const { pollIdle, upgradeCheck } = this.#policy
      this.#poll = { answer, timer: this.#noopIn(this.#isUpgrading ? upgradeCheck : pollIdle) }
    })
  }

  /** Stores whether the client probes a WebSocket. While the client probes, polls are answered soon. */
  setUpgrading(isUpgrading: boolean): void {
    this.#isUpgrading = isUpgrading
    if (!isUpgrading || this.#poll === null) return
    clearTimeout(this.#poll.timer)
    this.#poll.timer = this.#noopIn(this.#policy.upgradeCheck)
  }

  /** Continues as `successor`, which gets the frames that were not fetched. */
  moveTo(successor: Line): void {
    this.#successor = successor
    this.#lastWord = null
    this.#takePoll()?.(refusalResponse(UNKNOWN_SID))
    for (const frame of this.#takeFrames()) successor.send(frame)
  }

  #noopIn(ms: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.send(encodeEnginePacket('noop')), ms)
  }

  #flush(): void {
    if (!this.#hasWords) return
    const answer = this.#takePoll()
    answer?.(this.#takeWords())
  }

  get #hasWords(): boolean {
    return this.#waiting.length > 0 || this.#lastWord !== null
  }

  /**
   * Returns the waiting frames, or the close packet if no frames wait. The official client handles a close packet at
   * once and a message a moment later. If both came in the same answer, the client would miss a DISCONNECT, and
   * reconnect.
   */
  #takeWords(): Response {
    if (this.#waiting.length > 0) return payloadResponse(encodePayload(this.#takeFrames()))
    const lastWord = this.#lastWord ?? ''
    this.#lastWord = null
    return payloadResponse(lastWord)
  }

  #put(frame: Frame): void {
    this.#waiting.push(frame)
    this.#waitingSize += frame.length
  }

  #takeFrames(): Frame[] {
    this.#waitingSize = 0
    return this.#waiting.splice(0)
  }

  #takePoll(): ((response: Response) => void) | null {
    const poll = this.#poll
    this.#poll = null
    if (poll === null) return null
    clearTimeout(poll.timer)
    return poll.answer
  }
}

/**
 * Reasons of a close after which the client may still fetch its frames, because it is connected and did nothing wrong.
 */
const TOLD: ReadonlySet<CloseReason> = new Set<CloseReason>([
  'client-left',
  'replaced',
  'expired',
  'made-room',
  'failed',
])

/** Makes the HTTP answer to a poll or a POST. No cache may store the answer. */
export function payloadResponse(body: string): Response {
  return new Response(body, { headers: { 'Content-Type': 'text/plain; charset=UTF-8', 'Cache-Control': 'no-store' } })
}
