import {
  FACT_KEYS,
  type FactKey,
  MOST_FACTS,
  MOST_SAID,
  type Picked,
  sentencesOf,
  VALUE_CHARACTERS,
} from '../memory/remembered.ts'
import { clean } from '../text/clean.ts'
import { fold, spaced } from './fold.ts'
import { findAnswers } from './read-answer.ts'

/** The minimum number of letters in a quotation, because many sentences contain the same one or two words. */
const FEWEST_LETTERS = 8

/**
 * Reads what an actor picked from a conversation. The answer can only select words of the learner. A quotation is
 * replaced by the learner's sentence that contains it, and is dropped if no sentence contains it. A fact is dropped
 * unless a learner's sentence contains its value as whole words.
 *
 * @param said the learner's messages, oldest first
 * @returns null if the answer is unreadable
 */
export function readPicked(answer: string, said: readonly string[]): Picked | null {
  const found = findAnswers(answer, ['said', 'facts'])
  if (!found.ok || found.objects.length === 0) return null
  const pairs = found.objects.flat()
  const quoted = listIn(pairs.find(({ key }) => key === 'said')?.raw)
  const stated = listIn(pairs.find(({ key }) => key === 'facts')?.raw)
  if (quoted === null || stated === null) return null
  const sentences = sentencesOf(said)
  return { said: sentencesQuoted(quoted, sentences), facts: factsStated(stated, sentences) }
}

function sentencesQuoted(quoted: readonly unknown[], sentences: readonly string[]): readonly string[] {
  const wanted = quoted.flatMap((quote) => (typeof quote === 'string' ? [fold(quote)] : []))
  const telling = wanted.filter((quote) => quote.length >= FEWEST_LETTERS)
  const found = sentences.filter((sentence) => {
    const folded = fold(sentence)
    return telling.some(
      (quote) => folded.includes(quote) || (folded.length >= FEWEST_LETTERS && quote.includes(folded)),
    )
  })
  return [...new Set(found)].slice(0, MOST_SAID)
}

function factsStated(stated: readonly unknown[], sentences: readonly string[]): Picked['facts'] {
  const plain = sentences.map((sentence) => ` ${wordsOf(sentence)} `)
  const facts = new Map<FactKey, { key: FactKey; value: string }>()
  for (const fact of stated) {
    const { key, value } = fieldsOf(fact)
    const words = wordsOf(value)
    if (!isKey(key) || words === '' || value.length > VALUE_CHARACTERS) continue
    if (plain.some((sentence) => sentence.includes(` ${words} `))) facts.set(key, { key, value })
  }
  return [...facts.values()].slice(0, MOST_FACTS)
}

function fieldsOf(fact: unknown): { key: string; value: string } {
  if (typeof fact !== 'object' || fact === null || !('key' in fact) || !('value' in fact)) return NO_FIELDS
  const { key, value } = fact
  if (typeof key !== 'string' || typeof value !== 'string') return NO_FIELDS
  return { key, value: clean(value).replace(/\s+/g, ' ').trim() }
}

const NO_FIELDS = { key: '', value: '' }

function isKey(key: string): key is FactKey {
  return FACT_KEYS.some((known) => known === key)
}

function wordsOf(text: string): string {
  return (spaced(text).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
}

/** Parses a JSON list. Returns an empty list if the field is absent, and null for a value that is not a list. */
function listIn(raw: string | undefined): readonly unknown[] | null {
  if (raw === undefined) return []
  try {
    const value: unknown = JSON.parse(raw)
    return Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
