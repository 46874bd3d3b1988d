/**
 * A run's one conversation with each colleague, for runs that are played to a decision: whoever comes second finds the key
 * taken. A row goes with its run and with its conversation, whoever deletes either.
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
