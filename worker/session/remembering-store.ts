import { laterChange, laterRows, laterWrite } from '../later-table.ts'
import { LATER_TABLES } from './migrations.ts'

/**
 * The longest time between two attempts, in milliseconds. The time grows up to this limit, because work that cannot
 * succeed must not keep its object awake.
 */
const LONGEST_MS = 3_600_000

/**
 * Stores whether a conversation's memories are still to be made, in the table `remembering`. The table gets its row
 * when the conversation ends.
 */
export class RememberingStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /**
   * Stores that the conversation's memories are due to be made. Called inside the transaction that ends the
   * conversation; a repeated call changes nothing.
   */
  begin(at: number): void {
    const sql = 'INSERT OR IGNORE INTO remembering (id, attempts, due) VALUES (1, 0, ?)'
    laterWrite(this.#sql, LATER_TABLES.remembering, sql, at)
  }

  /**
   * Returns when the next attempt is due, in milliseconds since 1970; null before the conversation's end, and once the
   * memories are made.
   */
  nextDue(): number | null {
    const [row] = laterRows<{ due: number | null }>(this.#sql, 'SELECT due FROM remembering')
    return row?.due ?? null
  }

  /**
   * Claims the work of making the memories for one attempt. The lease is `leaseMs` for the first attempt and doubles
   * with each attempt, up to an hour. Returns the number of the attempt, from 1; null if the work is not due.
   */
  claim(now: number, leaseMs: number): number | null {
    const [row] = laterRows<{ attempts: number }>(
      this.#sql,
      'UPDATE remembering SET attempts = attempts + 1, due = ? + min(? << min(attempts, 16), ?) WHERE due <= ? RETURNING attempts',
      now,
      leaseMs,
      LONGEST_MS,
      now,
    )
    return row?.attempts ?? null
  }

  /** Marks the memories as made. Returns true if they were not made before. */
  settle(): boolean {
    return laterChange(this.#sql, 'UPDATE remembering SET due = NULL WHERE due IS NOT NULL') > 0
  }
}
