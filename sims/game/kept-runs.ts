/** A run that can be opened from this browser, because it has the key. */
export interface KeptRun {
  readonly id: string
  readonly key: string
  readonly scenario: string
  /** When it was begun or opened here, in milliseconds since 1970. */
  readonly at: number
}

const NAME = 'walkon-game|runs'
/** The most runs that are kept. The oldest are forgotten, but their links still open them. */
const MOST = 50

/** Keeps the runs' keys in this browser. It stores nothing before the learner begins a run. */
export interface RunKeeper {
  read(): readonly KeptRun[]
  /** Keeps a run, and replaces what was known of it. */
  keep(run: KeptRun): readonly KeptRun[]
  forget(id: string): readonly KeptRun[]
}

/** @param storage gives the browser's storage; may throw where storage is denied, and then the page alone remembers */
export function runKeeper(storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): RunKeeper {
  /** The runs that storage did not take because it is denied or full, newest first. */
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
      // A shorter list always fits. A run that another tab has forgotten is not put back.
      store(without(stored(), id))
      return read()
    },
  }
}

function without(runs: readonly KeptRun[], id: string): readonly KeptRun[] {
  return runs.filter((run) => run.id !== id)
}

/** Reads the kept runs. A text that cannot be read counts as none. */
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
