const LF = 10
const CR = 13
const COLON = 58
const BOM = [0xef, 0xbb, 0xbf]
/**
 * The number of bytes that the scan keeps of a line: enough to read the line's field name and to recognise `data:
 * [DONE]`.
 */
const HEAD_BYTES = 16

export interface EventScanLimits {
  /** The maximum size of one event, from blank line to blank line. */
  readonly eventBytes: number
  readonly totalBytes: number
}

/**
 * Scans the bytes of an event stream as they pass, and keeps only the head (the first bytes) of the current line. The
 * scan detects what the client library does not report: that the stream sent `[DONE]`, that the body is an event stream
 * at all, and that an event is too large (the library buffers any event until its blank line).
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

  get isDone(): boolean {
    return this.#sawDone
  }

  /** True if there was a body and none of its lines belongs to an event stream. */
  get isForeign(): boolean {
    return this.#total > 0 && !this.#sawField && !isField(this.#head)
  }

  /**
   * Takes the next bytes of the body, which may begin and end anywhere. Returns false once the body exceeds a limit.
   * After that, the caller must not call `feed` again.
   */
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

/**
 * Returns true if a line with this head is a comment of an event stream or one of its four fields (HTML Living
 * Standard, 9.2.6).
 */
function isField(head: readonly number[]): boolean {
  return head[0] === COLON || /^(data|event|id|retry)(:|$)/.test(textOf(head))
}

function textOf(head: readonly number[]): string {
  return String.fromCharCode(...head)
}
