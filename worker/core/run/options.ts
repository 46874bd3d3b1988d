import type { Deeds, Scenario } from '../scenario/scenario.ts'

/**
 * Returns the options that are open to a learner who has heard these facts, in the author's order. An option that
 * had to be earned has the facts that opened it.
 *
 * @param chosen the option of the run's decision; it is open in any case, because an older version of the scenario may
 *   have needed other facts
 */
export function openOptions(
  { options }: Scenario['decision'],
  heard: readonly string[],
  chosen: string | null = null,
): { id: string; title: string; opened?: string[] }[] {
  return options
    .filter((option) => option.id === chosen || (option.needs ?? []).every((fact) => heard.includes(fact)))
    .map(({ id, title, needs }) => {
      const isEarned = needs !== undefined && needs.every((fact) => heard.includes(fact))
      return { id, title, ...(isEarned && { opened: [...needs] }) }
    })
}

/** What a learner did up to the decision, as ids of facts: all that were heard, and all that were cited. */
export interface LearnerDeeds {
  readonly heard: readonly string[]
  readonly cited: readonly string[]
}

/** Tells whether a learner did everything in `when`, or in one item of `when` if it is a list. */
export function didAll(when: Deeds | readonly Deeds[], learner: LearnerDeeds): boolean {
  return deedsIn(when).some(
    ({ heard = [], cited = [] }) =>
      heard.every((fact) => learner.heard.includes(fact)) && cited.every((fact) => learner.cited.includes(fact)),
  )
}

/** Returns the deeds of a paragraph's `when` as a list. */
export function deedsIn(when: Deeds | readonly Deeds[]): readonly Deeds[] {
  return 'length' in when ? when : [when]
}
