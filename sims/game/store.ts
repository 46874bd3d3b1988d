import { batch, computed, signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import type { RunView, SimulationCard } from '../../worker/wire/run.ts'
import type { KeptRun } from './kept-runs.ts'
import type { Route } from './route.ts'
import type { RunApiError } from './run-api.ts'

/** A value from the service. The old value stays while the page requests a new one, and also if that request fails. */
export interface Loadable<T> {
  readonly value: T | null
  /**
   * Why the last request failed; null if it succeeded. While a new request is under way, the reason of the previous
   * failure may stay here.
   */
  readonly problem: RunApiError | null
  readonly waits: boolean
}

/** A note that appears and disappears by itself. */
export interface Notice {
  readonly id: number
  readonly text: string
  /** A `noted` note is about the notebook. Only the head of a talk shows it. */
  readonly look: 'plain' | 'noted' | 'earned' | 'trouble'
}

/** Everything that the screens read. Only the functions of `createStore` write to the store. */
export type GameStore = GameControl['store']
/** The store, and the functions that write to it. */
export type GameControl = ReturnType<typeof createStore>

const NOT_ASKED = { value: null, problem: null, waits: true } as const

export function createStore(at: Route, known: readonly KeptRun[]) {
  const route = signal<Route>(at)
  const cards = signal<Loadable<readonly SimulationCard[]>>(NOT_ASKED)
  const runs = signal<ReadonlyMap<string, Loadable<RunView>>>(new Map())
  /** The runs whose links this browser keeps, newest first. */
  const kept = signal<readonly KeptRun[]>(known)
  const notes = signal<readonly Notice[]>([])
  const online = signal(true)
  const keysShown = signal(false)

  const runId = computed(() => ('run' in route.value ? route.value.run : null))
  /** The open run. */
  const asked: ReadonlySignal<Loadable<RunView>> = computed(() => runs.value.get(runId.value ?? '') ?? NOT_ASKED)
  const run = computed(() => asked.value.value)
  /** The key of the open run; empty if this browser doesn't have the key. */
  const key = computed(() => kept.value.find(({ id }) => id === runId.value)?.key ?? '')
  /** The simulation that the open run plays. */
  const card = computed(() => {
    const scenario = run.value?.scenario ?? kept.value.find(({ id }) => id === runId.value)?.scenario
    return cards.value.value?.find(({ id }) => id === scenario) ?? null
  })

  return {
    store: {
      route: readable(route),
      cards: readable(cards),
      runs: readable(runs),
      kept: readable(kept),
      notes: readable(notes),
      online: readable(online),
      keysShown: readable(keysShown),
      runId,
      asked,
      run,
      key,
      card,
    },
    setRoute: (next: Route) => void (route.value = next),
    setCards: (next: Loadable<readonly SimulationCard[]>) => void (cards.value = next),
    setRun: (id: string, next: Loadable<RunView>) => void (runs.value = new Map(runs.value).set(id, next)),
    setKept: (next: readonly KeptRun[]) => void (kept.value = next),
    setOnline: (next: boolean) => void (online.value = next),
    showKeys: (shown: boolean) => void (keysShown.value = shown),
    addNote: (note: Notice) => void (notes.value = [...notes.value, note]),
    dropNote: (id: number) => void (notes.value = notes.value.filter((note) => note.id !== id)),
    forget(id: string, rest: readonly KeptRun[]) {
      batch(() => {
        const left = new Map(runs.value)
        left.delete(id)
        runs.value = left
        kept.value = rest
      })
    },
  }
}

function readable<T>(written: ReadonlySignal<T>): ReadonlySignal<T> {
  return written
}
