import { createMiddleware } from 'hono/factory'
import { discardBody, readBody } from '../read-body.ts'
import { refused } from './errors.ts'

/**
 * Makes middleware that reads a request's body, and refuses the request with `413 too-long` if the body is longer than
 * `most` bytes ([trust-22]).
 */
export function bodyUpTo(most: number) {
  return createMiddleware(async (c, next) => {
    const { raw } = c.req
    if (raw.body === null) return next()
    const body = await readBody(raw, most)
    if (body === null) return refused(c, 'too-long')
    // The lint rule is against a GET request with a body, but a request with a body is never a GET request.
    // oxlint-disable-next-line unicorn/no-invalid-fetch-options
    c.req.raw = new Request(raw, { body })
    return next()
  })
}

/** The limit of almost every route: a body of at most 4 KiB. */
export const smallBody = bodyUpTo(4_096)

/**
 * Reads and discards what is left of a request's body after the route has run. Otherwise the next request on the same
 * connection would fail.
 */
export const unreadBodies = createMiddleware(async (c, next) => {
  await next()
  await discardBody(c.req.raw)
})
