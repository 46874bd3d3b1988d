import type { RunView } from '../../worker/wire/run.ts'
import type { KeptRun } from './kept-runs.ts'
import { problemOf, runApi } from './run-api.ts'
import { newsMissingIn, withNews } from './run-gains.ts'
import type { TalkNews } from './run-gains.ts'
import type { GameControl } from './store.ts'

/** The library asks for this many runs at once: it may have fifty, and a whole class asks from one address. */
const AT_ONCE = 4

/** A run as the page knows it from two sources: the server's last view, and the news that this view lacks. */
interface KnownRun {
  readonly view: RunView
  readonly news: readonly TalkNews[]
  /** The server's view that the news came after. */
  readonly before: RunView
}

/**
 * Puts runs into the store: from the server when the page asks, and from conversations when they tell. If the page asks twice
 * for one run, only the later answer counts.
 */
export class RunLoader {
  readonly #control: GameControl
  readonly #onChange: (before: RunView | null, after: RunView) => void
  readonly #known = new Map<string, KnownRun>()
  readonly #questions = new Map<string, symbol>()
  /** The runs that are still to be asked for. A new list takes the place of the old one. */
  #list: ArrayIterator<KeptRun> = [].values()

  /** @param onChange called for each new view, with the one it replaces */
  constructor(control: GameControl, onChange: (before: RunView | null, after: RunView) => void) {
    this.#control = control
    this.#onChange = onChange
  }

  /** Asks for a run. The page keeps what it shows while it waits, and if the request fails. Never throws. */
  async load(id: string): Promise<void> {
    const { store, setRun } = this.#control
    const key = store.kept.value.find((run) => run.id === id)?.key
    if (key === undefined) return
    const before = store.runs.value.get(id)
    setRun(id, { value: before?.value ?? null, problem: before?.problem ?? null, waits: true })
    const question = Symbol(id)
    this.#questions.set(id, question)
    try {
      const view = await runApi.run(key)
      if (this.#questions.get(id) === question) this.take(view)
    } catch (error) {
      if (this.#questions.get(id) !== question) return
      setRun(id, { value: store.runs.value.get(id)?.value ?? null, problem: problemOf(error), waits: false })
    }
  }

  /** Asks for each of these, a few at a time. */
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

  /** Takes the server's view of a run, and adds the news that it lacks. An older question's answer no longer counts. */
  take(view: RunView): void {
    this.#questions.delete(view.id)
    const known = this.#known.get(view.id)
    const news = known ? newsMissingIn(view, known.news, known.before) : []
    const shown = this.#keep({ view, news, before: news.length > 0 && known ? known.before : view })
    this.#control.setRun(view.id, { value: shown.after, problem: null, waits: false })
    this.#onChange(shown.before, shown.after)
  }

  /** Takes what a conversation has told of a run. Before the server's first view there is nothing to add it to. */
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
