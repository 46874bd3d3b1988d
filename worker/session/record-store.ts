import type { LogRecord } from '../core/walk/log-record.ts'

/** The only file that speaks the interaction log's SQL. The table is one of the session's, made by its migrations. */
export class RecordStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** Keeps what happened. Called inside the transaction that it happened in; one row whatever number of records. */
  add(records: readonly LogRecord[]): void {
    if (records.length === 0) return
    this.#sql.exec('INSERT INTO records (body) VALUES (?)', JSON.stringify(records))
  }

  /** Everything that was kept, oldest first. */
  all(): readonly LogRecord[] {
    const rows = this.#sql.exec<{ body: string }>('SELECT body FROM records ORDER BY id').toArray()
    return rows.flatMap(({ body }) => JSON.parse(body) as readonly LogRecord[])
  }
}
