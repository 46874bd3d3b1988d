/**
 * The full-text index of contexts' purposes and descriptions. The index stores no text. Its first column contains a
 * word for the tenant. Every search also queries for the tenant's word, so that the search skips other tenants' rows.
 * `secure-delete` removes the words of a deleted context at once, not at the next merge of the index.
 */
export const CONTEXT_WORDS: readonly string[] = [
  `CREATE VIRTUAL TABLE context_text USING fts5(
    owner, purpose, description, content='', tokenize='porter unicode61 remove_diacritics 2')`,
  "INSERT INTO context_text (context_text, rank) VALUES ('secure-delete', 1)",
  `CREATE TRIGGER contexts_text_insert AFTER INSERT ON contexts BEGIN
    ${put('NEW')};
  END`,
  `CREATE TRIGGER contexts_text_delete AFTER DELETE ON contexts BEGIN
    ${take('OLD')};
  END`,
  `CREATE TRIGGER contexts_text_update AFTER UPDATE OF purpose, description ON contexts
  WHEN OLD.purpose <> NEW.purpose OR OLD.description IS NOT NEW.description BEGIN
    ${take('OLD')};
    ${put('NEW')};
  END`,
]

function put(row: 'NEW'): string {
  return `INSERT INTO context_text (rowid, owner, purpose, description)
      VALUES (${row}.row, ${owner(row)}, ${row}.purpose, ${row}.description)`
}

function take(row: 'OLD'): string {
  return `INSERT INTO context_text (context_text, rowid, owner, purpose, description)
      VALUES ('delete', ${row}.row, ${owner(row)}, ${row}.purpose, ${row}.description)`
}

/** Returns SQL for the tenant's word. list-contexts.ts queries for the same word. */
function owner(row: 'NEW' | 'OLD'): string {
  return `'t' || hex(${row}.tenant)`
}
