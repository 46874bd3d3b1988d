import { DurableObject } from 'cloudflare:workers'
import { type Balance, type Held, type Hold, LedgerStore } from './ledger-store.ts'

/**
 * Time from a ledger's first call until the ledger is deleted, in milliseconds: two days, so that a late settlement
 * still counts.
 */
const KEPT_MS = 2 * 86_400_000

/**
 * The ledger of one account for one day: all the money that a deployment spends, or all the tokens that a learner uses.
 * The ledger stores amounts, but not whose they are.
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

  /** Returns true if the ledger has stored anything. Writes nothing. */
  isThere(): boolean {
    return this.#store.isThere()
  }

  /** Deletes everything that the ledger has stored. Later settlements change nothing. */
  async erase(): Promise<void> {
    this.#isAlarmSet = false
    await this.ctx.storage.deleteAll()
  }

  override async alarm(): Promise<void> {
    this.#isAlarmSet = false
    await this.ctx.storage.deleteAll()
  }

  /**
   * Sets the alarm that deletes the ledger, unless the alarm is set already. Each instance of the object checks that
   * once.
   */
  async #keepUntil(at: number): Promise<void> {
    if (this.#isAlarmSet) return
    this.#isAlarmSet = true
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(at)
  }
}
