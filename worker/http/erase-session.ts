import { createFactory } from 'hono/factory'
import { erasingIn } from '../chain/people/erasing-objects.ts'
import { forgetConversation } from '../chain/people/retain.ts'
import { ownScope } from '../chain/runs/own-scope.ts'
import type { DoorEnv } from './bindings.ts'
import { refused } from './errors.ts'
import { heldSession } from './give-credentials.ts'
import { objectIdOf } from './session-id.ts'
import { smallBody } from './small-body.ts'

const factory = createFactory<DoorEnv>()

/**
 * `POST /api/sessions/<session>/erase {key, identity?}`: deletes the conversation and its data in the chain, for whoever
 * may exchange its key ([trust-24]), and returns `200 {erased: true}`. What was learned about a verified person in other
 * conversations stays.
 */
export const eraseSession = factory.createHandlers(smallBody, async (c) => {
  const held = await heldSession(c, Date.now())
  if (held instanceof Response) return held
  const object = objectIdOf(c.env.CONVERSATIONS, held.session)
  if (object === null) return refused(c, 'not-admitted')
  const epoch = await c.env.CONVERSATIONS.get(object).revocations()
  // A key of an earlier epoch was revoked.
  if (epoch !== null && epoch !== held.key.ep) return refused(c, 'not-admitted')
  const chain = await ownScope(c.env, c.var.config.trust)
  if (chain) await forgetConversation({ ...chain, erasing: erasingIn(c.env, true) }, held.session)
  else await c.env.CONVERSATIONS.get(object).erase()
  return c.json({ erased: true }, 200)
})
