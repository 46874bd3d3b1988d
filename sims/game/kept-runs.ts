/** A run that this browser can open, because the browser stores the run's key. */
export interface KeptRun {
  readonly id: string
  readonly key: string
  readonly scenario: string
  /** When the run was begun or opened in this browser, in milliseconds since 1970. */
  readonly at: number
}

const NAME = 'walkon-game|runs'
/**
 * The most runs that this browser keeps. Beyond that it forgets the oldest. A forgotten run still opens by its link.
 */
const MOST = 50

/** Stores the runs' keys in this browser, and nothing before the learner begins or opens a run. */
export interface RunKeeper {
  read(): readonly KeptRun[]
  /** Stores a run and replaces the stored entry of the same run. */
  keep(run: KeptRun): readonly KeptRun[]
  forget(id: string): readonly KeptRun[]
}

/**
 * Makes a keeper of runs.
 *
 * @param storage returns the browser's storage; may throw where storage is denied, in which case the runs stay in
 * memory
 */
export function runKeeper(storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): RunKeeper {
  /** The runs that could not be stored because storage is denied or full, newest first. */
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
      // The new list is the stored list without the forgotten run. The list from `read()` would not do: it may also
      // contain runs that another tab has forgotten, and storing the list would bring those runs back. Storage always
      // has room for the new list, because it is shorter than the old one.
      store(without(stored(), id))
      return read()
    },
  }
}

function without(runs: readonly KeptRun[], id: string): readonly KeptRun[] {
  return runs.filter((run) => run.id !== id)
}

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
