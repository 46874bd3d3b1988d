import type { DebriefView, DecidingFact, ResultView } from '../../../worker/wire/run.ts'

/**
 * Returns the fact that mattered most: of the facts that speak for or against the chosen option, in the author's order,
 * the first that the learner did not use. If the learner used all of them, the first of them. Null if there is none.
 */
export function turningFact({ ending, facts }: Pick<DebriefView, 'ending' | 'facts'>): DecidingFact | null {
  const speaking = ending.facts.flatMap((id) => facts.filter((fact) => fact.id === id))
  const isRight = ending.verdict === 'right'
  const mattered = isRight ? undefined : speaking.find(({ state }) => state !== 'cited')
  return mattered ?? speaking.find(({ state }) => state === 'cited') ?? speaking[0] ?? null
}

/**
 * What the learner can try. `meet`: talk with a colleague who was never met. `ask`: hear more from a colleague. `use`:
 * use what a colleague told. `mind`, `find`: after the right decision, what went wrong in the ending for want of what a
 * colleague had told, or could have told. `weigh`: decide again on the same facts. After the right decision on all facts,
 * `finish`: end a conversation whose objective is open; `vary`: read how the other options end.
 */
export type Advice =
  | { readonly kind: 'meet' | 'ask' | 'finish'; readonly npc: string }
  | { readonly kind: 'use' | 'find'; readonly npc: string; readonly text: string }
  | { readonly kind: 'mind'; readonly npc: string; readonly text: string; readonly heard: string }
  | { readonly kind: 'weigh' | 'vary' }

/**
 * Returns what to try, from what the learner heard and used. The fact that mattered comes first, then any fact that the
 * learner never heard, then any that they did not use. The advice names a colleague, and a fact only
 * if the learner has heard it.
 */
export function adviceOf(debrief: Pick<DebriefView, 'run' | 'ending' | 'facts' | 'talks'>): Advice {
  const { run, ending, facts, talks } = debrief
  const first = turningFact(debrief)
  const isRight = ending.verdict === 'right'
  const { wanting } = ending
  if (isRight && wanting) {
    const { npc, heard, text } = wanting
    return heard === null ? { kind: 'find', npc, text } : { kind: 'mind', npc, text, heard }
  }
  if (first?.state === 'ignored') return toUse(first)
  const missed = first?.state === 'missed' ? first : facts.find(({ state }) => state === 'missed')
  if (missed) return { kind: talks.some(({ npc }) => npc === missed.npc) ? 'ask' : 'meet', npc: missed.npc }
  const ignored = facts.find(({ state }) => state === 'ignored')
  if (ignored) return toUse(ignored)
  const open = isRight && run.objectives.find(({ state }) => state !== 'met')
  return open ? { kind: 'finish', npc: open.npc } : { kind: isRight ? 'vary' : 'weigh' }
}

function toUse({ npc, text }: DecidingFact): Advice {
  return { kind: 'use', npc, text: text ?? '' }
}

/** Counts the deciding facts, and how many of them the learner heard and used. */
export function tallyOf(facts: readonly DecidingFact[]): ResultView['facts'] {
  const cited = facts.filter(({ state }) => state === 'cited').length
  const missed = facts.filter(({ state }) => state === 'missed').length
  return { deciding: facts.length, heard: facts.length - missed, cited }
}

/** A skill, or the facts that belong to no skill (`title` is null), with what the learner did. */
export interface Practice {
  readonly title: string | null
  readonly facts: readonly DecidingFact[]
  /** `shown`: every fact was used. `open`: none was heard. `partly`: anything between. */
  readonly state: 'shown' | 'partly' | 'open'
}

/** Groups the deciding facts by the skills that they show. The facts of no skill come last. */
export function practiceOf({ skills, facts }: Pick<DebriefView, 'skills' | 'facts'>): readonly Practice[] {
  const named = new Set(skills.flatMap((skill) => skill.facts))
  const groups = [
    ...skills.map(({ title, facts: ids }) => ({ title, facts: facts.filter(({ id }) => ids.includes(id)) })),
    { title: null, facts: facts.filter(({ id }) => !named.has(id)) },
  ]
  return groups.filter((group) => group.facts.length > 0).map((group) => ({ ...group, state: stateOf(group.facts) }))
}

function stateOf(facts: readonly DecidingFact[]): Practice['state'] {
  if (facts.every(({ state }) => state === 'cited')) return 'shown'
  return facts.every(({ state }) => state === 'missed') ? 'open' : 'partly'
}
