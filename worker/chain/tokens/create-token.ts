import { base64UrlOf } from '../../bytes.ts'
import type { Permission } from '../api/operation.ts'
import { commit } from '../commit.ts'
import { type Scope, statement } from '../scope.ts'
import type { TokenRecord } from './token.ts'
import { hashOfToken, newTokenText } from './token-text.ts'

export interface TokenWish {
  readonly name: string
  readonly permissions: readonly Permission[]
  /** Milliseconds since 1970; null for one that does not end. */
  readonly expiresAt: number | null
}

/** Makes a token. Its text is in this answer and nowhere else, then or later. */
export async function createToken(scope: Scope, wish: TokenWish): Promise<TokenRecord & { readonly token: string }> {
  const token = newTokenText()
  const id = `tok_${base64UrlOf(crypto.getRandomValues(new Uint8Array(12)))}`
  const createdAt = scope.now()
  const write = statement(
    scope,
    `INSERT INTO tokens (tenant, id, name, hash, permissions, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`,
    id,
    wish.name,
    await hashOfToken(token),
    JSON.stringify(wish.permissions),
    createdAt,
    wish.expiresAt,
  )
  await commit(scope, { guards: [], writes: [write] })
  return { token, id, ...wish, createdAt, revokedAt: null, lastUsedDay: null }
}
