/**
 * The tokens of each tenant, stored only as hashes. A request looks up its token before the tenant is known, so
 * `tokens_by_hash` is the one index that does not begin with the tenant. `last_used_day` stores no time, so that a
 * token in constant use costs one write a day.
 */
export const TOKEN_TABLES: readonly string[] = [
  `CREATE TABLE tokens (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    hash TEXT NOT NULL,
    -- A JSON list of 'read', 'write' and 'people'.
    permissions TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    -- Such as '2026-11-20': that it is used at all is worth a write a day.
    last_used_day TEXT,
    PRIMARY KEY (tenant, id)
  ) WITHOUT ROWID`,
  'CREATE UNIQUE INDEX tokens_by_hash ON tokens (hash)',
]
