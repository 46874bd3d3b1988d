import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { ClassView } from '../../../worker/wire/run.ts'
import { problemOf } from '../run-api.ts'
import type { Game } from '../game.ts'
import type { RunApiError } from '../run-api.ts'

/** Between two looks at a class that is on the screen. */
const EVERY_MS = 30_000

export interface ClassState {
  readonly value: ClassView | null
  /** When that was got, in milliseconds since 1970. */
  readonly at: number
  /** Why the last look came to nothing. */
  readonly problem: RunApiError | null
}

/**
 * The class behind a key: looked at now, whenever the page comes back to the front, and every half minute while it is seen.
 * What was got stays until there is something newer.
 */
export function useClass(game: Game, key: string): ClassState & { readonly refresh: () => Promise<boolean> } {
  const [state, setState] = useState<ClassState>(NOTHING)
  const round = useRef(0)
  const refresh = useCallback(async () => {
    const mine = ++round.current
    try {
      const value = await game.api.class(key)
      if (mine === round.current) setState({ value, at: Date.now(), problem: null })
      return true
    } catch (error) {
      if (mine === round.current) setState((before) => ({ ...before, problem: problemOf(error) }))
      return false
    }
  }, [game, key])
  useEffect(() => {
    setState(NOTHING)
    void refresh()
    const look = () => {
      if (document.visibilityState === 'visible') void refresh()
    }
    const clock = setInterval(look, EVERY_MS)
    addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      round.current += 1
      clearInterval(clock)
      removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [refresh])
  return { ...state, refresh }
}

const NOTHING: ClassState = { value: null, at: 0, problem: null }
