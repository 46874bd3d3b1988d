import type { Announcer } from '../../widget/announcer.ts'
import type { RunStarted, RunView } from '../../worker/wire/run.ts'
import type { Route } from './route.ts'
import type { runApi } from './run-api.ts'
import type { TalkNews } from './run-gains.ts'
import type { Notice, GameStore } from './store.ts'

/** The game as every screen gets it: the store to read, and the acts of a learner. */
export interface Game {
  readonly store: GameStore
  /** Goes to another screen. It adds a step for the back button, or replaces the present one. */
  go(route: Route, how?: 'push' | 'replace'): void
  /** Asks for the open run again. Resolves when the answer came or the request failed. The page keeps what it shows. */
  refresh(): Promise<void>
  /** Asks for the simulations again after the first request failed. */
  loadCards(): Promise<void>
  /** The requests about the open run, with its key, and those that need no key. @throws RunApiError from each */
  readonly api: RunQuestions
  /** Shows a run as the service has just answered it: a decision's answer is one. */
  setRun(view: RunView): void
  /** Adds to a run what one of its conversations has just told, such as the facts that a reply held. */
  tellRun(id: string, news: TalkNews): void
  /** Keeps the link of a run that has just begun or was opened, so that its addresses work here. */
  keepRun(started: RunStarted['run'], scenario: string): void
  /** Forgets a run's link in this browser. The run itself stays with the service. */
  forgetRun(id: string): void
  /** Announces to screen readers what happened, once. */
  announce(text: string): void
  /** Announces something of a conversation. */
  readonly announcer: Announcer
  /** Shows a note for four seconds, and announces it. */
  note(text: string, look?: Notice['look']): void
  showKeys(shown: boolean): void
}

type Asked<Name extends keyof typeof runApi> = (typeof runApi)[Name]
type Answer<Name extends keyof typeof runApi> = ReturnType<Asked<Name>>

export interface RunQuestions {
  talk(npc: string): Answer<'talk'>
  decide(asked: Parameters<Asked<'decide'>>[1]): Answer<'decide'>
  debrief(): Answer<'debrief'>
  again(asked: Parameters<Asked<'again'>>[1]): Answer<'again'>
  start: Asked<'start'>
  result: Asked<'result'>
  startClass: Asked<'startClass'>
  invitation: Asked<'invitation'>
  class: Asked<'class'>
  removeLearners: Asked<'removeLearners'>
  renewCode: Asked<'renewCode'>
  classCsv: Asked<'classCsv'>
}

/**
 * Remembers which screen is shown before a question is asked. A late answer must not lead the learner away from a screen
 * they have gone to meanwhile.
 *
 * @returns a function that is true while the same screen is shown
 */
export function stillHere({ store }: Pick<Game, 'store'>): () => boolean {
  const { value: here } = store.route
  return () => store.route.value === here
}
