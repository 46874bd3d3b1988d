import { useCallback, useEffect, useState } from 'preact/hooks'
import { problemOf } from '../run-api.ts'
import type { RunApiError } from '../run-api.ts'

/** The result of a request: a value or a problem. Both are null while the page waits for the answer. */
export interface LoadResult<T> {
  readonly value: T | null
  readonly problem: RunApiError | null
}

/**
 * Sends the request `ask` when the screen opens, and again when `about` changes. `about` is a text that names what is
 * requested, such as a signed result. The function `again` in the result repeats the request.
 */
export function useAnswer<T>(ask: () => Promise<T>, about: string): LoadResult<T> & { readonly again: () => void } {
  const [answer, setAnswer] = useState<LoadResult<T>>(NONE)
  const [round, setRound] = useState(0)
  useEffect(() => {
    let isWanted = true
    setAnswer(NONE)
    ask().then(
      (value) => isWanted && setAnswer({ value, problem: null }),
      (error: unknown) => isWanted && setAnswer({ value: null, problem: problemOf(error) }),
    )
    return () => void (isWanted = false)
    // The list of dependencies omits `ask`, which is a new function at every render. `about` changes whenever another
    // thing is requested.
  }, [about, round])
  const again = useCallback(() => setRound((before) => before + 1), [])
  return { ...answer, again }
}

const NONE = { value: null, problem: null }
