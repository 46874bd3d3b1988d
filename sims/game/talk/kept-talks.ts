import { browserMemory } from '../../../widget/memory.ts'
import type { BrowserMemory } from '../../../widget/memory.ts'

/**
 * What the browser keeps of a run's conversations, as the widget keeps it, under the run's id. One for each run and page,
 * so that a browser without storage remembers for as long as the page stays.
 */
export function talksOf(run: string): BrowserMemory {
  const known = memories.get(run)
  if (known) return known
  const memory = browserMemory({ origin: location.origin, scenario: run, npc: '' })
  memories.set(run, memory)
  return memory
}

const memories = new Map<string, BrowserMemory>()

/** Lets go of all that is kept of a run's conversations here. */
export function forgetTalks(run: string): void {
  memories.delete(run)
  for (const storage of [() => localStorage, () => sessionStorage]) {
    try {
      const area = storage()
      const names = Array.from({ length: area.length }, (_, index) => area.key(index) ?? '')
      for (const name of names) if (name.startsWith(`walkon|${location.origin}|${run}|`)) area.removeItem(name)
    } catch {
      // Nothing is kept where storage is denied.
    }
  }
}
