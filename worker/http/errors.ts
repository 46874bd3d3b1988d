import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { ConfigError } from '../env.ts'
import { log } from '../log.ts'
import type { NextStep } from '../wire/messages.ts'

/** An error as every HTTP route answers it: what to do next, which case, and a sentence. */
export function errorBody(next: NextStep, code: string, message: string) {
  return { error: { next, code, message } }
}

export function onNotFound(c: Context): Response {
  return c.json(errorBody('give-up', 'not-found', 'There is nothing at this address.'), 404)
}

/** Whatever was thrown becomes a sentence. The cause is logged by name; nothing of it goes out. */
export function onError(error: Error, c: Context): Response {
  if (error instanceof HTTPException) return error.getResponse()
  log('request-failed', { error: error.name, detail: error instanceof ConfigError ? error.message : null })
  return c.json(errorBody('retry-after', 'unavailable', 'That did not work on our side. Try again in a moment.'), 500)
}
