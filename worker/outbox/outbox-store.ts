import type { SendEffect } from '../core/walk/event.ts'
import { laterChange, laterRows, laterWrite } from '../later-table.ts'
import type { OutboxEntry } from './outbox-entry.ts'

/** The statement that makes the table, in its newest form. */
export const OUTBOX_TABLE = `CREATE TABLE IF NOT EXISTS outbox (
    id TEXT PRIMARY KEY,
    effect TEXT NOT NULL,
    at INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'dead', 'gone', 'undeliverable')),
    attempts INTEGER NOT NULL,
    due INTEGER NOT NULL,
    result TEXT,
    destination TEXT
  ) WITHOUT ROWID`

/** The state of a message after an attempt to deliver it. */
export type Settled =
  | { readonly status: 'pending'; readonly due: number; readonly result: string }
  | { readonly status: 'delivered' | 'dead' | 'undeliverable'; readonly result: string }
  | { readonly status: 'gone'; readonly destination: string }

/** The delivery state of one message. Times are milliseconds since 1970. */
export interface SendState {
  readonly id: string
  readonly at: number
  readonly status: 'pending' | 'delivered' | 'dead' | 'gone' | 'undeliverable'
  readonly attempts: number
  /** When the next attempt is due, while the message is pending. */
  readonly due: number
  /** The result of the last attempt, such as `delivered` or `timeout`; null if no attempt has ended yet. */
  readonly result: string | null
}

/** Reads and writes the table `outbox`, in which a conversation's messages to other systems are stored. */
export class OutboxStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /**
   * Stores the messages of a completed turn, to be sent at once. The caller must do this in the transaction that ends
   * the turn. A message that is stored already is ignored.
   */
  add(effects: readonly SendEffect[], at: number): void {
    for (const effect of effects) {
      laterWrite(
        this.#sql,
        OUTBOX_TABLE,
        "INSERT OR IGNORE INTO outbox (id, effect, at, status, attempts, due) VALUES (?, ?, ?, 'pending', 0, ?)",
        effect.id,
        JSON.stringify(effect),
        at,
        at,
      )
    }
  }

  /**
   * Claims due messages, oldest first, each for one attempt. Until `leaseEnd`, no other attempt can claim the same
   * messages: the claim is one SQL statement, and the platform lets no request out before the statement's changes are
   * stored.
   */
  claim(now: number, leaseEnd: number, limit: number): readonly OutboxEntry[] {
    if (limit <= 0) return []
    const rows = laterRows<{ effect: string; at: number; attempts: number }>(
      this.#sql,
      `UPDATE outbox SET attempts = attempts + 1, due = ? WHERE id IN (
         SELECT id FROM outbox WHERE status = 'pending' AND due <= ? ORDER BY due, at, id LIMIT ?
       ) RETURNING effect, at, attempts`,
      leaseEnd,
      now,
      limit,
    )
    return rows.map(({ effect, at, attempts }) => ({ effect: JSON.parse(effect) as SendEffect, at, attempt: attempts }))
  }

  /** Writes an attempt's result, unless a later attempt has claimed the message. */
  settle({ effect, attempt }: OutboxEntry, settled: Settled): void {
    laterChange(
      this.#sql,
      `UPDATE outbox SET status = ?, due = coalesce(?, due), result = ?, destination = ?
       WHERE id = ? AND status = 'pending' AND attempts = ?`,
      settled.status,
      settled.status === 'pending' ? settled.due : null,
      settled.status === 'gone' ? 'status-410' : settled.result,
      settled.status === 'gone' ? settled.destination : null,
      effect.id,
      attempt,
    )
  }

  /** Returns when the next attempt is due, in milliseconds since 1970; null if no message is pending. */
  nextDue(): number | null {
    const sql = "SELECT min(due) AS due FROM outbox WHERE status = 'pending'"
    return laterRows<{ due: number | null }>(this.#sql, sql)[0]?.due ?? null
  }

  /** Returns the delivery state of every message, oldest first, without the content. */
  all(): readonly SendState[] {
    const columns = 'id, at, status, attempts, due, result'
    return laterRows(this.#sql, `SELECT ${columns} FROM outbox ORDER BY at, id`) as unknown[] as SendState[]
  }

  isGone(destination: string): boolean {
    const query = "SELECT 1 FROM outbox WHERE status = 'gone' AND destination = ? LIMIT 1"
    return laterRows(this.#sql, query, destination).length > 0
  }
}
