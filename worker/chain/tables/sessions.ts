/**
 * `sessions` stores the learner of each conversation, its position in the chain, and the number of its events that the
 * chain has applied. An erasure finds a person's Durable Objects through this table. So a conversation's row is written
 * before its object begins.
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
  // Erased people and conversations. `subject` is a keyed hash, because a stored name would be data about the person.
  // An erased conversation stays erased. The row of a person counts only while `running` is 1.
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

/**
 * The one conversation with each colleague, in a run of a simulation. The primary key lets only the first of two
 * simultaneous requests insert the conversation. If the conversation is a copy, because the run began at a pivot of
 * another run, `from_session` is the original, and `from_seq` the number of the last log entry that was copied. A row
 * is deleted together with its run or its conversation.
 */
export const PLAY_TABLES: readonly string[] = [
  `CREATE TABLE plays (
    tenant TEXT NOT NULL,
    run_id TEXT NOT NULL,
    npc TEXT NOT NULL,
    session TEXT NOT NULL,
    -- What it is a copy of, and how far: the conversation and the last number of its log. Null for one of its own.
    from_session TEXT,
    from_seq INTEGER,
    PRIMARY KEY (tenant, run_id, npc),
    UNIQUE (tenant, session),
    FOREIGN KEY (tenant, run_id) REFERENCES contexts (tenant, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant, session) REFERENCES sessions (tenant, session) ON DELETE CASCADE
  ) WITHOUT ROWID`,
]
