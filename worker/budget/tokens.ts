import type { Usage } from '../actor/actor.ts'

/** Input and output tokens of a call to a model. */
export interface Tokens {
  readonly input: number
  readonly output: number
}

export const NO_TOKENS: Tokens = { input: 0, output: 0 }

/** Tokens allowed for the chat format around the system message and the user message; OpenAI's format takes 7. */
const FRAME = 64

/**
 * Returns the most tokens that a call can use. Every token covers at least one byte, so a text has no more tokens than
 * it has bytes of UTF-8. (English text has about four bytes for each token.) The request itself limits the output.
 *
 * @param texts all texts of the request, the schema of an answer included
 */
export function mostOf(texts: readonly string[], maxOutputTokens: number): Tokens {
  return { input: FRAME + texts.reduce((sum, text) => sum + bytesOf(text), 0), output: maxOutputTokens }
}

/**
 * Returns the tokens that a call is finally charged, never less than it used. If the provider counted the tokens, its
 * count is charged. A complete reply without a count is charged by its bytes. A reply that broke off is charged the
 * most that the call could use, because a model may spend tokens on reasoning before it sends any text.
 *
 * @param usage null if nothing is known about the call
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
