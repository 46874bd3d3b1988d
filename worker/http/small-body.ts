import { createMiddleware } from 'hono/factory'
import { discardBody, readBody } from '../read-body.ts'
import { refused } from './errors.ts'

/**
 * Refuses a request whose body is longer than `most` bytes with `413 too-long`, after it has read the body
 * ([trust-22]).
 */
export function bodyUpTo(most: number) {
  return createMiddleware(async (c, next) => {
    const { raw } = c.req
    if (raw.body === null) return next()
    const body = await readBody(raw, most)
    if (body === null) return refused(c, 'too-long')
    // A request with a body is no GET.
    // oxlint-disable-next-line unicorn/no-invalid-fetch-options
    c.req.raw = new Request(raw, { body })
    return next()
  })
}

/** The limit of almost every route: a body of at most 4 KiB. */
export const smallBody = bodyUpTo(4_096)

/** Reads what is left of a request's body. Otherwise the next request on the same connection would fail. */
export const unreadBodies = createMiddleware(async (c, next) => {
  await next()
  await discardBody(c.req.raw)
})
