const LF = 10
const CR = 13
const COLON = 58
const BOM = [0xef, 0xbb, 0xbf]
/** Enough of a line to tell its field and to know `data: [DONE]`. */
const HEAD_BYTES = 16

export interface EventScanLimits {
  /** Of one event, from blank line to blank line. */
  readonly eventBytes: number
  /** Of the whole body. */
  readonly totalBytes: number
}

/**
 * Looks on while the bytes of an event stream go by, and keeps no more of them than the head of one line. It knows
 * what the client library does not tell: whether the stream said `[DONE]`, whether it was an event stream at all, and
 * when it is too much to hold, since the library keeps an event of any size until its blank line comes.
 */
export class EventScan {
  readonly #limits: EventScanLimits
  #total = 0
  #event = 0
  #lineLength = 0
  #head: number[] = []
  #afterCr = false
  #isFirstLine = true
  #sawField = false
  #sawDone = false

  constructor(limits: EventScanLimits) {
    this.#limits = limits
  }

  /** The stream said that it is complete. */
  get isDone(): boolean {
    return this.#sawDone
  }

  /** There was a body, and not one line of it was an event stream's. */
  get isForeign(): boolean {
    return this.#total > 0 && !this.#sawField && !isField(this.#head)
  }

  /** Takes the next bytes, cut anywhere. False when a limit is passed; feed no more then. */
  feed(bytes: Uint8Array): boolean {
    for (const byte of bytes) {
      this.#total++
      if (this.#isOver()) return false
      if (byte === LF && this.#afterCr) {
        this.#afterCr = false
        continue
      }
      this.#afterCr = byte === CR
      if (byte === LF || byte === CR) this.#endLine()
      else this.#take(byte)
    }
    return !this.#isOver()
  }

  #isOver(): boolean {
    return this.#total > this.#limits.totalBytes || this.#event > this.#limits.eventBytes
  }

  #take(byte: number): void {
    this.#event++
    this.#lineLength++
    if (this.#head.length < HEAD_BYTES) this.#head.push(byte)
    if (this.#isFirstLine && this.#lineLength === BOM.length && BOM.every((part, at) => part === this.#head[at])) {
      this.#head = []
      this.#lineLength = 0
    }
  }

  #endLine(): void {
    if (this.#lineLength === 0) this.#event = 0
    else {
      this.#sawField ||= isField(this.#head)
      this.#sawDone ||= this.#lineLength <= HEAD_BYTES && /^data: ?\[DONE\]$/.test(textOf(this.#head))
    }
    this.#isFirstLine = false
    this.#lineLength = 0
    this.#head = []
  }
}

/** Is this the head of a comment or of one of the four fields (HTML Living Standard, 9.2.6)? */
function isField(head: readonly number[]): boolean {
  return head[0] === COLON || /^(data|event|id|retry)(:|$)/.test(textOf(head))
}

function textOf(head: readonly number[]): string {
  return String.fromCharCode(...head)
}
