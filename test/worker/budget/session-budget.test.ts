import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BudgetConfig } from '../../../worker/budget/budget-config.ts'
import { createLedgers, type LedgerStub } from '../../../worker/budget/ledgers.ts'
import { LedgerStore } from '../../../worker/budget/ledger-store.ts'
import { SessionBudget } from '../../../worker/budget/session-budget.ts'
import { SpendingStore } from '../../../worker/budget/spending-store.ts'
import type { Tokens } from '../../../worker/budget/tokens.ts'
import { SessionStore } from '../../../worker/session/session-store.ts'
import { ManualClock } from '../../support/manual-clock.ts'

const MIDNIGHT = Date.UTC(2026, 10, 21)
const ANSWERED = { type: 'answered' } as const
const AWAY = { type: 'turned-away', retryAfterMs: null } as const
const LIMITS: BudgetConfig = {
  turnsMinute: 3,
  turnsSession: 10,
  tokensSession: 1_000,
  tokensLearnerDay: null,
  money: null,
}
/** The price of a million tokens is one dollar, so one token costs one micro-dollar. */
const EACH = { input: 1_000_000, output: 1_000_000 }
const tokens = (input: number, output = 0): Tokens => ({ input, output })
let conversations = 0

/** A conversation's budget and the ledgers, all on real tables, with a clock that only the test advances. */
class World {
  readonly clock = new ManualClock(MIDNIGHT - 3_600_000)
  readonly logs: string[] = []
  readonly asked: string[] = []
  readonly kept: Promise<unknown>[] = []
  /**
   * A call from the conversation to a ledger waits for the promise of `gate`. The ledger's answer waits for the promise
   * of `answerGate`.
   */
  gate: () => Promise<void> = () => Promise.resolve()
  answerGate: () => Promise<void> = () => Promise.resolve()
  settleGate: () => Promise<void> = () => Promise.resolve()
  /** Whether writes to the conversation's own storage fail. */
  isFull = false
  limits: BudgetConfig = LIMITS
  learner: string | null = null
  budget: SessionBudget
  readonly #storage: DurableObjectStorage

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
    this.budget = this.wake()
  }

  /** Creates a new budget on the same tables, as after an eviction. */
  wake(limits: BudgetConfig = this.limits): SessionBudget {
    this.limits = limits
    const now = () => this.clock.now()
    const isShared = limits.money !== null || limits.tokensLearnerDay !== null
    const ledger = (name: string) => this.#ledger(name)
    this.budget = new SessionBudget({
      store: new SpendingStore(this.#sql()),
      limits,
      ledgers: isShared
        ? createLedgers({ ledger, budget: limits, learner: () => this.learner, leaseMs: 60_000, now })
        : null,
      now,
      after: (ms, task) => this.clock.after(ms, task),
      keep: (work) => void this.kept.push(work),
      log: (event) => void this.logs.push(event),
    })
    return this.budget
  }

  reserve(most: Tokens, signal = new AbortController().signal) {
    return this.budget.reserve(most, signal)
  }

  /** Returns the failure if the budget refuses a call, or `none`. */
  async failure(most: Tokens): Promise<unknown> {
    return this.reserve(most).then(
      () => 'none',
      (error: { failure?: unknown }) => error.failure,
    )
  }

  /** Waits for the work that the budget still does after it has answered. */
  async settled(): Promise<void> {
    await Promise.all(this.kept.splice(0))
  }

  async spend(most: Tokens, charge = most): Promise<void> {
    const held = await this.reserve(most)
    held.settle(charge, ANSWERED)
    await this.settled()
  }

  /** Returns a ledger by name. All ledgers have their tables in one database, because a test gets only one. */
  books(name: string): LedgerStore {
    const table = (query: string) => query.replace(/\b(holds|balance)\b/g, `$1_${name.replace(/\W/g, '_')}`)
    const { sql } = this.#storage
    const named = { exec: (query: string, ...bindings: unknown[]) => sql.exec(table(query), ...bindings) }
    const transactionSync = <T>(run: () => T) => this.#storage.transactionSync(run)
    return new LedgerStore({ sql: named, transactionSync } as unknown as DurableObjectStorage)
  }

  used(): number {
    return new SpendingStore(this.#storage.sql).read().tokens
  }

  forget(): void {
    new SpendingStore(this.#storage.sql).change(() => ({ tokens: 0, full: null }))
  }

  #sql(): SqlStorage {
    const { sql } = this.#storage
    const exec = (query: string, ...bindings: unknown[]) => {
      if (this.isFull && query.startsWith('INSERT')) throw new Error('database or disk is full: SQLITE_FULL')
      return sql.exec(query, ...bindings)
    }
    return { exec } as unknown as SqlStorage
  }

  #ledger(name: string): LedgerStub {
    return {
      hold: async (hold) => {
        this.asked.push(name)
        await this.gate()
        const held = this.books(name).hold(hold, this.clock.now())
        await this.answerGate()
        return held
      },
      settle: async (id, amount) => {
        await this.settleGate()
        this.books(name).settle(id, amount, this.clock.now())
      },
    }
  }
}

async function inWorld(act: (world: World) => Promise<void>): Promise<void> {
  const object = env.ECHO.getByName(`budget-${++conversations}`)
  await runInDurableObject(object, async (_, { storage }) => {
    new SessionStore(storage).migrate()
    await act(new World(storage))
  })
}

describe('a conversation by itself', () => {
  it('[budget-1] [budget-2] is refused when it is too fast or too long, and an eviction forgets nothing', () =>
    inWorld(async (world) => {
      for (let i = 0; i < 3; i++) {
        expect(world.budget.refusal(i)).toBeNull()
        world.budget.turnBegins()
        world.clock.advance(1_000)
      }
      world.wake()
      expect(world.budget.refusal(3)).toEqual({ code: 'too-fast', retryAfterMs: 57_000 })
      world.clock.advance(56_999)
      expect(world.budget.refusal(3)).toEqual({ code: 'too-fast', retryAfterMs: 1 })
      world.clock.advance(1)
      expect(world.budget.refusal(3)).toBeNull()
      expect(world.budget.refusal(10)).toEqual({ code: 'too-many-turns', retryAfterMs: undefined })
    }))

  it('[budget-1] [budget-15] a clock that is set back costs a minute, or one call, and not the time until it is where it was', () =>
    inWorld(async (world) => {
      for (let i = 0; i < 3; i++) world.budget.turnBegins()
      for (let i = 0; i < 3; i++) (await world.reserve(tokens(9))).settle(tokens(0), AWAY)
      world.clock.advance(-3_600_000)
      expect(world.budget.refusal(3)).toEqual({ code: 'too-fast', retryAfterMs: 60_000 })
      expect(await world.failure(tokens(9))).toBe('none')
      world.clock.advance(59_999)
      expect(world.budget.refusal(3)).toEqual({ code: 'too-fast', retryAfterMs: 1 })
      world.clock.advance(1)
      expect(world.budget.refusal(3)).toBeNull()
    }))

  it('[budget-5] has its tokens and not one more, and starts over when a call does not fit', () =>
    inWorld(async (world) => {
      await world.spend(tokens(500), tokens(200, 300))
      await world.spend(tokens(400, 100), tokens(399))
      expect(world.used()).toBe(899)
      const last = await world.reserve(tokens(100, 1))
      expect(await world.failure(tokens(1))).toBe('spent')
      last.settle(tokens(1), ANSWERED)
      expect(world.budget.refusal(1)).toEqual({ code: 'too-many-turns', retryAfterMs: undefined })
      world.wake({ ...LIMITS, tokensSession: 2_000 })
      expect(world.budget.refusal(1)).toBeNull()
    }))

  it('[budget-8] a call whose object died was used whole', () =>
    inWorld(async (world) => {
      await world.reserve(tokens(600))
      world.wake()
      expect(world.used()).toBe(600)
      expect(await world.failure(tokens(401))).toBe('spent')
      expect(await world.failure(tokens(400))).toBe('none')
    }))

  it('[budget-10] without a shared limit no ledger is asked', () =>
    inWorld(async (world) => {
      world.learner = 'somebody'
      await world.spend(tokens(10))
      expect(world.asked).toEqual([])
    }))

  it('[budget-15] is not let near a provider that turns it away, until a pause is over', () =>
    inWorld(async (world) => {
      for (let i = 0; i < 3; i++) (await world.reserve(tokens(9))).settle(tokens(0), AWAY)
      world.wake()
      expect(await world.failure(tokens(9))).toBe('paused')
      expect(world.budget.refusal(1)).toBeNull()
      world.clock.advance(30_000)
      const tried = await world.reserve(tokens(9))
      tried.settle(tokens(0), AWAY)
      expect(await world.failure(tokens(9))).toBe('paused')
      world.clock.advance(60_000)
      await world.spend(tokens(9))
      expect(await world.failure(tokens(9))).toBe('none')
    }))

  it('[budget-5] [budget-8] whatever is asked, answered and lost: never more than the limit, never less than was used', () =>
    inWorld(async (world) => {
      const act = fc.record({ most: fc.nat(300), used: fc.nat(300), fate: fc.constantFrom('settle', 'twice', 'die') })
      await fc.assert(
        fc.asyncProperty(fc.array(act, { maxLength: 20 }), async (acts) => {
          world.forget()
          let used = 0
          for (const { most, used: wanted, fate } of acts) {
            const before = world.used()
            const real = Math.min(most, wanted)
            const held = await world.reserve(tokens(most)).catch(() => null)
            expect(held !== null).toBe(before + most <= 1_000)
            if (held === null) continue
            used += real
            if (fate !== 'die') held.settle(tokens(real), ANSWERED)
            if (fate === 'twice') held.settle(tokens(0), ANSWERED)
            if (fate === 'die') world.wake()
            expect(world.used()).toBe(before + (fate === 'die' ? most : real))
            expect(world.used()).toBeGreaterThanOrEqual(used)
            expect(world.used()).toBeLessThanOrEqual(1_000)
          }
        }),
      )
    }))
})

describe('what conversations share', () => {
  const money = { ...LIMITS, tokensSession: 1_000_000, money: { day: 1_000, price: EACH } }

  it('[budget-9] [budget-7] is held before a call and charged after it', () =>
    inWorld(async (world) => {
      world.wake(money)
      const held = await world.reserve(tokens(300, 100))
      expect(world.books('money 2026-11-20').balance()).toEqual({ used: 0, held: 400 })
      held.settle(tokens(200, 50), ANSWERED)
      await world.settled()
      expect(world.books('money 2026-11-20').balance()).toEqual({ used: 250, held: 0 })
    }))

  it('[budget-9] a learner who has used up their own tokens never reaches the deployment’s money', () =>
    inWorld(async (world) => {
      world.learner = 'f00d'
      world.wake({ ...money, tokensLearnerDay: 500 })
      await world.spend(tokens(400))
      expect(await world.failure(tokens(101))).toBe('spent')
      expect(world.asked).toEqual(['learner f00d 2026-11-20', 'money 2026-11-20', 'learner f00d 2026-11-20'])
      expect(world.books('money 2026-11-20').balance()).toEqual({ used: 400, held: 0 })
      world.learner = null
      world.wake({ ...money, tokensLearnerDay: 500, money: null })
      world.clock.advance(3_600_000)
      expect(await world.failure(tokens(999))).toBe('none')
      expect(world.asked).toHaveLength(3)
    }))

  it('[budget-9] what one ledger holds comes back when the next one refuses', () =>
    inWorld(async (world) => {
      world.learner = 'f00d'
      world.wake({ ...money, tokensLearnerDay: 5_000 })
      expect(await world.failure(tokens(1_001))).toBe('spent')
      expect(world.books('learner f00d 2026-11-20').balance()).toEqual({ used: 0, held: 0 })
      expect(world.used()).toBe(0)
    }))

  it('[budget-11] [budget-12] refused for the day, it asks again when the day has ended in UTC, to the millisecond', () =>
    inWorld(async (world) => {
      world.wake(money)
      await world.spend(tokens(990))
      expect(await world.failure(tokens(11))).toBe('spent')
      const asked = world.asked.length
      world.wake()
      expect(world.budget.refusal(1)).toEqual({ code: 'spent', retryAfterMs: 3_600_000 })
      world.clock.advance(3_599_999)
      expect(world.budget.refusal(1)).toEqual({ code: 'spent', retryAfterMs: 1 })
      expect(world.asked).toHaveLength(asked)
      world.clock.advance(1)
      expect(world.budget.refusal(1)).toBeNull()
      await world.spend(tokens(11))
      expect(world.asked.at(-1)).toBe('money 2026-11-21')
    }))

  it('[budget-12] a call belongs to the day it was begun in', () =>
    inWorld(async (world) => {
      world.wake(money)
      world.clock.advance(3_599_999)
      const held = await world.reserve(tokens(100))
      world.clock.advance(2)
      held.settle(tokens(70), ANSWERED)
      await world.settled()
      expect(world.books('money 2026-11-20').balance()).toEqual({ used: 70, held: 0 })
      expect(world.books('money 2026-11-21').balance()).toEqual({ used: 0, held: 0 })
    }))

  it('[budget-11] refused for what others hold, it may come again soon', () =>
    inWorld(async (world) => {
      world.wake(money)
      const held = await world.reserve(tokens(990))
      expect(await world.failure(tokens(11))).toBe('spent')
      expect(world.budget.refusal(1)).toEqual({ code: 'unavailable', retryAfterMs: 5_000 })
      held.settle(tokens(100), ANSWERED)
      world.clock.advance(5_000)
      expect(world.budget.refusal(1)).toBeNull()
      expect(await world.failure(tokens(11))).toBe('none')
    }))

  it('[budget-11] a deployment that sets another limit lets it ask at once', () =>
    inWorld(async (world) => {
      world.wake(money)
      expect(await world.failure(tokens(1_001))).toBe('spent')
      world.wake({ ...money, money: { day: 2_000, price: EACH } })
      expect(world.budget.refusal(1)).toBeNull()
      expect(await world.failure(tokens(1_001))).toBe('none')
    }))

  it('[budget-14] a ledger that fails, or says nothing for ten seconds, lets no call through and costs nothing', () =>
    inWorld(async (world) => {
      world.wake(money)
      world.gate = () => Promise.reject(new Error('overloaded'))
      expect(await world.failure(tokens(10))).toBe('unaccounted')
      const late = Promise.withResolvers<void>()
      world.gate = () => late.promise
      const failing = world.failure(tokens(10))
      await world.clock.whenArmed(10_000, 2)
      world.clock.advance(10_000)
      expect(await failing).toBe('unaccounted')
      late.resolve()
      await world.settled()
      expect(world.books('money 2026-11-20').balance()).toEqual({ used: 0, held: 0 })
      expect(world.used()).toBe(0)
      expect(world.budget.refusal(1)).toBeNull()
    }))

  it('[budget-9] a call waits until the one before it is settled, and is not refused for what comes back', () =>
    inWorld(async (world) => {
      world.wake(money)
      const held = await world.reserve(tokens(900))
      const slow = Promise.withResolvers<void>()
      world.settleGate = () => slow.promise
      held.settle(tokens(100), ANSWERED)
      const next = world.failure(tokens(900))
      slow.resolve()
      expect(await next).toBe('none')
    }))

  it('[budget-14] what a ledger held comes back when its answer got lost', () =>
    inWorld(async (world) => {
      world.wake(money)
      world.answerGate = () => Promise.reject(new Error('disconnected'))
      expect(await world.failure(tokens(10))).toBe('unaccounted')
      expect(world.books('money 2026-11-20').balance()).toEqual({ used: 0, held: 0 })
    }))

  it('[budget-14] a ledger that refuses a settlement delays a call no longer than a silent one', () =>
    inWorld(async (world) => {
      world.wake(money)
      const held = await world.reserve(tokens(10))
      world.settleGate = () => new Promise(() => {})
      held.settle(tokens(5), ANSWERED)
      const caller = new AbortController()
      const stopped = world.reserve(tokens(10), caller.signal)
      caller.abort()
      await expect(stopped).rejects.toMatchObject({ failure: 'aborted' })
      const waiting = world.failure(tokens(10))
      world.clock.advance(10_000)
      expect(await waiting).toBe('unaccounted')
      expect(world.used()).toBe(5)
      expect(await world.failure(tokens(10))).toBe('none')
    }))

  it('[budget-8] [turn-11] a reply that came whole stays one when what it took cannot be written', () =>
    inWorld(async (world) => {
      world.wake(money)
      const held = await world.reserve(tokens(300))
      world.isFull = true
      expect(() => held.settle(tokens(100), ANSWERED)).not.toThrow()
      world.isFull = false
      await world.settled()
      expect(world.used()).toBe(300)
      expect(world.books('money 2026-11-20').balance()).toEqual({ used: 100, held: 0 })
      expect(world.logs).toEqual(['spending-not-kept'])
    }))

  it('[budget-14] called off while it waits, it gives back whatever comes', () =>
    inWorld(async (world) => {
      world.wake(money)
      const late = Promise.withResolvers<void>()
      world.gate = () => late.promise
      const caller = new AbortController()
      const reserving = world.reserve(tokens(10), caller.signal)
      caller.abort()
      await expect(reserving).rejects.toMatchObject({ failure: 'aborted' })
      late.resolve()
      await world.settled()
      expect(world.books('money 2026-11-20').balance()).toEqual({ used: 0, held: 0 })
    }))
})
