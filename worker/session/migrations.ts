/**
 * The session's tables, as numbered steps. A step that has landed is never edited: objects that ran it do not run it
 * again. No secondary indexes: each would be one more row written, and every question here is asked by primary key.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE session (id INTEGER PRIMARY KEY CHECK (id = 1), info TEXT NOT NULL, walk TEXT NOT NULL);
  CREATE TABLE events (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL);
  CREATE TABLE inbox (cid TEXT PRIMARY KEY, acknowledgement TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE turns (
    id INTEGER PRIMARY KEY,
    attempt INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed')),
    cid TEXT NOT NULL,
    learner TEXT NOT NULL,
    lease INTEGER NOT NULL,
    report TEXT,
    quality TEXT,
    trace TEXT
  );
  `,
  `
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
  `,
  `
  CREATE TABLE records (id INTEGER PRIMARY KEY, body TEXT NOT NULL);
  `,
  // Turns of before were told, and kept nothing on their way; a running one of theirs begins anew.
  `
  ALTER TABLE turns ADD COLUMN page TEXT;
  ALTER TABLE turns ADD COLUMN loop TEXT;
  ALTER TABLE turns ADD COLUMN told INTEGER NOT NULL DEFAULT 1;
  `,
  `
  CREATE TABLE spending (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL);
  `,
  `
  CREATE TABLE revocation (id INTEGER PRIMARY KEY CHECK (id = 1), epoch INTEGER NOT NULL);
  `,
  // What waits for the chain, and how far that has come; without a row nothing of the conversation is for the chain.
  `
  CREATE TABLE chain_events (number INTEGER PRIMARY KEY, event TEXT NOT NULL);
  CREATE TABLE chain_cursor (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    last INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    due INTEGER
  );
  `,
  // A row from the conversation's end on; `due` is null once what is worth remembering of it has been put away.
  `
  CREATE TABLE remembering (id INTEGER PRIMARY KEY CHECK (id = 1), attempts INTEGER NOT NULL, due INTEGER);
  `,
  // The walk after a turn's end or a choice, beside the last event of it; and what a conversation was pinned to until the log
  // was at `seq`, where it has been taken over to a newer version. A record's `seq` is that of the event it came to be with.
  `
  ALTER TABLE events ADD COLUMN walk TEXT;
  ALTER TABLE records ADD COLUMN seq INTEGER;
  CREATE TABLE earlier (seq INTEGER PRIMARY KEY, info TEXT NOT NULL);
  `,
]
