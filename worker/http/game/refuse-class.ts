import type { Context } from 'hono'
import { errorBody } from '../errors.ts'

/** A class that is not there, or not any more. */
export function unknownClass(c: Context): Response {
  return c.json(errorBody('give-up', 'unknown-class', 'There is no such class.'), 404)
}
