import { useState } from 'preact/hooks'
import type { ClassView } from '../../../worker/wire/run.ts'
import type { Game } from '../game.ts'
import { late } from '../texts/texts.ts'

/** Changes the class. Returns whether the service made the change. */
export type Change = (ask: () => Promise<ClassView>, done: string) => Promise<boolean>

/**
 * Makes the function with which the page changes the class: one change at a time. After a change the page says what was
 * done; after a refusal it says that nothing was changed.
 *
 * @param take shows the class as the service returns it after the change
 */
export function useChange(game: Game, take: (value: ClassView) => void): { waits: boolean; change: Change } {
  const [waits, setWaits] = useState(false)
  return { waits, change }

  async function change(ask: () => Promise<ClassView>, done: string): Promise<boolean> {
    if (waits) return false
    setWaits(true)
    try {
      take(await ask())
      game.note(done)
      return true
    } catch {
      game.note(late.teach.notChanged, 'trouble')
      return false
    } finally {
      setWaits(false)
    }
  }
}
