/**
 * A table that is always empty. `commit` inserts a row only if a guard fails. The constraint refuses the row, which
 * rolls the transaction back.
 */
export const COMMIT_GUARDS: readonly string[] = [
  'CREATE TABLE commit_guards (held INTEGER NOT NULL CONSTRAINT guard_held CHECK (held = 1))',
]

/**
 * Contexts and their earlier states. Children and ancestors are read through `parent_id`. `row` is for the full-text
 * index, which needs row numbers.
 *
 * Triggers and foreign keys store the earlier state of a changed context, activate the contexts that waited for a
 * completed one (`waits_for`), and delete the rows of other tables that belong to a deleted context. The triggers in
 * context-counts.ts keep `child_count`. So no code can forget these writes (decisions/0030).
 */
export const CONTEXT_TABLES: readonly string[] = [
  `CREATE TABLE contexts (
    row INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    parent_id TEXT,
    root_id TEXT NOT NULL,
    depth INTEGER NOT NULL,
    purpose TEXT NOT NULL,
    description TEXT,
    space TEXT NOT NULL,
    user_id TEXT,
    participants TEXT NOT NULL,
    conversation_id TEXT,
    message_ids TEXT,
    data TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'completed', 'cancelled', 'blocked')),
    auto_complete TEXT NOT NULL CHECK (auto_complete IN ('never', 'all-completed', 'all-settled')),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    completed_at INTEGER,
    version INTEGER NOT NULL,
    updated_by TEXT NOT NULL,
    -- The context whose completion makes this one active; null for what waits for nothing.
    waits_for TEXT,
    -- Kept by triggers (context-counts.ts): no write names it.
    child_count INTEGER NOT NULL DEFAULT 0,
    UNIQUE (tenant, id)
  )`,
  // Every list is ordered by time of creation, then row. Each filter has an index with that order.
  'CREATE INDEX contexts_by_time ON contexts (tenant, created_at, row)',
  'CREATE INDEX contexts_by_space ON contexts (tenant, space, created_at, row)',
  'CREATE INDEX contexts_by_space_status ON contexts (tenant, space, status, created_at, row)',
  'CREATE INDEX contexts_by_user ON contexts (tenant, user_id, created_at, row) WHERE user_id IS NOT NULL',
  'CREATE INDEX contexts_by_status ON contexts (tenant, status, created_at, row)',
  'CREATE INDEX contexts_by_parent ON contexts (tenant, parent_id, created_at, row, id) WHERE parent_id IS NOT NULL',
  // This index is for checking in one read whether any child of a context is open.
  `CREATE INDEX contexts_by_parent_status ON contexts (tenant, parent_id, status, created_at, row)
    WHERE parent_id IS NOT NULL`,
  'CREATE INDEX contexts_by_wait ON contexts (tenant, waits_for) WHERE waits_for IS NOT NULL',
  'CREATE INDEX contexts_by_root ON contexts (tenant, root_id, created_at, row)',
  // This index is for finding the approvals of a workflow that wait for the approval above them.
  'CREATE INDEX contexts_by_nested_wait ON contexts (tenant, root_id) WHERE waits_for = parent_id',
  'CREATE INDEX contexts_by_depth ON contexts (tenant, depth, created_at, row)',
  // This index is for counts only, because no list has its order.
  'CREATE INDEX contexts_by_completion ON contexts (tenant, completed_at) WHERE completed_at IS NOT NULL',
  `CREATE INDEX contexts_by_conversation ON contexts (tenant, conversation_id, created_at, row)
    WHERE conversation_id IS NOT NULL`,
  // This table stores earlier states only. The latest state is the context's own row.
  `CREATE TABLE context_versions (
    tenant TEXT NOT NULL,
    context_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    status TEXT NOT NULL,
    purpose TEXT NOT NULL,
    description TEXT,
    data TEXT NOT NULL,
    at INTEGER NOT NULL,
    made_by TEXT NOT NULL,
    PRIMARY KEY (tenant, context_id, version),
    FOREIGN KEY (tenant, context_id) REFERENCES contexts (tenant, id) ON DELETE CASCADE
  ) WITHOUT ROWID`,
  'CREATE INDEX context_versions_by_time ON context_versions (tenant, context_id, at, version)',
  `CREATE TRIGGER contexts_leave_versions AFTER UPDATE OF version ON contexts WHEN new.version <> old.version BEGIN
    INSERT INTO context_versions (tenant, context_id, version, status, purpose, description, data, at, made_by)
    VALUES (old.tenant, old.id, old.version, old.status, old.purpose, old.description, old.data, old.updated_at,
      old.updated_by);
  END`,
  `CREATE TRIGGER contexts_begin_next AFTER UPDATE OF status ON contexts
    WHEN new.status = 'completed' AND old.status <> 'completed' BEGIN
    UPDATE contexts SET status = 'active', version = version + 1, updated_at = max(updated_at, new.updated_at),
      updated_by = new.updated_by
    WHERE tenant = new.tenant AND waits_for = new.id AND status = 'blocked';
  END`,
  // A step that waited for a deleted step now waits for the step before the deleted step.
  `CREATE TRIGGER contexts_close_ranks AFTER DELETE ON contexts BEGIN
    UPDATE contexts SET waits_for = old.waits_for WHERE tenant = old.tenant AND waits_for = old.id;
  END`,
]
