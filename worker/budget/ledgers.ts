import { type BudgetConfig, costOf } from './budget-config.ts'
import type { Held, Hold } from './ledger-store.ts'
import { NO_TOKENS, type Tokens, totalOf } from './tokens.ts'

/** What was held back in every ledger that a call is for. */
export interface Reservation {
  /** Settles it with what the call came to, once. Resolves when every ledger has it. */
  settle(charge: Tokens): Promise<void>
}

export type Reserved =
  | { readonly ok: true; readonly reservation: Reservation }
  /** When it makes sense to ask again, in milliseconds since 1970; `isOver`: not before the day has ended. */
  | { readonly ok: false; readonly until: number; readonly isOver: boolean }

export interface Ledgers {
  /** Holds back, in each ledger, what a call may come to. @throws when a ledger cannot be reached. */
  reserve(most: Tokens): Promise<Reserved>
}

/** A ledger as it is reached from a conversation. */
export interface LedgerStub {
  hold(hold: Hold): Promise<Held>
  settle(id: string, amount: number): Promise<void>
}

export interface LedgersOptions {
  readonly ledger: (name: string) => LedgerStub
  readonly budget: BudgetConfig
  /** The verified learner whose conversation it is, by their id; null for an anonymous learner. */
  readonly learner: () => string | null
  /** The longest that a call can take, in milliseconds. An older hold has lost its caller. */
  readonly leaseMs: number
  readonly now: () => number
}

/** Where what is held by others is all that is in the way, some of it comes back as their calls end. */
const CROWDED_MS = 5_000

/** An account as a call sees it: which ledger, and what tokens come to in its unit. */
interface Account {
  readonly name: string
  readonly limit: number
  amountOf(tokens: Tokens): number
}

/**
 * Holds amounts in the accounts that a call is charged to. The learner's own account comes first, so a learner who has used it
 * up never reaches the deployment's. A call belongs to the day in which it began.
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
        // Before it is asked for: what was held by an answer that got lost is given back too.
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

/** Days before this one whose books may be there still: a ledger throws itself away two days after its first call. */
const DAYS_KEPT = 3

/** The names of all the ledgers that may hold something of a learner. @param at milliseconds since 1970 */
export function learnerLedgers(learner: string, at: number): readonly string[] {
  return Array.from({ length: DAYS_KEPT + 1 }, (_, ago) => learnerLedger(learner, dayOf(at - ago * DAY_MS)))
}

function learnerLedger(learner: string, day: string): string {
  return `learner ${learner} ${day}`
}

const DAY_MS = 86_400_000

/** The day a moment belongs to, in UTC: `2026-11-20`. @param at milliseconds since 1970 */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** When that day ends and the next begins, in milliseconds since 1970. */
export function endOfDay(at: number): number {
  return (Math.floor(at / DAY_MS) + 1) * DAY_MS
}

/**
 * A ledger by its name. The platform keeps the name of an object that is reached by it beside what the object stores,
 * and a learner's ledger is named by the learner; the same object reached by its id has none.
 */
export function ledgerNamed(namespace: DurableObjectNamespace, name: string): DurableObjectStub {
  return namespace.get(namespace.idFromString(namespace.idFromName(name).toString()))
}
