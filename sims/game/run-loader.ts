import type { RunView } from '../../worker/wire/run.ts'
import type { KeptRun } from './kept-runs.ts'
import { problemOf, runApi } from './run-api.ts'
import { newsMissingIn, withNews } from './run-gains.ts'
import type { TalkNews } from './run-gains.ts'
import type { GameControl } from './store.ts'

/**
 * How many runs the library requests at the same time. The number is low, because the library may show fifty runs, and
 * a whole class may share one IP address.
 */
const AT_ONCE = 4

/**
 * A run from two sources: the server's last view of the run, and the news from conversations that this view does not
 * contain yet.
 */
interface KnownRun {
  readonly view: RunView
  readonly news: readonly TalkNews[]
  /** The server's view of the run as it was before the oldest piece of `news`. */
  readonly before: RunView
}

/**
 * Puts runs into the store: what the server answers to a request, and what conversations report. If the page requests
 * one run twice, only the answer to the later request counts.
 */
export class RunLoader {
  readonly #control: GameControl
  readonly #onChange: (before: RunView | null, after: RunView) => void
  readonly #known = new Map<string, KnownRun>()
  readonly #questions = new Map<string, symbol>()
  /** The runs that `loadAll` has still to request. The next call of `loadAll` replaces the list. */
  #list: ArrayIterator<KeptRun> = [].values()

  /** @param onChange called for each new view of a run, with the view that the new view replaces */
  constructor(control: GameControl, onChange: (before: RunView | null, after: RunView) => void) {
    this.#control = control
    this.#onChange = onChange
  }

  /**
   * Requests a run from the service. The page shows the old data while it waits for the answer, and also if the request
   * fails. Never throws.
   */
  async load(id: string, isFresh = false): Promise<void> {
    const { store, setRun } = this.#control
    const key = store.kept.value.find((run) => run.id === id)?.key
    if (key === undefined) return
    const before = store.runs.value.get(id)
    setRun(id, { value: before?.value ?? null, problem: before?.problem ?? null, waits: true })
    const question = Symbol(id)
    this.#questions.set(id, question)
    try {
      const view = await runApi.run(key, isFresh)
      if (this.#questions.get(id) === question) this.take(view)
    } catch (error) {
      if (this.#questions.get(id) !== question) return
      setRun(id, { value: store.runs.value.get(id)?.value ?? null, problem: problemOf(error), waits: false })
    }
  }

  loadAll(runs: readonly KeptRun[]): void {
    const list = runs.values()
    this.#list = list
    const loadNext = async () => {
      for (const { id } of list) {
        if (this.#list !== list) return
        await this.load(id)
      }
    }
    for (let each = 0; each < AT_ONCE; each += 1) void loadNext()
  }

  /**
   * Stores the server's view of a run and adds the news that the view lacks. From then on, answers to earlier requests
   * for the run are ignored.
   */
  take(view: RunView): void {
    this.#questions.delete(view.id)
    const known = this.#known.get(view.id)
    const news = known ? newsMissingIn(view, known.news, known.before) : []
    const shown = this.#keep({ view, news, before: news.length > 0 && known ? known.before : view })
    this.#control.setRun(view.id, { value: shown.after, problem: null, waits: false })
    this.#onChange(shown.before, shown.after)
  }

  /**
   * Adds what a conversation has reported about a run. Does nothing before the page has the server's first view of the
   * run.
   */
  tell(id: string, news: TalkNews): void {
    const known = this.#known.get(id)
    const asked = this.#control.store.runs.value.get(id)
    if (!known || !asked) return
    const { view } = known
    const before = known.news.length > 0 ? known.before : view
    const shown = this.#keep({ view, news: newsMissingIn(view, [...known.news, news], before), before })
    this.#control.setRun(id, { ...asked, value: shown.after })
    this.#onChange(shown.before, shown.after)
  }

  forget(id: string): void {
    this.#known.delete(id)
    this.#questions.delete(id)
  }

  #keep(known: KnownRun): { readonly before: RunView | null; readonly after: RunView } {
    const { id } = known.view
    this.#known.set(id, known)
    return { before: this.#control.store.runs.value.get(id)?.value ?? null, after: withNews(known.view, known.news) }
  }
}
