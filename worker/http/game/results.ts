import { createFactory } from 'hono/factory'
import * as z from 'zod'
import { readResult } from '../../trust/result.ts'
import type { DoorEnv } from '../bindings.ts'
import { errorBody } from '../errors.ts'
import { smallBody } from '../small-body.ts'
import { malformed } from './refuse-run.ts'

const requestSchema = z.object({ result: z.string() })

const factory = createFactory<DoorEnv>()

/** `POST /api/results {result}`: what a signed result says, as a `ResultView`, to whoever asks; it wakes and looks up nothing. */
export const checkResult = factory.createHandlers(smallBody, async (c) => {
  const read = requestSchema.safeParse(await c.req.json().catch(() => null))
  if (!read.success) return malformed(c, 'Send JSON with the text of a result.')
  const result = await readResult(c.var.config.trust.signing, read.data.result, Date.now())
  if (result === null) return c.json(errorBody('give-up', 'not-genuine', 'This result was not signed here.'), 400)
  return c.json(result)
})
