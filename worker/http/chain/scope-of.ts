import { databaseOf } from '../../chain/database-of.ts'
import { openScope } from '../../chain/open-scope.ts'
import { erasingIn } from '../../chain/people/erasing-objects.ts'
import type { TranscriptReader, Scope } from '../../chain/scope.ts'
import type { Config } from '../../env.ts'
import type { Bindings } from '../bindings.ts'
import { objectIdOf } from '../session-id.ts'

/**
 * Creates the scope for an HTTP request: access to the data of one tenant, and to no other data.
 *
 * @param db the database; the tenant's, if the caller names no other
 */
export function scopeOf(
  env: Bindings,
  { trust }: Config,
  { tenant, by }: Pick<Scope, 'tenant' | 'by'>,
  db = databaseOf(env, tenant) ?? env.DB,
): Scope {
  const isOwn = tenant === trust.signing.deployment
  const conversations = isOwn ? conversationsOf(env) : NONE
  const erasing = erasingIn(env, isOwn)
  return openScope({ db, tenant, by, secret: trust.learnerSecret, conversations, erasing })
}

/**
 * The transcript reader of every other tenant. It finds no transcript, because all conversations belong to the
 * deployment's own tenant.
 */
const NONE: TranscriptReader = { transcript: () => Promise.resolve(null) }

function conversationsOf({ CONVERSATIONS }: Bindings): TranscriptReader {
  return {
    async transcript(session) {
      const id = objectIdOf(CONVERSATIONS, session)
      return id === null ? null : CONVERSATIONS.get(id).transcript()
    },
  }
}
