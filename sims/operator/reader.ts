import type { RunsAddress, RunAddress, ToldAddress, View } from './address.ts'
import { chainProblemOf } from './connect.ts'
import type { Api, ChainProblem } from './connect.ts'
import type { OperatorControl, Listing } from './store.ts'

/** The number of runs in one part of the list of runs. */
const RUNS_AT_ONCE = 50
/**
 * The number of contexts in one part of a run. Each context comes with its whole history, so that showing another time
 * needs no request.
 */
const CONTEXTS_AT_ONCE = 200
/** The number of contexts that the page loads before it asks the operator whether to load further contexts. */
const CONTEXTS_UNASKED = 1_000
/**
 * How many empty parts the page skips before it asks the operator whether to go on. A part of a list may be empty
 * although further parts follow.
 */
const EMPTY_PARTS = 20
/**
 * Passed as the number of wanted items (`wanted`), this value makes the page load a list to its end, however many of
 * the list's parts are empty.
 */
const ALL = Number.POSITIVE_INFINITY

type IsWanted = () => boolean

/**
 * Reads the chain into the store with one token. Each call of `load` replaces the previous call, and the answers to the
 * previous call are then ignored.
 */
export class ChainReader {
  readonly #api: Api
  readonly #control: OperatorControl
  readonly #onSignInNeeded: () => void
  /** The `load` whose answers are still needed; null after `stop`. */
  #load: symbol | null = Symbol('load')

  constructor(api: Api, control: OperatorControl, onSignInNeeded: () => void) {
    this.#api = api
    this.#control = control
    this.#onSignInNeeded = onSignInNeeded
  }

  /** Makes the reader ignore every answer that is still to come. */
  stop(): void {
    this.#load = null
  }

  load(view: View): void {
    this.#load = Symbol('load')
    if (view.screen === 'runs') {
      this.#control.beginRuns()
      void this.#loadRuns(view)
    } else if (view.screen === 'told') {
      void this.#loadTold(view)
    } else {
      this.#control.beginRun()
      void this.#loadRun(view)
    }
  }

  more(view: View): void {
    if (view.screen === 'runs') return void this.#loadRuns(view)
    if (view.screen === 'told') return
    const { value: known } = this.#control.store.known
    void this.#loadContexts(known.values().next().value?.rootId ?? view.run)
  }

  /** Checks the whole chain. The findings concern all runs, so they stay when the operator opens another run. */
  async checkIntegrity(): Promise<void> {
    await this.#inParts(
      { items: [], next: null, state: 'loading', at: 0 },
      this.#control.setFindings,
      ALL,
      (cursor) => this.#api.verifyIntegrity({ limit: 1_000, ...cursor }),
      () => this.#load !== null,
    )
  }

  async readConversation(of: string): Promise<void> {
    const { store, setReading } = this.#control
    const isSameLoad = this.#sameLoad()
    const isWanted = () => isSameLoad() && store.reading.value?.of === of
    setReading({ of, state: 'loading' })
    try {
      const conversation = await this.#api.getConversation({ context: of })
      if (isWanted()) setReading({ of, state: 'ready', conversation })
    } catch (error) {
      if (isWanted()) this.#refuse(chainProblemOf(error), (state) => setReading({ of, state }))
    }
  }

  async #loadRuns({ status, person, words }: RunsAddress): Promise<void> {
    const filter = {
      depth: 0,
      limit: RUNS_AT_ONCE,
      ...(status === null ? {} : { status }),
      ...(person === '' ? {} : { userId: person }),
    }
    await this.#inParts(this.#control.store.runs.value, this.#control.setRuns, 1, (cursor) =>
      this.#api.listContexts({ ...filter, order: 'newest', ...(words === '' ? {} : { q: words }), ...cursor }),
    )
  }

  async #loadRun(view: RunAddress): Promise<void> {
    const { store, setContexts } = this.#control
    const isWanted = this.#sameLoad()
    try {
      const { context } = await this.#api.getContext({ context: view.run })
      if (!context || !isWanted()) return
      await this.#loadContexts(context.rootId)
      if (isWanted()) this.#control.nameTheRoot(view, context.rootId)
    } catch (error) {
      if (isWanted()) this.#refuse(chainProblemOf(error), (state) => setContexts({ ...store.contexts.value, state }))
    }
  }

  async #loadTold({ session, turn }: ToldAddress): Promise<void> {
    const { setTold } = this.#control
    const isWanted = this.#sameLoad()
    setTold(session === '' ? null : 'loading')
    if (session === '') return
    try {
      const told = await this.#api.told({ session, turn })
      if (!isWanted()) return
      // Without a turn, the latest one is shown.
      const last = told.turns.at(-1)
      setTold(turn === null ? { ...told, told: told.told.filter((step) => step.turn === last) } : told)
    } catch (error) {
      if (isWanted()) this.#refuse(chainProblemOf(error), setTold)
    }
  }

  #loadContexts(rootId: string): Promise<void> {
    const { store, setContexts } = this.#control
    return this.#inParts(store.contexts.value, setContexts, CONTEXTS_UNASKED, (cursor) =>
      this.#api.listContexts({ rootId, history: true, limit: CONTEXTS_AT_ONCE, ...cursor }),
    )
  }

  /** Loads parts of a list until there are `wanted` more items, or no more parts. Shows each part when it arrives. */
  async #inParts<T>(
    begun: Listing<T>,
    put: (listing: Listing<T>) => void,
    wanted: number,
    ask: (cursor: { cursor?: string }) => Promise<{ items: readonly T[]; next: string | null }>,
    isWanted: IsWanted = this.#sameLoad(),
  ): Promise<void> {
    const patience = wanted === ALL ? ALL : EMPTY_PARTS
    let listing: Listing<T> = { ...begun, state: 'loading', at: begun.at || Date.now() }
    put(listing)
    try {
      for (let empty = 0, got = 0; got < wanted && empty < patience;) {
        const part = await ask(listing.next === null ? {} : { cursor: listing.next })
        if (!isWanted()) return
        got += part.items.length
        empty = part.items.length === 0 ? empty + 1 : 0
        listing = { ...listing, items: [...listing.items, ...part.items], next: part.next }
        put(listing)
        if (part.next === null) break
      }
      put({ ...listing, state: 'ready' })
    } catch (error) {
      if (isWanted()) this.#refuse(chainProblemOf(error), (state) => put({ ...listing, state }))
    }
  }

  #sameLoad(): IsWanted {
    const mine = this.#load
    return () => mine !== null && mine === this.#load
  }

  /**
   * Signs the operator out if the service no longer accepts the token. Any other problem is shown beside the data that
   * could not be loaded.
   */
  #refuse(problem: ChainProblem, put: (problem: ChainProblem) => void): void {
    if (problem.next === 'sign-in') this.#onSignInNeeded()
    else put(problem)
  }
}
