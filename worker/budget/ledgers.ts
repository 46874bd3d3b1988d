import { type BudgetConfig, costOf } from './budget-config.ts'
import type { Held, Hold } from './ledger-store.ts'
import { NO_TOKENS, type Tokens, totalOf } from './tokens.ts'

/** The amounts that are reserved for one call, in every ledger that counts the call. */
export interface Reservation {
  /**
   * Replaces the reserved amounts by what the call used. Must be called only once. Resolves when every ledger has
   * stored the amount.
   */
  settle(charge: Tokens): Promise<void>
}

export type Reserved =
  | { readonly ok: true; readonly reservation: Reservation }
  /**
   * The call does not fit into a limit. `until`: when a retry may succeed, in milliseconds since 1970. `isOver`: true
   * if the day's budget is used up, so that `until` is the end of the day.
   */
  | { readonly ok: false; readonly until: number; readonly isOver: boolean }

export interface Ledgers {
  /**
   * Reserves the most that a call may use, in each ledger.
   * @throws if a ledger cannot be reached
   */
  reserve(most: Tokens): Promise<Reserved>
}

/** The methods of a ledger object that a conversation calls. */
export interface LedgerStub {
  hold(hold: Hold): Promise<Held>
  settle(id: string, amount: number): Promise<void>
}

export interface LedgersOptions {
  readonly ledger: (name: string) => LedgerStub
  readonly budget: BudgetConfig
  /** Returns the id of the conversation's verified learner; null for an anonymous learner. */
  readonly learner: () => string | null
  /** How long a reservation lasts, in milliseconds: longer than any call to the model. */
  readonly leaseMs: number
  readonly now: () => number
}

/**
 * How long to wait before a retry, in milliseconds, if a call would fit without the amounts that are reserved for other
 * calls. Those calls end soon.
 */
const CROWDED_MS = 5_000

interface Account {
  readonly name: string
  readonly limit: number
  amountOf(tokens: Tokens): number
}

/**
 * Creates a conversation's access to its ledgers: the learner's ledger of the day, and the deployment's. The learner's
 * ledger is called first, so a learner who has used up their tokens never reaches the deployment's ledger. A call
 * counts for the day on which it began.
 */
export function createLedgers({ ledger, budget, learner, leaseMs, now }: LedgersOptions): Ledgers {
  return {
    async reserve(most) {
      const at = now()
      const held: { readonly account: Account; readonly id: string }[] = []
      const settle = async (charge: Tokens) => {
        await Promise.all(held.map(({ account, id }) => ledger(account.name).settle(id, account.amountOf(charge))))
      }
      for (const account of accountsFor(budget, learner(), dayOf(at))) {
        const id = crypto.randomUUID()
        // The ledger is added to `held` before it is called, so that `settle` also settles a hold whose response was
        // lost.
        held.push({ account, id })
        const hold = { id, amount: account.amountOf(most), limit: account.limit, expires: at + leaseMs }
        const answer = await orGiveBack(ledger(account.name).hold(hold), settle)
        if (answer === 'held') continue
        await settle(NO_TOKENS)
        const isOver = answer === 'over'
        return { ok: false, isOver, until: isOver ? endOfDay(at) : at + CROWDED_MS }
      }
      return { ok: true, reservation: { settle } }
    },
  }
}

async function orGiveBack<T>(asked: Promise<T>, settle: (charge: Tokens) => Promise<void>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    await settle(NO_TOKENS).catch(() => undefined)
    throw error
  }
}

function accountsFor({ money, tokensLearnerDay }: BudgetConfig, learner: string | null, day: string): Account[] {
  const own = { name: learnerLedger(learner ?? '', day), limit: tokensLearnerDay ?? 0, amountOf: totalOf }
  const whole = money && {
    name: `money ${day}`,
    limit: money.day,
    amountOf: (tokens: Tokens) => costOf(tokens, money.price),
  }
  return [...(learner !== null && tokensLearnerDay !== null ? [own] : []), ...(whole ? [whole] : [])]
}

/** The number of past days whose ledgers may still exist. A ledger deletes itself two days after its first call. */
const DAYS_KEPT = 3

/** Returns the names of all ledgers that may store a learner's usage. @param at milliseconds since 1970 */
export function learnerLedgers(learner: string, at: number): readonly string[] {
  return Array.from({ length: DAYS_KEPT + 1 }, (_, ago) => learnerLedger(learner, dayOf(at - ago * DAY_MS)))
}

function learnerLedger(learner: string, day: string): string {
  return `learner ${learner} ${day}`
}

const DAY_MS = 86_400_000

/** Returns the UTC day of a moment, such as `2026-11-20`. @param at milliseconds since 1970 */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Returns when the UTC day of a moment ends. Both times are in milliseconds since 1970. */
export function endOfDay(at: number): number {
  return (Math.floor(at / DAY_MS) + 1) * DAY_MS
}

/**
 * Returns the Durable Object of a ledger. The object is addressed by an id that is computed from the ledger's name. If
 * it were addressed by the name itself, the platform would store the name, and with it the learner's id.
 */
export function ledgerNamed(namespace: DurableObjectNamespace, name: string): DurableObjectStub {
  return namespace.get(namespace.idFromString(namespace.idFromName(name).toString()))
}
