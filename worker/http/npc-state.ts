import { createFactory } from 'hono/factory'
import * as z from 'zod'
import type { DoorEnv } from './bindings.ts'
import { errorBody, refused } from './errors.ts'
import { objectIdOf } from './session-id.ts'
import { bodyUpTo } from './small-body.ts'

const node = z.string().min(1).max(200)
const nodes = z.array(node).max(500)

const stateSchema = z.strictObject({
  current_node: node,
  node_turn_count: z.int().min(0).max(1_000),
  nodes_satisfied: nodes,
  node_history: nodes,
  relationship_score: z.int().min(-1_000).max(1_000).optional(),
})

const factory = createFactory<DoorEnv>()

/** `GET /api/admin/sessions/<session>/npc-state`: returns the walk's position as an `NpcState`. */
export const showNpcState = factory.createHandlers(async (c) => {
  const id = objectIdOf(c.env.CONVERSATIONS, c.req.param('session') ?? '')
  const state = id && (await c.env.CONVERSATIONS.get(id).npcState())
  return state ? c.json(state) : refused(c, 'not-found')
})

/**
 * `PUT /api/admin/sessions/<session>/npc-state`: lets the conversation go on from an `NpcState`, and returns the state
 * that it has then.
 */
export const setNpcState = factory.createHandlers(bodyUpTo(65_536), async (c) => {
  const read = stateSchema.safeParse(await c.req.json().catch(() => null))
  if (!read.success)
    return c.json(
      errorBody(
        'give-up',
        'malformed',
        'Send JSON with current_node, node_turn_count, nodes_satisfied and node_history, as GET returns them.',
      ),
      400,
    )
  const id = objectIdOf(c.env.CONVERSATIONS, c.req.param('session') ?? '')
  const object = id && c.env.CONVERSATIONS.get(id)
  const done = object && (await object.setNpcState(read.data))
  if (!done) return refused(c, 'not-found')
  if (done.ok) return c.json(await object.npcState())
  switch (done.why) {
    case 'unknown-node':
      return c.json(errorBody('give-up', done.why, 'The conversation has no such node, or nobody speaks there.'), 422)
    case 'turn-open':
      return c.json(errorBody('retry-after', 'busy', 'A reply is being spoken. Try again when it is done.', 2_000), 409)
    case 'ended':
      return c.json(errorBody('start-over', done.why, 'The conversation has ended.'), 409)
  }
})
