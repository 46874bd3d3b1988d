import type { Token } from './words.ts'
import { readAuthored, sameFigure } from './words.ts'

/**
 * Whether what was heard holds a term: a figure as stated or rounded, or words that stand together in the same
 * order, whatever their endings and with one slip of the keyboard in a longer word.
 */
function holdsTerm(heard: readonly Token[], term: string): boolean {
  const wanted = readAuthored(term)
  return heard.some((_, start) => standsAt(heard, start, wanted))
}

/** Where a term stands in what was heard, as the indices of its first word and of the word after it. */
export function placesOf(heard: readonly Token[], term: string): readonly { start: number; end: number }[] {
  const wanted = readAuthored(term)
  return heard.flatMap((_, start) => (standsAt(heard, start, wanted) ? [{ start, end: start + wanted.length }] : []))
}

function standsAt(heard: readonly Token[], start: number, wanted: readonly Token[]): boolean {
  return wanted.length > 0 && wanted.every((token, offset) => matches(heard[start + offset], token))
}

/** Which of the terms were heard. */
export function termsHeard(heard: readonly Token[], terms: readonly string[]): readonly string[] {
  return terms.filter((term) => holdsTerm(heard, term))
}

/** Whether two stems are the same word, one slip (a letter wrong, missing, doubled or swapped) allowed in longer ones. */
export function sameStem(heard: string, meant: string): boolean {
  if (heard === meant) return true
  if (heard.length < 5 || meant.length < 5 || heard[0] !== meant[0]) return false
  return !LOOKALIKES.has(heard) && oneSlip(heard, meant)
}

/** Real words one letter away from words that scenarios are about. */
const LOOKALIKES: ReadonlySet<string> = new Set(['contact', 'media', 'medial', 'metal', 'notion', 'simpl'])

function matches(heard: Token | undefined, meant: Token): boolean {
  if (!heard) return false
  if (meant.figure) return heard.figure !== null && sameFigure(heard.figure, meant.figure)
  return heard.figure === null && sameStem(heard.stem, meant.stem)
}

function oneSlip(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  const restA = a.slice(start)
  const restB = b.slice(start)
  if (restA.length > restB.length) return restA.slice(1) === restB
  if (restA.length < restB.length) return restA === restB.slice(1)
  const swapped = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2)
  return swapped || restA.slice(1) === restB.slice(1)
}
