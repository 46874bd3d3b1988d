import { bodyLimit } from 'hono/body-limit'
import { refused } from './errors.ts'

/** A request's body holds at most this many bytes. */
const MOST_BYTES = 4096

/** Refuses a larger body while it comes. */
export const smallBody = bodyLimit({ maxSize: MOST_BYTES, onError: (c) => refused(c, 'too-long') })
