import type { Context } from 'hono'
import { createFactory } from 'hono/factory'
import * as z from 'zod'
import { verify } from '../trust/credential.ts'
import { issueCredentials, lifeFrom } from '../trust/credentials.ts'
import { identify } from '../trust/identity.ts'
import { verifiedLearner } from '../trust/learner.ts'
import type { TrustConfig } from '../trust/trust-config.ts'
import type { DoorEnv } from './bindings.ts'
import { errorBody, refused } from './errors.ts'
import { smallBody } from './small-body.ts'

const requestSchema = z.object({
  key: z.string(),
  /** The proof of who the learner is, which `identify` checks. */
  identity: z.unknown().optional(),
})

const factory = createFactory<DoorEnv>()

/**
 * `POST /api/sessions/<session>/credentials {key, identity?}`: returns `200 {token, ticket, lastsMs}` for a session's
 * key. The route checks the key's signature and content without waking the conversation's object. Only later, when the
 * client presents the token, the object checks whether the credentials were revoked.
 */
export const giveCredentials = factory.createHandlers(smallBody, async (c) => {
  const { trust } = c.var.config
  const now = Date.now()
  const held = await heldSession(c, now)
  if (held instanceof Response) return held
  const { session, key } = held
  const holder = { session, origin: c.var.origin, epoch: key.ep, learner: key.lrn }
  return c.json(await issueCredentials(trust.signing, trust.lifetimes, holder, lifeFrom(now, key.exp), now), 200)
})

/** Returns the session that a request's key opens, or the answer that refuses the request. */
export async function heldSession(c: Context<DoorEnv>, now: number) {
  const { trust } = c.var.config
  const read = requestSchema.safeParse(await c.req.json().catch(() => null))
  if (!read.success) return c.json(errorBody('give-up', 'malformed', 'Send JSON with the key of the session.'), 400)
  const session = c.req.param('session') ?? ''
  const key = await verify(trust.signing, 'key', { text: read.data.key, session, now })
  if (key === null) return refused(c, 'not-admitted')
  if (!(await isHolder(trust, key.lrn, read.data.identity, now))) return refused(c, 'identity-required')
  return { session, key }
}

/**
 * Returns true if the client may exchange the key for credentials. If the client proves an identity, or the deployment
 * requires one, the identity must be that of the key's learner ([trust-16]). With `WALKON_IDENTITY=optional`, a learner
 * with an identity may also use the key of an anonymous learner.
 */
async function isHolder(trust: TrustConfig, learner: string | undefined, identity: unknown, now: number) {
  const identified = await identify(trust.identity, identity, now)
  if (!identified.ok) return false
  if (identified.user === null) return true
  const { id } = await verifiedLearner(trust.learnerSecret, trust.signing.deployment, identified.user)
  return id === learner || (learner === undefined && trust.identity.mode === 'optional')
}
