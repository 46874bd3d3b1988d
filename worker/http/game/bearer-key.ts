import type { Context } from 'hono'
import { refused } from '../errors.ts'

/** The key that a request brings; undefined when it brings none that could be one. */
export function bearerKey(c: Context): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,2048})$/i.exec(c.req.header('Authorization') ?? '')?.[1]
}

/** The answer to whoever brings no key that is to be believed. */
export function withoutKey(c: Context): Response {
  c.header('WWW-Authenticate', 'Bearer')
  return refused(c, 'not-admitted')
}
