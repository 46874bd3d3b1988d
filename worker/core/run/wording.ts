import type { ScenarioFact } from '../scenario/scenario.ts'
import { contentStems } from '../text/stems.ts'
import { isUnmistakable } from './stated-in.ts'
import { type Figure, figuresAmong, figuresIn, readAuthored, readWords, sameFigure } from '../text/words.ts'

/** Another wording must say this much more of a fact to take the place of the one that was heard first. */
const MARGIN = 0.15

/** Returns how much of a fact a quotation says: the share of the meaningful words of the author's sentence, 0 to 1. */
function shareSaid({ text }: Pick<ScenarioFact, 'text'>, said: string): number {
  const stems = stemsOf(text)
  const told = contentStems(readWords(said))
  return [...stems].filter((stem) => told.has(stem)).length / Math.max(1, stems.size)
}

/**
 * Tells whether a quotation tells a fact clearly better than an earlier one did: with more of the figures in the author's
 * sentence, or with as many and more of its words and no figure of another fact. In place of one that refers back to what was said before it, and so
 * says little by itself, one that does not is better if it tells any more.
 */
export function tellsBetter(fact: ScenarioFact, said: string, before: string): boolean {
  const figures = figuresSaid(fact, said) - figuresSaid(fact, before)
  if (figures !== 0) return figures > 0
  if (hasOtherFigure(fact, said)) return false
  const margin = REFERS_BACK.test(before) && !REFERS_BACK.test(said) ? ANY_MORE : MARGIN
  return shareSaid(fact, said) >= shareSaid(fact, before) + margin
}

/** Returns how many of the figures in the author's sentence a quotation has. */
function figuresSaid({ text }: Pick<ScenarioFact, 'text'>, said: string): number {
  const heard = figuresIn(said)
  const meant = figuresAmong(readAuthored(text)).filter(isUnmistakable)
  return meant.filter((figure) => heard.some((each) => sameFigure(each, figure))).length
}

/** Returns true if a quotation that has a figure of the author's sentence has another figure too, which is what it is about. */
function hasOtherFigure(fact: ScenarioFact, said: string): boolean {
  const meant = figuresAmong(readAuthored(fact.text))
  const isOther = (figure: Figure) => isUnmistakable(figure) && !meant.some((each) => sameFigure(figure, each))
  return figuresSaid(fact, said) > 0 && figuresIn(said).some(isOther)
}

const ANY_MORE = 0.01

/** Matches a quotation whose first words are about something that was named before: "It keeps any more from …". */
const REFERS_BACK =
  /^(?:(?:and|but|so|then|that way|in the \p{L}+),? )?(?:they|it|he|she|those|these)(?:['’]\p{L}+)?\b/iu

/** Returns the meaningful stems of an author's sentence, with a cache: every reply is compared with the same ones. */
function stemsOf(text: string): ReadonlySet<string> {
  const known = stems.get(text)
  if (known) return known
  if (stems.size >= MOST_TEXTS) stems.clear()
  const read = contentStems(readAuthored(text))
  stems.set(text, read)
  return read
}

const stems = new Map<string, ReadonlySet<string>>()
const MOST_TEXTS = 1024
