import { createFactory, createMiddleware } from 'hono/factory'
import * as z from 'zod'
import { migrateChain } from '../../chain/migrate.ts'
import { createToken, listTokens, revokeToken } from '../../chain/tokens/tokens.ts'
import type { Scope } from '../../chain/scope.ts'
import type { DoorEnv } from '../bindings.ts'
import { refused } from '../errors.ts'
import { smallBody } from '../small-body.ts'
import { answerProblems } from './answer-error.ts'
import { readRequest } from './read-request.ts'
import { scopeOf } from './scope-of.ts'

interface TokensEnv extends DoorEnv {
  Variables: DoorEnv['Variables'] & { readonly scope: Scope }
}

const factory = createFactory<TokensEnv>()

/** The form of the name of a token or a tenant. */
const NAME = /^[\w.:-]{1,31}$/

const wish = z.strictObject({
  /**
   * The token's name. The log shows this name with each request that uses the token, and the chain stores the name with
   * every change that is made with the token.
   */
  name: z.string().regex(NAME),
  permissions: z
    .array(z.enum(['read', 'write', 'people', 'granted']))
    .min(1)
    .max(4),
  /** The number of days until the token expires. If it is missing, the token never expires. */
  days: z.int().min(1).max(3_660).optional(),
})

const DAY = 86_400_000

/**
 * Sets `scope` (the access to one tenant's data) for the tenant that the path names. The tenant may be any name that
 * the operator chooses, or the deployment's own name.
 */
const ofTenant = createMiddleware<TokensEnv>(async (c, next) => {
  const { config } = c.var
  const tenant = c.req.param('tenant') ?? ''
  if (tenant !== config.trust.signing.deployment && !NAME.test(tenant)) return refused(c, 'not-found')
  // All tenants' tokens are in the shared database, because a token is looked up before its tenant is known.
  await migrateChain(c.env.DB)
  c.set('scope', scopeOf(c.env, config, { tenant, by: 'admin' }, c.env.DB))
  await next()
})

/**
 * `POST /api/admin/tenants/<tenant>/tokens {name, permissions, days?}`: creates a token and returns `201` with the
 * token's text, which is shown only once.
 */
export const giveToken = factory.createHandlers(ofTenant, smallBody, async (c) => {
  const read = await readRequest(c, { params: z.object({}), body: wish })
  if (!read.ok) return answerProblems(c, read.problems)
  const { name, permissions, days } = wish.parse(read.input)
  const { scope } = c.var
  const expiresAt = days === undefined ? null : scope.now() + days * DAY
  return c.json(await createToken(scope, { name, permissions: [...new Set(permissions)], expiresAt }), 201)
})

/** `GET /api/admin/tenants/<tenant>/tokens`: returns all tokens of the tenant, without their texts. */
export const showTokens = factory.createHandlers(ofTenant, async (c) => {
  return c.json({ tokens: await listTokens(c.var.scope) })
})

/** `POST /api/admin/tenants/<tenant>/tokens/<id>/revoke`: revokes the token at once. */
export const endToken = factory.createHandlers(ofTenant, async (c) => {
  const token = await revokeToken(c.var.scope, c.req.param('token') ?? '')
  return token ? c.json(token) : refused(c, 'not-found')
})
