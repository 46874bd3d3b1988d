import { NOTHING_SPENT, type Spending } from './spending.ts'

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
