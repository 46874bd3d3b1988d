import { type Breaker, CLOSED } from './breaker.ts'

/** What a conversation has used so far, and the limits that have refused one of its calls. */
export interface Spending {
  /**
   * When the latest turns began, oldest first, in milliseconds since 1970. Only the turns that the rate limit counts
   * are listed.
   */
  readonly begun: readonly number[]
  /**
   * Tokens used, input and output together. Tokens reserved for a call under way are included, so that they count as
   * used if the object dies.
   */
  readonly tokens: number
  /** The value that the token limit had when the limit last refused a call; null if it never refused a call. */
  readonly full: number | null
  /**
   * The last refusal of a ledger. Before `until`, the conversation calls no ledger, unless the deployment's limits are
   * no longer `limits`.
   */
  readonly spent: { readonly until: number; readonly isOver: boolean; readonly limits: string } | null
  readonly breaker: Breaker
}

const NOTHING_SPENT: Spending = { begun: [], tokens: 0, full: null, spent: null, breaker: CLOSED }

/** Stores what a conversation has spent, in one row of its own tables, so that it survives an eviction. */
export class SpendingStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  read(): Spending {
    const [row] = this.#sql.exec<{ body: string }>('SELECT body FROM spending').toArray()
    return row ? { ...NOTHING_SPENT, ...(JSON.parse(row.body) as Partial<Spending>) } : NOTHING_SPENT
  }

  /**
   * Writes the changed fields. There is no await between reading and writing, so no other change can come in between.
   */
  change(to: (spending: Spending) => Partial<Spending>): void {
    const spending = this.read()
    const body = JSON.stringify({ ...spending, ...to(spending) })
    this.#sql.exec('INSERT INTO spending (id, body) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET body = ?1', body)
  }
}
