import type { MemorySource, Recalled } from '../core/walk/event.ts'
import { contentStems, isAmong, type Synonyms } from '../core/text/stems.ts'
import { readWords } from '../core/text/words.ts'
import type { LogEvent } from '../wire/messages.ts'

/** The most memories for one query, and the most characters of each. */
const FOUND = 3
const CHARACTERS = 240

/**
 * Makes a memory source of the learner's messages in the present conversation. The message that shares the most words
 * with a query comes first. Of two messages that share equally many words, the later comes first.
 *
 * @param said the learner's messages before the present turn, oldest first
 */
export function transcriptMemory(said: readonly string[], synonyms: Synonyms): MemorySource {
  return {
    recall: (queries) => Promise.resolve(queries.map((query) => ({ query, found: find(query, said, synonyms) }))),
  }
}

/** Returns the learner's messages before a turn, oldest first. A message that was retried counts once. */
export function saidBefore(events: readonly LogEvent[], turn: number): readonly string[] {
  return events.flatMap((event) =>
    event.type === 'turn-start' && event.attempt === 1 && event.turn < turn ? [event.text] : [],
  )
}

function find(query: string, said: readonly string[], synonyms: Synonyms): Recalled['found'] {
  const asked = contentStems(readWords(query), synonyms)
  return said
    .map((text, place) => ({ text, place, shared: sharedWords(text, asked, synonyms) }))
    .filter(({ shared }) => shared > 0)
    .toSorted((a, b) => b.shared - a.shared || b.place - a.place)
    .slice(0, FOUND)
    .map(({ text }) => text.replace(/\s+/g, ' ').trim().slice(0, CHARACTERS))
}

function sharedWords(text: string, asked: ReadonlySet<string>, synonyms: Synonyms): number {
  return [...contentStems(readWords(text), synonyms)].filter((stem) => isAmong(stem, asked)).length
}
