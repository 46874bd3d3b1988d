/**
 * Memories and facts. Triggers maintain the full-text index (FTS5), so that the deletion of a memory also deletes its
 * words from the index. A memory's `root_id` is the root of the memory's context. If the context moves to another root,
 * the memory gets the new root.
 *
 * The column `scope` contains a word for the tenant, and a word for each field that a filter may have: the space, the
 * person, the context, the workflow and the conversation, each joined with the tenant. A search queries for the words
 * of its query and of its filter at once, so SQLite reads only memories that have both. A name is written in
 * hexadecimal digits, so that it is one word of the index. The digit 0 at the end keeps the stemmer from changing the
 * word. `memory-where.ts` makes these words for a search. Change both together, or searches find nothing.
 */
export const MEMORY_TABLES: readonly string[] = [
  `CREATE TABLE memories (
    row INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    space TEXT NOT NULL,
    user_id TEXT,
    content TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('said', 'event', 'annotation', 'note')),
    importance INTEGER NOT NULL CHECK (importance BETWEEN 0 AND 100),
    context_id TEXT,
    -- That of the context, and follows it.
    root_id TEXT,
    purpose TEXT,
    conversation_id TEXT,
    message_ids TEXT,
    metadata TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    scope TEXT GENERATED ALWAYS AS (
      't' || hex(tenant) || '0' ||
      ' t' || hex(tenant) || 's' || hex(space) || '0' ||
      coalesce(' t' || hex(tenant) || 'u' || nullif(hex(user_id), '') || '0', '') ||
      coalesce(' t' || hex(tenant) || 'x' || nullif(hex(context_id), '') || '0', '') ||
      coalesce(' t' || hex(tenant) || 'r' || nullif(hex(root_id), '') || '0', '') ||
      coalesce(' t' || hex(tenant) || 'v' || nullif(hex(conversation_id), '') || '0', '')
    ) VIRTUAL,
    UNIQUE (tenant, id)
  )`,
  // Every list is ordered by time of creation, then row. Each filter has an index with that order.
  'CREATE INDEX memories_by_time ON memories (tenant, created_at, row)',
  'CREATE INDEX memories_by_space ON memories (tenant, space, created_at, row)',
  'CREATE INDEX memories_by_user ON memories (tenant, user_id, created_at, row) WHERE user_id IS NOT NULL',
  'CREATE INDEX memories_by_context ON memories (tenant, context_id, created_at, row) WHERE context_id IS NOT NULL',
  'CREATE INDEX memories_by_root ON memories (tenant, root_id, created_at, row) WHERE root_id IS NOT NULL',
  `CREATE INDEX memories_by_conversation ON memories (tenant, conversation_id, created_at, row)
    WHERE conversation_id IS NOT NULL`,
  `CREATE VIRTUAL TABLE memory_words USING fts5 (
    content, scope, content = 'memories', content_rowid = 'row', tokenize = 'porter unicode61 remove_diacritics 2'
  )`,
  // Removes the words of deleted memories from the index at once, not at the next merge.
  "INSERT INTO memory_words (memory_words, rank) VALUES ('secure-delete', 1)",
  `CREATE TRIGGER memories_added AFTER INSERT ON memories BEGIN
    INSERT INTO memory_words (rowid, content, scope) VALUES (new.row, new.content, new.scope);
  END`,
  `CREATE TRIGGER memories_removed AFTER DELETE ON memories BEGIN
    INSERT INTO memory_words (memory_words, rowid, content, scope) VALUES ('delete', old.row, old.content, old.scope);
  END`,
  `CREATE TRIGGER memories_changed
    AFTER UPDATE OF tenant, space, user_id, content, context_id, root_id, conversation_id ON memories BEGIN
    INSERT INTO memory_words (memory_words, rowid, content, scope) VALUES ('delete', old.row, old.content, old.scope);
    INSERT INTO memory_words (rowid, content, scope) VALUES (new.row, new.content, new.scope);
  END`,
  `CREATE TRIGGER memories_follow AFTER UPDATE OF root_id ON contexts WHEN old.root_id <> new.root_id BEGIN
    UPDATE memories SET root_id = new.root_id WHERE tenant = new.tenant AND context_id = new.id;
  END`,
  // If a context is deleted, its memories stay, without the context's id, root and purpose.
  `CREATE TRIGGER memories_outlive AFTER DELETE ON contexts BEGIN
    UPDATE memories SET context_id = NULL, root_id = NULL, purpose = NULL
      WHERE tenant = old.tenant AND context_id = old.id;
  END`,
  `CREATE TABLE facts (
    tenant TEXT NOT NULL,
    user_id TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    source TEXT NOT NULL,
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    at INTEGER NOT NULL,
    PRIMARY KEY (tenant, user_id, key)
  ) WITHOUT ROWID`,
]
