import type { BudgetConfig } from './budget-config.ts'
import { dayOf, endOfDay } from './day.ts'
import type { Held, Hold } from './ledger-store.ts'
import { costOf } from './money.ts'
import { type Tokens, totalOf } from './tokens.ts'

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
  /** The verified learner whose conversation it is, by the name they have here; null for anybody else. */
  readonly learner: () => string | null
  /** The longest that a call can take, in milliseconds. A hold that is older belongs to nobody. */
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
 * What stands between a call and the accounts it is charged to. A learner's own comes first: whoever has used theirs up
 * does not come near the deployment's. A call belongs to the day it was begun in.
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
        await settle(NOTHING)
        const isOver = answer === 'over'
        return { ok: false, isOver, until: isOver ? endOfDay(at) : at + CROWDED_MS }
      }
      return { ok: true, reservation: { settle } }
    },
  }
}

const NOTHING: Tokens = { input: 0, output: 0 }

async function orGiveBack<T>(asked: Promise<T>, settle: (charge: Tokens) => Promise<void>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    await settle(NOTHING).catch(() => undefined)
    throw error
  }
}

function accountsFor({ money, tokensLearnerDay }: BudgetConfig, learner: string | null, day: string): Account[] {
  const own = { name: `learner ${learner} ${day}`, limit: tokensLearnerDay ?? 0, amountOf: totalOf }
  const whole = money && {
    name: `money ${day}`,
    limit: money.day,
    amountOf: (tokens: Tokens) => costOf(tokens, money.price),
  }
  return [...(learner !== null && tokensLearnerDay !== null ? [own] : []), ...(whole ? [whole] : [])]
}
