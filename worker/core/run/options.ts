import type { Deeds, DecisionOption, Scenario } from '../scenario/scenario.ts'

/** Returns the facts that a learner still has to hear before they can choose an option. */
export function unmetNeeds({ needs = [] }: DecisionOption, heard: Iterable<string>): readonly string[] {
  const known = new Set(heard)
  return needs.filter((fact) => !known.has(fact))
}

/**
 * Returns the options that are open to a learner who has heard these facts, in the author's order and without `needs`.
 *
 * @param chosen the option of the run's decision; it is open in any case, because an older version of the scenario may
 *   have needed other facts
 */
export function openOptions(
  { options }: Scenario['decision'],
  heard: readonly string[],
  chosen: string | null = null,
): { id: string; title: string }[] {
  return options
    .filter((option) => option.id === chosen || unmetNeeds(option, heard).length === 0)
    .map(({ id, title }) => ({ id, title }))
}

/** Tells whether a learner who has heard and cited these facts did everything in `when`. */
export function didAll({ heard = [], cited = [] }: Deeds, learner: Required<Deeds>): boolean {
  const has =
    (known: readonly string[] = []) =>
    (fact: string) =>
      known.includes(fact)
  return heard.every(has(learner.heard)) && cited.every(has(learner.cited))
}
