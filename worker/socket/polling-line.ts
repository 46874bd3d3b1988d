import type { CloseReason, Line, LineRecord } from './line.ts'
import { encodeEnginePacket, type Frame, encodePayload } from './engine-packet.ts'
import { BAD_REQUEST, UNKNOWN_SID, refusalResponse } from './handshake.ts'

/** Times in milliseconds. */
export interface PollingPolicy {
  /** How long a poll waits before it is answered with nothing to say. Networks and clients give up on longer ones. */
  pollIdle: number
  /** How long it waits while the client upgrades, which wants its poll back. */
  upgradeCheck: number
  /** How much may wait to be fetched, in characters. */
  backlogLimit: number
  now: () => number
  /** Called when more waits than `backlogLimit`. Must close the line. */
  tooSlow: (line: Line) => void
}

/**
 * A connection of a client that polls. All of it is in memory: what waits to be fetched, and the poll that waits for
 * it. So an object with a poll pending stays awake, and is billed for it; when it dies its polling clients find their
 * `sid` unknown and come back by their cursor.
 */
export class PollingLine implements Line {
  /** A POST is being read. There may be one at a time. */
  isPosting = false
  /** Why it ended, or null while it goes on. */
  closedFor: CloseReason | null = null
  #record: LineRecord
  #lastPollAt: number
  #isUpgrading = false
  #successor: Line | null = null
  #waiting: Frame[] = []
  /** The length of all that waits. Counted along the way: there may be thousands of frames. */
  #waitingSize = 0
  /** What ends the session, told by a poll of its own. */
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
      // What is sent in one go leaves in one answer.
      if (this.#waiting.length === 1) queueMicrotask(() => this.#flush())
      return true
    }
    if (this.#waitingSize <= this.#policy.backlogLimit) return true
    this.#policy.tooSlow(this)
    return false
  }

  /**
   * Ends the connection. A close has no code here: the client is told by a close packet, or by its `sid` being
   * unknown. What it has not fetched yet is kept for one more poll, unless the client is to blame.
   */
  close(reason: CloseReason): void {
    if (this.#successor !== null) return this.#successor.close(reason)
    if (this.closedFor !== null) return
    this.closedFor = reason
    if (!TOLD.has(reason) && this.#poll === null) this.#takeFrames()
    // A client that said that it leaves only wants its poll back.
    const isFarewell = reason === 'client-left'
    if (isFarewell || this.#waiting.length > 0 || this.#poll !== null) {
      this.#lastWord = encodeEnginePacket(isFarewell ? 'noop' : 'close')
    }
    this.#flush()
  }

  lastSign(): number {
    return this.#successor?.lastSign() ?? this.#lastPollAt
  }

  /** Nothing is left to fetch. */
  get isSpent(): boolean {
    return this.#successor !== null || (this.closedFor !== null && !this.#hasWords)
  }

  /** Answers a poll, at once if there is something to say. */
  poll(): Response | Promise<Response> {
    this.#lastPollAt = this.#policy.now()
    if (this.isSpent) return refusalResponse(UNKNOWN_SID)
    if (this.#poll !== null) {
      // Either the client is broken or another client has its id.
      this.close('malformed')
      return refusalResponse(BAD_REQUEST)
    }
    if (this.#hasWords) return this.#takeWords()
    return new Promise((answer) => {
      const { pollIdle, upgradeCheck } = this.#policy
      this.#poll = { answer, timer: this.#noopIn(this.#isUpgrading ? upgradeCheck : pollIdle) }
    })
  }

  /** The client tries a WebSocket, or has stopped trying; until it has moved, polls are answered soon. */
  setUpgrading(isUpgrading: boolean): void {
    this.#isUpgrading = isUpgrading
    if (!isUpgrading || this.#poll === null) return
    clearTimeout(this.#poll.timer)
    this.#poll.timer = this.#noopIn(this.#policy.upgradeCheck)
  }

  /** Goes on as `successor`, which gets whatever was not fetched. */
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
   * The messages first, and alone: the official client acts on a close packet at once and on a message a moment later,
   * so that it would miss a DISCONNECT that stands before one, and come back.
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

/** Reasons that the client is still told: it is connected and did nothing wrong. */
const TOLD: ReadonlySet<CloseReason> = new Set<CloseReason>([
  'client-left',
  'replaced',
  'expired',
  'made-room',
  'failed',
])

/** An HTTP answer of the transport. No cache may store it. */
export function payloadResponse(body: string): Response {
  return new Response(body, { headers: { 'Content-Type': 'text/plain; charset=UTF-8', 'Cache-Control': 'no-store' } })
}
