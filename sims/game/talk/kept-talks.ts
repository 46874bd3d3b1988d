import { browserMemory } from '../../../widget/memory.ts'
import type { BrowserMemory } from '../../../widget/memory.ts'

/**
 * Returns what the browser stores of a run's conversations. It is the widget's `BrowserMemory`, with the run's id in
 * place of the scenario's. Each run has one such object, so that where storage is denied the conversations last until
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
