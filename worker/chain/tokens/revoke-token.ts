import { commit } from '../commit.ts'
import { type Scope, statement } from '../scope.ts'
import { readToken, TOKEN_COLUMNS, type TokenRecord, type TokenRow } from './token.ts'

/** Ends a token at once, or leaves it ended since when it was. Null where the tenant has none by this id. */
export async function revokeToken(scope: Scope, id: string): Promise<TokenRecord | null> {
  const end = statement(
    scope,
    `UPDATE tokens SET revoked_at = coalesce(revoked_at, ?3) WHERE tenant = ?1 AND id = ?2 RETURNING ${TOKEN_COLUMNS}`,
    id,
    scope.now(),
  )
  const done = await commit(scope, { guards: [], writes: [end] })
  const row = done.ok ? done.wrote[0]?.rows[0] : undefined
  return row === undefined ? null : readToken(row as TokenRow)
}
