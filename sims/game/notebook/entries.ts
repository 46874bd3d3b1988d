import type { HeardFact, RunView } from '../../../worker/wire/run.ts'
import { holdsAll } from './search.ts'

export type HandedOver = RunView['documents'][number]
export type Objective = RunView['objectives'][number]

/** What narrows a notebook down: words, and a colleague; null is everybody. */
export interface Narrowing {
  readonly words: readonly string[]
  readonly npc: string | null
}

/** What of a notebook is shown. */
export interface Entries {
  readonly objectives: readonly Objective[]
  readonly facts: readonly HeardFact[]
  readonly documents: readonly HandedOver[]
}

/**
 * What of a run is in the notebook under a narrowing. Words look in what was said and in the documents, and in who it came
 * from; objectives are not searched, so there are none while there are words.
 *
 * @param nameOf what a colleague is called
 */
export function entriesOf(run: RunView, { words, npc }: Narrowing, nameOf: (npc: string) => string): Entries {
  const isTheirs = (entry: { readonly npc: string }) => npc === null || entry.npc === npc
  const isFound = (entry: { readonly npc: string }, texts: readonly string[]) =>
    isTheirs(entry) && holdsAll(words, [nameOf(entry.npc), ...texts])
  return {
    objectives: words.length > 0 ? [] : run.objectives.filter(isTheirs),
    facts: run.facts.filter((fact) => isFound(fact, [fact.said])),
    documents: run.documents.filter((paper) => isFound(paper, [paper.title, paper.kind, ...paper.lines])),
  }
}

/** The colleagues something of the notebook came from, in the order of the simulation. */
export function sourcesOf({ people, facts, documents }: RunView): readonly string[] {
  const sources = new Set([...facts, ...documents].map(({ npc }) => npc))
  return people.map(({ npc }) => npc).filter((npc) => sources.has(npc))
}
