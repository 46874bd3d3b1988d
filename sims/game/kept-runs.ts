/** A run that can be opened from this browser, because it has the key. */
export interface KeptRun {
  readonly id: string
  readonly key: string
  readonly scenario: string
  /** When it was begun or opened here, in milliseconds since 1970. */
  readonly at: number
}

const NAME = 'walkon-game|runs'
/** More than anybody plays; the oldest are let go, and their links still open them. */
const MOST = 50

/** Where the runs' links are kept: in this browser, and nowhere before somebody begins a run. */
export interface RunKeeper {
  read(): readonly KeptRun[]
  /** Keeps one, in place of what was known of it. */
  keep(run: KeptRun): readonly KeptRun[]
  forget(id: string): readonly KeptRun[]
}

/** @param storage gives the browser's storage; may throw where storage is denied, and then the page alone remembers */
export function runKeeper(storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): RunKeeper {
  /** What storage would not take, newest first: it is denied or full. */
  let held: readonly KeptRun[] = []
  const stored = () => {
    try {
      return runsIn(storage().getItem(NAME) ?? '[]')
    } catch {
      return []
    }
  }
  const store = (runs: readonly KeptRun[]) => {
    try {
      if (runs.length === 0) storage().removeItem(NAME)
      else storage().setItem(NAME, JSON.stringify(runs))
      return true
    } catch {
      return false
    }
  }
  const read = () => {
    const ids = new Set(held.map(({ id }) => id))
    return [...held, ...stored().filter(({ id }) => !ids.has(id))].slice(0, MOST)
  }
  return {
    read,
    keep(run) {
      const runs = [run, ...without(read(), run.id)].slice(0, MOST)
      held = store(runs) ? [] : [run, ...without(held, run.id)]
      return runs
    },
    forget(id) {
      held = without(held, id)
      // Less than what is stored always fits, and whatever another tab has forgotten is not put back.
      store(without(stored(), id))
      return read()
    },
  }
}

function without(runs: readonly KeptRun[], id: string): readonly KeptRun[] {
  return runs.filter((run) => run.id !== id)
}

/** What cannot be read counts as not kept. */
function runsIn(text: string): readonly KeptRun[] {
  try {
    const raw: unknown = JSON.parse(text)
    return Array.isArray(raw) ? raw.flatMap(runIn) : []
  } catch {
    return []
  }
}

function runIn(raw: unknown): KeptRun[] {
  const { id, key, scenario, at } = Object(raw) as Record<string, unknown>
  if (typeof id !== 'string' || typeof key !== 'string' || typeof scenario !== 'string') return []
  return [{ id, key, scenario, at: typeof at === 'number' ? at : 0 }]
}
