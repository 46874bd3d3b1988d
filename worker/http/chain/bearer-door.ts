import { createMiddleware } from 'hono/factory'
import type { Permission } from '../../chain/api/operation.ts'
import { userInAddress } from '../../chain/api/shapes.ts'
import type { OperationName } from '../../chain/api/operations.ts'
import { isGrantable, type GrantReader } from '../../chain/grants/reader.ts'
import { migrateChain } from '../../chain/migrate.ts'
import { type Bearer, findToken, noteUse } from '../../chain/tokens/tokens.ts'
import { DEVELOPMENT_TOKEN } from '../../chain/tokens/token-text.ts'
import type { Config } from '../../env.ts'
import { judgeOrigin } from '../../trust/origin.ts'
import { sameText } from '../../trust/hmac.ts'
import type { Bindings, Found } from '../bindings.ts'
import { refused } from '../errors.ts'
import { answerThrown } from './answer-error.ts'

/** The type parameter for Hono of the chain's routes. */
export interface ChainEnv {
  Bindings: Bindings
  Variables: Found & {
    /** The tenant, name and permissions of the request's token. */
    readonly bearer: Bearer
    /** Who reads, if they may read only what was granted; null for a server of the tenant that acts for itself. */
    readonly reader: GrantReader | null
  }
}

const OWN_PAGES = { self: true, none: true, exact: new Set<string>() } as const

/**
 * Refuses requests from pages of other origins ([api-5]), even if `WALKON_ORIGINS` allows such an origin. Tokens are
 * for servers, and for the operator's page, which has the Worker's own origin.
 */
export const ownPagesOnly = createMiddleware<ChainEnv>(async (c, next) => {
  if (!judgeOrigin(c.req.raw, OWN_PAGES).ok)
    return refused(c, 'forbidden-origin', undefined, 'Only pages of this origin may ask here.')
  await next()
})

/** Makes middleware that admits only requests with a valid token that has the needed permission ([api-6], [api-7]). */
export function bearing(operation: OperationName, needs: Permission) {
  return createMiddleware<ChainEnv>(async function letIn(c, next) {
    const [, text] = /^Bearer ([\x21-\x7e]{1,200})$/i.exec(c.req.header('Authorization') ?? '') ?? []
    let bearer: Bearer | null = null
    try {
      if (text !== undefined) bearer = await bearerOf(c.env.DB, c.var.config, text)
    } catch (error) {
      return answerThrown(c, error, operation)
    }
    if (bearer === null) {
      c.header('WWW-Authenticate', 'Bearer')
      return refused(c, 'not-admitted', undefined, 'Bring a token that is good: `Authorization: Bearer wkn_…`.')
    }
    c.set('bearer', bearer)
    const reader = readerOf(bearer, needs, c.req.header('Walkon-Person'))
    if (reader === 'nobody' || (reader && !isGrantable(operation))) return refused(c, 'not-permitted')
    c.set('reader', reader)
    c.executionCtx.waitUntil(noteUse(c.env.DB, bearer, Date.now()).catch(() => undefined))
    await next()
  })
}

/**
 * Returns who reads: the tenant's own server (null) if its token allows what the operation needs; the person whom a server
 * that may read names in the header `Walkon-Person`; or the token itself, if it allows only what was granted to it.
 */
function readerOf(
  { id, permissions }: Bearer,
  needs: Permission,
  person: string | undefined,
): GrantReader | null | 'nobody' {
  if (person !== undefined) {
    const named = userInAddress().safeParse(decoded(person))
    return named.success && permissions.includes('read') ? { of: 'person', id: named.data } : 'nobody'
  }
  if (permissions.includes(needs)) return null
  return permissions.includes('granted') && id !== null ? { of: 'token', id } : 'nobody'
}

/** Reads a percent-encoded header; '' if it is no such text. */
function decoded(header: string): string {
  try {
    return decodeURIComponent(header)
  } catch {
    return ''
  }
}

async function bearerOf(db: D1Database, { trust }: Config, text: string): Promise<Bearer | null> {
  if (trust.isDevelopment && (await sameText(text, DEVELOPMENT_TOKEN))) {
    const tenant = trust.signing.deployment
    return { tenant, id: null, name: 'development', permissions: ['read', 'write', 'people'], lastUsedDay: null }
  }
  await migrateChain(db)
  return findToken(db, text, Date.now())
}
