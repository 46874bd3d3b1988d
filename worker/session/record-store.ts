import type { LogRecord } from '../core/walk/log-record.ts'

/** The only file that speaks the interaction log's SQL. The table is one of the session's, made by its migrations. */
export class RecordStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /**
   * Keeps what happened. Called inside the transaction that it happened in; one row whatever number of records.
   *
   * @param seq the number of the event that it came to be with
   */
  add(records: readonly LogRecord[], seq: number): void {
    if (records.length === 0) return
    this.#sql.exec('INSERT INTO records (body, seq) VALUES (?, ?)', JSON.stringify(records), seq)
  }

  /** Everything that was kept, oldest first. */
  all(): readonly LogRecord[] {
    const rows = this.#sql.exec<{ body: string }>('SELECT body FROM records ORDER BY id').toArray()
    return rows.flatMap(({ body }) => JSON.parse(body) as readonly LogRecord[])
  }
}
