import { sameStem } from '../../core/text/stems.ts'
import type { Token } from '../../core/text/words.ts'
import { readAuthored, sameFigure } from '../../core/text/words.ts'

/**
 * Whether what was heard holds a term: a figure as stated or rounded, or words that stand together in the same
 * order, whatever their endings and with one slip of the keyboard in a longer word.
 */
function holdsTerm(heard: readonly Token[], term: string): boolean {
  const wanted = readAuthored(term)
  return heard.some((_, start) => standsAt(heard, start, wanted))
}

/** Where a term stands in what was heard, as the indices of its first word and of the word after it. */
export function termPlaces(heard: readonly Token[], term: string): readonly { start: number; end: number }[] {
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

function matches(heard: Token | undefined, meant: Token): boolean {
  if (!heard) return false
  if (meant.figure) return heard.figure !== null && sameFigure(heard.figure, meant.figure)
  return heard.figure === null && sameStem(heard.stem, meant.stem)
}
