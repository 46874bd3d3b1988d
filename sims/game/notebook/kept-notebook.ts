import { signal } from '@preact/signals'
import type { RunView } from '../../../worker/wire/run.ts'
import { marksOf, readKept, toggled, writeKept } from './keep.ts'
import type { Kept } from './keep.ts'
import { textKeeper } from './text-keeper.ts'

const keeper = textKeeper('walkon-game|notebook|')
/** Goes up whenever something of it changes, so that what shows it is drawn again. */
const changes = signal(0)

/** What this browser keeps of a run's notebook. Whoever draws with it is drawn again when it changes. */
export function keptNotebook(run: string): Kept {
  void changes.value
  return readKept(keeper.read(run))
}

/** How many things of a run are new to whoever sits here. */
export function newThings(run: RunView): number {
  const { seen } = keptNotebook(run.id)
  return marksOf(run).filter((mark) => !seen.has(mark)).length
}

export function markSeen(run: string, marks: readonly string[]): void {
  const now = readKept(keeper.read(run))
  if (marks.every((mark) => now.seen.has(mark))) return
  write(run, { ...now, seen: new Set([...now.seen, ...marks]) })
}

/** Draws a ring round a figure, or rubs it out. */
export function toggleRing(run: string, figure: string): void {
  const now = readKept(keeper.read(run))
  write(run, { ...now, circled: toggled(now.circled, figure) })
}

export function forgetNotebook(run: string): void {
  keeper.forget(run)
  changes.value++
}

function write(run: string, next: Kept): void {
  keeper.write(run, writeKept(next))
  changes.value++
}
