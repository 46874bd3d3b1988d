// A table costs a page of four kilobytes, and most conversations need only a few. So a table is made when it is first
// written, and until then its reads return nothing. Nothing in memory says whether a table is there: a rollback, an
// erasure or another instance could make that wrong, and SQLite knows.

/** Returns the rows of a query; none if its table was never written. */
export function laterRows<T extends Record<string, SqlStorageValue>>(
  sql: SqlStorage,
  query: string,
  ...bindings: readonly SqlStorageValue[]
): T[] {
  try {
    return sql.exec<T>(query, ...bindings).toArray()
  } catch (error) {
    if (isNoTable(error)) return []
    throw error
  }
}

/** Changes rows of a table, and returns how many rows were written; 0 if the table was never written. */
export function laterChange(sql: SqlStorage, query: string, ...bindings: readonly SqlStorageValue[]): number {
  try {
    return sql.exec(query, ...bindings).rowsWritten
  } catch (error) {
    if (isNoTable(error)) return 0
    throw error
  }
}

/**
 * Writes rows into a table, and makes the table first if it is not there.
 *
 * @param table the statement that creates the table
 */
export function laterWrite(
  sql: SqlStorage,
  table: string,
  query: string,
  ...bindings: readonly SqlStorageValue[]
): number {
  try {
    return sql.exec(query, ...bindings).rowsWritten
  } catch (error) {
    if (!isNoTable(error)) throw error
    sql.exec(table)
    return sql.exec(query, ...bindings).rowsWritten
  }
}

function isNoTable(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('no such table: ')
}
