/** What a body may hold at most. Sizes of events are in UTF-16 code units, of the whole in bytes. */
export interface EventReaderLimits {
  /** The maximum size of one event, from blank line to blank line. */
  readonly eventSize: number
  readonly totalBytes: number
}

/** One event of the stream. `name` is '' unless the stream gives one. */
export interface StreamEvent {
  readonly name: string
  readonly data: string
}

/** The line that tells, in OpenAI's streams, that a stream was sent whole. */
const DONE = '[DONE]'

/**
 * Reads an event stream (HTML Living Standard, 9.2.6) while it arrives. It is the only reader of a model's answer, so it
 * also says what the answer as a whole shows: whether it was sent whole, and whether it is an event stream at all.
 */
export class EventReader {
  readonly #limits: EventReaderLimits
  /** Drops a byte order mark at the beginning, and keeps the bytes of a character that is cut in two. */
  readonly #decoder = new TextDecoder()
  #total = 0
  /** The length of the present event's complete lines. */
  #event = 0
  /** The beginning of a line whose end has not arrived. */
  #line = ''
  #name = ''
  #data: string[] = []
  #endsInCr = false
  #isEmpty = true
  #sawField = false
  #sawDone = false

  constructor(limits: EventReaderLimits) {
    this.#limits = limits
  }

  /** True once `[DONE]` has arrived. What comes after it is read, but is no event. */
  get isDone(): boolean {
    return this.#sawDone
  }

  /** True if there was a body and none of its lines belongs to an event stream. */
  get isForeign(): boolean {
    return !this.#isEmpty && !this.#sawField && !isField(this.#line)
  }

  /**
   * Takes the next bytes of the body, which may begin and end anywhere. Returns the events that are complete
   * now; null once the body exceeds a limit. After that, the caller must not call `feed` again.
   */
  feed(bytes: Uint8Array): readonly StreamEvent[] | null {
    this.#total += bytes.length
    this.#isEmpty &&= bytes.length === 0
    if (this.#total > this.#limits.totalBytes) return null
    return this.#read(this.#decoder.decode(bytes, STREAM))
  }

  /** Takes the end of the body. Returns the last event, if its blank line is missing. */
  end(): readonly StreamEvent[] | null {
    return this.#line === '' && this.#data.length === 0 ? [] : this.#read('\n\n')
  }

  #read(text: string): readonly StreamEvent[] | null {
    const events: StreamEvent[] = []
    let from = this.#endsInCr && text.startsWith('\n') ? 1 : 0
    if (text !== '') this.#endsInCr = text.endsWith('\r')
    for (;;) {
      const end = lineEnd(text, from)
      if (end < 0) break
      const line = this.#line + text.slice(from, end)
      this.#line = ''
      if (!this.#take(line, events)) return null
      from = end + (text.startsWith('\r\n', end) ? 2 : 1)
    }
    this.#line += text.slice(from)
    return this.#isOver(this.#line.length) ? null : events
  }

  #isOver(more: number): boolean {
    return this.#event + more > this.#limits.eventSize
  }

  #take(line: string, events: StreamEvent[]): boolean {
    if (line === '') {
      if (this.#data.length > 0) events.push({ name: this.#name, data: this.#data.join('\n') })
      this.#name = ''
      this.#data = []
      this.#event = 0
      return true
    }
    this.#event += line.length
    if (this.#isOver(0)) return false
    if (line.startsWith('data:')) this.#takeData(valueOf(line, 'data:'))
    else if (line.startsWith('event:')) this.#name = valueOf(line, 'event:')
    this.#sawField ||= isField(line)
    return true
  }

  #takeData(data: string): void {
    this.#sawDone ||= data === DONE
    if (!this.#sawDone) this.#data.push(data)
  }
}

const STREAM = { stream: true }

/** Returns where the next line ends: at LF, CR, or CR and LF; -1 if its end is not there yet. */
function lineEnd(text: string, from: number): number {
  const lf = text.indexOf('\n', from)
  const cr = text.indexOf('\r', from)
  if (cr < 0 || lf < 0) return Math.max(lf, cr)
  return Math.min(lf, cr)
}

function valueOf(line: string, field: string): string {
  return line.slice(field.length + (line.startsWith(' ', field.length) ? 1 : 0))
}

/** Returns true if a line is a comment of an event stream or begins with one of its four fields. */
function isField(line: string): boolean {
  return line.startsWith(':') || /^(data|event|id|retry)(:|$)/.test(line)
}
