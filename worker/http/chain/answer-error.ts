import type { Context } from 'hono'
import { CHAIN_ERRORS, ChainError, type ChainErrorCode } from '../../chain/chain-error.ts'
import { log, nameOf } from '../../log.ts'
import { errorBody, refused } from '../errors.ts'
import type { RequestProblem } from './problems.ts'

/** How many seconds a client should wait before a retry, by the code of the refusal. */
const WAITS: { readonly [C in ChainErrorCode]?: number } = { BUSY: 1, ERASURE_RUNNING: 10 }
/** How many seconds a client should wait if the database failed. */
const DATABASE_WAIT = 5

/**
 * Answers an invalid request with a list of all its problems. The answer's status, code and message are those of the
 * first problem.
 */
export function answerProblems(c: Context, problems: readonly [RequestProblem, ...RequestProblem[]]): Response {
  const [{ code, message, pointer }] = problems
  const [status, next] = CHAIN_ERRORS[code]
  const { error } = errorBody(next, code, message)
  return c.json({ error: { ...error, pointer, issues: problems } }, status)
}

/**
 * Answers a request whose operation threw an error. A `ChainError` is a refusal; the client gets its code and its
 * message. After any other error the client gets a general sentence, and the log gets the error's name.
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
