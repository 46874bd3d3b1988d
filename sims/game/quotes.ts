import { clean } from '../../widget/clean.ts'
import type { HeardFact } from '../../worker/wire/run.ts'

/** Something that a colleague said, and every fact that it told. */
export interface Quote {
  readonly fact: HeardFact
  /** The other facts told by the same words. */
  readonly others: readonly HeardFact[]
}

/**
 * Joins facts that the same colleague told by the same words, or by a part of the words, so that no quotation stands twice.
 * Keeps the order.
 */
export function quotesOf(facts: readonly HeardFact[]): readonly Quote[] {
  const told = [...Map.groupBy(facts, ({ npc, said, turn }) => `${npc} ${turn === null} ${said}`).values()]
  const wholeOf = (part: HeardFact[]) => told.reduce((best, each) => (holds(each[0], best[0]) ? each : best), part)
  return [...Map.groupBy(told, wholeOf)].flatMap(([[fact], parts]) => {
    return fact ? [{ fact, others: parts.flat().filter((each) => each !== fact) }] : []
  })
}

/** Returns true if the words that told a fact are those of another one of the same colleague, and more. */
function holds(fact?: HeardFact, other?: HeardFact): boolean {
  if (!fact || !other) return false
  const isSameSource = fact.npc === other.npc && (fact.turn === null) === (other.turn === null)
  return isSameSource && fact.said.length > other.said.length && fact.said.includes(other.said)
}

/** Returns what a quotation is about: the author's words for each fact that it tells. */
export function aboutOf({ fact, others }: Quote): string {
  return [fact, ...others].flatMap(({ about }) => (about ? [clean(about)] : [])).join(' · ')
}

/** Returns the quotations of the facts that a decision rests on. */
export function quotesCited(facts: readonly HeardFact[], cited: readonly string[]): readonly Quote[] {
  return quotesOf(facts.filter(({ id }) => cited.includes(id)))
}

/** Sorts quotations: what a colleague said comes before the lines of their document, in the order of the notebook. */
export function spokenFirst(quotes: readonly Quote[]): readonly Quote[] {
  return quotes.toSorted((a, b) => Number(a.fact.turn === null) - Number(b.fact.turn === null))
}
