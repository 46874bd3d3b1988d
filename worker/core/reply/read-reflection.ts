import { cap } from './characters.ts'
import { withoutKeyNames } from './known-keys.ts'
import { neutralise } from './neutralise.ts'
import { findAnswers, withoutReasoning } from './read-answer.ts'
import { readQuoted } from './report-pairs.ts'

/** No word is longer than that on average; it bounds an answer that has no spaces. */
const CHARACTERS_A_WORD = 12
const FENCE = /```[\w-]*/g

/**
 * Reads a conclusion: one line of plain text within the limit, cut at the end of a sentence where one ends inside it.
 * An answer in prose is taken as it is; one whose object is cut or is another gives nothing.
 *
 * @param wordLimit words, as white space divides them; below 1 there is no room for any.
 * @returns '' when there is nothing to keep. Never holds a separator or a heading.
 */
export function readReflection(text: string, wordLimit: number): string {
  if (!(wordLimit >= 1)) return ''
  // It is told again in every later briefing, and what is told there can be no report's field.
  const plain = neutralise(withoutKeyNames(concluded(text)))
    .replace(/\s+/g, ' ')
    .trim()
  // Once more: lines that were joined, and a line that was cut, may begin like a heading when their parts did not.
  return neutralise(withinLimit(neutralise(plain), Math.floor(wordLimit)))
}

function concluded(text: string): string {
  const found = findAnswers(text, ['reflection'])
  if (!found.ok) return ''
  const raw = found.objects.flat().find(({ key }) => key === 'reflection')?.raw
  if (raw !== undefined) return readQuoted(raw) ?? ''
  const prose = withoutReasoning(text).replaceAll(FENCE, ' ')
  return /[{}]/.test(prose) ? '' : prose
}

function withinLimit(text: string, wordLimit: number): string {
  const words = text.split(' ')
  const kept = cap(words.slice(0, wordLimit).join(' '), Math.min(wordLimit, 2_000) * CHARACTERS_A_WORD)
  if (kept === text) return kept
  const sentences = /^.*[.!?]["')”’]*(?= |$)/.exec(kept)?.[0]
  return sentences ?? kept.trimEnd()
}
