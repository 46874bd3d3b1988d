/**
 * The words of contexts' purposes and descriptions, in an index that keeps no text of its own. Its first column is one word
 * that stands for the tenant: asked for together with the others it keeps a search from wading through other tenants'
 * words. What is deleted leaves the index at once and not when its parts are next merged, so that erased words are gone.
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

/** As search-contexts.ts asks for it. */
function owner(row: 'NEW' | 'OLD'): string {
  return `'t' || hex(${row}.tenant)`
}
