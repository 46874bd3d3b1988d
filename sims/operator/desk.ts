import { addressOf, ALL_RUNS, readAddress } from './address.ts'
import type { RunsView, RunView, View } from './address.ts'
import { connect, developmentTokenOf, problemOf } from './connect.ts'
import type { Api, Problem } from './connect.ts'
import { createStore } from './store.ts'
import type { Listing, Store } from './store.ts'
import { tokenKeeper } from './token.ts'

/** The page's doings: what a person does here becomes a question to the service, and its answer what the page shows. */
export interface Desk {
  readonly store: Store
  /** Shows what the address says, and goes on showing it whenever the reader goes back or on. */
  start(): Promise<void>
  signIn(token: string): void
  signOut(): void
  /** Asks for another token, and shows the same with that. */
  changeToken(): void
  /** Shows another run, or another context: one step for the back button. What is shown already is asked for again. */
  go(view: View): void
  /** Asks again for what is shown. */
  again(): void
  /** Gets the next part of the list, or of the run. */
  more(): void
  /** Shows the run as it was. `settled`: the reader has let go, and the address says so. */
  showTime(time: number | null, settled: boolean): void
  /** One moment back or on. */
  step(by: -1 | 1): void
  play(): void
  checkIntegrity(): void
  readConversation(context: string): void
  focus(id: string): void
  openBranches(ids: readonly string[]): void
  closeBranches(ids: readonly string[]): void
}

/** Roots in one part of the list. */
const RUNS_AT_ONCE = 50
/** Contexts in one answer. Each comes with all it has been, so that time can be travelled without asking again. */
const CONTEXTS_AT_ONCE = 200
/** Contexts that are got without asking the reader whether they want more. */
const CONTEXTS_UNASKED = 1_000
/** A part may be empty before the last. So many are passed over before the reader is asked whether to look further. */
const EMPTY_PARTS = 20
/** To the end, however many parts come empty before it. */
const ALL = Number.POSITIVE_INFINITY
/** Between two moments, where the run is played. */
const PLAY_MS = 900

export function openDesk(): Desk {
  const control = createStore()
  const { store } = control
  const keeper = tokenKeeper()
  let api: Api | null = null
  /** Goes up with everything that makes an older answer one to nobody. */
  let round = 0
  let playing: ReturnType<typeof setInterval> | undefined

  return {
    store,
    async start() {
      addEventListener('popstate', arrive)
      control.setView(readAddress(location.hash))
      const token = keeper.read()
      if (token !== null) enter(token)
      else control.offerToken(await developmentTokenOf())
    },
    signIn(token) {
      keeper.keep(token)
      enter(token)
    },
    signOut() {
      leave(false)
      history.replaceState(null, '', addressOf(ALL_RUNS))
      control.setView(ALL_RUNS)
    },
    changeToken: () => leave(false),
    go(view) {
      if (addressOf(view) === addressOf(store.view.value)) return load()
      history.pushState(null, '', addressOf(view))
      show(view)
    },
    again: load,
    more,
    showTime(time, settled) {
      pause()
      moveTo(time, settled)
    },
    step(by) {
      pause()
      const to = neighbour(by)
      if (to !== undefined) moveTo(to, true)
    },
    play() {
      if (store.playing.value) return pause()
      if (store.moments.value.length === 0) return
      if (neighbour(1) === undefined) moveTo(store.moments.value[0]?.time ?? null, true)
      control.setPlaying(true)
      playing = setInterval(() => {
        const to = neighbour(1)
        if (to !== undefined) moveTo(to, true)
        if (neighbour(1) === undefined) pause()
      }, PLAY_MS)
    },
    checkIntegrity: () => void checkIntegrity(),
    readConversation: (context) => void readConversation(context),
    focus: control.setFocused,
    openBranches: control.openBranches,
    closeBranches: control.closeBranches,
  }

  function enter(token: string): void {
    api = connect(token)
    if (!api) return leave(true)
    control.setEntry({ stage: 'in' })
    load()
  }

  function leave(refused: boolean): void {
    round += 1
    api = null
    pause()
    keeper.forget()
    control.forget()
    control.setEntry({ stage: 'out', refused })
    void developmentTokenOf().then(control.offerToken)
  }

  /** The reader has gone back or on, or has changed the address by hand. */
  function arrive(): void {
    show(readAddress(location.hash))
  }

  function show(view: View): void {
    pause()
    const before = store.view.value
    control.setView(view)
    if (needsNothingNew(before, view)) return
    load()
  }

  function needsNothingNew(before: View, view: View): boolean {
    if (view.screen === 'run')
      return before.screen === 'run' && (before.run === view.run || store.head.value?.id === view.run)
    return before.screen === 'runs' && addressOf(before) === addressOf(view)
  }

  function load(): void {
    round += 1
    pause()
    const view = store.view.value
    if (view.screen === 'runs') {
      control.beginRuns()
      void loadRuns(view)
    } else {
      control.beginRun()
      void loadRun(view)
    }
  }

  function more(): void {
    const view = store.view.value
    if (view.screen === 'runs') void loadRuns(view)
    else void loadContexts(store.known.value.values().next().value?.rootId ?? view.run, CONTEXTS_UNASKED)
  }

  async function loadRuns({ status, person, words }: RunsView): Promise<void> {
    const filter = {
      depth: 0,
      limit: RUNS_AT_ONCE,
      ...(status === null ? {} : { status }),
      ...(person === '' ? {} : { userId: person }),
    }
    await inParts(store.runs.value, control.setRuns, 1, (asked, cursor) =>
      words === ''
        ? asked.listContexts({ ...filter, order: 'newest', ...cursor })
        : asked.searchContexts({ ...filter, q: words, ...cursor }),
    )
  }

  async function loadRun(view: RunView): Promise<void> {
    const isWanted = sameRound()
    try {
      const { context } = (await api?.getContext({ context: view.run })) ?? {}
      if (!context || !isWanted()) return
      await loadContexts(context.rootId, CONTEXTS_UNASKED)
      if (isWanted()) nameTheRoot(view, context.rootId)
    } catch (error) {
      if (isWanted()) refuse(problemOf(error), (state) => control.setContexts({ ...store.contexts.value, state }))
    }
  }

  /** A link to any context of a run is a link to the run, with that context open. */
  function nameTheRoot(asked: RunView, rootId: string): void {
    const view = store.view.value
    if (asked.run === rootId || view.screen !== 'run' || view.run !== asked.run || !store.known.value.has(rootId))
      return
    const named = { ...view, run: rootId, context: view.context ?? asked.run }
    history.replaceState(null, '', addressOf(named))
    control.setView(named)
  }

  function loadContexts(rootId: string, wanted: number): Promise<void> {
    return inParts(store.contexts.value, control.setContexts, wanted, (asked, cursor) =>
      asked.exportContexts({ rootId, history: true, limit: CONTEXTS_AT_ONCE, ...cursor }),
    )
  }

  async function checkIntegrity(): Promise<void> {
    await inParts(
      { items: [], next: null, state: 'loading', at: 0 },
      control.setFindings,
      ALL,
      (asked, cursor) => asked.verifyIntegrity({ limit: 1_000, ...cursor }),
      // They are about everything, and stay whichever run is looked at meanwhile.
      sameReader(),
    )
  }

  /** Gets parts of a list until there is enough more of it, or no more; what comes is shown as it comes. */
  async function inParts<T>(
    begun: Listing<T>,
    put: (listing: Listing<T>) => void,
    wanted: number,
    ask: (asked: Api, cursor: { cursor?: string }) => Promise<{ items: readonly T[]; next: string | null }>,
    isWanted = sameRound(),
  ): Promise<void> {
    const patience = wanted === ALL ? ALL : EMPTY_PARTS
    let listing: Listing<T> = { ...begun, state: 'loading', at: begun.at || Date.now() }
    put(listing)
    try {
      for (let empty = 0, got = 0; got < wanted && empty < patience;) {
        if (!api) return
        const part = await ask(api, listing.next === null ? {} : { cursor: listing.next })
        if (!isWanted()) return
        got += part.items.length
        empty = part.items.length === 0 ? empty + 1 : 0
        listing = { ...listing, items: [...listing.items, ...part.items], next: part.next }
        put(listing)
        if (part.next === null) break
      }
      put({ ...listing, state: 'ready' })
    } catch (error) {
      if (isWanted()) refuse(problemOf(error), (state) => put({ ...listing, state }))
    }
  }

  function sameRound(): () => boolean {
    const mine = round
    return () => mine === round
  }

  function sameReader(): () => boolean {
    const mine = api
    return () => mine === api
  }

  async function readConversation(of: string): Promise<void> {
    const isMine = sameRound()
    control.setReading({ of, state: 'loading' })
    const isWanted = () => isMine() && store.reading.value?.of === of
    try {
      const conversation = await api?.getConversation({ context: of })
      if (conversation && isWanted()) control.setReading({ of, state: 'ready', conversation })
    } catch (error) {
      if (isWanted()) refuse(problemOf(error), (state) => control.setReading({ of, state }))
    }
  }

  /** A token that is no good any more leads back to the door; anything else is said where it happened. */
  function refuse(problem: Problem, put: (problem: Problem) => void): void {
    if (problem.next === 'sign-in') leave(true)
    else put(problem)
  }

  function moveTo(time: number | null, settled: boolean): void {
    control.setTime(time)
    if (settled) history.replaceState(null, '', addressOf(store.view.value))
  }

  /** The time of the moment before or after the one shown; null is now, which the last moment leads up to. */
  function neighbour(by: -1 | 1): number | null | undefined {
    const moments = store.moments.value
    const time = store.time.value
    if (by === 1) {
      if (time === null) return undefined
      const next = moments.findIndex((moment) => moment.time > time)
      return next === -1 || next === moments.length - 1 ? null : moments[next]?.time
    }
    const here = time ?? moments.at(-1)?.time ?? 0
    return moments.findLast((moment) => moment.time < here)?.time
  }

  function pause(): void {
    clearInterval(playing)
    control.setPlaying(false)
  }
}
