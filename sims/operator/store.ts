import { batch, computed, signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import type { OperationOutput } from '../../worker/chain/api/operations.ts'
import { addressOf, ALL_RUNS } from './address.ts'
import type { RunAddress, View } from './address.ts'
import type { ToldTurns } from '../../worker/session/assistant/assistant-record.ts'
import type { ChainProblem } from './connect.ts'
import type { ChainFinding, Known, ChangeMoment } from './workflow/history.ts'
import { momentAt, momentsOf } from './workflow/history.ts'
import { rowsOf, treeOf } from './workflow/tree.ts'
import type { TreeRow } from './workflow/tree.ts'

export type Run = OperationOutput<'listContexts'>['items'][number]
export type ContextConversation = OperationOutput<'getConversation'>

/** A list that the page loads from the service in parts. */
export interface Listing<T> {
  readonly items: readonly T[]
  /** The cursor of the next part; null after the last part. */
  readonly next: string | null
  readonly state: 'loading' | 'ready' | ChainProblem
  /** When loading began, in milliseconds since 1970. */
  readonly at: number
}

/** Whether the operator is signed in with a token. `refused`: the service did not accept the last token. */
export type SignInState = { readonly stage: 'in' } | { readonly stage: 'out'; readonly refused: boolean }

/** The conversation that belongs to the context whose details are open. */
export type Reading =
  | { readonly of: string; readonly state: 'loading' | ChainProblem }
  | { readonly of: string; readonly state: 'ready'; readonly conversation: ContextConversation }

/** What was sent in a conversation's turn; null before the operator has named a conversation. */
export type ToldReading = 'loading' | ChainProblem | ToldTurns | null

const NOTHING = { items: [], next: null, state: 'loading', at: 0 } as const

/** Everything that the components read. Only the functions of `createStore` write to the store. */
export type OperatorStore = OperatorControl['store']
/** The store, and the functions that write to it. */
export type OperatorControl = ReturnType<typeof createStore>

export function createStore() {
  const entry = signal<SignInState>({ stage: 'out', refused: false })
  const developmentToken = signal<string | null>(null)
  const view = signal<View>(ALL_RUNS)
  const runs = signal<Listing<Run>>(NOTHING)
  const contexts = signal<Listing<Known>>(NOTHING)
  const findings = signal<Listing<ChainFinding> | null>(null)
  const reading = signal<Reading | null>(null)
  const told = signal<ToldReading>(null)
  const closed = signal<ReadonlySet<string>>(new Set())
  const focused = signal<string | null>(null)
  const playing = signal(false)

  const known = computed(() => new Map(contexts.value.items.map((context) => [context.id, context])))
  const tree = computed(() => treeOf(contexts.value.items))
  const rows: ReadonlySignal<readonly TreeRow[]> = computed(() => rowsOf(tree.value, closed.value))
  const moments: ReadonlySignal<readonly ChangeMoment[]> = computed(() => momentsOf(contexts.value.items))
  const time = computed(() => (view.value.screen === 'run' ? view.value.time : null))
  const moment = computed(() => momentAt(moments.value, time.value))
  /**
   * The context whose name is the screen's heading: the run's root, or the first loaded context if the root is missing.
   */
  const head = computed(() => {
    const run = view.value.screen === 'run' ? known.value.get(view.value.run) : undefined
    return known.value.get(run?.rootId ?? '') ?? tree.value.tops[0]?.context ?? null
  })
  const shown = computed(() => {
    const open = view.value.screen === 'run' ? view.value.context : null
    return (open === null ? null : known.value.get(open)) ?? head.value
  })
  const findingsOf = computed(() => Map.groupBy(findings.value?.items ?? [], ({ contextId }) => contextId))

  return {
    store: {
      entry: readable(entry),
      developmentToken: readable(developmentToken),
      view: readable(view),
      runs: readable(runs),
      contexts: readable(contexts),
      findings: readable(findings),
      reading: readable(reading),
      told: readable(told),
      focused: readable(focused),
      playing: readable(playing),
      known,
      rows,
      moments,
      moment,
      time,
      head,
      shown,
      findingsOf,
    },
    setEntry: (next: SignInState) => void (entry.value = next),
    offerToken: (token: string | null) => void (developmentToken.value = token),
    setView: (next: View) => void (view.value = next),
    setTime(next: RunAddress['time']) {
      if (view.value.screen === 'run') view.value = { ...view.value, time: next }
    },
    /**
     * Replaces the id of a context in the address with the id of its run's root, and opens that context. So a link to
     * any context of a run opens the whole run.
     */
    nameTheRoot(asked: RunAddress, rootId: string) {
      const { value: now } = view
      if (asked.run === rootId || now.screen !== 'run' || now.run !== asked.run || !known.value.has(rootId)) return
      view.value = { ...now, run: rootId, context: now.context ?? asked.run }
      history.replaceState(null, '', addressOf(view.value))
    },
    setRuns: (next: Listing<Run>) => void (runs.value = next),
    setContexts: (next: Listing<Known>) => void (contexts.value = next),
    beginRun() {
      batch(() => {
        contexts.value = NOTHING
        closed.value = new Set()
        focused.value = null
        reading.value = null
      })
    },
    beginRuns: () => void (runs.value = NOTHING),
    setFindings: (next: Listing<ChainFinding> | null) => void (findings.value = next),
    setReading: (next: Reading | null) => void (reading.value = next),
    setTold: (next: ToldReading) => void (told.value = next),
    setFocused: (id: string | null) => void (focused.value = id),
    setPlaying: (next: boolean) => void (playing.value = next),
    openBranches: (ids: readonly string[]) =>
      void (closed.value = new Set([...closed.value].filter((id) => !ids.includes(id)))),
    closeBranches: (ids: readonly string[]) => void (closed.value = new Set([...closed.value, ...ids])),
    /** Removes everything that came from the service when the operator signs out. */
    forget() {
      batch(() => {
        runs.value = NOTHING
        contexts.value = NOTHING
        findings.value = null
        reading.value = null
        told.value = null
      })
    },
  }
}

function readable<T>(written: ReadonlySignal<T>): ReadonlySignal<T> {
  return written
}
