import { type BudgetConfig, costOf } from './budget-config.ts'
import type { Held, Hold } from './ledger-store.ts'
import { NO_TOKENS, type Tokens, totalOf } from './tokens.ts'

/** The holds of one call, in every ledger that the call is charged to. */
export interface Reservation {
  /**
   * Settles the holds with the tokens that the call used. Call `settle` once. Its promise resolves when every ledger
   * has stored the settlement.
   */
  settle(charge: Tokens): Promise<void>
}

export type Reserved =
  | { readonly ok: true; readonly reservation: Reservation }
  /**
   * `until`: when a retry may succeed, in milliseconds since 1970. `isOver`: true if no retry can succeed before the
   * day ends.
   */
  | { readonly ok: false; readonly until: number; readonly isOver: boolean }

export interface Ledgers {
  /**
   * Holds, in each ledger, the most that a call may use.
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
  /** The longest that a call to the model can take, in milliseconds. If a hold is older, its caller has died. */
  readonly leaseMs: number
  readonly now: () => number
}

/**
 * Wait before a retry, in milliseconds, when a call would fit into the limit if other calls held nothing. A hold ends
 * with its call.
 */
const CROWDED_MS = 5_000

/**
 * An account that a call is charged to: the name of its ledger, its limit, and a function that converts tokens to the
 * ledger's unit.
 */
interface Account {
  readonly name: string
  readonly limit: number
  amountOf(tokens: Tokens): number
}

/**
 * Creates the ledgers of a conversation. The learner's own account is asked first, so a learner who has used up that
 * account never reaches the deployment's account. A call is charged to the day on which it began.
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
        // The account is listed before the request, so that `settle` also releases a hold whose response was lost.
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

/** Number of past days whose ledgers may still exist: a ledger deletes itself two days after its first call. */
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
 * Returns a ledger by its name, but addresses the object by its id. The platform stores the name of an object that is
 * addressed by name, and the name of a learner's ledger contains the learner's id.
 */
export function ledgerNamed(namespace: DurableObjectNamespace, name: string): DurableObjectStub {
  return namespace.get(namespace.idFromString(namespace.idFromName(name).toString()))
}
