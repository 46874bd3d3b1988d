/**
 * Erasures, with their progress and counts. `step` names the step that runs, and `cursor` the last record that it has
 * handled; each piece of work updates `step` and `cursor` in its own transaction. No row has a person's name: `subject`
 * is a keyed hash (`subjectOf`). A person may have several names, and `erasure_subjects` has a row for each name.
 */
export const ERASURE_TABLES: readonly string[] = [
  `CREATE TABLE erasures (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('running', 'done')),
    mode TEXT NOT NULL CHECK (mode IN ('preserve', 'subtree')),
    -- What is being done, and after what it goes on; written with what was done.
    step TEXT NOT NULL,
    cursor TEXT NOT NULL,
    requested_at INTEGER NOT NULL,
    done_at INTEGER,
    sessions INTEGER NOT NULL DEFAULT 0,
    ledgers INTEGER NOT NULL DEFAULT 0,
    deleted INTEGER NOT NULL DEFAULT 0,
    reparented INTEGER NOT NULL DEFAULT 0,
    promoted INTEGER NOT NULL DEFAULT 0,
    scrubbed INTEGER NOT NULL DEFAULT 0,
    memories INTEGER NOT NULL DEFAULT 0,
    facts INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, id)
  ) WITHOUT ROWID`,
  `CREATE TABLE erasure_subjects (
    tenant TEXT NOT NULL,
    subject TEXT NOT NULL,
    requested_at INTEGER NOT NULL,
    erasure TEXT NOT NULL,
    PRIMARY KEY (tenant, subject, requested_at, erasure)
  ) WITHOUT ROWID`,
]
