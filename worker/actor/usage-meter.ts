import type { Usage } from './actor.ts'

/** The greatest plausible token count. A higher count is ignored. */
const MAX_TOKENS = 1_000_000_000

/**
 * Reads the usage of a streamed completion. A server sends the usage with `finish_reason` or after it. Some servers
 * send a running count with every piece; that count is ignored if the stream breaks off.
 */
export class UsageMeter {
  #isFree = false
  #isFinished = false
  #counted: Usage['counted'] = null
  #heardBytes = 0

  /** Marks this call as one for which the server does no work. */
  free(): void {
    this.#isFree = true
  }

  /** Takes the next piece, which may be any JSON. */
  take(chunk: unknown): void {
    const choices = fieldOf(chunk, 'choices')
    const all: readonly unknown[] = Array.isArray(choices) ? choices : []
    // A server that sends several replies has generated all of them, so the bytes of all replies count.
    for (const choice of all) this.#heardBytes += bytesIn(fieldOf(choice, 'delta'))
    this.#isFinished ||= all.some((choice) => typeof fieldOf(choice, 'finish_reason') === 'string')
    if (this.#isFinished || all.length === 0) this.#counted = countIn(fieldOf(chunk, 'usage')) ?? this.#counted
  }

  /**
   * Returns the usage of the call.
   *
   * @param isWhole true if the stream ended by itself, and neither side broke it off
   */
  usage(isWhole: boolean): Usage {
    const heardBytes = this.#heardBytes
    if (this.#isFree) return { end: 'free', counted: null, heardBytes }
    return isWhole ? { end: 'whole', counted: this.#counted, heardBytes } : { end: 'broken', counted: null, heardBytes }
  }
}

/** Counts the bytes of every text in a delta: speech, and reasoning under whatever name the server uses. */
function bytesIn(delta: unknown): number {
  if (typeof delta !== 'object' || delta === null) return 0
  let bytes = 0
  for (const [name, text] of Object.entries(delta))
    if (name !== 'role' && typeof text === 'string') bytes += utf8Length(text)
  return bytes
}

/** Returns how many bytes a text has in UTF-8. Half a surrogate pair counts as U+FFFD, which has three. */
function utf8Length(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit > 0x7f) bytes += 1
    if (unit > 0x7ff) bytes += 1
    // The second half of a pair: both halves together have four bytes, not six.
    const isSecond = unit >= 0xdc00 && unit <= 0xdfff && at > 0 && isFirstHalf(text.charCodeAt(at - 1))
    if (isSecond) bytes -= 2
  }
  return bytes
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

/**
 * Reads the token counts. Zero input tokens are not a real count: a request always has tokens, and gateways without a
 * meter send 0.
 */
function countIn(usage: unknown): Usage['counted'] {
  const input = fieldOf(usage, 'prompt_tokens')
  const output = fieldOf(usage, 'completion_tokens')
  return isCount(input) && isCount(output) && input > 0 ? { input, output } : null
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TOKENS
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
