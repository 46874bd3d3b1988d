import { effect } from '@preact/signals'
import { announcer } from '../../widget/announcer.ts'
import type { RunView } from '../../worker/wire/run.ts'
import { forgetDraft } from './decide/kept-draft.ts'
import type { Game } from './game.ts'
import { keepFocus } from './keep-focus.ts'
import { runKeeper } from './kept-runs.ts'
import type { KeptRun } from './kept-runs.ts'
import { getReadyFor } from './later-screens.ts'
import { nameThePage } from './name-the-page.ts'
import { forgetNotebook } from './notebook/kept-notebook.ts'
import { gainedBetween } from './notes-of.ts'
import { listenForKeys } from './page-keys.ts'
import { problemOf } from './problem-of.ts'
import { hrefOf, readRoute } from './route.ts'
import type { Route } from './route.ts'
import { runApi } from './run-api.ts'
import { createStore } from './store.ts'
import type { Note } from './store.ts'
import { forgetTalks } from './talk/kept-talks.ts'
import { t } from './texts/texts.ts'

const NOTE_MS = 4_000
/** Runs that the library asks for at once: it may have fifty, and a whole class asks from one address. */
const AT_ONCE = 4

/** The page's doings: what a person does becomes a question to the service, and its answer what the page shows. */
export function openGame(): Game {
  const keeper = runKeeper(() => localStorage)
  const control = createStore(readRoute(location.hash), keeper.read())
  const { store } = control
  const announce = announcer(regions())
  let notes = 0
  let looking: ArrayIterator<KeptRun> = [].values()

  const game: Game = {
    store,
    go(route, how = 'push') {
      if (hrefOf(route) === hrefOf(store.route.value)) return
      if (how === 'push') history.pushState(null, '', hrefOf(route))
      else history.replaceState(null, '', hrefOf(route))
      arrive(route)
    },
    refresh: async () => {
      const { value: id } = store.runId
      if (id !== null) await look(id)
    },
    loadCards,
    api: {
      ...runApi,
      talk: (npc) => runApi.talk(store.key.value, npc),
      decide: (asked) => runApi.decide(store.key.value, asked),
      debrief: () => runApi.debrief(store.key.value),
      again: (asked) => runApi.again(store.key.value, asked),
    },
    setRun: (view) => take(view),
    keepRun: ({ id, key }, scenario) => control.setKept(keeper.keep({ id, key, scenario, at: Date.now() })),
    forgetRun(id) {
      forgetTalks(id)
      forgetNotebook(id)
      forgetDraft(id)
      control.forget(id, keeper.forget(id))
    },
    announce: (text) => announce.say(text),
    announcer: announce,
    note,
    showKeys: control.showKeys,
  }

  // A link, the back button and an address that was changed by hand all come here.
  addEventListener('popstate', () => arrive(readRoute(location.hash)))
  addEventListener('hashchange', () => arrive(readRoute(location.hash)))
  // Another tab may have begun a run.
  addEventListener('storage', () => control.setKept(keeper.read()))
  const online = () => control.setOnline(navigator.onLine)
  addEventListener('online', online)
  addEventListener('offline', online)
  online()
  const awake = () => {
    if (document.visibilityState === 'visible') fetchFor(store.route.value)
  }
  document.addEventListener('visibilitychange', awake)
  addEventListener('pageshow', ({ persisted }) => persisted && awake())
  addEventListener('focus', awake)
  let wasOnline = true
  effect(() => {
    const isOnline = store.online.value
    if (isOnline === wasOnline) return
    wasOnline = isOnline
    announce.say(isOnline ? t.shell.backOnline : t.shell.offline)
    if (isOnline) awake()
  })
  void loadCards()
  fetchFor(store.route.value)
  keepFocus(store)
  nameThePage(store)
  listenForKeys(game)
  effect(() => getReadyFor(store.route.value.screen))
  return game

  function arrive(route: Route): void {
    if (hrefOf(route) === hrefOf(store.route.value)) return
    control.showKeys(false)
    control.setRoute(route)
    fetchFor(route)
  }

  function fetchFor(route: Route): void {
    if (store.cards.value.problem !== null) void loadCards()
    if ('run' in route) void look(route.run)
    lookAt(route.screen === 'library' ? store.kept.value : [])
  }

  /** Asks for each of these, a few at a time, and no more for what is left of those before. */
  function lookAt(runs: readonly KeptRun[]): void {
    const mine = runs.values()
    looking = mine
    const goOn = async () => {
      for (const { id } of mine) {
        if (looking !== mine) return
        await look(id)
      }
    }
    for (let each = 0; each < AT_ONCE; each += 1) void goOn()
  }

  async function loadCards(): Promise<void> {
    const before = store.cards.value
    control.setCards({ ...before, problem: null, waits: true })
    try {
      control.setCards({ value: await runApi.simulations(), problem: null, waits: false })
    } catch (error) {
      control.setCards({ ...before, problem: problemOf(error), waits: false })
    }
  }

  /** Asks for a run. An answer that is older than the one at hand changes nothing. */
  async function look(id: string): Promise<void> {
    const key = store.kept.value.find((run) => run.id === id)?.key
    if (key === undefined) return
    const before = store.runs.value.get(id)
    control.setRun(id, { value: before?.value ?? null, problem: before?.problem ?? null, waits: true })
    const mine = Symbol(id)
    asking.set(id, mine)
    try {
      const view = await runApi.run(key)
      if (asking.get(id) === mine) take(view)
    } catch (error) {
      if (asking.get(id) !== mine) return
      const value = store.runs.value.get(id)?.value ?? null
      control.setRun(id, { value, problem: problemOf(error), waits: false })
    }
  }

  function take(view: RunView): void {
    const before = store.runs.value.get(view.id)?.value ?? null
    control.setRun(view.id, { value: view, problem: null, waits: false })
    if (view.id !== store.runId.value) return
    const { met, noted } = gainedBetween(before, view)
    // The conversation has announced an objective already, where it was earned.
    for (const title of met) show(t.shell.metNow(title), 'earned')
    if (noted === 0) return
    if (met.length === 0) show(t.shell.noted(noted), 'plain')
    announce.say(t.shell.noted(noted))
  }

  function note(text: string, look: Note['look'] = 'plain'): void {
    show(text, look)
    announce.say(text)
  }

  function show(text: string, look: Note['look']): void {
    notes += 1
    const id = notes
    // The same words twice say no more than once, and what was only mentioned makes room: on a phone they cover what is read.
    for (const other of store.notes.value) if (other.text === text || other.look === 'plain') control.dropNote(other.id)
    control.addNote({ id, text, look })
    setTimeout(() => control.dropNote(id), NOTE_MS)
  }
}

const asking = new Map<string, symbol>()

/** Two places for announcements, which have to stand there before anything is written into them. */
function regions(): readonly [HTMLElement, HTMLElement] {
  return [region(), region()]
}

function region(): HTMLElement {
  const element = document.createElement('div')
  element.className = 'hidden'
  element.setAttribute('aria-live', 'polite')
  element.setAttribute('aria-atomic', 'true')
  document.body.append(element)
  return element
}
