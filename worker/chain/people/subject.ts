import { hmacHex } from '../../trust/hmac.ts'
import { guard } from '../commit.ts'
import type { Scope, Statement } from '../scope.ts'

/** How a person is called where their own name may not stand: the same in all of the tenant, and no way back. */
export function subjectOf({ secret, tenant }: Pick<Scope, 'secret' | 'tenant'>, userId: string): Promise<string> {
  return hmacHex(secret, JSON.stringify(['subject', tenant, userId]))
}

/** For `commit`: that this conversation was not erased. What it was about to bring in stays out for good. */
export async function notErasedSession(scope: Scope, session: string): Promise<readonly Statement[]> {
  const erased = "EXISTS (SELECT 1 FROM tombstones WHERE tenant = ?1 AND subject = ?2 AND kind = 'session')"
  return [guard(scope, `NOT ${erased}`, await subjectOf(scope, session))]
}
