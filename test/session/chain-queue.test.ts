import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { ApplyResult } from '../../worker/chain/runs/apply-events.ts'
import type { SessionEvent } from '../../worker/chain/session-events.ts'
import type { LogRecord } from '../../worker/core/walk/log-entry.ts'
import { ChainQueue, chainRetryMs } from '../../worker/session/chain-queue.ts'
import { chainEventsOf } from '../../worker/session/chain-events.ts'
import { SessionStore } from '../../worker/session/session-store.ts'
import { transcriptOf } from '../../worker/core/run/transcript.ts'
import type { LogEvent } from '../../worker/wire/messages.ts'
import { Disk } from '../support/in-process/disk.ts'

const DAY_MS = 86_400_000

function newStore({ inRun = true, gatherMs = 0 } = {}): SessionStore['chain'] {
  const store = new SessionStore(new Disk().storage({ isAlive: true }), undefined, undefined, gatherMs)
  store.migrate()
  if (inRun) store.chain.begin()
  return store.chain
}

const objective = (name: string): SessionEvent => ({ type: 'objective', objective: name, title: name, at: 5 })

describe('what waits for the chain', () => {
  it('[run-12] begins with having met, is numbered from 1, and tells of every day once', () => {
    const store = newStore()
    expect(store.add([], 5)).toBe(5)
    expect(store.add([objective('a')], 6)).toBeNull()
    expect(store.add([], 7)).toBeNull()
    expect(store.add([], 6 + DAY_MS)).toBeNull()
    expect(store.waiting(16)).toEqual({
      from: 1,
      events: [{ type: 'met', at: 5 }, objective('a'), { type: 'seen', at: 6 + DAY_MS }],
      attempts: 0,
    })
    store.settle(2, 9)
    expect(store.waiting(16)).toMatchObject({ from: 3 })
    store.settle(3, 9)
    expect(store.waiting(16)).toBeNull()
    expect(store.nextDue()).toBeNull()
    expect(store.add([objective('b')], 9)).toBe(9)
    expect(store.waiting(16)).toMatchObject({ from: 4 })
  })

  it('[run-4] [run-10] is nothing without a run, and nothing once it was dropped', () => {
    const none = newStore({ inRun: false })
    expect(none.add([objective('a')], 5)).toBeNull()
    expect([none.waiting(16), none.nextDue()]).toEqual([null, null])
    const dropped = newStore()
    dropped.add([objective('a')], 5)
    dropped.drop()
    expect(dropped.add([objective('b')], 6)).toBeNull()
    expect([dropped.waiting(16), dropped.nextDue()]).toEqual([null, null])
  })
})

describe('what is gathered', () => {
  const MINUTE_MS = 60_000

  it('[run-15] is due a minute after the first of it, and at once when the talk has ended', () => {
    const store = newStore({ gatherMs: MINUTE_MS })
    expect(store.add([objective('a')], 1_000)).toBe(1_000 + MINUTE_MS)
    expect(store.add([objective('b')], 30_000)).toBeNull()
    expect(store.nextDue()).toBe(1_000 + MINUTE_MS)
    const ended: SessionEvent = { type: 'ended', at: 40_000, completion: 'earned', document: null, next: null }
    expect(store.add([ended], 40_000)).toBe(40_000)
    expect(store.nextDue()).toBe(40_000)
    expect(store.waiting(16)?.events).toHaveLength(4)
  })

  it('[run-15] and could not be delivered waits no longer for what comes later', () => {
    const store = newStore({ gatherMs: MINUTE_MS })
    store.add([objective('a')], 1_000)
    store.postpone(3, 90_000)
    expect(store.add([objective('b')], 50_000)).toBeNull()
    expect(store.nextDue()).toBe(90_000)
  })
})

describe('how it is brought', () => {
  /**
   * Returns a chain that counts events as the real chain does. Each entry of `faults` makes one call fail; null means
   * that the call succeeds. `before` and `after`: the connection fails before or after the chain has stored the events.
   * `gap`: the chain answers that earlier events are missing.
   */
  function newChain(faults: readonly ('before' | 'after' | 'gap' | null)[]) {
    const taken: SessionEvent[] = []
    let tries = 0
    const apply = async (from: number, events: readonly SessionEvent[]): Promise<ApplyResult> => {
      const fault = faults[tries]
      tries += 1
      await Promise.resolve()
      if (fault === 'before') throw new Error('not reached')
      if (fault === 'gap' || from > taken.length + 1) return { type: 'gap', applied: taken.length }
      taken.push(...events.slice(taken.length + 1 - from))
      if (fault === 'after') throw new Error('the answer was lost')
      return { type: 'applied', applied: taken.length }
    }
    return { taken, apply }
  }

  it('[run-9] in order, each once, whatever fails and however often the object dies', async () => {
    const fault = fc.constantFrom('before' as const, 'after' as const, 'gap' as const, null)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fault, { maxLength: 8 }),
        fc.array(fc.nat(40), { minLength: 1, maxLength: 4 }),
        fc.array(fc.boolean(), { maxLength: 8 }),
        async (faults, lots, dies) => {
          const store = newStore()
          const { taken, apply } = newChain(faults)
          let now = 1_000
          const begin = () => new ChainQueue({ store, apply, session: 's', now: () => now, log: () => {} })
          let queue = begin()
          let count = 0
          for (const [round, lot] of [...lots, ...dies.map(() => 0), 0].entries()) {
            store.add(
              Array.from({ length: lot }, () => objective(String((count += 1)))),
              now,
            )
            for (let due = queue.nextDue(); due !== null; due = queue.nextDue()) {
              now = Math.max(now, due)
              await queue.deliver()
              // Restarts the object. The new object knows only what the old one has stored.
              if (dies[round]) queue = begin()
            }
          }
          expect(taken.map((event) => (event.type === 'objective' ? event.objective : event.type))).toEqual([
            'met',
            ...Array.from({ length: count }, (_, place) => String(place + 1)),
          ])
        },
      ),
    )
  })

  it('[run-9] one attempt at a time, until it has not been heard of for long', async () => {
    const store = newStore()
    store.add([], 0)
    const answers: (() => void)[] = []
    const asked: number[] = []
    let now = 0
    const queue = new ChainQueue({
      store,
      apply: (from) => {
        asked.push(from)
        return new Promise((resolve) => answers.push(() => resolve({ type: 'applied', applied: 1 })))
      },
      session: 's',
      now: () => now,
      log: () => {},
    })
    const first = queue.deliver()
    expect(queue.deliver()).toBeNull()
    expect(queue.nextDue()).toBe(20_000)
    now = 20_000
    const second = queue.deliver()
    await vi.waitFor(() => expect(asked).toEqual([1, 1]))
    for (const answer of answers) answer()
    await Promise.all([first, second])
    expect([store.waiting(16), queue.nextDue()]).toEqual([null, null])
  })

  it('[run-9] an attempt that comes back late frees nobody else, and what is left is due at once', async () => {
    const store = newStore()
    store.add(
      Array.from({ length: 20 }, (_, n) => objective(String(n))),
      0,
    )
    const answers: (() => void)[] = []
    let now = 0
    const queue = new ChainQueue({
      store,
      apply: (from, { length }) =>
        new Promise((resolve) => answers.push(() => resolve({ type: 'applied', applied: from - 1 + length }))),
      session: 's',
      now: () => now,
      log: () => {},
    })
    const first = queue.deliver()
    now = 20_000
    const second = queue.deliver()
    await vi.waitFor(() => expect(answers).toHaveLength(2))
    answers[0]?.()
    await first
    expect([queue.nextDue(), queue.deliver()]).toEqual([40_000, null])
    answers[1]?.()
    await second
    expect(queue.nextDue()).toBe(20_000)
    expect(store.waiting(16)).toMatchObject({ from: 17 })
  })

  it('[run-9] a failure is counted, and a gap is one: nothing is lost by it, and it is waited for ever longer', async () => {
    for (const fails of [
      () => Promise.reject(new Error('no')),
      () => Promise.resolve({ type: 'gap', applied: 0 } as const),
    ]) {
      const store = newStore()
      store.add([], 0)
      let now = 0
      for (const attempt of [1, 2, 3, 4]) {
        // Each attempt has its own queue, as after a restart. The queue reads from the store how often the delivery was
        // tried.
        const queue = new ChainQueue({ store, apply: fails, session: 's', now: () => now, log: () => {} })
        await queue.deliver()
        expect(store.waiting(16)).toMatchObject({ from: 1, attempts: attempt })
        expect(store.nextDue()).toBe(now + chainRetryMs('s', attempt))
        now = queue.nextDue() ?? 0
      }
    }
  })

  it('[run-9] not at once again where not even a failure can be written', async () => {
    const store = newStore()
    store.add([], 0)
    store.postpone = () => {
      throw new Error('database or disk is full: SQLITE_FULL')
    }
    const logged: string[] = []
    const queue = new ChainQueue({
      store,
      apply: () => Promise.reject(new Error('not reached')),
      session: 's',
      now: () => 0,
      log: (event) => logged.push(event),
    })
    await queue.deliver()
    expect(queue.nextDue()).toBeGreaterThanOrEqual(1_000)
    expect(logged).toEqual(['chain-not-reached', 'chain-not-postponed'])
  })

  it('[run-9] after waits that double up to a quarter of an hour, each up to a fifth longer, for ever', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 100_000 }), (session, attempt) => {
        const base = Math.min(1_000 * 2 ** (attempt - 1), 900_000)
        const delay = chainRetryMs(session, attempt)
        expect(delay).toBeGreaterThanOrEqual(base)
        expect(delay).toBeLessThanOrEqual(base * 1.2)
      }),
    )
    expect(new Set(Array.from({ length: 100 }, (_, n) => chainRetryMs(`s${n}`, 5))).size).toBeGreaterThan(90)
  })
})

describe('what of a turn is for the chain', () => {
  const noted = (node: string): LogRecord => ({
    at: 3,
    turn: '1',
    entry: { type: 'thought', thought: { kind: 'annotation', node, text: `at ${node}` } },
  })
  const loop: LogRecord = { at: 3, turn: '1', entry: { type: 'internal-loop', node: 'x' } }
  const reply: LogRecord = { at: 3, turn: '1', entry: { type: 'message', who: 'npc', text: 'Hm.', metadata: [] } }
  const nodes = (records: readonly LogRecord[]) =>
    chainEventsOf({ records, events: [] }, 9).map((event) => (event.type === 'annotation' ? event.node : ''))

  it('[run-12] annotations, but for those on a way that was taken back', () => {
    expect(nodes([noted('a'), reply, noted('b')])).toEqual(['a', 'b'])
    expect(nodes([noted('a'), loop, noted('b'), reply])).toEqual(['b'])
    expect(nodes([noted('a'), reply, noted('b'), loop])).toEqual(['a'])
    expect(nodes([noted('a'), loop, reply, noted('b'), loop])).toEqual([])
  })

  it('[run-5] the objective and the end, in this order, and nothing of a fork', () => {
    const document = { title: 'Run 47', kind: 'report', lines: ['8.1%'] }
    const next = { id: 'marcus', name: 'Marcus', role: 'Delivery', hue: 1, why: 'He knows.' }
    const events = chainEventsOf(
      {
        records: [],
        events: [
          { type: 'turn', turn: 1, attempt: 1, text: 'Bye.', outcome: 'complete', level: 'neutral' },
          {
            type: 'command',
            turn: 1,
            id: 'p',
            command: { name: 'AI_PivotMoment', pivot: 'p', question: '?', choices: [] },
          },
          { type: 'command', turn: 1, id: 'o', command: { name: 'AI_AdvanceObjective', objective: 'x', title: 'X' } },
          {
            type: 'command',
            turn: 1,
            id: 'e',
            command: { name: 'AI_EndConversation', completion: 'earned', document, next },
          },
        ],
      },
      9,
    )
    expect(events).toEqual([
      { type: 'objective', objective: 'x', title: 'X', at: 9 },
      {
        type: 'ended',
        completion: 'earned',
        document: 'Run 47',
        next: { npc: 'marcus', why: 'He knows.' },
        at: 9,
      },
    ])
  })
})

it('[run-11] a transcript has each message once, as it came to be', () => {
  const log: readonly LogEvent[] = [
    { seq: 1, at: 1, type: 'turn-start', turn: 1, attempt: 1, cid: 'a', text: 'Hello?' },
    { seq: 2, at: 2, type: 'turn', turn: 1, attempt: 1, text: 'One moment.', outcome: 'failed', level: 'neutral' },
    { seq: 3, at: 3, type: 'turn-start', turn: 1, attempt: 2, cid: 'a', text: 'Hello?' },
    { seq: 4, at: 4, type: 'turn', turn: 1, attempt: 2, text: 'Hi there', outcome: 'cut', level: 'neutral' },
    { seq: 5, at: 5, type: 'turn-start', turn: 2, attempt: 1, cid: 'b', text: 'And?' },
    { seq: 6, at: 6, type: 'turn', turn: 2, attempt: 1, text: '', outcome: 'cut', level: 'neutral' },
    { seq: 7, at: 7, type: 'pivot-end', turn: 2, pivot: 'P', level: 'neutral', choice: null },
    {
      seq: 8,
      at: 8,
      type: 'pivot-end',
      turn: 2,
      pivot: 'P',
      level: 'neutral',
      choice: { cid: 'c', id: 'a', text: 'Mine.', reaction: 'Good.', effect: '' },
    },
  ]
  expect(transcriptOf(log)).toEqual([
    { id: 'say-1', who: 'learner', text: 'Hello?', at: 1 },
    { id: 'reply-1', who: 'npc', text: 'Hi there', at: 4 },
    { id: 'say-2', who: 'learner', text: 'And?', at: 5 },
    { id: 'choice-8', who: 'learner', text: 'Mine.', at: 8 },
    { id: 'reaction-8', who: 'npc', text: 'Good.', at: 8 },
  ])
})
