import type { TrustConfig } from '../../trust/trust-config.ts'
import { migrateChain } from '../migrate.ts'
import { openScope } from '../open-scope.ts'
import type { TranscriptReader, Scope } from '../scope.ts'

/** Who writes what conversations bring about, by name. */
export const BY = 'walkon'

/** Nobody who writes for a conversation reads another. */
const NONE: TranscriptReader = { transcript: () => Promise.resolve(null) }

/**
 * The chain as this deployment's own conversations have it, with its tables up to date; null where the deployment has no
 * database for one ([run-4]).
 *
 * @param env the platform's bindings
 */
export async function ownScope(env: object, { signing, learnerSecret }: TrustConfig): Promise<Scope | null> {
  const db = 'DB' in env ? (env.DB as D1Database | undefined) : undefined
  if (!db) return null
  await migrateChain(db)
  return openScope({ db, tenant: signing.deployment, by: BY, secret: learnerSecret, conversations: NONE })
}
