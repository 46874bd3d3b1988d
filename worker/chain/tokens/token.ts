import type { Permission } from '../api/operation.ts'
import type { Value } from '../scope.ts'

/** What is known of a token, but for what it is. Times are milliseconds since 1970. */
export interface TokenRecord {
  readonly id: string
  /** What its tenant's operator calls it; versions say they were made by it. */
  readonly name: string
  readonly permissions: readonly Permission[]
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  /** Such as `2026-11-20`; null while nobody has used it. */
  readonly lastUsedDay: string | null
}

export interface TokenRow {
  readonly [column: string]: Value
  readonly id: string
  readonly name: string
  readonly permissions: string
  readonly created_at: number
  readonly expires_at: number | null
  readonly revoked_at: number | null
  readonly last_used_day: string | null
}

export const TOKEN_COLUMNS = 'id, name, permissions, created_at, expires_at, revoked_at, last_used_day'

export function readToken(row: TokenRow): TokenRecord {
  return {
    id: row.id,
    name: row.name,
    permissions: JSON.parse(row.permissions) as Permission[],
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedDay: row.last_used_day,
  }
}

/** Whether it opens anything now. */
export function isGood({ expiresAt, revokedAt }: TokenRecord, now: number): boolean {
  return revokedAt === null && (expiresAt === null || now < expiresAt)
}
