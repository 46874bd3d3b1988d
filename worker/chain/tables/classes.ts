/**
 * Classes that play a simulation together, and the runs that are played in each. A class stores ids of runs, and no
 * person's name. Anyone who knows the `code` may join the class. If a run is deleted, the database also deletes its row
 * in `class_runs`.
 */
export const CLASS_TABLES: readonly string[] = [
  `CREATE TABLE classes (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    -- What lets a learner join it.
    code TEXT NOT NULL,
    title TEXT NOT NULL,
    scenario TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, id),
    UNIQUE (tenant, code)
  ) WITHOUT ROWID`,
  // This index is for the deletion of old classes.
  'CREATE INDEX classes_by_time ON classes (tenant, created_at)',
  `CREATE TABLE class_runs (
    tenant TEXT NOT NULL,
    class_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    joined_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, class_id, run_id),
    UNIQUE (tenant, run_id),
    FOREIGN KEY (tenant, class_id) REFERENCES classes (tenant, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant, run_id) REFERENCES contexts (tenant, id) ON DELETE CASCADE
  ) WITHOUT ROWID`,
]

/**
 * Who may join: the time at which a class was closed (null while it is open), and the wrong codes that clients have
 * tried. `client` is a keyed hash of a group of network addresses. A row of `wrong_codes` is deleted when it no longer
 * counts ([class-12]).
 */
export const CLASS_DOORS: readonly string[] = [
  'ALTER TABLE classes ADD COLUMN closed_at INTEGER',
  `CREATE TABLE wrong_codes (
    tenant TEXT NOT NULL,
    client TEXT NOT NULL,
    code TEXT NOT NULL,
    tried_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, client, code)
  ) WITHOUT ROWID`,
  'CREATE INDEX wrong_codes_by_time ON wrong_codes (tenant, tried_at)',
]
