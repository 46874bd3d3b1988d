import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SendEffect } from '../../../worker/core/walk/event.ts'
import { Outbox, MAX_ATTEMPTS } from '../../../worker/outbox/outbox.ts'
import { OutboxStore } from '../../../worker/outbox/outbox-store.ts'
import type { Outcome } from '../../../worker/outbox/outbox-entry.ts'
import { laterRows } from '../../../worker/later-table.ts'
import { SessionStore } from '../../../worker/session/session-store.ts'
import { runs } from '../../support/runs.ts'

const LEASE_MS = 30_000
const DAY_MS = 86_400_000

/** What happens to an outbox between two runs of its alarm. */
type Fate =
  | { type: 'commit'; count: number }
  /** The attempts that begin now all end with this outcome. */
  | { type: 'deliver'; outcome: Outcome }
  /** A crash interrupts the attempts that begin now, either before they are sent or before their result is stored. */
  | { type: 'crash'; hasArrived: boolean }
  | { type: 'pass'; ms: number }

const failure = fc.record({
  type: fc.constant('failed' as const),
  why: fc.constant('status-500' as const),
  retryAfterMs: fc.option(fc.integer({ min: 0, max: DAY_MS })),
})
const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('commit' as const), count: fc.integer({ min: 1, max: 8 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('deliver' as const),
      outcome: fc.oneof(fc.constant<Outcome>({ type: 'delivered' }), failure),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('crash' as const), hasArrived: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: DAY_MS }) }) },
)

describe('an outbox in a real object, with a clock and a receiver of its own', () => {
  it('[outbox-19] whatever crashes, what arrives is what was committed, and nothing waits for ever', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fate, { maxLength: 30 }), (fates) =>
        inObject(async (world) => {
          for (const each of fates) await world.suffer(each)
          await world.calmDown()
          expect(world.unsettled()).toEqual([])
          const { arrived, committed } = world
          expect([...arrived].filter((id) => !committed.has(id))).toEqual([])
          // The outbox has delivered every effect or has given it up (`dead`). It gives an effect up only after the
          // maximum number of attempts.
          expect([...committed].filter((id) => !arrived.has(id) && !world.dead().has(id))).toEqual([])
          for (const id of world.dead()) expect(world.attempts(id)).toBeGreaterThanOrEqual(MAX_ATTEMPTS)
        }),
      ),
      { numRuns: runs('costly') },
    )
  })

  it('[outbox-3] a message that is being sent is not sent beside it, and comes back once its lease is over', async () => {
    await inObject(async (world) => {
      world.commit(1)
      const cutOff = world.deliverNever()
      expect(cutOff).toEqual(['send:1'])
      expect(world.deliverNever()).toEqual([])
      world.now += LEASE_MS - 1
      world.crash()
      expect(world.deliverNever()).toEqual([])
      expect(world.outbox.nextDue()).toBe(world.now + 1)
      world.now += 1
      expect(world.deliverNever()).toEqual(['send:1'])
    })
  })

  it('[outbox-3] an attempt that ends after another was claimed changes nothing', async () => {
    await inObject(async (world) => {
      world.commit(1)
      const [late] = world.store.claim(world.now, world.now + LEASE_MS, 1)
      world.now += LEASE_MS
      expect(world.store.claim(world.now, world.now + LEASE_MS, 1)).toMatchObject([{ attempt: 2 }])
      if (late) world.store.settle(late, { status: 'dead', result: 'timeout' })
      expect(world.unsettled()).toEqual(['send:1'])
    })
  })

  it('[outbox-20] six at a time, and the rest as soon as one is done', async () => {
    await inObject(async (world) => {
      world.commit(8)
      expect(world.deliverNever()).toHaveLength(6)
      expect(world.outbox.deliver()).toEqual([])
      // All six attempts are still running. The outbox has nothing to do until the lease of an attempt ends.
      expect(world.outbox.nextDue()).toBe(world.now + LEASE_MS)
      world.crash()
      expect(world.outbox.nextDue()).toBe(world.now)
    })
  })

  it('[outbox-11] the tenth failure is the last; it stays, and is told by its id', async () => {
    await inObject(async (world) => {
      world.commit(1)
      const starts: number[] = []
      for (;;) {
        const due = world.outbox.nextDue()
        if (due === null) break
        world.now = due
        starts.push(due - T0)
        await world.deliver({ type: 'failed', why: 'status-500', retryAfterMs: null })
      }
      expect(starts).toHaveLength(10)
      const waits = starts.slice(1).map((start, i) => (start - (starts[i] ?? 0)) / 1000)
      const schedule = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
      schedule.forEach((seconds, i) => {
        expect(waits[i]).toBeGreaterThanOrEqual(seconds)
        expect(waits[i]).toBeLessThanOrEqual(seconds * 1.2)
      })
      expect(world.rows()).toEqual([{ id: 'send:1', status: 'dead', attempts: 10, result: 'status-500' }])
      expect(world.logs.at(-1)).toEqual({
        event: 'outbox-dead',
        message: expect.stringMatching(/^evt_[0-9a-f]{32}$/) as string,
        attempt: 10,
        result: 'status-500',
      })
    })
  })

  it('[outbox-11] a crash over the last attempt is the end of it too', async () => {
    await inObject(async (world) => {
      world.commit(1)
      for (let attempt = 1; attempt <= 10; attempt++) {
        expect(world.deliverNever()).toHaveLength(1)
        world.crash()
        world.now += LEASE_MS
      }
      await world.deliver({ type: 'delivered' })
      expect(world.rows()).toMatchObject([{ status: 'dead', result: 'interrupted' }])
      expect(world.arrived.size).toBe(0)
    })
  })

  it('[outbox-10] where a receiver is gone, that is kept by its name', async () => {
    await inObject(async (world) => {
      world.commit(1)
      expect(world.store.isGone('there')).toBe(false)
      await world.deliver({ type: 'gone', destination: 'there' })
      expect(world.store.isGone('there')).toBe(true)
      expect(world.store.isGone('elsewhere')).toBe(false)
      expect(world.rows()).toEqual([{ id: 'send:1', status: 'gone', attempts: 1, result: 'status-410' }])
    })
  })

  it('[outbox-1] the same effect is recorded once', async () => {
    await inObject((world) => {
      world.store.add([effect('send:7'), effect('send:7')], T0)
      world.store.add([effect('send:7')], T0 + 1)
      expect(world.rows()).toHaveLength(1)
    })
  })
})

const T0 = Date.UTC(2026, 0, 1)
let objects = 0

/** Runs `act` in a new object with the session's real tables. */
async function inObject(act: (world: World) => void | Promise<void>): Promise<void> {
  const object = env.ECHO.getByName(`outbox-${++objects}`)
  await runInDurableObject(object, async (_, { storage }) => {
    new SessionStore(storage).migrate()
    await act(new World(storage.sql))
  })
}

function effect(id: string): SendEffect {
  return { type: 'send', id, node: 'notify', sideEffect: { type: 'emit-event', event: 'a.b', data: {} } }
}

/** An outbox, a clock that only the test advances, and a scripted receiver. */
class World {
  now = T0
  outbox: Outbox
  readonly store: OutboxStore
  readonly committed = new Set<string>()
  readonly arrived = new Set<string>()
  readonly logs: object[] = []
  readonly #sql: SqlStorage
  #carry: (id: string) => Promise<Outcome> = never
  /** Attempts that never get an answer: the test drops the answer, even if the receiver sends one later. */
  readonly #cutOff = new Set<string>()

  constructor(sql: SqlStorage) {
    this.#sql = sql
    this.store = new OutboxStore(sql)
    this.outbox = this.#newOutbox()
  }

  commit(count: number): void {
    const effects = Array.from({ length: count }, (_, i) => effect(`send:${this.committed.size + i + 1}`))
    this.store.add(effects, this.now)
    for (const { id } of effects) this.committed.add(id)
  }

  async deliver(outcome: Outcome): Promise<void> {
    this.#carry = (id) => {
      if (outcome.type === 'delivered') this.arrived.add(id)
      return Promise.resolve(outcome)
    }
    await Promise.all(this.outbox.deliver())
  }

  /** Begins attempts whose answer never arrives. Returns the ids of their effects. */
  deliverNever(): readonly string[] {
    const before = new Map(this.rows().map((row) => [row.id, row.attempts]))
    void this.outbox.deliver()
    const begun = this.rows().filter(({ id, attempts }) => attempts !== before.get(id))
    for (const { id, attempts } of begun) this.#cutOff.add(`${id} ${attempts}`)
    return begun.map(({ id }) => id)
  }

  /** Replaces the outbox, so that its memory is lost. Running attempts never end. */
  crash(): void {
    this.outbox = this.#newOutbox()
  }

  async suffer(fate: Fate): Promise<void> {
    switch (fate.type) {
      case 'commit':
        return this.commit(fate.count)
      case 'deliver':
        return this.deliver(fate.outcome)
      case 'crash': {
        for (const id of this.deliverNever())
          if (fate.hasArrived && this.attempts(id) <= MAX_ATTEMPTS) this.arrived.add(id)
        return this.crash()
      }
      case 'pass':
        this.now += fate.ms
    }
  }

  /** Runs the alarm without crashes until nothing is pending. The receiver accepts everything. */
  async calmDown(): Promise<void> {
    for (let rings = 0; rings < 1_000; rings++) {
      const due = this.outbox.nextDue()
      if (due === null) return
      this.now = Math.max(this.now, due)
      await this.deliver({ type: 'delivered' })
    }
    throw new Error('the alarm rings for ever')
  }

  rows(): { id: string; status: string; attempts: number; result: string | null }[] {
    return laterRows(this.#sql, 'SELECT id, status, attempts, result FROM outbox ORDER BY id')
  }

  unsettled(): readonly string[] {
    return this.rows().flatMap(({ id, status }) => (status === 'pending' ? [id] : []))
  }

  dead(): Set<string> {
    return new Set(this.rows().flatMap(({ id, status }) => (status === 'dead' ? [id] : [])))
  }

  attempts(id: string): number {
    return this.rows().find((row) => row.id === id)?.attempts ?? 0
  }

  #newOutbox(): Outbox {
    const graph = { id: 'check-in', version: 1, nodes: {}, modules: {} }
    const origin = { session: `s${objects}`, scenario: { id: 'a', version: 1 }, npc: 'maya', graph }
    return new Outbox({
      store: this.store,
      carry: (_, _id, { effect: { id }, attempt }) =>
        this.#cutOff.has(`${id} ${attempt}`) ? never() : this.#carry(id),
      leaseMs: LEASE_MS,
      origin: () => origin,
      now: () => this.now,
      log: (event, ids) => this.logs.push({ event, ...ids }),
    })
  }
}

function never(): Promise<Outcome> {
  return new Promise(() => {})
}
