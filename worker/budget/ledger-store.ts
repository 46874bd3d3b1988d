/**
 * A reservation in a ledger for one call to the model. The call uses at most `amount`, in the ledger's unit: tokens or
 * micro-dollars.
 */
export interface Hold {
  /** The caller chooses this id, so that it can settle the hold even if the ledger's response is lost. */
  readonly id: string
  readonly amount: number
  /**
   * The most that the day's total may reach. Each hold names the limit, because a deployment may change the limit
   * during a day.
   */
  readonly limit: number
  /**
   * When the hold expires, in milliseconds since 1970. A hold that is not settled by then counts as used in full,
   * because its caller has died.
   */
  readonly expires: number
}

/**
 * The result of a hold. `crowded`: the amount does not fit beside the other holds, but may fit after these holds are
 * settled. `over`: the amount would exceed the limit even without other holds.
 */
export type Held = 'held' | 'crowded' | 'over'

/** The totals of a ledger: the amounts of settled calls (`used`), and of calls that are not settled yet (`held`). */
export interface Balance {
  readonly used: number
  readonly held: number
}

/**
 * Counts one day's use of a budget, in whole numbers of its unit. Before a call to the model, the ledger holds
 * (reserves) the most that the call may use. After the call, the caller settles the hold with what the call used. A
 * hold that is never settled counts as used in full. So the ledger never counts less than was used, even if many calls
 * run at once or an object dies.
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

  /**
   * Reserves an amount, unless a hold with the same id exists already.
   *
   * @throws RangeError if the amount is not a whole number from 0
   */
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
      // `#expire` counts the holds of callers that have died as used. It reads every hold, so it runs only when the
      // amount does not fit.
      this.#expire(now)
      return this.balance().used + amount > limit ? 'over' : 'crowded'
    })
  }

  /**
   * Settles a hold with the amount that was used. Changes nothing if the hold is settled already, or was counted as
   * used because it had expired.
   *
   * @throws RangeError if the amount is not a whole number from 0
   */
  settle(id: string, amount: number, now: number): void {
    checkAmount(amount)
    this.#storage.transactionSync(() => {
      // A deleted ledger has no holds, and a late settlement must not create its tables again.
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
