import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { ClassView } from '../../../worker/wire/run.ts'
import { problemOf } from '../run-api.ts'
import type { Game } from '../game.ts'
import type { RunApiError } from '../run-api.ts'

/** The time between two requests while the class is visible, in milliseconds. */
const EVERY_MS = 30_000

export interface ClassState {
  readonly value: ClassView | null
  /** When the last answer arrived, in milliseconds since 1970. */
  readonly at: number
  /** Why the last request failed; null if the request succeeded. */
  readonly problem: RunApiError | null
}

interface ClassInUse extends ClassState {
  /** Requests the class. Returns whether the service answered. */
  readonly refresh: () => Promise<boolean>
  /** Shows the class from another answer of the service. A request that is still under way no longer counts. */
  readonly take: (value: ClassView) => void
}

/**
 * Requests the class of a key: at once, when the page becomes visible again, and every half minute while the page is
 * visible. The last answer stays until a newer answer arrives.
 */
export function useClass(game: Game, key: string): ClassInUse {
  const [state, setState] = useState<ClassState>(NOTHING)
  const round = useRef(0)
  const take = (value: ClassView) => {
    round.current += 1
    setState({ value, at: Date.now(), problem: null })
  }
  const refresh = useCallback(async () => {
    const mine = ++round.current
    try {
      const value = await game.api.class(key)
      if (mine === round.current) take(value)
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
  return { ...state, refresh, take }
}

const NOTHING: ClassState = { value: null, at: 0, problem: null }
