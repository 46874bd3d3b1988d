import { browserMemory } from '../../../widget/memory.ts'
import type { BrowserMemory } from '../../../widget/memory.ts'

/**
 * Returns the widget's `BrowserMemory` for a run's conversations, with the run's id in place of the scenario's. All
 * calls for one run return the same object. If the browser denies storage, this object keeps the data in memory until
 * the page closes.
 */
export function talksOf(run: string): BrowserMemory {
  const known = memories.get(run)
  if (known) return known
  const memory = browserMemory({ origin: location.origin, scenario: run, npc: '' })
  memories.set(run, memory)
  return memory
}

const memories = new Map<string, BrowserMemory>()

/** Deletes everything that this browser stores of a run's conversations. */
export function forgetTalks(run: string): void {
  memories.delete(run)
  for (const storage of [() => localStorage, () => sessionStorage]) {
    try {
      const area = storage()
      const names = Array.from({ length: area.length }, (_, index) => area.key(index) ?? '')
      for (const name of names) if (name.startsWith(`walkon|${location.origin}|${run}|`)) area.removeItem(name)
    } catch {
      // Storage is denied, so there is nothing to delete.
    }
  }
}
