/** What is held back before a call: no more than `amount` of the ledger's unit will be used. */
export interface Hold {
  /** Made by who asks, so that it can settle what it never heard the answer to. */
  readonly id: string
  readonly amount: number
  /** What the ledger may come to. With the request, since a deployment may change it in the middle of a day. */
  readonly limit: number
  /** When it counts as used whole, in milliseconds since 1970: its holder has died. */
  readonly expires: number
}

/**
 * `crowded`: what others hold is in the way, and some of it may come back. `over`: not even if all of it did.
 */
export type Held = 'held' | 'crowded' | 'over'

/** What a ledger has come to, in its unit. Together they never pass the limit, unless more was used than was held. */
export interface Balance {
  readonly used: number
  readonly held: number
}

/**
 * The books of one account for one day, in whole numbers of its unit. What a call may use at most is held back before
 * it, and what it did use is settled after it; a hold that is never settled counts as used. So however many ask at once, and
 * whichever object dies, what was used is at most what the ledger says.
 *
 * Every method is one synchronous transaction.
 */
export class LedgerStore {
  readonly #storage: DurableObjectStorage
  readonly #sql: SqlStorage

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
    this.#sql = storage.sql
  }

  /** @throws RangeError when an amount is no whole number from 0. */
  hold({ id, amount, limit, expires }: Hold, now: number): Held {
    checkAmount(amount)
    return this.#storage.transactionSync(() => {
      this.#prepare()
      if (this.#heldBy(id) !== null) return 'held'
      if (this.#fits(amount, limit)) {
        this.#sql.exec('INSERT INTO holds (id, amount, expires) VALUES (?, ?, ?)', id, amount, expires)
        this.#sql.exec('UPDATE balance SET held = held + ?', amount)
        return 'held'
      }
      // This reads every hold. Only a ledger that refuses a call pays for it.
      this.#expire(now)
      return this.balance().used + amount > limit ? 'over' : 'crowded'
    })
  }

  /**
   * Settles a hold with what was used. The second time, or after it has expired, it changes nothing: what it held was
   * used then.
   *
   * @throws RangeError when the amount is no whole number from 0.
   */
  settle(id: string, amount: number, now: number): void {
    checkAmount(amount)
    this.#storage.transactionSync(() => {
      // Deleted books have no holds, and a late settlement must not open them again.
      if (!this.isThere()) return
      const hold = this.#heldBy(id)
      if (hold === null) return
      const used = hold.expires <= now ? Math.max(hold.amount, amount) : amount
      this.#sql.exec('DELETE FROM holds WHERE id = ?', id)
      this.#sql.exec('UPDATE balance SET used = used + ?, held = held - ?', used, hold.amount)
    })
  }

  balance(): Balance {
    this.#prepare()
    return { ...this.#sql.exec<{ used: number; held: number }>('SELECT used, held FROM balance').one() }
  }

  isThere(): boolean {
    return this.#sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'balance'").toArray().length > 0
  }

  #fits(amount: number, limit: number): boolean {
    const { used, held } = this.balance()
    return used + held + amount <= limit
  }

  #heldBy(id: string): { amount: number; expires: number } | null {
    const [row] = this.#sql
      .exec<{ amount: number; expires: number }>('SELECT amount, expires FROM holds WHERE id = ?', id)
      .toArray()
    return row ?? null
  }

  #expire(now: number): void {
    const { sum } = this.#sql
      .exec<{ sum: number }>('SELECT coalesce(sum(amount), 0) AS sum FROM holds WHERE expires <= ?', now)
      .one()
    if (sum === 0) return
    this.#sql.exec('DELETE FROM holds WHERE expires <= ?', now)
    this.#sql.exec('UPDATE balance SET used = used + ?, held = held - ?', sum, sum)
  }

  /** Makes the tables on the first call, also after the day's books were deleted. */
  #prepare(): void {
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS holds (id TEXT PRIMARY KEY, amount INTEGER NOT NULL, expires INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS balance (id INTEGER PRIMARY KEY CHECK (id = 1), used INTEGER NOT NULL, held INTEGER NOT NULL);
      INSERT OR IGNORE INTO balance (id, used, held) VALUES (1, 0, 0);
    `)
  }
}

function checkAmount(amount: number): void {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError('an amount is a whole number from 0')
}
