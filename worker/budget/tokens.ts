import type { Usage } from '../actor/actor.ts'

/** Tokens that a call to a model takes in and gives out. */
export interface Tokens {
  readonly input: number
  readonly output: number
}

export const NO_TOKENS: Tokens = { input: 0, output: 0 }

/** What the form of a chat adds around its two messages; OpenAI's is 7 tokens. */
const FRAME = 64

/**
 * The most that a call can take. A tokenizer makes at least one byte into a token, so a text has no more tokens than it
 * has bytes of UTF-8: about four times what English comes to, and never too little. For what comes back the server was
 * given a limit.
 *
 * @param texts everything that the request says, the schema of an answer included
 */
export function mostOf(texts: readonly string[], maxOutputTokens: number): Tokens {
  return { input: FRAME + texts.reduce((sum, text) => sum + bytesOf(text), 0), output: maxOutputTokens }
}

/**
 * What is charged for a call in the end: never less than it took. The server's own count, where it gave one. A reply
 * that came whole without a count, by its bytes. One that was broken off costs all it might have: a model that thinks
 * before it speaks has spent tokens without showing text.
 *
 * @param usage null when nothing at all is known
 */
export function chargeFor(most: Tokens, usage: Usage | null): Tokens {
  if (usage === null) return most
  if (usage.end === 'free') return NO_TOKENS
  if (usage.counted) return usage.counted
  const output = usage.end === 'whole' ? usage.heardBytes : Math.max(most.output, usage.heardBytes)
  return { input: most.input, output }
}

export function totalOf({ input, output }: Tokens): number {
  return input + output
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
