import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readBehavior, readPick, readQueries, readReflection } from '../../worker/core/reply/read-answer.ts'
import { isSeparatorLine } from '../../worker/core/reply/separator.ts'
import { hostileText } from '../support/hostile-text.ts'
import { runs } from '../support/runs.ts'

const OFFERED = { actions: 3, exits: 2 }

const PARTS = [
  ['{', '}', '"', ':', ',', '[', ']', "'", '\\', '`', '```json\n', '\n```', '\n', ' '],
  ['"action"', '"exit"', 'action', 'exit', '"behavior"', '"queries"', '"reflection"', 'null'],
  ['0', '1', '2', '7', '-1', '1.5', '"calm"', '["a", "b"]', '{"reflection": "', '{"behavior": "calm"}'],
  ['{"action": 1}', '{"exit": 0}', '{"exit": 1, "action": null}', '{"action": 9}'],
  ['<think>', '</think>', 'I would pick'],
].flat()

/** Generates texts that consist of pieces of a model's answer. The whole text may be a valid answer or not. */
const answerLike = fc
  .array(fc.oneof(fc.constantFrom(...PARTS), fc.string({ maxLength: 6 })), { maxLength: 14 })
  .map((parts) => parts.join(''))
const anyText = fc.oneof(answerLike, hostileText, fc.string({ unit: 'binary' }))

describe('a pick', () => {
  it.each([
    ['{"action": 2}', { action: 2 }],
    ['{"exit": 0}', { exit: 0 }],
    ['{"action": 1, "exit": null}', { action: 1 }],
    ['{"action": null, "exit": 1}', { exit: 1 }],
    ['{"exit": "1"}', { exit: 1 }],
    ['{"because": "they said {so}", "exit": 1}', { exit: 1 }],
    ['{"exit": 1, "exit": 1}', { exit: 1 }],
    ['{"exit": 1}\n\n{"exit": 1}', { exit: 1 }],
    ["{'exit': 1,}", { exit: 1 }],
  ])('[selection-7] %s', (text, pick) => expect(readPick(text, OFFERED)).toEqual(pick))

  it.each([
    '',
    'exit 1',
    '1',
    'null',
    '[1]',
    '{}',
    '{"action": null, "exit": null}',
    '{"action": 3}',
    '{"exit": 2}',
    '{"exit": -1}',
    '{"exit": 1.0}',
    '{"exit": 1e0}',
    '{"exit": 01}',
    '{"exit": +1}',
    '{"exit": true}',
    '{"exit": "first"}',
    '{"exit": [1]}',
    '{"Exit": 1}',
    '{"action": 0, "exit": 0}',
    '{"exit": 0, "exit": 1}',
    '{"exit": 1, "exit": null}',
    '{"exit": 0} or rather {"exit": 1}',
    '{"exit": 1} or {"action": null, "exit": null}',
    '{"exit": 1',
    '{"exit": 1, "because": "th',
    '{"exit": 1} {"exit": 0',
    '{"exit" 1}',
    '{"action": 1, exit}',
    `${' '.repeat(70_000)}{"exit": 1}`,
  ])('[selection-7] %j picks nothing', (text) => expect(readPick(text, OFFERED)).toBeNull())

  it.each([
    ['```json\n{"exit": 1}\n```', { exit: 1 }],
    ['They are done, so: {"exit": 1}. That is all.', { exit: 1 }],
    ['<think>{"exit": 0}? No.</think>{"exit": 1}', { exit: 1 }],
    ['maybe {"exit": 0}</think>\n{"action": 2}', { action: 2 }],
    ['A set {maybe} and then {"exit": 1}', { exit: 1 }],
    ['{"answer": {"exit": 1}}', null],
    ['[{"exit": 1}]', { exit: 1 }],
    ['{"thought": "the action: leave"} {"exit": 1}', null],
    ['<think>{"exit": 1}', null],
  ])('[selection-8] %s', (text, pick) => expect(readPick(text, OFFERED)).toEqual(pick))

  it('[selection-7] no text picks what was not offered, and none throws', () => {
    fc.assert(
      fc.property(anyText, fc.nat(4), fc.nat(4), (text, actions, exits) => {
        const pick = readPick(text, { actions, exits })
        if (pick === null) return
        if ('action' in pick) expect(pick.action).toBeLessThan(actions)
        else expect(pick.exit).toBeLessThan(exits)
        const index = 'action' in pick ? pick.action : pick.exit
        expect(Number.isInteger(index) && index >= 0).toBe(true)
        expect(Object.keys(pick)).toHaveLength(1)
      }),
      { numRuns: runs('cheap') },
    )
  })

  it('[selection-7] cutting an answer short never changes what it picks', () => {
    fc.assert(
      fc.property(anyText, fc.nat(80), (text, at) => {
        const whole = `${text}{"action": null, "exit": 1}`
        const cut = readPick(whole.slice(0, whole.length - (at % 12) - 1), OFFERED)
        const before = readPick(text, OFFERED)
        if (before === null) expect(cut).toBeNull()
      }),
      { numRuns: runs('cheap') },
    )
  })

  it('[selection-7] readPick reads a megabyte of braces in linear time', () => {
    // Each text has a million characters. If the work grew with the square of that length, the test would exceed its
    // time limit.
    for (const part of ['{', '{}', '{"a":', '[{', '{"exit"'])
      expect(readPick(part.repeat(Math.floor(1_000_000 / part.length)), OFFERED)).toBeNull()
  })
})

describe('a behavior', () => {
  const ids = ['calm', 'in_haste']
  it.each([
    ['{"behavior": "calm"}', 'calm'],
    ['{"behavior": null}', null],
    ['{"behavior": "none"}', null],
    ['```\n{"behavior": "in_haste"}\n```', 'in_haste'],
    ['{"behavior": calm}', 'calm'],
    ['{"behavior": "Calm"}', undefined],
    ['{"behavior": "angry"}', undefined],
    ['{"behavior": ["calm"]}', undefined],
    ['{"behavior": "calm"} {"behavior": "in_haste"}', undefined],
    ['{"behavior": "calm", "behavior": null}', undefined],
    ['{"behavior": "calm', undefined],
    ['calm', undefined],
    ['', undefined],
  ])('[selection-9] %s', (text, expected) => expect(readBehavior(text, ids)).toBe(expected))

  it('[selection-9] no text names one that was not offered', () => {
    fc.assert(
      fc.property(anyText, fc.subarray(ids), (text, offered) => {
        expect([...offered, null, undefined]).toContain(readBehavior(text, offered))
      }),
      { numRuns: runs('cheap') },
    )
  })
})

describe('queries', () => {
  it.each([
    ['{"queries": ["their goal", " Their  Goal ", "", "run 47"]}', ['their goal', 'run 47']],
    ['{"queries": []}', []],
    ['{"queries": "one thing"}', ['one thing']],
    ['{"queries": ["a", 1, null, ["b"]]}', ['a']],
    ['{"queries": ["1","2","3","4","5","6"]}', ['1', '2', '3', '4', '5']],
    ['{"queries": ["cut off', []],
    ['their goal', []],
    ['{"queries": {"0": "a"}}', []],
    ['```json\n{"queries": ["a\\nb\\u0000"]}\n```', ['a b']],
  ])('[selection-10] %s', (text, expected) => expect(readQueries(text)).toEqual(expected))

  it('[selection-10] are at most five, short, distinct and on one line, for any text', () => {
    const list = fc.array(fc.oneof(hostileText, fc.string({ unit: 'binary', maxLength: 400 })), { maxLength: 9 })
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          list.map((queries) => JSON.stringify({ queries })),
        ),
        (text) => {
          const queries = readQueries(text)
          expect(queries.length).toBeLessThanOrEqual(5)
          expect(new Set(queries.map((query) => query.toLowerCase())).size).toBe(queries.length)
          for (const query of queries) {
            expect(query.length).toBeLessThanOrEqual(200)
            expect(query).toBe(query.trim())
            expect(query).not.toMatch(/^$|[\n\r\t]/)
            expect(query).not.toContain('\u0000')
          }
        },
      ),
      { numRuns: runs('cheap') },
    )
  })
})

describe('a conclusion', () => {
  it.each([
    ['{"reflection": "They keep away from it."}', 20, 'They keep away from it.'],
    ['{"reflection": "One two. Three four five."}', 4, 'One two.'],
    ['{"reflection": "One two three four five."}', 3, 'One two three'],
    ['{"reflection": "It is \\"23.4%\\".\\nAnd so on."}', 20, 'It is "23.4%". And so on.'],
    ['<think>hm</think>They keep away.', 20, 'They keep away.'],
    ['{"reflection": "They keep', 20, ''],
    ['{"note": "They keep away."}', 20, ''],
    ['{"reflection": 4}', 20, ''],
    ['{"reflection": "They stay."}', 0, ''],
    ['{"reflection": "They stay."}', Number.NaN, ''],
    ['', 20, ''],
  ])('[selection-11] %s within %d', (text, limit, expected) => expect(readReflection(text, limit)).toBe(expected))

  it('[selection-11] [reply-27] names no field, or every later report would count as an echo', () => {
    const written = 'They ask for node_satisfied and engagementScore.'
    const plain = 'They ask for node satisfied and engagement score.'
    expect(readReflection(written, 20)).toBe(plain)
    expect(readReflection(JSON.stringify({ reflection: written }), 20)).toBe(plain)
  })

  it('[selection-11] keeps the limit and holds no separator, for any text', () => {
    const written = fc.oneof(
      anyText,
      hostileText.map((reflection) => JSON.stringify({ reflection })),
    )
    fc.assert(
      fc.property(written, fc.integer({ min: 1, max: 12 }), (text, limit) => {
        const read = readReflection(text, limit)
        expect(read.split(/\s+/).length).toBeLessThanOrEqual(limit)
        expect(read).not.toMatch(/\n|[-–—－]{2,}\s*END\s*[-–—－]{2,}|━━/i)
        expect(isSeparatorLine(read)).toBe(false)
        expect(read).not.toMatch(/^(?:THE LEARNER SAYS|YOUR ANSWER|BOUNDARIES|CURRENT NODE)\b/)
      }),
      { numRuns: runs('cheap') },
    )
  })
})
