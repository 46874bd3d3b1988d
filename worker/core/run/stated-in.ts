import type { Scenario, ScenarioFact } from '../scenario/scenario.ts'
import { contentStems } from '../text/stems.ts'
import { readAuthored, readWords } from '../text/words.ts'
import { factsIn } from './facts-in.ts'

/**
 * Finds the facts that a learner's reason states. The reason states a fact if it contains a term of each of the fact's
 * groups, or if one sentence has two meaningful words of the fact. Of these two words, one has to be the fact's own: no
 * other fact has it, and neither has the question nor an option, because repeating an option states nothing.
 *
 * @returns the ids of the facts
 */
export function statedIn(
  reason: string,
  facts: readonly ScenarioFact[],
  { question, options }: Scenario['decision'],
): ReadonlySet<string> {
  const told = factsIn(facts, reason).map(({ fact }) => fact)
  const asked = stemsOf([question, ...options.map(({ title }) => title)].join(' '))
  const sentences = reason.split(/[.!?;\n]+/).map((sentence) => contentStems(readWords(sentence), NO_SYNONYMS))
  const inOwnWords = facts.filter((fact) => {
    const meant = stemsOf(fact.text)
    const others = facts.filter(({ id }) => id !== fact.id).map(({ text }) => stemsOf(text))
    const own = [...meant].filter((stem) => !asked.has(stem) && !others.some((stems) => stems.has(stem)))
    return sentences.some(
      (said) => own.some((stem) => said.has(stem)) && [...meant].filter((stem) => said.has(stem)).length >= 2,
    )
  })
  return new Set([...told, ...inOwnWords.map(({ id }) => id)])
}

const NO_SYNONYMS = new Map<string, string>()

function stemsOf(text: string): ReadonlySet<string> {
  return contentStems(readAuthored(text), NO_SYNONYMS)
}
