import type { CloseReason, Line, LineRecord } from './line.ts'
import { encodeEnginePacket, type Frame, encodePayload } from './engine-packet.ts'
import { BAD_REQUEST, UNKNOWN_SID, refusalResponse } from './handshake.ts'

/** Limits of polling connections. Times are in milliseconds. */
export interface PollingPolicy {
  /**
   * How long a poll waits for a message. After that, the server answers the poll without a message. Networks and
   * clients may abort requests that take long.
   */
  pollIdle: number
  /**
   * How long a poll waits while the client upgrades to a WebSocket: only briefly, because the client finishes the
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
 * The connection of a polling client, which is only in memory: either frames wait for the client's next poll, or a poll
 * waits for a frame. An object with a waiting poll stays awake, and is billed for that. If the object dies, the
 * client's next poll is refused because its `sid` is unknown. The client then connects again and requests the events
 * that it missed.
 */
export class PollingLine implements Line {
  isPosting = false
  closedFor: CloseReason | null = null
  #record: LineRecord
  #lastPollAt: number
  #isUpgrading = false
  #successor: Line | null = null
  #waiting: Frame[] = []
  /** The length of all waiting frames together. */
  #waitingSize = 0
  /**
   * The packet that tells the client that the connection has ended; null if there is none to send. An answer to a poll
   * that contains this packet contains no other packet.
   */
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
      // The poll is answered a moment later, so that the answer contains all frames that the same code sends.
      if (this.#waiting.length === 1) queueMicrotask(() => this.#flush())
      return true
    }
    if (this.#waitingSize <= this.#policy.backlogLimit) return true
    this.#policy.tooSlow(this)
    return false
  }

  /**
   * Closes the connection. The client learns this from a close packet, or because its next poll is refused. Waiting
   * frames stay for one more poll, unless the client caused the close by a fault.
   */
  close(reason: CloseReason): void {
    if (this.#successor !== null) return this.#successor.close(reason)
    if (this.closedFor !== null) return
    this.closedFor = reason
    if (!TOLD.has(reason) && this.#poll === null) this.#takeFrames()
    // If the client itself has sent a close packet, its waiting poll only needs an empty answer.
    const isFarewell = reason === 'client-left'
    if (isFarewell || this.#waiting.length > 0 || this.#poll !== null) {
      this.#lastWord = encodeEnginePacket(isFarewell ? 'noop' : 'close')
    }
    this.#flush()
  }

  lastSign(): number {
    return this.#successor?.lastSign() ?? this.#lastPollAt
  }

  /**
   * True if polls are over: the connection has moved to a WebSocket, or is closed and the client has fetched
   * everything.
   */
  get isSpent(): boolean {
    return this.#successor !== null || (this.closedFor !== null && !this.#hasWords)
  }

  /** Answers a poll, at once if a packet waits. */
  poll(): Response | Promise<Response> {
    this.#lastPollAt = this.#policy.now()
    if (this.isSpent) return refusalResponse(UNKNOWN_SID)
    if (this.#poll !== null) {
      // Two polls at the same time mean that the client has an error, or that another client uses its id.
      this.close('malformed')
      return refusalResponse(BAD_REQUEST)
    }
    if (this.#hasWords) return this.#takeWords()
    return new Promise((answer) => {
      const { pollIdle, upgradeCheck } = this.#policy
      this.#poll = { answer, timer: this.#noopIn(this.#isUpgrading ? upgradeCheck : pollIdle) }
    })
  }

  /** Stores whether the client is upgrading to a WebSocket. While it is, polls are answered soon. */
  setUpgrading(isUpgrading: boolean): void {
    this.#isUpgrading = isUpgrading
    if (!isUpgrading || this.#poll === null) return
    clearTimeout(this.#poll.timer)
    this.#poll.timer = this.#noopIn(this.#policy.upgradeCheck)
  }

  /** Makes the connection continue over `successor`, which gets the frames that were not fetched. */
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
   * Returns the waiting frames, or the close packet if no frames wait. One answer never contains waiting frames and the
   * close packet, because the official client handles a close packet before the messages of the same answer. The client
   * would then miss a waiting DISCONNECT, and reconnect.
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

/** The reasons for closing a connection after which the client may still fetch the waiting frames. */
const TOLD: ReadonlySet<CloseReason> = new Set<CloseReason>([
  'client-left',
  'replaced',
  'expired',
  'made-room',
  'failed',
])

/** Makes the HTTP answer to a poll or a POST. */
export function payloadResponse(body: string): Response {
  return new Response(body, { headers: { 'Content-Type': 'text/plain; charset=UTF-8', 'Cache-Control': 'no-store' } })
}
