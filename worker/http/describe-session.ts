import { createFactory } from 'hono/factory'
import * as z from 'zod'
import { clean } from '../core/text/clean.ts'
import type { DoorEnv } from './bindings.ts'
import { errorBody, refused } from './errors.ts'
import { heldSession } from './give-credentials.ts'
import { objectIdOf } from './session-id.ts'
import { smallBody } from './small-body.ts'

const line = (most: number) =>
  z
    .string()
    .max(most)
    .transform((text) => clean(text).replace(/\s+/g, ' ').trim())

const descriptionSchema = z.object({
  metadata: z
    .strictObject({
      title: line(200).refine((title) => title !== ''),
      description: line(1_000),
      tags: z.array(line(50).refine((tag) => tag !== '')).max(20),
      is_pinned: z.boolean(),
      is_archived: z.boolean(),
    })
    .partial()
    .optional(),
})

const factory = createFactory<DoorEnv>()

/**
 * `POST /api/sessions/<session>/metadata {key, identity?, metadata?}`: changes the given fields of what a person has
 * written about a conversation with an assistant, for whoever may exchange its key, and returns `200 {metadata}`
 * ([assistant-22]).
 */
export const describeSession = factory.createHandlers(smallBody, async (c) => {
  const held = await heldSession(c, Date.now())
  if (held instanceof Response) return held
  const read = descriptionSchema.safeParse(await c.req.json().catch(() => null))
  if (!read.success)
    return c.json(
      errorBody(
        'give-up',
        'malformed',
        'metadata may have title, description, tags, is_pinned and is_archived: texts of one line, at most 20 tags.',
      ),
      400,
    )
  const id = objectIdOf(c.env.CONVERSATIONS, held.session)
  if (id === null) return refused(c, 'not-admitted')
  const object = c.env.CONVERSATIONS.get(id)
  const epoch = await object.revocations()
  // A key of an earlier epoch was revoked.
  if (epoch !== null && epoch !== held.key.ep) return refused(c, 'not-admitted')
  const metadata = await object.describe(read.data.metadata ?? {})
  return metadata ? c.json({ metadata }, 200) : refused(c, 'not-found')
})
