import { laterRows, laterWrite } from '../later-table.ts'
import { type Breaker, CLOSED } from './breaker.ts'

/** The statement that makes the table, in its newest form. */
export const SPENDING_TABLE =
  'CREATE TABLE IF NOT EXISTS spending (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL)'

/** What a conversation has used so far, and which limits it has reached. */
export interface Spending {
  /**
   * When the latest turns began, oldest first, in milliseconds since 1970: only as many as the limit of turns in a
   * minute needs.
   */
  readonly begun: readonly number[]
  /**
   * Tokens used, input and output together, and tokens reserved for a call under way. If the object dies during the
   * call, the reserved tokens stay counted.
   */
  readonly tokens: number
  /**
   * The token limit that the conversation had when a call last exceeded that limit; null if no call has exceeded it.
   * While the conversation has the same limit, no turn may begin.
   */
  readonly full: number | null
  /**
   * The last refusal of a ledger; null if no ledger has refused a call. Before `until`, no turn may begin, unless the
   * deployment's limits are no longer `limits`.
   */
  readonly spent: { readonly until: number; readonly isOver: boolean; readonly limits: string } | null
  readonly breaker: Breaker
}

const NOTHING_SPENT: Spending = { begun: [], tokens: 0, full: null, spent: null, breaker: CLOSED }

/** Stores what a conversation has spent, in one row of its object's database. */
export class SpendingStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  read(): Spending {
    const [row] = laterRows<{ body: string }>(this.#sql, 'SELECT body FROM spending')
    return row ? { ...NOTHING_SPENT, ...(JSON.parse(row.body) as Partial<Spending>) } : NOTHING_SPENT
  }

  /** Reads what was spent, and writes the fields that `to` returns. */
  change(to: (spending: Spending) => Partial<Spending>): void {
    const spending = this.read()
    const body = JSON.stringify({ ...spending, ...to(spending) })
    const sql = 'INSERT INTO spending (id, body) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET body = ?1'
    laterWrite(this.#sql, SPENDING_TABLE, sql, body)
  }
}
