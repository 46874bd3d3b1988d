import type { TrustConfig } from '../../trust/trust-config.ts'
import { databaseOf } from '../database-of.ts'
import { migrateChain } from '../migrate.ts'
import { openScope } from '../open-scope.ts'
import type { TranscriptReader, Scope } from '../scope.ts'

/** The author of the versions that conversations make. */
export const BY = 'walkon'

/** A transcript reader that reads nothing, because writing events needs no transcripts. */
const NONE: TranscriptReader = { transcript: () => Promise.resolve(null) }

/**
 * Creates the scope of the deployment's own conversations, and brings the chain's tables up to date. Returns null if
 * the deployment has no binding `DB` ([run-4]).
 *
 * @param env the platform's bindings
 */
export async function ownScope(env: object, { signing, learnerSecret }: TrustConfig): Promise<Scope | null> {
  const db = databaseOf(env, signing.deployment)
  if (!db) return null
  await migrateChain(db)
  return openScope({ db, tenant: signing.deployment, by: BY, secret: learnerSecret, conversations: NONE })
}
