/**
 * The SQL steps that bring the tables of an older object up to date. A released step never changes, because an object
 * runs each step only once (docs/reference/compatibility.md). A new object runs no step: `firstTables` makes the tables
 * that it begins with, and the others are made when they are first written. So a step that changes one of those others
 * has to create it first, as the step before left it. There are no secondary indexes, because each index would add a row
 * to every write, and most queries of the session use the primary key.
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
  // From this version on, an object may lack the tables that it has not written yet. Older objects keep theirs.
  'SELECT 1',
]

/**
 * Returns the statements that make the tables of an object that begins, in their newest form. Tables that are there
 * already stay as they are.
 *
 * @param version the number to store as the schema's version
 */
export function firstTables(version: number = MIGRATIONS.length): string {
  return `
  CREATE TABLE IF NOT EXISTS schema (version INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS session (id INTEGER PRIMARY KEY CHECK (id = 1), info TEXT NOT NULL, walk TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL, walk TEXT);
  INSERT INTO schema (version) SELECT ${version} WHERE NOT EXISTS (SELECT 1 FROM schema)`
}

/** The statements that make the other tables, in their newest form: each runs when its table is first written. */
export const LATER_TABLES = {
  inbox: 'CREATE TABLE IF NOT EXISTS inbox (cid TEXT PRIMARY KEY, acknowledgement TEXT NOT NULL) WITHOUT ROWID',
  turns: `CREATE TABLE IF NOT EXISTS turns (
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
    told INTEGER NOT NULL,
    brought TEXT,
    context TEXT
  )`,
  records: 'CREATE TABLE IF NOT EXISTS records (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, body TEXT NOT NULL)',
  earlier: 'CREATE TABLE IF NOT EXISTS earlier (seq INTEGER PRIMARY KEY, info TEXT NOT NULL)',
  revocation: `CREATE TABLE IF NOT EXISTS revocation (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    epoch INTEGER NOT NULL
  )`,
  chain_events: 'CREATE TABLE IF NOT EXISTS chain_events (number INTEGER PRIMARY KEY, event TEXT NOT NULL)',
  chain_cursor: `CREATE TABLE IF NOT EXISTS chain_cursor (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    last INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    due INTEGER
  )`,
  remembering: `CREATE TABLE IF NOT EXISTS remembering (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    attempts INTEGER NOT NULL,
    due INTEGER
  )`,
  assistant: 'CREATE TABLE IF NOT EXISTS assistant (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL)',
  pages: 'CREATE TABLE IF NOT EXISTS pages (hash TEXT PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL)',
  told: 'CREATE TABLE IF NOT EXISTS told (turn INTEGER PRIMARY KEY, body TEXT NOT NULL)',
} as const
