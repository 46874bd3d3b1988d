import { DurableObject } from 'cloudflare:workers'
import { type Balance, type Held, type Hold, LedgerStore } from './ledger-store.ts'

/**
 * How long after its first call a ledger is deleted, in milliseconds. A ledger counts one day; on the second day, calls
 * that ran past midnight can still be settled.
 */
const KEPT_MS = 2 * 86_400_000

/**
 * The Durable Object that counts one day's use of a budget: all the money that a deployment spends, or all the tokens
 * that one learner uses. It stores amounts, but not whose they are.
 */
export class LedgerObject extends DurableObject<object> {
  readonly #store: LedgerStore
  #isAlarmSet = false

  constructor(ctx: DurableObjectState, env: object) {
    super(ctx, env)
    this.#store = new LedgerStore(ctx.storage)
  }

  async hold(hold: Hold): Promise<Held> {
    const now = Date.now()
    const held = this.#store.hold(hold, now)
    await this.#keepUntil(now + KEPT_MS)
    return held
  }

  settle(id: string, amount: number): void {
    this.#store.settle(id, amount, Date.now())
  }

  balance(): Balance {
    return this.#store.balance()
  }

  /** Returns true if the ledger has stored anything, without creating its tables. */
  isThere(): boolean {
    return this.#store.isThere()
  }

  /** Deletes everything that the ledger has stored. A settlement that comes later changes nothing. */
  async erase(): Promise<void> {
    this.#isAlarmSet = false
    await this.ctx.storage.deleteAll()
  }

  override async alarm(): Promise<void> {
    this.#isAlarmSet = false
    await this.ctx.storage.deleteAll()
  }

  /** Sets the alarm that deletes the ledger, unless it is set already. */
  async #keepUntil(at: number): Promise<void> {
    if (this.#isAlarmSet) return
    this.#isAlarmSet = true
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(at)
  }
}
