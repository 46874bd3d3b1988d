/**
 * Which conversation belongs to whom and where it stands in the chain: the index of a person's Durable Objects, written
 * before an object is begun, and the cursor of what its conversation has brought into the chain.
 */
export const SESSION_TABLES: readonly string[] = [
  `CREATE TABLE sessions (
    tenant TEXT NOT NULL,
    session TEXT NOT NULL,
    user_id TEXT NOT NULL,
    -- 'verified' or 'anonymous': whether the host's server has vouched for them.
    learner TEXT NOT NULL CHECK (learner IN ('verified', 'anonymous')),
    scenario TEXT NOT NULL,
    npc TEXT NOT NULL,
    run_id TEXT NOT NULL,
    context_id TEXT NOT NULL,
    -- How many of the conversation's events have been applied to the chain.
    applied INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    -- When the learner first said something, and when the conversation ended.
    met_at INTEGER,
    ended_at INTEGER,
    -- When something last happened, for retention.
    active_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, session)
  ) WITHOUT ROWID`,
  'CREATE INDEX sessions_by_user ON sessions (tenant, user_id, scenario, npc)',
  'CREATE INDEX sessions_by_run ON sessions (tenant, run_id, created_at)',
  'CREATE INDEX sessions_by_activity ON sessions (tenant, active_at)',
  // Who has been erased: by a code, since the name itself would not be erased. What was begun before `at` stays gone.
  `CREATE TABLE tombstones (
    tenant TEXT NOT NULL,
    subject TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('person', 'session')),
    at INTEGER NOT NULL,
    -- 1 while the erasure runs: nothing is written for this person meanwhile.
    running INTEGER NOT NULL,
    PRIMARY KEY (tenant, subject)
  ) WITHOUT ROWID`,
]
