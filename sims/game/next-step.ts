import type { RunView } from '../../worker/wire/run.ts'
import type { Route } from './route.ts'
import { t } from './texts/texts.ts'

/** The next step that the page suggests and marks with a lamp. The learner may go anywhere else. */
export type SuggestedStep =
  | { readonly kind: 'guide' | 'talking' | 'new'; readonly npc: string }
  | { readonly kind: 'sent'; readonly npc: string; readonly by: string; readonly why: string }
  | { readonly kind: 'decide' }
  | { readonly kind: 'debrief' }

/**
 * The step that a conversation's end suggests: the colleague it names, or the run's next step if that colleague's conversation
 * is over. The page may know of the end before the run does.
 *
 * @param npc the colleague whose conversation has ended
 * @param to the colleague that the end names
 */
export function stepAfter(
  { people, decision }: Pick<RunView, 'people' | 'decision'>,
  guide: string,
  npc: string,
  to: string,
): SuggestedStep {
  const now = people.map((person) => (person.npc === npc ? { ...person, status: 'over' as const } : person))
  const named = now.find((person) => person.npc === to)
  if (named && named.status !== 'over') return { kind: named.status, npc: to }
  return nextStepOf({ people: now, decision }, guide)
}

/**
 * The guide first, until the scene is set or the learner has talked with somebody else. Then an open conversation; then the
 * colleague somebody sent the learner to; then the first new one. Then the decision, and after it the debrief.
 */
export function nextStepOf({ people, decision }: Pick<RunView, 'people' | 'decision'>, guide: string): SuggestedStep {
  if (decision !== null) return { kind: 'debrief' }
  const isNew = (npc: string) => people.some((person) => person.npc === npc && person.status === 'new')
  // Beside the briefing the guide's conversation opens by itself, so an open one has not set the scene yet.
  const isGuideThrough = people.every(({ npc, status }) => npc !== guide || status === 'over')
  if (!isGuideThrough && people.every(({ npc, status }) => npc === guide || status === 'new'))
    return { kind: 'guide', npc: guide }
  const talking = people.find(({ npc, status }) => status === 'talking' && npc !== guide)
  if (talking) return { kind: 'talking', npc: talking.npc }
  const sender = people.findLast(({ next }) => next !== null && isNew(next.npc))
  if (sender?.next) return { kind: 'sent', npc: sender.next.npc, by: sender.npc, why: sender.next.why }
  const fresh = people.find(({ npc, status }) => status === 'new' && npc !== guide)
  return fresh ? { kind: 'new', npc: fresh.npc } : { kind: 'decide' }
}

/** The label of a next step's button. */
export function doingOf(next: SuggestedStep, nameOf: (npc: string) => string): string {
  if (next.kind === 'decide') return t.shell.decide
  if (next.kind === 'debrief') return t.shell.debrief
  return next.kind === 'talking' ? t.shell.goOnWith(nameOf(next.npc)) : t.shell.talkTo(nameOf(next.npc))
}

/** The screen that a next step leads to. */
export function routeOfStep(next: SuggestedStep, run: string): Route {
  if (next.kind === 'decide' || next.kind === 'debrief') return { screen: next.kind, run }
  return { screen: 'talk', run, npc: next.npc }
}
