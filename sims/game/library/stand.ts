import type { KeptRun } from '../kept-runs.ts'
import type { Loadable } from '../store.ts'
import { baseOf } from '../texts/locale.ts'
import type { Locale } from '../texts/locale.ts'
import type { RunView, SimulationCard } from '../../../worker/wire/run.ts'

/** The state of a run, as the library shows it. */
export type Stand = { readonly kind: 'begun' | 'decided' | 'unknown' } | { readonly kind: 'with'; readonly npc: string }

/**
 * Returns the state of a run for the library. A talk with the guide counts only until the learner talks with another
 * colleague.
 *
 * @param view null while the run has not loaded
 */
export function standOf(view: RunView | null, guide: string): Stand {
  if (view === null) return { kind: 'unknown' }
  if (view.decision) return { kind: 'decided' }
  const isOthers = ({ npc }: { npc: string }) => npc !== guide
  const talking =
    view.people.findLast((person) => person.status === 'talking' && isOthers(person)) ??
    (view.people.filter(isOthers).every(({ status }) => status === 'new')
      ? view.people.find(({ status }) => status === 'talking')
      : undefined)
  return talking ? { kind: 'with', npc: talking.npc } : { kind: 'begun' }
}

/** Returns the simulation that a run plays; null if the service no longer offers the simulation. */
export function cardOf(cards: readonly SimulationCard[] | null, scenario: string): SimulationCard | null {
  return cards?.find(({ id }) => id === scenario) ?? null
}

/**
 * Returns the options that are open to the learner: the run's own, if some have to be earned, or else the simulation's.
 */
export function optionsOnShow(
  run: Pick<RunView, 'options'> | null,
  card: Pick<SimulationCard, 'options'> | null,
): NonNullable<RunView['options']> {
  return run?.options ?? card?.options ?? []
}

/** Tells whether a run that this browser keeps has been decided, as far as it has loaded. */
export function isDecided({ id }: Pick<KeptRun, 'id'>, runs: ReadonlyMap<string, Loadable<RunView>>): boolean {
  return runs.get(id)?.value?.decision != null
}

/** Tells whether the colleague's objective is met. It may be met although the conversation goes on. */
export function isMet({ objectives }: Pick<RunView, 'objectives'>, npc: string): boolean {
  return objectives.some((objective) => objective.npc === npc && objective.state === 'met')
}

/** Returns the colleagues whose words opened the options that the learner has earned. */
export function openersOf({ options = [], facts }: Pick<RunView, 'options' | 'facts'>): readonly string[] {
  const opening = options.flatMap(({ opened = [] }) => opened)
  return [...new Set(facts.flatMap(({ id, npc }) => (opening.includes(id) ? [npc] : [])))]
}

/** Returns the title of an option that is open to the learner; undefined if no such option is open. */
export function optionTitle(
  option: string | null | undefined,
  ...from: Parameters<typeof optionsOnShow>
): string | undefined {
  return optionsOnShow(...from).find(({ id }) => id === option)?.title
}

/**
 * Returns the simulations to offer on a page in this language: those in the language, and the English ones that nobody
 * has translated into it.
 */
export function offeredIn(locale: Locale, cards: readonly SimulationCard[]): readonly SimulationCard[] {
  const own = locale === 'es' ? 'es' : 'en'
  const isOwn = ({ language }: SimulationCard) => baseOf(language) === own
  const translated = new Set(cards.filter(isOwn).map(({ translates }) => translates))
  return cards.filter((card) => isOwn(card) || (baseOf(card.language) === 'en' && !translated.has(card.id)))
}

const TIERS: readonly SimulationCard['tier'][] = ['TECHNICAL', 'ACADEMIC', 'EXPERT']

/** Sorts simulations by tier, the easiest first. */
export function inOrder(cards: readonly SimulationCard[]): readonly SimulationCard[] {
  return cards.toSorted((a, b) => TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier))
}

/**
 * Returns the simulation to play next: the easiest one that this browser has not begun in any language. Null if all have
 * been begun.
 */
export function nextSimulation(
  locale: Locale,
  cards: readonly SimulationCard[],
  scenario: string,
  kept: readonly Pick<KeptRun, 'scenario'>[],
): SimulationCard | null {
  const originalOf = (id: string) => cards.find((card) => card.id === id)?.translates ?? id
  const begun = new Set([scenario, ...kept.map((run) => run.scenario)].map(originalOf))
  return inOrder(offeredIn(locale, cards)).find(({ id }) => !begun.has(originalOf(id))) ?? null
}
