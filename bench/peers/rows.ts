import type { Figures } from './measure.ts'
import { median } from './numbers.ts'
import type { Bundle } from './workerd.ts'

/** A server with its figures: of each, the median of all runs. */
export interface Result {
  readonly id: string
  readonly name: string
  readonly opens: 'sessions' | 'connections' | null
  readonly bundle: Pick<Bundle, 'bytes' | 'gzipped'> | null
  readonly figures: Nullable<Numbers>
  readonly runs: readonly Figures[]
}

type Numbers = Omit<Figures, 'crowdFailure'>
type Nullable<T> = { readonly [K in keyof T]: number | null }

/** One line of the table: what a server's figure is, and Walkon's goal. Less is better, unless `isMore`. */
export interface Row {
  readonly title: string
  readonly unit: string
  readonly of: (result: Result) => number | null
  readonly goal: number | 'socketio' | null
  readonly isMore?: true
  /** Whether the figure is of the crowd, which a server may fail to serve. */
  readonly isCrowd?: true
  /** The turn of a long conversation that the figure is of. Some servers do not get so far in the time allowed. */
  readonly turns?: number
}

const kB = (bytes: number | null) => (bytes === null ? null : bytes / 1_000)
const late = ({ figures: { earlyMs, lateMs } }: Result) => (earlyMs && lateMs ? lateMs / earlyMs : null)
const lateCpu = ({ figures: { earlyCpuMs, lateCpuMs } }: Result) =>
  earlyCpuMs && lateCpuMs ? lateCpuMs / earlyCpuMs : null

/** The lines of the table. */
export function rowsFor({
  streams,
  crowd,
  idleSeconds,
  turns,
}: {
  streams: number
  crowd: number
  idleSeconds: number
  turns: number
}): readonly Row[] {
  return [
    {
      title: `first token added, p50 of ${streams} streams`,
      unit: 'ms',
      of: ({ figures }) => figures.firstP50,
      goal: 2,
    },
    {
      title: `first token added, p99 of ${streams} streams`,
      unit: 'ms',
      of: ({ figures }) => figures.firstP99,
      goal: 20,
    },
    { title: 'every token added, p50', unit: 'ms', of: ({ figures }) => figures.everyP50, goal: 25 },
    {
      title: `first token after ${idleSeconds} idle seconds, p99`,
      unit: 'ms',
      of: ({ figures }) => figures.wokenP99,
      goal: null,
    },
    {
      title: `${crowd} streams, every token, p99`,
      unit: 'ms',
      of: ({ figures }) => figures.crowdP99,
      goal: null,
      isCrowd: true,
    },
    { title: 'server’s CPU a turn', unit: 'ms', of: ({ figures }) => figures.turnCpuMs, goal: 'socketio' },
    { title: 'to the client a turn', unit: 'bytes', of: ({ figures }) => figures.turnBytes, goal: 'socketio' },
    { title: 'to the client a turn', unit: 'frames', of: ({ figures }) => figures.turnFrames, goal: null },
    {
      title: 'new sessions (others: connections) a second',
      unit: '',
      of: ({ figures }) => figures.begunPerSecond ?? figures.connectedPerSecond,
      goal: 400,
      isMore: true,
    },
    {
      title: 'server’s CPU for each of them',
      unit: 'ms',
      of: ({ figures }) => figures.begunCpuMs ?? figures.connectedCpuMs,
      goal: 2,
    },
    {
      title: `memory of a session idle for ${idleSeconds} s`,
      unit: 'kB',
      of: ({ figures }) => kB(figures.idleBytes),
      goal: 200,
    },
    { title: 'a fresh session on disk', unit: 'kB', of: ({ figures }) => kB(figures.diskBytes), goal: 30 },
    { title: 'Worker, minified', unit: 'kB', of: ({ bundle }) => kB(bundle?.bytes ?? null), goal: 1_200 },
    { title: 'cold process to first answer', unit: 'ms', of: ({ figures }) => figures.coldMs, goal: 90 },
    { title: `turn ${turns} beside turn 10, time`, unit: '×', of: late, goal: null, turns },
    { title: `turn ${turns} beside turn 10, CPU`, unit: '×', of: lateCpu, goal: null, turns },
  ]
}

/** Returns the goal of a row as a number; null if it has none. */
export function goalOf(row: Row, results: readonly Result[]): number | null {
  if (row.goal !== 'socketio') return row.goal
  const other = results.find(({ id }) => id === 'socketio')
  return other ? row.of(other) : null
}

export function mediansOf(runs: readonly Figures[]): Nullable<Numbers> {
  const keys = Object.keys(runs[0] ?? {}).filter((key) => key !== 'crowdFailure') as (keyof Numbers)[]
  const medianOf = (key: keyof Numbers) => median(runs.map((run) => run[key]).filter((value) => value !== null))
  return Object.fromEntries(keys.map((key) => [key, medianOf(key)])) as unknown as Nullable<Numbers>
}

/** Writes the cell of a row. A server that did not serve the crowd in one of the runs has failed. */
export function cellOf(row: Row, result: Result): string {
  if (hasFailed(row, result)) return 'failed'
  const { longTurns } = result.figures
  const isShort = row.turns !== undefined && longTurns !== null && longTurns < row.turns
  return `${written(row.of(result))}${isShort ? ` (turn ${longTurns})` : ''}`
}

function hasFailed(row: Row, { runs }: Result): boolean {
  return row.isCrowd === true && runs.some(({ crowdFailure }) => crowdFailure !== null)
}

/** Writes a figure with about three digits. */
export function written(value: number | null): string {
  if (value === null) return '–'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}
