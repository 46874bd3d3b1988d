import type { Usage } from './actor.ts'

/** No server counts more in one call; what claims to is no count. */
const MAX_TOKENS = 1_000_000_000

/**
 * Looks on while a streamed completion goes by and says in the end what it came to. A server that is asked for usage
 * sends it after `finish_reason`, or with it; some say with every piece how far it has got, which counts for nothing
 * when the stream is broken off there.
 */
export class UsageMeter {
  #isFree = false
  #isFinished = false
  #counted: Usage['counted'] = null
  #heardBytes = 0

  /** The server will do no work for this. */
  free(): void {
    this.#isFree = true
  }

  /** Takes the next piece, any JSON at all. */
  take(chunk: unknown): void {
    const choices = fieldOf(chunk, 'choices')
    const all: readonly unknown[] = Array.isArray(choices) ? choices : []
    // A server that gives several replies has made them all.
    for (const choice of all) this.#heardBytes += bytesIn(fieldOf(choice, 'delta'))
    this.#isFinished ||= all.some((choice) => typeof fieldOf(choice, 'finish_reason') === 'string')
    if (this.#isFinished || all.length === 0) this.#counted = countIn(fieldOf(chunk, 'usage')) ?? this.#counted
  }

  /** @param isWhole the stream came to its own end, and nobody broke it off. */
  usage(isWhole: boolean): Usage {
    const heardBytes = this.#heardBytes
    if (this.#isFree) return { end: 'free', counted: null, heardBytes }
    return isWhole ? { end: 'whole', counted: this.#counted, heardBytes } : { end: 'broken', counted: null, heardBytes }
  }
}

/** Every text of a delta: what is said, and what is thought aloud under the names that servers have for it. */
function bytesIn(delta: unknown): number {
  if (typeof delta !== 'object' || delta === null) return 0
  const texts = Object.entries(delta).flatMap(([name, text]) =>
    name !== 'role' && typeof text === 'string' ? text : [],
  )
  return texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0)
}

/** Nothing is no count: a request always has tokens, and gateways without a meter say 0. */
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
