import type { SendEffect } from '../core/walk/event.ts'
import type { OutboxEntry } from './outbox-entry.ts'

/** The state of a message after an attempt. */
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
  /** When it is tried next, while it is pending. */
  readonly due: number
  /** How the last attempt went, by the name of the case. */
  readonly result: string | null
}

/** The only file that speaks the outbox's SQL. The table is one of the session's, made by its migrations. */
export class OutboxStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** Records what a completed turn sends, due at once. Called inside the turn's own transaction. The same id counts once. */
  add(effects: readonly SendEffect[], at: number): void {
    for (const effect of effects) {
      this.#sql.exec(
        "INSERT OR IGNORE INTO outbox (id, effect, at, status, attempts, due) VALUES (?, ?, ?, 'pending', 0, ?)",
        effect.id,
        JSON.stringify(effect),
        at,
        at,
      )
    }
  }

  /**
   * Takes what is due, oldest first, each for one attempt. Until `leaseEnd` no other attempt gets it: a claim is one
   * statement, and the platform lets no request out before it is durable.
   */
  claim(now: number, leaseEnd: number, limit: number): readonly OutboxEntry[] {
    if (limit <= 0) return []
    const rows = this.#sql
      .exec<{ effect: string; at: number; attempts: number }>(
        `UPDATE outbox SET attempts = attempts + 1, due = ? WHERE id IN (
           SELECT id FROM outbox WHERE status = 'pending' AND due <= ? ORDER BY due, at, id LIMIT ?
         ) RETURNING effect, at, attempts`,
        leaseEnd,
        now,
        limit,
      )
      .toArray()
    return rows.map(({ effect, at, attempts }) => ({ effect: JSON.parse(effect) as SendEffect, at, attempt: attempts }))
  }

  /** Writes an attempt's result, unless a later attempt has claimed the message. */
  settle({ effect, attempt }: OutboxEntry, settled: Settled): void {
    this.#sql.exec(
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

  /** When something is to be tried next, in milliseconds since 1970; null when nothing waits. */
  nextDue(): number | null {
    return this.#sql.exec<{ due: number | null }>("SELECT min(due) AS due FROM outbox WHERE status = 'pending'").one()
      .due
  }

  /** The delivery state of every message, oldest first, without the content. */
  all(): readonly SendState[] {
    const columns = 'id, at, status, attempts, due, result'
    return this.#sql
      .exec<Record<string, SqlStorageValue>>(`SELECT ${columns} FROM outbox ORDER BY at, id`)
      .toArray() as unknown[] as SendState[]
  }

  isGone(destination: string): boolean {
    const query = "SELECT 1 FROM outbox WHERE status = 'gone' AND destination = ? LIMIT 1"
    return this.#sql.exec(query, destination).toArray().length > 0
  }
}
