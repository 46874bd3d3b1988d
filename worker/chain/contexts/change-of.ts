import { dataProblem } from '../api/fits-data.ts'
import { ChainError } from '../chain-error.ts'
import type { ContextStatus, Data } from '../context.ts'
import { mergedData } from './merge-data.ts'
import { mayBecome } from './transitions.ts'

/** What of a context has versions. */
interface Versioned {
  readonly status: ContextStatus
  readonly purpose: string
  readonly description: string | null
  readonly data: Data
}

/** What is asked to change; what is not named stays. */
export interface Updates {
  readonly status?: ContextStatus | undefined
  readonly purpose?: string | undefined
  readonly description?: string | null | undefined
  readonly data?: Data | undefined
}

/** What a context becomes (S2-7), or why it may not. */
export function changeOf(now: Versioned, updates: Updates): Versioned | ChainError {
  const { status = now.status, purpose = now.purpose, description = now.description } = updates
  if (updates.status !== undefined && !mayBecome(now.status, updates.status)) {
    return new ChainError('INVALID_TRANSITION', `Invalid transition: ${now.status} -> ${status}`, '/body/status')
  }
  if (updates.data === undefined) return { status, purpose, description, data: now.data }
  const data = mergedData(now.data, updates.data)
  const problem = dataProblem(data)
  if (problem) return new ChainError(problem, 'merged with what is there, the data is too much', '/body/data')
  return { status, purpose, description, data }
}

export function changesNothing({ status, purpose, description, data }: Updates): boolean {
  return [status, purpose, description, data].every((value) => value === undefined)
}
