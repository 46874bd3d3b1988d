import { clean } from '../text/clean.ts'
import { SENTENCE_CHARACTERS } from './remembered.ts'

/** The most text that is looked at, the latest of it, in UTF-16 code units. */
const MOST_TEXT = 40_000

/**
 * The sentences of what somebody said, in order, each on one line and without what nobody can see. One that is too long to
 * be remembered is left out: half of it might say the opposite.
 *
 * @param said their messages, oldest first
 */
export function sentencesOf(said: readonly string[]): readonly string[] {
  return latest(said).flatMap((message) =>
    (clean(message).match(SENTENCE) ?? [])
      .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
      .filter((sentence) => /\p{L}/u.test(sentence) && sentence.length <= SENTENCE_CHARACTERS),
  )
}

/** Up to its marks and the quotes behind them; a line is one too. A point inside a number or a name ends nothing. */
const SENTENCE = /(?:[^.!?…\n]|[.!?…](?![\s"'”’)]|$))+[.!?…]*["'”’)]*/g

function latest(said: readonly string[]): readonly string[] {
  let left = MOST_TEXT
  const kept: string[] = []
  for (const message of said.toReversed()) {
    left -= message.length
    if (left < 0) break
    kept.unshift(message)
  }
  return kept
}
