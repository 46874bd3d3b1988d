import type { Scenario, ScenarioFact } from '../scenario/scenario.ts'
import { contentStems } from '../text/stems.ts'
import { readAuthored, readWords } from '../text/words.ts'
import { factsIn } from './facts-in.ts'

/**
 * Finds the facts that a learner's reason states. The reason states a fact if it contains a term of each of the fact's
 * groups, those of `heard` or those of `stated`, or if one sentence has two meaningful words of the fact. Of these two words, one has to be the fact's own: no
 * other fact has it, and neither has the question nor an option, because repeating an option states nothing.
 *
 * @returns the ids of the facts
 */
export function statedIn(
  reason: string,
  facts: readonly ScenarioFact[],
  { question, options }: Scenario['decision'],
): ReadonlySet<string> {
  const inTerms = facts.flatMap((fact) => (fact.stated ? [{ ...fact, heard: fact.stated }] : []))
  const told = [...factsIn(facts, reason), ...factsIn(inTerms, reason)].map(({ fact }) => fact)
  const asked = stemsOf([question, ...options.map(({ title }) => title)].join(' '))
  const sentences = reason.split(/[.!?;\n]+/).map((sentence) => contentStems(readWords(sentence), NO_SYNONYMS))
  const meanings = facts.map(({ id, text }) => ({ id, stems: [...stemsOf(text)] }))
  const uses = Map.groupBy(
    meanings.flatMap(({ stems }) => stems),
    (stem) => stem,
  )
  const isOwn = (stem: string) => !asked.has(stem) && uses.get(stem)?.length === 1
  const inOwnWords = meanings.filter(({ stems }) =>
    sentences.some((said) => {
      const both = stems.filter((stem) => said.has(stem))
      return both.length >= 2 && both.some(isOwn)
    }),
  )
  return new Set([...told, ...inOwnWords.map(({ id }) => id)])
}

const NO_SYNONYMS = new Map<string, string>()

function stemsOf(text: string): ReadonlySet<string> {
  return contentStems(readAuthored(text), NO_SYNONYMS)
}
