import type { RunView } from '../../worker/wire/run.ts'
import type { Route } from './route.ts'
import { t } from './texts/texts.ts'

/** The next step that the page suggests and marks with a lamp. The learner may ignore the suggestion. */
export type SuggestedStep =
  | { readonly kind: 'talking' | 'new'; readonly npc: string }
  /** The guide, or, for a learner who knows enough, the first colleague (`first`). */
  | { readonly kind: 'guide'; readonly npc: string; readonly first: string | null }
  | { readonly kind: 'sent'; readonly npc: string; readonly by: string; readonly why: string }
  | { readonly kind: 'decide' }
  /** The decision, which the guide (`npc`) takes down. */
  | { readonly kind: 'tell'; readonly npc: string }
  | { readonly kind: 'debrief' }

/**
 * Returns the step to suggest after a conversation has ended. This is a talk with the colleague to whom the
 * conversation's last words send the learner (`to`). If the talk with that colleague is over too, or if the learner is
 * sent to the guide after the last conversation, it is the run's next step (`nextStepOf`). The run may not show the end
 * of the conversation with `npc` yet, so this function counts that conversation as over in any case.
 *
 * @param npc the colleague whose conversation has ended
 * @param to the colleague to whom the ended conversation sends the learner
 */
export function stepAfter(
  { people, decision }: Pick<RunView, 'people' | 'decision'>,
  guide: string,
  npc: string,
  to: string,
): SuggestedStep {
  const now = people.map((person) =>
    person.npc === npc ? { ...person, status: 'over' as const, next: person.next ?? { npc: to, why: '' } } : person,
  )
  const named = now.find((person) => person.npc === to)
  const isLast = to === guide && now.every((person) => person.npc === guide || person.status === 'over')
  if (named && named.status !== 'over' && !isLast) return { kind: named.status, npc: to }
  return nextStepOf({ people: now, decision }, guide)
}

/**
 * Returns the next step to suggest. After the decision it is the debrief. Before the decision it is the first of these
 * that there is: the guide, if the learner has said nothing to the guide and has talked with no other colleague;
 * a colleague whose conversation has begun and is not over; a colleague to whom another colleague sent the learner; the
 * first colleague with whom the learner has not talked; the decision. If a colleague sent the learner to the guide, the
 * guide takes the decision.
 */
export function nextStepOf({ people, decision }: Pick<RunView, 'people' | 'decision'>, guide: string): SuggestedStep {
  if (decision !== null) return { kind: 'debrief' }
  const isNew = (npc: string) => people.some((person) => person.npc === npc && person.status === 'new')
  // The briefing opens the guide's conversation by itself. Who has spoken with the guide and comes to the desk is done.
  const isGuideThrough = people.every(({ npc, status, hasSpoken }) => npc !== guide || status === 'over' || hasSpoken)
  if (!isGuideThrough && people.every(({ npc, status }) => npc === guide || status === 'new'))
    return { kind: 'guide', npc: guide, first: people.find(({ npc }) => npc !== guide)?.npc ?? null }
  const talking = people.find(({ npc, status }) => status === 'talking' && npc !== guide)
  if (talking) return { kind: 'talking', npc: talking.npc }
  const sender = people.findLast(({ next }) => next !== null && next.npc !== guide && isNew(next.npc))
  if (sender?.next) return { kind: 'sent', npc: sender.next.npc, by: sender.npc, why: sender.next.why }
  const fresh = people.find(({ npc, status }) => status === 'new' && npc !== guide)
  if (fresh) return { kind: 'new', npc: fresh.npc }
  const isSent = people.some(({ npc, next }) => npc !== guide && next?.npc === guide)
  return isSent ? { kind: 'tell', npc: guide } : { kind: 'decide' }
}

/** Returns the label of a next step's button. */
export function doingOf(next: SuggestedStep, nameOf: (npc: string) => string): string {
  if (next.kind === 'decide') return t.shell.decide
  if (next.kind === 'debrief') return t.shell.debrief
  if (next.kind === 'tell') return t.shell.tellDecision
  return next.kind === 'talking' ? t.shell.goOnWith(nameOf(next.npc)) : t.shell.talkTo(nameOf(next.npc))
}

/** Returns the screen that a next step leads to. */
export function routeOfStep(next: SuggestedStep, run: string): Route {
  if (next.kind === 'debrief') return { screen: 'debrief', run }
  if (next.kind === 'decide' || next.kind === 'tell') return { screen: 'decide', run }
  return { screen: 'talk', run, npc: next.npc }
}
