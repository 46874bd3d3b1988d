/**
 * The counters of contexts. Triggers maintain the counters, so that no write can forget them (decisions/0031). The
 * counters count contexts by memory space, status, depth and `leaf` (1 for contexts without children), the children of
 * each context, and the children of each missing parent. A counter of zero has no row, so that the name of an erased
 * memory space does not remain.
 */
export const CONTEXT_COUNTERS: readonly string[] = [
  // `space` is '' in the totals over all spaces.
  `CREATE TABLE context_counts (
    tenant TEXT NOT NULL,
    space TEXT NOT NULL,
    status TEXT NOT NULL,
    depth INTEGER NOT NULL,
    leaf INTEGER NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (tenant, space, status, depth, leaf)
  ) WITHOUT ROWID`,
  `CREATE TABLE missing_parents (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    children INTEGER NOT NULL,
    PRIMARY KEY (tenant, id)
  ) WITHOUT ROWID`,
  // The trigger counts a new context, and then adds the children that were stored before the context. The order
  // matters: the new `child_count` fires `contexts_count_change`, which expects that the context is counted already.
  `CREATE TRIGGER contexts_count_insert AFTER INSERT ON contexts BEGIN
    ${counted('NEW')};
    ${joined('NEW')};
    UPDATE contexts SET child_count = child_count + (
      SELECT children FROM missing_parents WHERE tenant = NEW.tenant AND id = NEW.id)
    WHERE row = NEW.row AND EXISTS (SELECT 1 FROM missing_parents WHERE tenant = NEW.tenant AND id = NEW.id);
    DELETE FROM missing_parents WHERE tenant = NEW.tenant AND id = NEW.id;
  END`,
  `CREATE TRIGGER contexts_count_delete AFTER DELETE ON contexts BEGIN
    ${uncounted('OLD')};
    INSERT INTO missing_parents (tenant, id, children)
      SELECT OLD.tenant, OLD.id, OLD.child_count WHERE OLD.child_count > 0;
    ${left('OLD')};
  END`,
  `CREATE TRIGGER contexts_count_move AFTER UPDATE OF parent_id ON contexts
  WHEN OLD.parent_id IS NOT NEW.parent_id BEGIN
    ${left('OLD')};
    ${joined('NEW')};
  END`,
  `CREATE TRIGGER contexts_count_change AFTER UPDATE OF space, status, depth, child_count ON contexts
  WHEN OLD.space <> NEW.space OR OLD.status <> NEW.status OR OLD.depth <> NEW.depth
    OR (OLD.child_count = 0) <> (NEW.child_count = 0) BEGIN
    ${uncounted('OLD')};
    ${counted('NEW')};
  END`,
]

/** Returns SQL that adds a context to the counters of its space and to the totals. */
function counted(row: 'NEW'): string {
  const kind = `${row}.status, ${row}.depth, ${row}.child_count = 0, 1`
  return `INSERT INTO context_counts (tenant, space, status, depth, leaf, n)
      VALUES (${row}.tenant, '', ${kind}), (${row}.tenant, ${row}.space, ${kind})
      ON CONFLICT DO UPDATE SET n = n + 1`
}

function uncounted(row: 'OLD'): string {
  const kind = `tenant = ${row}.tenant AND space IN ('', ${row}.space) AND status = ${row}.status
      AND depth = ${row}.depth AND leaf = (${row}.child_count = 0)`
  return `UPDATE context_counts SET n = n - 1 WHERE ${kind};
    DELETE FROM context_counts WHERE ${kind} AND n = 0`
}

/** Returns SQL that adds a child to the counter of its parent, even if the parent is missing. */
function joined(row: 'NEW'): string {
  const parent = `tenant = ${row}.tenant AND id = ${row}.parent_id`
  return `UPDATE contexts SET child_count = child_count + 1 WHERE ${parent};
    INSERT INTO missing_parents (tenant, id, children)
      SELECT ${row}.tenant, ${row}.parent_id, 1
      WHERE ${row}.parent_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM contexts WHERE ${parent})
      ON CONFLICT DO UPDATE SET children = children + 1`
}

function left(row: 'OLD'): string {
  const parent = `tenant = ${row}.tenant AND id = ${row}.parent_id`
  return `UPDATE contexts SET child_count = child_count - 1 WHERE ${parent};
    UPDATE missing_parents SET children = children - 1 WHERE ${parent};
    DELETE FROM missing_parents WHERE ${parent} AND children = 0`
}
