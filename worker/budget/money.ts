import type { Tokens } from './tokens.ts'

/** What a model asks for a million tokens, in micro-dollars. */
export interface Price {
  readonly input: number
  readonly output: number
}

const MICRO = 1_000_000

/**
 * Reads an amount of US dollars, such as `12` or `0.075`, as whole micro-dollars. There is no float on the way: 0.1 is
 * not a number of binary digits, and a sum of a thousand of them is not 100.
 *
 * @returns null when it is no such amount, or has more than six digits on either side.
 */
export function readDollars(text: string): number | null {
  const [, whole, fraction = ''] = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  return whole === undefined ? null : Number(whole) * MICRO + Number(fraction.padEnd(6, '0'))
}

/** What these tokens cost, in micro-dollars, rounded up. */
export function costOf({ input, output }: Tokens, price: Price): number {
  // A million tokens at a thousand dollars a million are near the largest whole number that a float holds exactly.
  const product = BigInt(input) * BigInt(price.input) + BigInt(output) * BigInt(price.output)
  return Number((product + BigInt(MICRO - 1)) / BigInt(MICRO))
}
