import * as z from 'zod'
import type { Choose, ConnectAuth, Retry, Say, Sync, Up } from './messages.ts'

/** A learner's message holds at most this many UTF-16 code units. */
export const MAX_TEXT = 2000

const cid = z.string().regex(/^[\w-]{1,64}$/)
const count = z.int().min(0)
const cursor = z.object({ epoch: z.string().min(1).max(64), seq: count })
const have = z.object({ turn: count, attempt: count, offset: count })

/** Reads every message a client may send, by the name of its event. Unknown fields are dropped. */
export const upSchemas = {
  say: z.object({ cid, text: z.string() }) satisfies z.ZodType<Say>,
  choose: z.object({
    cid,
    pivot: z.string().min(1).max(64),
    choice: z.string().min(1).max(64),
  }) satisfies z.ZodType<Choose>,
  retry: z.object({ cid, turn: z.int().min(1) }) satisfies z.ZodType<Retry>,
  sync: z.object({ cursor: cursor.exactOptional(), have: have.exactOptional() }) satisfies z.ZodType<Sync>,
} satisfies { [K in keyof Up]: z.ZodType<Up[K]> }

/** Reads the payload of a CONNECT packet. */
export const connectAuthSchema = z.object({
  v: z.int(),
  clientId: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .exactOptional(),
  cursor: cursor.exactOptional(),
  have: have.exactOptional(),
}) satisfies z.ZodType<ConnectAuth>

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never
true satisfies Same<Say, z.infer<typeof upSchemas.say>>
true satisfies Same<Choose, z.infer<typeof upSchemas.choose>>
true satisfies Same<Retry, z.infer<typeof upSchemas.retry>>
true satisfies Same<Sync, z.infer<typeof upSchemas.sync>>
true satisfies Same<ConnectAuth, z.infer<typeof connectAuthSchema>>
