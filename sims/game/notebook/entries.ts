import type { HeardFact, RunView } from '../../../worker/wire/run.ts'
import { holdsAll } from './search.ts'

export type HandedOver = RunView['documents'][number]
export type Objective = RunView['objectives'][number]

/** The filter of a notebook: words to search for, and a colleague. A null `npc` means every colleague. */
export interface Narrowing {
  readonly words: readonly string[]
  readonly npc: string | null
}

/** The entries of a notebook that pass the filter. */
export interface Entries {
  readonly objectives: readonly Objective[]
  readonly facts: readonly HeardFact[]
  readonly documents: readonly HandedOver[]
}

/**
 * Filters the entries of a run. The words are searched in facts, in documents and in the names of their sources.
 * Objectives are not searched, so the result of a search contains no objectives.
 *
 * @param nameOf returns a colleague's name
 */
export function entriesOf(run: RunView, { words, npc }: Narrowing, nameOf: (npc: string) => string): Entries {
  const isTheirs = (entry: { readonly npc: string }) => npc === null || entry.npc === npc
  const isFound = (entry: { readonly npc: string }, texts: readonly string[]) =>
    isTheirs(entry) && holdsAll(words, [nameOf(entry.npc), ...texts])
  return {
    objectives: words.length > 0 ? [] : run.objectives.filter(isTheirs),
    facts: run.facts.filter((fact) => isFound(fact, [fact.text, fact.said])),
    documents: run.documents.filter((paper) => isFound(paper, [paper.title, paper.kind, ...paper.lines])),
  }
}

/** Returns the colleagues who said a fact or handed over a document, in the order of the simulation. */
export function sourcesOf({ people, facts, documents }: RunView): readonly string[] {
  const sources = new Set([...facts, ...documents].map(({ npc }) => npc))
  return people.map(({ npc }) => npc).filter((npc) => sources.has(npc))
}

/** Sorts facts: what the colleague said comes before the lines of their document, in the order of the notebook. */
export function spokenFirst(facts: readonly HeardFact[]): readonly HeardFact[] {
  return facts.toSorted((a, b) => Number(a.turn === null) - Number(b.turn === null))
}
