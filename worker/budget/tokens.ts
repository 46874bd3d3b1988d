import type { Usage } from '../actor/actor.ts'

/** The numbers of input tokens and output tokens of a call to a model. */
export interface Tokens {
  readonly input: number
  readonly output: number
}

export const NO_TOKENS: Tokens = { input: 0, output: 0 }

/** The tokens that are reserved for the chat format around the two messages. OpenAI's format takes 7. */
const FRAME = 64

/**
 * Returns the most tokens that a call can use. Every token stands for at least one byte, so a text has at most as many
 * tokens as bytes in UTF-8. The request limits the output to `maxOutputTokens`.
 *
 * @param texts all texts of the request, including the schema of the answer
 */
export function mostOf(texts: readonly string[], maxOutputTokens: number): Tokens {
  return { input: FRAME + texts.reduce((sum, text) => sum + bytesOf(text), 0), output: maxOutputTokens }
}

/**
 * Returns the tokens that a call counts as having used. If the provider reported a count, that count is the result. For
 * a complete reply without a count, the reply's bytes are counted instead of output tokens. For a reply that broke off,
 * the result is the most that the call could use, because a model may spend tokens on reasoning before it sends any
 * text.
 *
 * @param usage what the actor reported about the call; null if it reported nothing
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
