import type { TrustConfig } from '../../trust/trust-config.ts'
import { migrateChain } from '../migrate.ts'
import { openScope } from '../open-scope.ts'
import type { TranscriptReader, Scope } from '../scope.ts'

/** The author of the versions that conversations make. */
export const BY = 'walkon'

/** Reads no transcript: writing events needs none. */
const NONE: TranscriptReader = { transcript: () => Promise.resolve(null) }

/**
 * Opens the chain of the deployment's own conversations, with its tables up to date. Returns null without the
 * binding `DB` ([run-4]).
 *
 * @param env the platform's bindings
 */
export async function ownScope(env: object, { signing, learnerSecret }: TrustConfig): Promise<Scope | null> {
  const db = 'DB' in env ? (env.DB as D1Database | undefined) : undefined
  if (!db) return null
  await migrateChain(db)
  return openScope({ db, tenant: signing.deployment, by: BY, secret: learnerSecret, conversations: NONE })
}
