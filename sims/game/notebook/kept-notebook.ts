import { signal } from '@preact/signals'
import { textKeeper } from '../text-keeper.ts'

const keeper = textKeeper('walkon-game|notebook|')
/**
 * A counter of changes to stored notebooks. A component that reads the counter renders again when the counter changes.
 */
const changes = signal(0)

/**
 * Reads what this browser stores for a run's notebook. A component that calls this function renders again when the
 * notebook changes.
 */
export function keptNotebook(run: string): KeptNotebook {
  void changes.value
  return readKept(keeper.read(run))
}

export function markSeen(run: string, marks: readonly string[]): void {
  const now = readKept(keeper.read(run))
  if (marks.every((mark) => now.seen.has(mark))) return
  write(run, { ...now, seen: new Set([...now.seen, ...marks]) })
}

/** Draws a ring around a figure of a document, or removes the ring. */
export function toggleRing(run: string, figure: string): void {
  const now = readKept(keeper.read(run))
  write(run, { ...now, circled: toggled(now.circled, figure) })
}

/** Stores what the learner writes in the notebook. */
export function keepNote(run: string, note: string): void {
  write(run, { ...readKept(keeper.read(run)), note })
}

/** Gives a run that begins as a copy of another one what this browser stores for the other's notebook. */
export function copyNotebook(from: string, to: string): void {
  keeper.copy(from, to)
  changes.value++
}

export function forgetNotebook(run: string): void {
  keeper.forget(run)
  changes.value++
}

function write(run: string, next: KeptNotebook): void {
  keeper.write(run, writeKept(next))
  changes.value++
}

/**
 * The part of a run's notebook that this browser stores: the entries that the learner has seen, the figures with a ring,
 * and what the learner wrote.
 */
export interface KeptNotebook {
  readonly seen: ReadonlySet<string>
  readonly circled: ReadonlySet<string>
  readonly note: string
}

const NOTHING: KeptNotebook = { seen: new Set(), circled: new Set(), note: '' }

/** The most entries that the page reads from storage for each list. No run has so many entries. */
const MOST = 2_000

export const factMark = (fact: string): string => `fact ${fact}`
export const documentMark = (npc: string): string => `document ${npc}`
/**
 * Returns the id under which the notebook stores the ring around a figure. The lines of a document and the figures of a
 * line are numbered from 0.
 */
export const figureMark = (npc: string, line: number, figure: number): string => `${npc} ${line} ${figure}`

/** Reads a stored notebook. An unreadable text gives an empty notebook. */
export function readKept(text: string | null): KeptNotebook {
  if (text === null) return NOTHING
  try {
    const kept: unknown = JSON.parse(text)
    if (typeof kept !== 'object' || kept === null) return NOTHING
    return {
      seen: wordsIn('seen' in kept ? kept.seen : null),
      circled: wordsIn('circled' in kept ? kept.circled : null),
      note: 'note' in kept && typeof kept.note === 'string' ? kept.note : '',
    }
  } catch {
    return NOTHING
  }
}

export function writeKept({ seen, circled, note }: KeptNotebook): string {
  return JSON.stringify({ seen: [...seen], circled: [...circled], note })
}

/** Returns the set with the item added if it was missing, or removed if the set contained the item. */
export function toggled(set: ReadonlySet<string>, word: string): ReadonlySet<string> {
  const next = new Set(set)
  if (!next.delete(word)) next.add(word)
  return next
}

function wordsIn(value: unknown): ReadonlySet<string> {
  const words: unknown[] = Array.isArray(value) ? value : []
  return new Set(words.filter((word) => typeof word === 'string').slice(0, MOST))
}
