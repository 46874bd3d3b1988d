import { DurableObject } from 'cloudflare:workers'
import { type Balance, type Held, type Hold, LedgerStore } from './ledger-store.ts'

/** Time after its first call when a day's ledger is deleted: two days, so that a late settlement still counts. */
const KEPT_MS = 2 * 86_400_000

/**
 * The ledger of one account for one day, addressed by its name: all that a deployment spends, or all that a learner
 * uses. It stores only numbers, and not to whom they belong.
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

  /** Sets the alarm that deletes the ledger, unless it is set already. It checks once per instance. */
  async #keepUntil(at: number): Promise<void> {
    if (this.#isAlarmSet) return
    this.#isAlarmSet = true
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(at)
  }
}
