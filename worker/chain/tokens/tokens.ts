import { base64UrlOf } from '../../bytes.ts'
import type { TokenPermission } from '../api/operation.ts'
import { commit } from '../commit.ts'
import { prepared, rows, type Scope, statement, type SqlValue } from '../scope.ts'
import { hashOfToken, isTokenText, newTokenText } from './token-text.ts'

export interface TokenWish {
  readonly name: string
  readonly permissions: readonly TokenPermission[]
  /** When the token expires, in milliseconds since 1970; null if it never expires. */
  readonly expiresAt: number | null
}

/** Creates a token. Only this result contains the token's text. */
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

/** What a valid token tells about its bearer (whoever sends the token). */
export interface Bearer {
  readonly tenant: string
  /** The id of the token's row; null for a token without a row, such as the development token. */
  readonly id: string | null
  readonly name: string
  readonly permissions: readonly TokenPermission[]
  readonly lastUsedDay: string | null
}

/**
 * Returns the tenant and the permissions of a token; null if the text is not a token, or if the token is unknown,
 * expired or revoked. Every text costs one hash. Every text in the form of a token also costs one look-up of its hash.
 * So the response time reveals nothing about stored tokens.
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

/**
 * The most tokens that `listTokens` returns. Revoked tokens stay in the list, so that an operator can find out whose
 * token made a change.
 */
const MOST = 1_000

/** Returns a tenant's tokens, newest first, including expired and revoked ones. */
export async function listTokens(scope: Scope): Promise<readonly TokenRecord[]> {
  const found = await rows<TokenRow>(
    scope,
    `SELECT ${TOKEN_COLUMNS} FROM tokens WHERE tenant = ?1 ORDER BY created_at DESC, id LIMIT ${MOST}`,
  )
  return found.map(readToken)
}

/**
 * Revokes a token. A token that was revoked before keeps its time of revocation. Returns null if the tenant has no such
 * token.
 */
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

/** Stores the day on which a token was last used, with at most one write a day. */
export async function noteUse(db: D1Database, { tenant, id, lastUsedDay }: Bearer, now: number): Promise<void> {
  const today = new Date(now).toISOString().slice(0, 10)
  if (id === null || lastUsedDay === today) return
  const sql = 'UPDATE tokens SET last_used_day = ?3 WHERE tenant = ?1 AND id = ?2'
  await prepared({ db }, statement({ tenant }, sql, id, today)).run()
}

/** A token without its text. Times are milliseconds since 1970. */
export interface TokenRecord {
  readonly id: string
  /** The operator's name for the token, and the author of the versions made with it. */
  readonly name: string
  readonly permissions: readonly TokenPermission[]
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  /** The day of the last use, such as `2026-11-20`; null if the token was never used. */
  readonly lastUsedDay: string | null
}

export interface TokenRow {
  readonly [column: string]: SqlValue
  readonly id: string
  readonly name: string
  readonly permissions: string
  readonly created_at: number
  readonly expires_at: number | null
  readonly revoked_at: number | null
  readonly last_used_day: string | null
}

const TOKEN_COLUMNS = 'id, name, permissions, created_at, expires_at, revoked_at, last_used_day'

function readToken(row: TokenRow): TokenRecord {
  return {
    id: row.id,
    name: row.name,
    permissions: JSON.parse(row.permissions) as TokenPermission[],
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedDay: row.last_used_day,
  }
}

function isGood({ expiresAt, revokedAt }: TokenRecord, now: number): boolean {
  return revokedAt === null && (expiresAt === null || now < expiresAt)
}
