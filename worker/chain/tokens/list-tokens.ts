import { rows, type Scope } from '../scope.ts'
import { readToken, TOKEN_COLUMNS, type TokenRecord, type TokenRow } from './token.ts'

/** Far more than a tenant has servers; revoked ones stay, for whoever looks for who has done something. */
const MOST = 1_000

/** A tenant's tokens, the newest first, also those that have ended. */
export async function listTokens(scope: Scope): Promise<readonly TokenRecord[]> {
  const found = await rows<TokenRow>(
    scope,
    `SELECT ${TOKEN_COLUMNS} FROM tokens WHERE tenant = ?1 ORDER BY created_at DESC, id LIMIT ${MOST}`,
  )
  return found.map(readToken)
}
