import { useCallback, useEffect, useState } from 'preact/hooks'
import { problemOf } from '../run-api.ts'
import type { RunApiError } from '../run-api.ts'

/** The result of a request: a value or a problem. Both are null while the page waits for the answer. */
export interface LoadResult<T> {
  readonly value: T | null
  readonly problem: RunApiError | null
}

/** Sends a request when the screen opens and when `about` changes. `again` repeats the request. */
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
    // The list of dependencies omits `ask`, which is a new function at every render. `about` changes with the request.
  }, [about, round])
  const again = useCallback(() => setRound((before) => before + 1), [])
  return { ...answer, again }
}

const NONE = { value: null, problem: null }
