import { sameStem } from '../../core/text/stems.ts'
import type { Token } from '../../core/text/words.ts'
import { readAuthored, sameFigure } from '../../core/text/words.ts'

/**
 * Returns true if the message contains a term. A figure may be rounded in the message. Words must stand in the term's
 * order, but may have other endings, and a longer word may have one typing error.
 */
function holdsTerm(heard: readonly Token[], term: string): boolean {
  const wanted = readAuthored(term)
  return heard.some((_, start) => standsAt(heard, start, wanted))
}

/** Returns the places of a term in the message: the index of its first word and the index after its last. */
export function termPlaces(heard: readonly Token[], term: string): readonly { start: number; end: number }[] {
  const wanted = readAuthored(term)
  return heard.flatMap((_, start) => (standsAt(heard, start, wanted) ? [{ start, end: start + wanted.length }] : []))
}

function standsAt(heard: readonly Token[], start: number, wanted: readonly Token[]): boolean {
  return wanted.length > 0 && wanted.every((token, offset) => matches(heard[start + offset], token))
}

/** Returns true if the message contains one of the terms. */
export function hearsOne(heard: readonly Token[], terms: readonly string[]): boolean {
  return terms.some((term) => holdsTerm(heard, term))
}

/** Returns the terms that the message contains. */
export function termsHeard(heard: readonly Token[], terms: readonly string[]): readonly string[] {
  return terms.filter((term) => holdsTerm(heard, term))
}

function matches(heard: Token | undefined, meant: Token): boolean {
  if (!heard) return false
  if (meant.figure) return heard.figure !== null && sameFigure(heard.figure, meant.figure)
  return heard.figure === null && sameStem(heard.stem, meant.stem)
}
