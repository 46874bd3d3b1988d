import { useCallback, useEffect, useState } from 'preact/hooks'
import { problemOf } from '../run-api.ts'
import type { RunApiError } from '../run-api.ts'

/** What came of a question to the service. */
export interface LoadResult<T> {
  readonly value: T | null
  readonly problem: RunApiError | null
}

/** Asks when the screen begins and whenever `about` changes; `again` asks again. The answer stays until the next one. */
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
    // `ask` is another function at every drawing, and the same question.
  }, [about, round])
  const again = useCallback(() => setRound((before) => before + 1), [])
  return { ...answer, again }
}

const NONE = { value: null, problem: null }
