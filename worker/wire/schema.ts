import * as z from 'zod'
import type {
  Cancel,
  Choose,
  ConnectAuth,
  Lock,
  PageUpdate,
  Permit,
  Renew,
  Retry,
  Say,
  Sync,
  Up,
  ToolAnswer,
  Verdict,
} from './messages.ts'

/** The maximum length of a learner's message, in UTF-16 code units. */
export const MAX_TEXT = 2000

/** The most UTF-16 code units of `page`, the text that a page says about itself. The server cuts off the rest. */
export const MAX_PAGE = 2000

/** The maximum length of a credential, in characters; a usual one has about 500. */
const MAX_CREDENTIAL = 2048

const cid = z.string().regex(/^[\w-]{1,64}$/)
const count = z.int().min(0)
const hash = z.string().regex(/^[0-9a-f]{16}$/)
/** The most UTF-16 code units of the text in an editor that a page may send. */
const MAX_EDITOR = 24_000
/** The most changes of one reply. */
const MAX_VERDICTS = 50
const short = z.string().max(500)
const hits = z.array(z.object({ title: short, url: short, text: z.string().max(2_000) })).max(20)
const pageView = z
  .object({
    editor: z
      .object({
        filename: z.string().min(1).max(200),
        language: z.string().max(40).exactOptional(),
        content: z.string().max(MAX_EDITOR),
        start: count.exactOptional(),
        length: count.exactOptional(),
        editable: z.boolean().exactOptional(),
      })
      .exactOptional(),
    pipeline: z
      .object({
        id: z.string().min(1).max(100),
        title: short,
        summary: z.string().max(2_000),
        preference: z.enum(['prefer', 'ignore']).exactOptional(),
      })
      .exactOptional(),
    text: z.string().max(MAX_PAGE).exactOptional(),
    results: z.object({ local: hits.exactOptional(), web: hits.exactOptional() }).exactOptional(),
    tools: z.array(z.string().max(64)).max(20).exactOptional(),
  })
  .refine(({ editor, pipeline, text }) => [editor, pipeline, text].filter((part) => part !== undefined).length === 1)
const cursor = z.object({ epoch: z.string().min(1).max(64), seq: count })
const have = z.object({ turn: count, attempt: count, offset: count })

/** The schemas of all messages that a client may send, by the name of the event. Unknown fields are dropped. */
export const upSchemas = {
  say: z.object({
    cid,
    text: z.string(),
    page: z.string().exactOptional(),
    context: hash.exactOptional(),
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
  page: z.object({ hash, page: pageView }) satisfies z.ZodType<PageUpdate>,
  permit: z.object({ id: z.string().max(64), answer: z.enum(['once', 'here', 'deny']) }) satisfies z.ZodType<Permit>,
  tool: z.union([
    z.object({ call: z.string().max(64), claim: z.literal(true) }),
    z.object({ call: z.string().max(64), ok: z.boolean(), text: z.string().max(20_000) }),
  ]) satisfies z.ZodType<ToolAnswer>,
  verdict: z.object({
    ids: z.array(z.string().max(64)).min(1).max(MAX_VERDICTS),
    verdict: z.enum(['taken', 'left']),
  }) satisfies z.ZodType<Verdict>,
  lock: z.object({ agent: z.string().min(1).max(64).nullable() }) satisfies z.ZodType<Lock>,
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
  short: z.literal(true).exactOptional(),
}) satisfies z.ZodType<ConnectAuth>

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never
true satisfies Same<Say, z.infer<typeof upSchemas.say>>
true satisfies Same<Choose, z.infer<typeof upSchemas.choose>>
true satisfies Same<Retry, z.infer<typeof upSchemas.retry>>
true satisfies Same<Cancel, z.infer<typeof upSchemas.cancel>>
true satisfies Same<Permit, z.infer<typeof upSchemas.permit>>
true satisfies Same<ToolAnswer, z.infer<typeof upSchemas.tool>>
true satisfies Same<Verdict, z.infer<typeof upSchemas.verdict>>
true satisfies Same<PageUpdate, z.infer<typeof upSchemas.page>>
true satisfies Same<Lock, z.infer<typeof upSchemas.lock>>
true satisfies Same<Sync, z.infer<typeof upSchemas.sync>>
true satisfies Same<ConnectAuth, z.infer<typeof connectAuthSchema>>
