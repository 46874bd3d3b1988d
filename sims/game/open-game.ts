import { effect } from '@preact/signals'
import type { RunStarted, RunView } from '../../worker/wire/run.ts'
import { forgetDraft } from './decide/draft.ts'
import type { Game } from './game.ts'
import { focusEachScreen, nameThePage } from './follow-route.ts'
import { runKeeper } from './kept-runs.ts'
import { NoteBoard } from './notes.ts'
import { forgetNotebook } from './notebook/kept-notebook.ts'
import { listenForKeys } from './page-keys.ts'
import { hrefOf, readRoute } from './route.ts'
import type { Route } from './route.ts'
import { problemOf, runApi } from './run-api.ts'
import { notedBetween } from './run-gains.ts'
import type { TalkNews } from './run-gains.ts'
import { RunLoader } from './run-loader.ts'
import { RunWatch } from './run-watch.ts'
import { loadAhead } from './screens.ts'
import { createStore } from './store.ts'
import type { Notice, GameStore } from './store.ts'
import { forgetTalks } from './talk/kept-talks.ts'
import { t } from './texts/texts.ts'

/**
 * Opens the game on this page: reads the address, listens to the browser, and requests the data of the first screen.
 */
export function openGame(): Game {
  const game = new OpenGame()
  game.listen()
  focusEachScreen(game.store)
  nameThePage(game.store)
  listenForKeys(game)
  effect(() => loadAhead(game.store.route.value.screen))
  return game
}

/** Turns the learner's actions into requests to the service, and the answers into what the page shows. */
class OpenGame implements Game {
  readonly #keeper = runKeeper(() => localStorage)
  readonly #control = createStore(readRoute(location.hash), this.#keeper.read())
  readonly #notes = new NoteBoard(this.#control)
  readonly #loader = new RunLoader(this.#control, (before, after) => this.#changed(before, after))
  readonly #watch = new RunWatch(() => this.refresh())

  readonly store: GameStore = this.#control.store
  readonly announcer = this.#notes.announcer
  readonly api: Game['api'] = {
    ...runApi,
    talk: (npc) => runApi.talk(this.store.key.value, npc),
    decide: (asked) => runApi.decide(this.store.key.value, asked),
    named: (reason) => runApi.named(this.store.key.value, reason),
    debrief: () => runApi.debrief(this.store.key.value),
    again: (asked) => runApi.again(this.store.key.value, asked),
  }

  go(route: Route, how: 'push' | 'replace' = 'push'): void {
    if (hrefOf(route) === hrefOf(this.store.route.value)) return
    if (how === 'push') history.pushState(null, '', hrefOf(route))
    else history.replaceState(null, '', hrefOf(route))
    this.#arrive(route)
  }

  async refresh(): Promise<void> {
    const { value: id } = this.store.runId
    if (id !== null) await this.#loader.load(id)
  }

  async loadCards(): Promise<void> {
    const { setCards } = this.#control
    const before = this.store.cards.value
    setCards({ ...before, problem: null, waits: true })
    try {
      setCards({ value: await runApi.simulations(), problem: null, waits: false })
    } catch (error) {
      setCards({ ...before, problem: problemOf(error), waits: false })
    }
  }

  setRun(view: RunView): void {
    this.#loader.take(view)
  }

  tellRun(id: string, news: TalkNews): void {
    this.#loader.tell(id, news)
  }

  keepRun({ id, key }: RunStarted['run'], scenario: string): void {
    this.#control.setKept(this.#keeper.keep({ id, key, scenario, at: Date.now() }))
  }

  forgetRun(id: string): void {
    forgetTalks(id)
    forgetNotebook(id)
    forgetDraft(id)
    this.#loader.forget(id)
    this.#control.forget(id, this.#keeper.forget(id))
  }

  announce(text: string): void {
    this.announcer.say(text)
  }

  note(text: string, look?: Notice['look']): void {
    this.#notes.note(text, look)
  }

  showKeys(shown: boolean): void {
    this.#control.showKeys(shown)
  }

  /**
   * Listens to the address, other tabs, the network and the page's visibility, and requests the data of the first
   * screen.
   */
  listen(): void {
    // `popstate` and `hashchange` cover links, the back button and an edited address.
    for (const event of ['popstate', 'hashchange'])
      addEventListener(event, () => this.#arrive(readRoute(location.hash)))
    // Another tab may have begun or forgotten a run, and this tab lists the same runs.
    addEventListener('storage', () => this.#control.setKept(this.#keeper.read()))
    for (const event of ['online', 'offline']) addEventListener(event, () => this.#setOnline(navigator.onLine))
    this.#setOnline(navigator.onLine)
    document.addEventListener('visibilitychange', () => this.#attend())
    addEventListener('pageshow', ({ persisted }) => persisted && this.#attend())
    addEventListener('focus', () => this.#attend())
    void this.loadCards()
    this.#loadFor(this.store.route.value)
  }

  #setOnline(isOnline: boolean): void {
    if (isOnline === this.store.online.value) return
    this.#control.setOnline(isOnline)
    this.announce(isOnline ? t.shell.backOnline : t.shell.offline)
    if (isOnline) this.#attend()
  }

  /** Requests current data when the page becomes visible. Stops watching the run when the page is hidden. */
  #attend(): void {
    if (document.visibilityState === 'visible') this.#loadFor(this.store.route.value)
    else this.#watch.stop()
  }

  #arrive(route: Route): void {
    if (hrefOf(route) === hrefOf(this.store.route.value)) return
    this.#control.showKeys(false)
    this.#control.setRoute(route)
    this.#loadFor(route)
  }

  #loadFor(route: Route): void {
    if (this.store.cards.value.problem !== null) void this.loadCards()
    if ('run' in route) void this.#loader.load(route.run, true)
    this.#loader.loadAll(route.screen === 'library' ? this.store.kept.value : [])
    this.#watchFor(route)
  }

  /**
   * Requests the open run regularly, but only on screens whose content another device may change. A conversation's
   * screen needs no requests, because the socket reports the news. The debrief needs none either, because it no longer
   * changes.
   */
  #watchFor(route: Route): void {
    if (route.screen === 'desk' || route.screen === 'notebook' || route.screen === 'decide') this.#watch.start()
    else this.#watch.stop()
  }

  #changed(before: RunView | null, after: RunView): void {
    if (after.id !== this.store.runId.value) return
    this.#notes.gained(notedBetween(before, after))
    if (before !== null && JSON.stringify(before) !== JSON.stringify(after)) this.#watchFor(this.store.route.value)
  }
}
