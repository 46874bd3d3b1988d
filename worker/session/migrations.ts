/**
 * The SQL steps that create the session's tables. A released step never changes, because an object runs each step only
 * once (docs/reference/compatibility.md). There are no secondary indexes, because each index would add a row to every
 * write, and most queries of the session use the primary key.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE session (id INTEGER PRIMARY KEY CHECK (id = 1), info TEXT NOT NULL, walk TEXT NOT NULL);
  -- walk: the walk after a turn's end or a choice, beside the last event of it, in a simulation.
  CREATE TABLE events (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL, walk TEXT);
  CREATE TABLE inbox (cid TEXT PRIMARY KEY, acknowledgement TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE turns (
    id INTEGER PRIMARY KEY,
    attempt INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed')),
    cid TEXT NOT NULL,
    learner TEXT NOT NULL,
    page TEXT,
    lease INTEGER NOT NULL,
    loop TEXT,
    report TEXT,
    quality TEXT,
    told INTEGER NOT NULL
  );
  -- seq: the event that these records came with.
  CREATE TABLE records (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, body TEXT NOT NULL);
  -- What a conversation was pinned to until its log was at seq, when a newer version took it over.
  CREATE TABLE earlier (seq INTEGER PRIMARY KEY, info TEXT NOT NULL);
  CREATE TABLE outbox (
    id TEXT PRIMARY KEY,
    effect TEXT NOT NULL,
    at INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'dead', 'gone', 'undeliverable')),
    attempts INTEGER NOT NULL,
    due INTEGER NOT NULL,
    result TEXT,
    destination TEXT
  ) WITHOUT ROWID;
  CREATE TABLE spending (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL);
  CREATE TABLE revocation (id INTEGER PRIMARY KEY CHECK (id = 1), epoch INTEGER NOT NULL);
  -- What waits for the chain, and how far it has come. Without a cursor the conversation is part of no run.
  CREATE TABLE chain_events (number INTEGER PRIMARY KEY, event TEXT NOT NULL);
  CREATE TABLE chain_cursor (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    last INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    due INTEGER
  );
  -- A row from the conversation's end on; due is null once its memories are put away.
  CREATE TABLE remembering (id INTEGER PRIMARY KEY CHECK (id = 1), attempts INTEGER NOT NULL, due INTEGER);
  `,
  // What the colleague is told in the turn about the learner's other conversations (`Brought`), until the turn is done.
  'ALTER TABLE turns ADD COLUMN brought TEXT',
  // For assistants. context: the hash of the page with which a message was sent. told: what an agent was told in a turn.
  `
  ALTER TABLE turns ADD COLUMN context TEXT;
  CREATE TABLE assistant (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL);
  CREATE TABLE pages (hash TEXT PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL);
  CREATE TABLE told (turn INTEGER PRIMARY KEY, body TEXT NOT NULL);
  `,
]
