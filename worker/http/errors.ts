import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ConfigError } from '../env.ts'
import { log } from '../log.ts'
import type { NextStep } from '../wire/messages.ts'

/**
 * Returns the body of an error: what the client should do next, the error's code, a sentence for the learner, and how
 * long to wait, if that is known.
 */
export function errorBody(next: NextStep, code: string, message: string, retryAfterMs?: number) {
  return { error: { next, code, message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } }
}

/** The refusals that more than one route gives. */
const REFUSALS = {
  'not-admitted': [401, 'sign-in', 'You are not signed in here any more.'],
  'identity-required': [401, 'sign-in', 'Sign in first: nobody has vouched for you.'],
  'forbidden-origin': [403, 'give-up', 'This page may not open conversations here.'],
  'not-permitted': [403, 'give-up', 'This token does not allow that.'],
  'not-found': [404, 'give-up', 'There is nothing at this address.'],
  'wrong-method': [405, 'give-up', 'This address is not asked so.'],
  'too-long': [413, 'give-up', 'This request is too large.'],
  'wrong-media-type': [415, 'give-up', 'Send JSON, and say so: Content-Type: application/json.'],
  'rate-limited': [429, 'retry-after', 'Those were many requests. Wait a minute, then try again.'],
  'needs-model': [503, 'give-up', 'This simulation needs a language model. Set OPENAI_API_KEY on this server.'],
  unavailable: [500, 'retry-after', 'That did not work on our side. Try again in a moment.'],
} as const satisfies Record<string, readonly [ContentfulStatusCode, NextStep, string]>

/**
 * Returns the HTTP answer for a refusal. A caller may pass a sentence of its own that replaces the refusal's general
 * sentence.
 */
export function refused(
  c: Context,
  code: keyof typeof REFUSALS,
  retryAfterMs?: number,
  sentence: string = REFUSALS[code][2],
): Response {
  const [status, next] = REFUSALS[code]
  return c.json(errorBody(next, code, sentence, retryAfterMs), status)
}

export function onNotFound(c: Context): Response {
  return refused(c, 'not-found')
}

/**
 * Answers a request whose route threw an error. The client gets a general sentence, which says nothing about the error;
 * the log gets the error's name.
 */
export function onError(error: Error, c: Context): Response {
  if (error instanceof HTTPException) return error.getResponse()
  log('request-failed', { error: error.name, detail: error instanceof ConfigError ? error.message : null })
  return refused(c, 'unavailable')
}
