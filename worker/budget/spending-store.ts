import { type Breaker, CLOSED } from './breaker.ts'

/** What a conversation has used so far, and the limits that have refused it a call. */
export interface Spending {
  /**
   * When the latest turns began, oldest first, in milliseconds since 1970: as many as the rate limit of the next turn
   * needs.
   */
  readonly begun: readonly number[]
  /**
   * Tokens used, input and output together. They include what is reserved for a call under way: if the object dies,
   * that counts as used.
   */
  readonly tokens: number
  /** The token limit that the conversation had when a call did not fit into it; null if every call did. */
  readonly full: number | null
  /** A ledger's refusal under these limits: the conversation calls no ledger again before `until`. */
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
