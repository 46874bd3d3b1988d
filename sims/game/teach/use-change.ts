import { useState } from 'preact/hooks'
import type { Game } from '../game.ts'
import { late } from '../texts/texts.ts'

/** Changes the class. Returns whether the service made the change. */
export type Change = (ask: () => Promise<unknown>, done: string) => Promise<boolean>

/**
 * Makes the function with which the page changes the class: one change at a time. After a change the page says what was
 * done and requests the class again; after a refusal it says that nothing was changed.
 */
export function useChange(game: Game, refresh: () => Promise<boolean>): { waits: boolean; change: Change } {
  const [waits, setWaits] = useState(false)
  return { waits, change }

  async function change(ask: () => Promise<unknown>, done: string): Promise<boolean> {
    if (waits) return false
    setWaits(true)
    try {
      await ask()
      game.note(done)
      await refresh()
      return true
    } catch {
      game.note(late.teach.notChanged, 'trouble')
      return false
    } finally {
      setWaits(false)
    }
  }
}
