import { DurableObject } from 'cloudflare:workers'
import { type Balance, type Held, type Hold, LedgerStore } from './ledger-store.ts'

/** The books of a day are kept for two days from its first call, so that a late settlement still finds them. */
const KEPT_MS = 2 * 86_400_000

/**
 * The ledger of one account and one day, by its name: all that a deployment spends, or all that a learner uses. It knows
 * numbers and nothing else, not even whose they are.
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

  /** Whether there are books to throw away. Writes nothing. */
  isThere(): boolean {
    return this.#store.isThere()
  }

  /** Deletes the books. Later settlements change nothing. */
  async erase(): Promise<void> {
    this.#isAlarmSet = false
    await this.ctx.storage.deleteAll()
  }

  override async alarm(): Promise<void> {
    this.#isAlarmSet = false
    await this.ctx.storage.deleteAll()
  }

  /** Once for each instance: the time of the first call stays. */
  async #keepUntil(at: number): Promise<void> {
    if (this.#isAlarmSet) return
    this.#isAlarmSet = true
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(at)
  }
}
