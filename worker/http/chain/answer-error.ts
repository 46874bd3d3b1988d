import type { Context } from 'hono'
import { CHAIN_ERRORS, ChainError, type ChainErrorCode } from '../../chain/chain-error.ts'
import { log, nameOf } from '../../log.ts'
import { errorBody, refused } from '../errors.ts'
import type { RequestProblem } from './problems.ts'

/** How long to wait, in seconds, for what passes by itself. */
const WAITS: { readonly [C in ChainErrorCode]?: number } = { BUSY: 1, ERASURE_RUNNING: 10 }
/** For a database that cannot be asked just now. */
const DATABASE_WAIT = 5

/** A request with something wrong in it: all of it at once, and the first as the error itself. */
export function answerProblems(c: Context, problems: readonly [RequestProblem, ...RequestProblem[]]): Response {
  const [{ code, message, pointer }] = problems
  const [status, next] = CHAIN_ERRORS[code]
  const { error } = errorBody(next, code, message)
  return c.json({ error: { ...error, pointer, issues: problems } }, status)
}

/**
 * What an operation threw, as an answer. A refusal of the chain says what it is; of anything else only its name is logged
 * and nothing goes out.
 */
export function answerThrown(c: Context, error: unknown, operation: string): Response {
  if (error instanceof ChainError) return answerRefusal(c, error)
  const isDatabase = error instanceof Error && /^D1_|D1 DB/.test(error.message)
  log('request-failed', { error: isDatabase ? 'D1' : nameOf(error), operation })
  if (!isDatabase) return refused(c, 'unavailable')
  c.header('Retry-After', String(DATABASE_WAIT))
  return c.json(
    errorBody(
      'retry-after',
      'unavailable',
      'That did not work on our side. Try again in a moment.',
      DATABASE_WAIT * 1_000,
    ),
    503,
  )
}

function answerRefusal(c: Context, { code, message, pointer }: ChainError): Response {
  const [status, next] = CHAIN_ERRORS[code]
  const seconds = WAITS[code]
  if (seconds !== undefined) c.header('Retry-After', String(seconds))
  const { error } = errorBody(next, code, message, seconds === undefined ? undefined : seconds * 1_000)
  return c.json({ error: { ...error, pointer, issues: [{ code, pointer, message }] } }, status)
}
