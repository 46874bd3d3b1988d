/** Work that cannot succeed must not keep its object awake for ever. In milliseconds. */
const LONGEST_MS = 3_600_000

/**
 * The only file that speaks the SQL of what is to be remembered at a conversation's end. The table is one of the session's,
 * made by its migrations, and has a row from the end on.
 */
export class RememberingStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** The conversation has ended. Called inside the transaction that ended it; a second time changes nothing. */
  begin(at: number): void {
    this.#sql.exec('INSERT OR IGNORE INTO remembering (id, attempts, due) VALUES (1, 0, ?)', at)
  }

  /** When it is to be tried, in milliseconds since 1970; null before the end, and once it is done. */
  nextDue(): number | null {
    const [row] = this.#sql.exec<{ due: number | null }>('SELECT due FROM remembering').toArray()
    return row?.due ?? null
  }

  /**
   * Takes it for one attempt, which keeps others off for `leaseMs`, and for twice as long each time after that, up to an hour.
   * Returns its number, from 1; null when it is not due.
   */
  claim(now: number, leaseMs: number): number | null {
    const [row] = this.#sql
      .exec<{ attempts: number }>(
        'UPDATE remembering SET attempts = attempts + 1, due = ? + min(? << min(attempts, 16), ?) WHERE due <= ? RETURNING attempts',
        now,
        leaseMs,
        LONGEST_MS,
        now,
      )
      .toArray()
    return row?.attempts ?? null
  }

  /** It is done. Returns whether it was not done before. */
  settle(): boolean {
    return this.#sql.exec('UPDATE remembering SET due = NULL WHERE due IS NOT NULL').rowsWritten > 0
  }
}
