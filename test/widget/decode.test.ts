import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decode, decodeAcknowledgement, decodeRefusal } from '../../worker/wire/decode.ts'
import type { Hello, LogEvent } from '../../worker/wire/messages.ts'
import { CONVERSATION } from './server-model.ts'
import { runs } from '../support/runs.ts'

const level = fc.constantFrom('hostile', 'guarded', 'neutral', 'cooperative', 'trusting')
const place = { seq: fc.nat(), at: fc.nat(), turn: fc.nat() }
const person = { id: fc.string(), name: fc.string(), role: fc.string(), hue: fc.integer({ min: 0, max: 360 }) }
const command = fc.oneof(
  fc.record({ name: fc.constant('AI_AdvanceObjective'), objective: fc.string(), title: fc.string() }),
  fc.record({
    name: fc.constant('AI_PivotMoment'),
    pivot: fc.string(),
    question: fc.string(),
    choices: fc.array(fc.record({ id: fc.string(), text: fc.string() }), { minLength: 1 }),
  }),
  fc.record({
    name: fc.constant('AI_EndConversation'),
    completion: fc.constantFrom('earned', 'forced'),
    document: fc.option(fc.record({ title: fc.string(), kind: fc.string(), lines: fc.array(fc.string()) })),
    next: fc.option(fc.record({ ...person, why: fc.string() })),
  }),
)
const event = fc.oneof(
  fc.record({ ...place, type: fc.constant('turn-start'), attempt: fc.nat(), cid: fc.string(), text: fc.string() }),
  fc.record({
    ...place,
    type: fc.constant('turn'),
    attempt: fc.nat(),
    text: fc.string(),
    outcome: fc.constantFrom('complete', 'failed'),
    level,
  }),
  fc.record({ ...place, type: fc.constant('command'), id: fc.string(), command }),
  fc.record({
    ...place,
    type: fc.constant('pivot-end'),
    pivot: fc.string(),
    level,
    choice: fc.option(
      fc.record({ cid: fc.string(), id: fc.string(), text: fc.string(), reaction: fc.string(), effect: fc.string() }),
    ),
  }),
) as fc.Arbitrary<LogEvent>
const delta = fc.record({ turn: fc.nat(), attempt: fc.nat(), offset: fc.nat(), text: fc.string() })
const hello = fc.record({
  v: fc.nat(),
  mode: fc.constantFrom('resume', 'snapshot'),
  epoch: fc.string(),
  head: fc.nat(),
  conversation: fc.constant(CONVERSATION),
  level,
  events: fc.array(event, { maxLength: 5 }),
  running: fc.option(delta),
}) as fc.Arbitrary<Hello>

const message = fc.oneof(
  fc.record({ name: fc.constant('hello'), body: hello }),
  fc.record({ name: fc.constant('event'), body: event }),
  fc.record({ name: fc.constant('delta'), body: delta }),
)

describe('what comes down', () => {
  it('[embed-27] reads everything the server may send, and changes nothing in it', () => {
    fc.assert(
      fc.property(message, ({ name, body }) => {
        const sent = overTheWire(body)
        expect(decode(name, sent)).toEqual({ name, body: sent })
      }),
      { numRuns: runs('dear') },
    )
  })

  it('[embed-27] drops the fields that it doesn’t know', () => {
    fc.assert(
      fc.property(message, ({ name, body }) => {
        const newer = { ...body, newer: { than: 'this widget' } }
        expect(decode(name, overTheWire(newer))).toEqual({ name, body: overTheWire(body) })
      }),
    )
  })

  it('[message-40] reads the short forms, and nothing that only looks like one', () => {
    expect(decode('d', [3, 1, 12, ' day'])).toEqual({
      name: 'delta',
      body: { turn: 3, attempt: 1, offset: 12, text: ' day' },
    })
    expect([decode('d', [3, 1, ' day']), decode('d', { 0: 3 }), decode('d', null)]).toEqual([null, null, null])
    const end = { seq: 2, at: 0, type: 'turn', turn: 1, attempt: 1, outcome: 'complete', level: 'neutral' }
    const short = { ...end, length: 4, hash: 7, offers: ['Why?'] }
    expect(decode('turn', short)).toEqual({ name: 'turn', body: short })
    expect(decode('turn', end)).toBeNull()
  })

  it('[embed-27] never throws, whatever the name and the body are', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.constantFrom('hello', 'event', 'delta', 'd', 'turn'), fc.anything()),
        fc.anything(),
        (name, body) => {
          expect(() => [decode(name, body), decodeAcknowledgement(body), decodeRefusal(body)]).not.toThrow()
        },
      ),
      { numRuns: runs('usual') },
    )
  })

  it('[embed-27] never throws and never lets a wrong type through when one field of a real message is spoilt', () => {
    fc.assert(
      fc.property(event, fc.nat(), fc.anything(), (body, at, spoilt) => {
        const keys = Object.keys(body)
        const key = keys[at % keys.length] ?? 'seq'
        const decoded = decode('event', { ...body, [key]: spoilt })
        if (decoded?.name !== 'event' || decoded.body.type === 'unknown') return
        const { seq, turn } = decoded.body
        expect([typeof seq, typeof turn]).toEqual(['number', 'number'])
        if ('text' in decoded.body) expect(typeof decoded.body.text).toBe('string')
        if ('level' in decoded.body) expect(typeof decoded.body.level).toBe('string')
      }),
      { numRuns: runs('usual') },
    )
  })

  it('[embed-27] keeps the place of an event it does not know', () => {
    expect(decode('event', { seq: 7, at: 1, turn: 2, type: 'applause', loud: true })).toEqual({
      name: 'event',
      body: { seq: 7, type: 'unknown' },
    })
    const command = { seq: 8, at: 1, turn: 2, type: 'command', id: '2.0', command: { name: 'AI_Applaud' } }
    expect(decode('event', command)).toEqual({ name: 'event', body: { seq: 8, type: 'unknown' } })
  })

  it('[message-36] reads the offers of a reply, and leaves out what is no text for a button', () => {
    const turn = {
      seq: 2,
      at: 1,
      turn: 1,
      type: 'turn',
      attempt: 1,
      text: 'Which?',
      outcome: 'complete',
      level: 'neutral',
    }
    const offers = (raw: unknown) => decode('event', { ...turn, offers: raw })?.body
    expect(offers(['The sample', 'x'.repeat(60)])).toEqual({ ...turn, offers: ['The sample', 'x'.repeat(60)] })
    expect(offers(['The sample', ' ', 'x'.repeat(61), 7, null])).toEqual({ ...turn, offers: ['The sample'] })
    for (const unreadable of [[], [''], 'The sample', { 0: 'The sample' }]) expect(offers(unreadable)).toEqual(turn)
  })

  it.each(['seq', 'at', 'turn'])('[embed-27] an event whose %s is no number is not read as one', (key) => {
    const body = { seq: 1, at: 1, turn: 1, type: 'turn-start', attempt: 1, cid: 'c', text: 'Hi', [key]: '1' }
    expect(decode('event', body)?.body).toEqual(key === 'seq' ? undefined : { seq: 1, type: 'unknown' })
  })

  it('[embed-27] returns null for a name that it doesn’t know', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'HELLO', '', null, 3])
      expect(decode(name, {})).toBeNull()
  })

  it('[embed-27] an own __proto__ in a message pollutes nothing', () => {
    decode('delta', JSON.parse('{"turn":1,"attempt":1,"offset":0,"text":"","__proto__":{"polluted":1}}'))
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it('[embed-27] returns null for an acknowledgement that it can’t read', () => {
    expect(decodeAcknowledgement({ ok: true, turn: 1 })).toBeNull()
    expect(decodeAcknowledgement({ ok: true, turn: 1, seq: 2 })).toEqual({ ok: true, turn: 1, seq: 2 })
  })

  it('[embed-27] a refusal with a step it does not know ends there', () => {
    expect(decodeRefusal({ next: 'call-your-mother', code: 'new-code', message: 'No.' })).toEqual({
      ok: false,
      next: 'give-up',
      code: 'new-code',
      message: 'No.',
    })
  })
})

/** Returns a body as JSON transmits it, without -0 and undefined. */
function overTheWire<T>(body: T): T {
  return JSON.parse(JSON.stringify(body)) as T
}
