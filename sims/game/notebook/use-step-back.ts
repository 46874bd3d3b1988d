import { useRef } from 'preact/hooks'
import type { Game } from '../game.ts'
import type { Route } from '../route.ts'

/**
 * The way out of something that has an address of its own within a screen. Whoever came in from the screen takes that step
 * of history back; where a link led straight in, there is none to take back.
 *
 * @param home the screen without it
 * @param isIn whether it is open
 */
export function useStepBack(game: Game, home: Route, isIn: boolean): () => void {
  const wasIn = useRef(isIn)
  const cameIn = useRef(false)
  if (isIn !== wasIn.current) cameIn.current = isIn
  wasIn.current = isIn
  return () => {
    if (cameIn.current) history.back()
    else game.go(home, 'replace')
  }
}
