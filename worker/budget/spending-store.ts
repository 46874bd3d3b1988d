import { type Breaker, CLOSED } from './breaker.ts'

/** What a conversation has used so far, and what it was refused for. */
export interface Spending {
  /** When its latest turns began, oldest first, in milliseconds since 1970: as many as the next one's pace depends on. */
  readonly begun: readonly number[]
  /** In and out, what is held back for a call under way included: if its object dies, that was used. */
  readonly tokens: number
  /** The limit under which a call did not fit into what was left of the tokens; null when none was refused for it. */
  readonly full: number | null
  /** Refused by a ledger, under these limits: the conversation does not ask it again before `until`. */
  readonly spent: { readonly until: number; readonly isOver: boolean; readonly limits: string } | null
  readonly breaker: Breaker
}

const NOTHING_SPENT: Spending = { begun: [], tokens: 0, full: null, spent: null, breaker: CLOSED }

/** What a conversation has spent, in one row of its own tables, so that an eviction forgets none of it. */
export class SpendingStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  read(): Spending {
    const [row] = this.#sql.exec<{ body: string }>('SELECT body FROM spending').toArray()
    return row ? { ...NOTHING_SPENT, ...(JSON.parse(row.body) as Partial<Spending>) } : NOTHING_SPENT
  }

  /** Writes what has changed. Without an await between reading and writing nothing can come in between. */
  change(to: (spending: Spending) => Partial<Spending>): void {
    const spending = this.read()
    const body = JSON.stringify({ ...spending, ...to(spending) })
    this.#sql.exec('INSERT INTO spending (id, body) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET body = ?1', body)
  }
}
