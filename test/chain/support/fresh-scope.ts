import { env } from 'cloudflare:workers'
import { migrateChain } from '../../../worker/chain/migrate.ts'
import { openScope } from '../../../worker/chain/open-scope.ts'
import type { Scope } from '../../../worker/chain/scope.ts'

declare global {
  namespace Cloudflare {
    interface Env {
      DB: D1Database
    }
  }
}

let tenants = 0

/** Returns a new tenant in the real database, with a clock that advances by one millisecond with every reading. */
export async function freshScope(own: Partial<Scope> = {}): Promise<Scope> {
  await migrateChain(env.DB)
  tenants += 1
  let now = 1_800_000_000_000
  return {
    ...openScope({
      db: env.DB,
      tenant: `tenant-${tenants}`,
      by: 'tests',
      secret: 'a secret that only these tests know of',
      conversations: { transcript: () => Promise.resolve(null) },
    }),
    now: () => (now += 1),
    ...own,
  }
}
