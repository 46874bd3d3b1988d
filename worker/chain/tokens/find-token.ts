import type { Permission } from '../api/operation.ts'
import { isGood, readToken, TOKEN_COLUMNS, type TokenRow } from './token.ts'
import { hashOfToken, isTokenText } from './token-text.ts'

/** Whose chain a request is about, by the token it brought. */
export interface Bearer {
  readonly tenant: string
  /** Null for what is no row, such as the development token. */
  readonly id: string | null
  readonly name: string
  readonly permissions: readonly Permission[]
  readonly lastUsedDay: string | null
}

/**
 * Who brings this token; null whether it is none, or was never given, or has ended. One hash and one row, whatever it is:
 * what is compared is the hash, so how long that takes tells nothing of a token that is there.
 *
 * @param now milliseconds since 1970
 */
export async function findToken(db: D1Database, text: string, now: number): Promise<Bearer | null> {
  const hash = await hashOfToken(text)
  if (!isTokenText(text)) return null
  const row = await db
    .prepare(`SELECT tenant, ${TOKEN_COLUMNS} FROM tokens WHERE hash = ?1`)
    .bind(hash)
    .first<TokenRow & { readonly tenant: string }>()
  if (row === null) return null
  const token = readToken(row)
  if (!isGood(token, now)) return null
  return { tenant: row.tenant, ...token }
}
