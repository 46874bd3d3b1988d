/**
 * Grants: who besides the tenant's own servers may read a context. Exactly one of `token` and `user_id` names the reader.
 * Not WITHOUT ROWID: SQLite would search such a table by its key for every condition, and read all grants of a tenant.
 * A revoked or expired grant stays in the list until its context or its person is deleted.
 */
export const GRANT_TABLES: readonly string[] = [
  `CREATE TABLE grants (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    context_id TEXT NOT NULL,
    token TEXT,
    user_id TEXT,
    -- A JSON list of names of operations.
    operations TEXT NOT NULL,
    -- 1: also for everything under the context.
    is_under INTEGER NOT NULL,
    made_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    PRIMARY KEY (tenant, id),
    CHECK ((token IS NULL) <> (user_id IS NULL)),
    FOREIGN KEY (tenant, context_id) REFERENCES contexts (tenant, id) ON DELETE CASCADE
  )`,
  'CREATE INDEX grants_by_context ON grants (tenant, context_id, created_at, id)',
  'CREATE INDEX grants_by_token ON grants (tenant, token, created_at, id) WHERE token IS NOT NULL',
  'CREATE INDEX grants_by_user ON grants (tenant, user_id, created_at, id) WHERE user_id IS NOT NULL',
  // For the check of one read: the grants of one reader for one context.
  'CREATE INDEX grants_by_token_context ON grants (tenant, token, context_id) WHERE token IS NOT NULL',
  'CREATE INDEX grants_by_user_context ON grants (tenant, user_id, context_id) WHERE user_id IS NOT NULL',
]
