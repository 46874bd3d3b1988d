import type { Announcer } from '../../widget/announcer.ts'
import type { RunStarted, RunView } from '../../worker/wire/run.ts'
import type { Route } from './route.ts'
import type { runApi } from './run-api.ts'
import type { TalkNews } from './run-gains.ts'
import type { Notice, GameStore } from './store.ts'

/** The object that every screen gets: the store to read, and the actions of a learner. */
export interface Game {
  readonly store: GameStore
  /** Goes to another screen. Adds an entry to the browser's history, or replaces the current entry. */
  go(route: Route, how?: 'push' | 'replace'): void
  /**
   * Requests the open run again. Resolves after the answer or the failure of the request. Until the answer arrives, the
   * page shows the old data.
   */
  refresh(): Promise<void>
  /**
   * Requests the list of simulations. After a failure, the page calls this function again when the learner goes to
   * another screen or returns to the page.
   */
  loadCards(): Promise<void>
  /**
   * The requests to the service. Those about the open run are sent with the run's key; the others need no key.
   *
   * @throws RunApiError from each request
   */
  readonly api: RunQuestions
  /** Shows a run that the service has just returned, for example after a decision. */
  setRun(view: RunView): void
  /** Adds the news of a conversation to its run, such as the facts in a reply. */
  tellRun(id: string, news: TalkNews): void
  /**
   * Stores the link of a run that the learner has just begun or opened, so that the run's addresses work in this
   * browser.
   */
  keepRun(started: RunStarted['run'], scenario: string): void
  /** Forgets a run's link in this browser. The service keeps the run. */
  forgetRun(id: string): void
  /** Announces a text to screen readers. */
  announce(text: string): void
  readonly announcer: Announcer
  /** Shows a note for four seconds and announces the note to screen readers. */
  note(text: string, look?: Notice['look']): void
  showKeys(shown: boolean): void
}

type Asked<Name extends keyof typeof runApi> = (typeof runApi)[Name]
type Answer<Name extends keyof typeof runApi> = ReturnType<Asked<Name>>

export interface RunQuestions {
  talk(npc: string): Answer<'talk'>
  decide(asked: Parameters<Asked<'decide'>>[1]): Answer<'decide'>
  named(reason: string): Answer<'named'>
  debrief(): Answer<'debrief'>
  again(asked: Parameters<Asked<'again'>>[1]): Answer<'again'>
  start: Asked<'start'>
  result: Asked<'result'>
  startClass: Asked<'startClass'>
  invitation: Asked<'invitation'>
  class: Asked<'class'>
  removeLearners: Asked<'removeLearners'>
  renewCode: Asked<'renewCode'>
  closeClass: Asked<'closeClass'>
  classCsv: Asked<'classCsv'>
}

/**
 * Remembers which screen is shown now. The caller does this before a request: if the learner goes to another screen
 * before the answer comes, the answer must not take them away from it.
 *
 * @returns a function that returns true while the same screen is shown
 */
export function stillHere({ store }: Pick<Game, 'store'>): () => boolean {
  const { value: here } = store.route
  return () => store.route.value === here
}
