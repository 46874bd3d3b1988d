import * as z from 'zod'
import type { Cancel, Choose, ConnectAuth, Renew, Retry, Say, Sync, Up } from './messages.ts'

/** The maximum length of a learner's message, in UTF-16 code units. */
export const MAX_TEXT = 2000

/** The most UTF-16 code units of `page`, the text that a page says about itself. The server cuts off the rest. */
export const MAX_PAGE = 2000

/** The maximum length of a credential, in characters; a usual one has about 500. */
const MAX_CREDENTIAL = 2048

const cid = z.string().regex(/^[\w-]{1,64}$/)
const count = z.int().min(0)
const cursor = z.object({ epoch: z.string().min(1).max(64), seq: count })
const have = z.object({ turn: count, attempt: count, offset: count })

/** The schemas of all messages that a client may send, by the name of the event. Unknown fields are dropped. */
export const upSchemas = {
  say: z.object({
    cid,
    text: z.string(),
    page: z.string().exactOptional(),
    resume: z.literal(true).exactOptional(),
  }) satisfies z.ZodType<Say>,
  choose: z.object({
    cid,
    pivot: z.string().min(1).max(64),
    choice: z.string().min(1).max(64),
  }) satisfies z.ZodType<Choose>,
  retry: z.object({ cid, turn: z.int().min(1) }) satisfies z.ZodType<Retry>,
  cancel: z.object({ turn: z.int().min(1) }) satisfies z.ZodType<Cancel>,
  renew: z.object({}) satisfies z.ZodType<Renew>,
  sync: z.object({ cursor: cursor.exactOptional(), have: have.exactOptional() }) satisfies z.ZodType<Sync>,
} satisfies { [K in keyof Up]: z.ZodType<Up[K]> }

/** The schema of the payload of a CONNECT packet. */
export const connectAuthSchema = z.object({
  v: z.int(),
  clientId: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .exactOptional(),
  token: z.string().max(MAX_CREDENTIAL).exactOptional(),
  cursor: cursor.exactOptional(),
  have: have.exactOptional(),
}) satisfies z.ZodType<ConnectAuth>

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never
true satisfies Same<Say, z.infer<typeof upSchemas.say>>
true satisfies Same<Choose, z.infer<typeof upSchemas.choose>>
true satisfies Same<Retry, z.infer<typeof upSchemas.retry>>
true satisfies Same<Cancel, z.infer<typeof upSchemas.cancel>>
true satisfies Same<Sync, z.infer<typeof upSchemas.sync>>
true satisfies Same<ConnectAuth, z.infer<typeof connectAuthSchema>>
