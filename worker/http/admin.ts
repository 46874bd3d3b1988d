import { createFactory } from 'hono/factory'
import type { ConversationObject } from '../session/session-object.ts'
import { secondsOf } from '../trust/credential.ts'
import { issueKey } from '../trust/credentials.ts'
import type { DoorEnv } from './bindings.ts'
import { refused } from './errors.ts'
import { objectIdOf } from './session-id.ts'
import { turnIn } from './show-told.ts'

const factory = createFactory<DoorEnv>()

/** `GET /api/admin/sessions/<session>`: returns the state of a conversation without its texts. */
export const showSession = factory.createHandlers(async (c) => {
  const overview = await objectOf(c.env, c.req.param('session'))?.overview()
  return overview ? c.json(overview) : refused(c, 'not-found')
})

/**
 * `GET /api/admin/sessions/<session>/log`: returns the whole interaction log with its texts, for operators who may read
 * conversations.
 */
export const showLog = factory.createHandlers(async (c) => {
  const log = await objectOf(c.env, c.req.param('session'))?.interactionLog()
  return log ? c.json(log) : refused(c, 'not-found')
})

/**
 * `GET /api/admin/sessions/<session>/told`: returns what was sent in a turn of an assistant (`?turn=3`), or in the latest
 * 20: each part, the reason why it was told, and what was left out; and in which turns something was sent. For operators
 * who may read conversations.
 */
export const showTold = factory.createHandlers(async (c) => {
  const told = await objectOf(c.env, c.req.param('session'))?.told(turnIn(c.req.query('turn')))
  return told ? c.json(told) : refused(c, 'not-found')
})

/**
 * `GET /api/admin/sessions/<session>/outbox`: returns the delivery state of each outgoing message, without the content.
 */
export const showOutbox = factory.createHandlers(async (c) => {
  const sends = await objectOf(c.env, c.req.param('session'))?.sends()
  return sends ? c.json({ sends }) : refused(c, 'not-found')
})

/**
 * `POST /api/admin/sessions/<session>/revoke`: revokes all credentials of the conversation and closes its sockets.
 * Returns a new key; a client to whom the operator gives this key can continue the conversation.
 */
export const revokeSession = factory.createHandlers(async (c) => {
  const revoked = await objectOf(c.env, c.req.param('session'))?.revoke()
  if (!revoked) return refused(c, 'not-found')
  const { session, epoch, learner } = revoked
  const { signing, lifetimes } = c.var.config.trust
  const now = Date.now()
  const until = secondsOf(now) + lifetimes.key
  return c.json({ session, epoch, key: await issueKey(signing, { session, epoch, learner }, until, now) })
})

/**
 * `GET /api/admin/sessions/<session>/state`: returns the state of a conversation with an assistant, by the field names of
 * the source document, with its texts.
 */
export const showState = factory.createHandlers(async (c) => {
  const state = await objectOf(c.env, c.req.param('session'))?.conversationState()
  return state ? c.json(state) : refused(c, 'not-found')
})

function objectOf(env: DoorEnv['Bindings'], session = ''): DurableObjectStub<ConversationObject> | null {
  const id = objectIdOf(env.CONVERSATIONS, session)
  return id && env.CONVERSATIONS.get(id)
}
