import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EMPTY_OUTBOX, LONGEST_SAY, stepOutbox } from '../../widget/outbox.ts'
import type { MessageOutbox, MessageEntry, OutboxEvent } from '../../widget/outbox.ts'
import type { Acknowledgement, NextStep, Refusal } from '../../worker/wire/messages.ts'
import { MAX_TEXT } from '../../worker/wire/schema.ts'
import { runs } from '../support/runs.ts'

const ACCEPTED: Acknowledgement = { ok: true, turn: 1, seq: 1 }

/**
 * Generates a move: what the learner, the network or the server does next. `at` selects the message that the move is
 * about.
 */
const move = fc.oneof(
  fc.constant({ does: 'write' as const }),
  fc.record({
    does: fc.constantFrom('take', 'take and lose the answer', 'refuse', 'say nothing', 'answer late', 'again', 'drop'),
    at: fc.nat(9),
    next: fc.constantFrom<NextStep>('retry-after', 'start-over', 'sign-in', 'give-up'),
    wait: fc.option(fc.integer({ min: -5, max: 90_000 })),
  }),
  fc.record({ does: fc.constantFrom('link', 'unlink', 'hurry', 'wait') }),
)
type Move = typeof move extends fc.Arbitrary<infer T> ? T : never

describe('the outbox', () => {
  it('[embed-20] has at most one message in flight', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 80 }), (moves) => {
        for (const { outbox } of live(moves).moments) {
          expect(outbox.entries.filter(({ state }) => state === 'sending').length).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  it('[embed-20] sends nothing before the server has said hello', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 80 }), (moves) => {
        for (const { outbox, send } of live(moves).moments) if (send) expect(outbox.linked).toBe(true)
      }),
    )
  })

  it('[embed-21] sends a message under the same cid and with the same words every time', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 80 }), (moves) => {
        const first = new Map<string, unknown>()
        for (const { send } of live(moves).moments) {
          if (!send) continue
          expect(send.message).toEqual(first.get(send.cid) ?? send.message)
          first.set(send.cid, send.message)
        }
      }),
    )
  })

  it('[embed-21] the server takes every message once and none is lost, as soon as the line holds', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
        const { written, dropped, taken, outbox } = settle(live(moves))
        expect(outbox.entries.every(({ state }) => state === 'sent')).toBe(true)
        const kept = written.filter((cid) => !dropped.has(cid))
        for (const cid of kept) expect(taken.get(cid)).toBe(1)
      }),
      { numRuns: runs('dear') },
    )
  })

  it('[embed-20] messages that were never refused for good arrive in the order they were written', () => {
    fc.assert(
      fc.property(
        fc.array(
          move.filter((step) => step.does !== 'refuse' && step.does !== 'drop' && step.does !== 'again'),
          { maxLength: 60 },
        ),
        (moves) => {
          const { written, taken } = settle(live(moves))
          expect([...taken.keys()]).toEqual(written)
        },
      ),
    )
  })

  it('[embed-24] a retry that was taken is not kept: when the next reply fails as well, the learner may try once more', () => {
    const message = { name: 'retry', turn: 1 } as const
    const linked = stepOutbox(EMPTY_OUTBOX, { type: 'link', up: true }, 0).outbox
    const { outbox, send } = stepOutbox(linked, { type: 'add', cid: 'r1', message }, 0)
    expect(send?.cid).toBe('r1')
    const taken = stepOutbox(outbox, { type: 'acknowledged', cid: 'r1', acknowledgement: ACCEPTED }, 0).outbox
    expect(taken.entries).toEqual([])
    expect(stepOutbox(taken, { type: 'add', cid: 'r2', message }, 0).send?.cid).toBe('r2')
  })

  it('[embed-29] holds back exactly what the service would refuse', () => {
    expect(LONGEST_SAY).toBe(MAX_TEXT)
  })

  it('[embed-23] a refusal to try later waits as long as it says, and within bounds', () => {
    const { outbox, wakeIn, send } = refused({ next: 'retry-after', retryAfterMs: 4_000 })
    expect(send).toBeNull()
    expect(wakeIn).toBe(4_000)
    expect(stepOutbox(outbox, { type: 'tick' }, 3_999).send).toBeNull()
    expect(stepOutbox(outbox, { type: 'tick' }, 4_000).send?.cid).toBe('a')
    expect(refused({ next: 'retry-after', retryAfterMs: 9_999_999 }).wakeIn).toBe(30_000)
  })

  it('[embed-23] waits longer each time, and sends at once after `hurry`', () => {
    let { outbox, wakeIn } = refused({ next: 'retry-after' })
    const waits = [wakeIn]
    for (let now = 0; waits.length < 4;) {
      now += wakeIn ?? 0
      outbox = stepOutbox(outbox, { type: 'tick' }, now).outbox
      ;({ outbox, wakeIn } = answer(outbox, 'a', refusal({ next: 'retry-after' }), now))
      waits.push(wakeIn)
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000])
    expect(stepOutbox(outbox, { type: 'hurry' }, 0).send?.cid).toBe('a')
  })

  it.each<NextStep>(['give-up', 'start-over', 'sign-in'])(
    '[embed-24] a refusal with %s holds the message for the learner',
    (next) => {
      const { outbox } = refused({ next, code: 'too-long' })
      expect(outbox.entries[0]).toMatchObject({ state: 'failed', refusal: { code: 'too-long' } })
      expect(stepOutbox(outbox, { type: 'hurry' }, 1e9).send).toBeNull()
      expect(stepOutbox(outbox, { type: 'again', cid: 'a' }, 0).send?.cid).toBe('a')
    },
  )

  it('[embed-24] what is spent for today is held, since it does not come back by asking', () => {
    const { outbox } = refused({ next: 'retry-after', code: 'spent', retryAfterMs: 60_000 })
    expect(outbox.entries[0]).toMatchObject({ state: 'failed', refusal: { code: 'spent' } })
    expect(stepOutbox(outbox, { type: 'again', cid: 'a' }, 0).send?.cid).toBe('a')
  })

  it('[embed-24] a message that is held does not hold up the next', () => {
    const { outbox } = refused({ next: 'give-up' })
    expect(stepOutbox(outbox, say('b'), 0).send?.cid).toBe('b')
  })

  it('[embed-21] what was in flight when the line died goes out again on the next', () => {
    const dead = stepOutbox(sending('a'), { type: 'link', up: false }, 0)
    expect(dead.outbox.entries[0]?.state).toBe('queued')
    expect(stepOutbox(dead.outbox, { type: 'link', up: true }, 0).send?.cid).toBe('a')
  })

  it('[embed-21] a late refusal of an earlier attempt changes nothing', () => {
    const dead = stepOutbox(sending('a'), { type: 'link', up: false }, 0).outbox
    expect(answer(dead, 'a', refusal({ next: 'give-up' }), 0).outbox).toEqual(dead)
  })

  it('[embed-24] keeps the words and drops the picks when the conversation is gone', () => {
    const picked = stepOutbox(
      sending('a'),
      { type: 'add', cid: 'b', message: { name: 'choose', pivot: 'p', choice: 'x' } },
      0,
    )
    const { outbox } = stepOutbox(picked.outbox, { type: 'started-over' }, 0)
    const taken = answer(picked.outbox, 'a', ACCEPTED, 0).outbox
    expect(stepOutbox(taken, { type: 'started-over' }, 0).outbox.entries).toEqual([])
    // The new conversation does not show why the old conversation refused the message.
    expect(outbox.entries.map(({ cid, state, refusal }) => [cid, state, refusal])).toEqual([['a', 'failed', null]])
  })
})

/** Plays the moves against a server that accepts each `cid` once. */
function live(moves: Move[]) {
  const taken = new Map<string, number>()
  const written: string[] = []
  const dropped = new Set<string>()
  const moments: { outbox: MessageOutbox; send: MessageEntry | null }[] = []
  let outbox = EMPTY_OUTBOX
  let now = 0
  let wakeIn: number | null = null
  const step = (event: OutboxEvent) => {
    const result = stepOutbox(outbox, event, now)
    ;({ outbox, wakeIn } = result)
    moments.push(result)
  }
  const take = (cid: string) => {
    if (!taken.has(cid)) taken.set(cid, 1)
  }
  const play = (move: Move) => {
    const flying = outbox.entries.find(({ state }) => state === 'sending')
    const any = 'at' in move ? outbox.entries[move.at % outbox.entries.length] : undefined
    switch (move.does) {
      case 'write':
        written.push(`m${written.length}`)
        return step(say(`m${written.length - 1}`))
      case 'take':
        if (!flying) return
        take(flying.cid)
        return step({ type: 'acknowledged', cid: flying.cid, acknowledgement: ACCEPTED })
      case 'take and lose the answer':
        if (!flying) return
        take(flying.cid)
        return step({ type: 'unanswered', cid: flying.cid })
      case 'refuse':
        if (!flying || !('next' in move)) return
        // If the server has accepted the message, the server cannot refuse it any more.
        if (taken.has(flying.cid)) return step({ type: 'acknowledged', cid: flying.cid, acknowledgement: ACCEPTED })
        return step({
          type: 'acknowledged',
          cid: flying.cid,
          acknowledgement: refusal({ next: move.next, retryAfterMs: move.wait }),
        })
      case 'say nothing':
        return flying && step({ type: 'unanswered', cid: flying.cid })
      case 'answer late':
        return any && taken.has(any.cid) && step({ type: 'acknowledged', cid: any.cid, acknowledgement: ACCEPTED })
      case 'again':
        return any && step({ type: 'again', cid: any.cid })
      case 'drop':
        if (any?.state !== 'failed') return
        dropped.add(any.cid)
        return step({ type: 'drop', cid: any.cid })
      case 'link':
        return step({ type: 'link', up: true })
      case 'unlink':
        return step({ type: 'link', up: false })
      case 'hurry':
        return step({ type: 'hurry' })
      case 'wait':
        now += wakeIn ?? 1_000
        return step({ type: 'tick' })
    }
  }
  for (const move of moves) play(move)
  return { play, moments, taken, written, dropped, get: () => outbox }
}

/** Connects, resends every refused message, and lets the server accept all messages. */
function settle(world: ReturnType<typeof live>) {
  world.play({ does: 'link' })
  for (let round = 0; round < 400; round += 1) {
    const { entries } = world.get()
    if (entries.every(({ state }) => state === 'sent')) break
    const failed = entries.findIndex(({ state }) => state === 'failed')
    if (failed >= 0) world.play({ does: 'again', at: failed, next: 'give-up', wait: null })
    world.play({ does: 'take', at: 0, next: 'give-up', wait: null })
    world.play({ does: 'wait' })
  }
  return { ...world, outbox: world.get() }
}

function say(cid: string): OutboxEvent {
  return { type: 'add', cid, message: { name: 'say', text: `words of ${cid}` } }
}

function sending(cid: string): MessageOutbox {
  const linked = stepOutbox(EMPTY_OUTBOX, { type: 'link', up: true }, 0).outbox
  return stepOutbox(linked, say(cid), 0).outbox
}

function answer(outbox: MessageOutbox, cid: string, acknowledgement: Acknowledgement, now: number) {
  return stepOutbox(outbox, { type: 'acknowledged', cid, acknowledgement }, now)
}

function refused(fields: Parameters<typeof refusal>[0]) {
  return answer(sending('a'), 'a', refusal(fields), 0)
}

function refusal({
  next,
  code = 'busy',
  retryAfterMs = null,
}: {
  next: NextStep
  code?: Refusal['code']
  retryAfterMs?: number | null
}): Refusal {
  return { ok: false, next, code, message: '', ...(retryAfterMs !== null && { retryAfterMs }) }
}
