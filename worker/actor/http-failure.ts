import { readRetryAfter } from '../retry-after.ts'
import { ActorError } from './actor.ts'

/**
 * What a status that is not 2xx means to us ([model-11] to [model-13]). Reads the status and the two headers that say when to
 * come back; never the body, which is the provider's text.
 *
 * @param now milliseconds since 1970
 */
export function httpFailure(response: Response, now: number): ActorError {
  const { status } = response
  const retryAfterMs = readRetryAfter(response.headers, now)
  if (status === 401 || status === 403) return new ActorError('unauthorized', status, retryAfterMs)
  if (status === 429) return new ActorError('rate-limited', status, retryAfterMs)
  return new ActorError('provider-error', status === 0 ? null : status, retryAfterMs)
}
