/**
 * The full-text index of contexts' purposes and descriptions. It stores no text. Its first column is a word for the
 * tenant. Every search also queries for this word, so that it skips other tenants' rows. `secure-delete` removes
 * deleted words at once, not at the next merge.
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

/** Returns the tenant's word, as list-contexts.ts queries for it. */
function owner(row: 'NEW' | 'OLD'): string {
  return `'t' || hex(${row}.tenant)`
}
