import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decisionOf,
  fitted,
  forgetDraft,
  isEmpty,
  keepDraft,
  keptDraft,
  lackOf,
  LONGEST_REASON,
  NO_DRAFT,
  overBy,
  readDraft,
  saysTheSame,
} from '../../../sims/game/decide/draft.ts'
import type { Draft } from '../../../sims/game/decide/draft.ts'
import { leftOut } from '../../../sims/game/decide/left-out.tsx'
import { cardOfLarkfield, runInLarkfield } from '../../support/game-views.ts'

const run = runInLarkfield()
const card = cardOfLarkfield()
const anyDraft: fc.Arbitrary<Draft> = fc.record({
  option: fc.option(fc.constantFrom('ship-as-is', 'hold-back-medical', 'gone')),
  reason: fc.string({ unit: 'binary' }),
  evidence: fc.array(fc.constantFrom('ceiling', 'credit', 'phasing', 'made-up')),
  unticked: fc.array(fc.constantFrom('ceiling', 'gate')),
})

describe('a decision that is not made yet', () => {
  it('[page-61] lacks an option, then a reason, then room', () => {
    const option = 'ship-as-is'
    expect(lackOf(NO_DRAFT)).toBe('no-option')
    expect(lackOf({ ...NO_DRAFT, option })).toBe('no-reason')
    expect(lackOf({ ...NO_DRAFT, option, reason: ' \n\u200b\u202e ' })).toBe('no-reason')
    expect(lackOf({ ...NO_DRAFT, option, reason: 'x'.repeat(LONGEST_REASON + 1) })).toBe('too-long')
    expect(lackOf({ ...NO_DRAFT, option, reason: ` ${'x'.repeat(LONGEST_REASON)} ` })).toBeNull()
    expect(lackOf({ ...NO_DRAFT, option, reason: 'Because.' })).toBeNull()
  })

  it('[page-57] is too long by the characters beyond 2,000, without the blanks around it', () => {
    expect(overBy('x'.repeat(2_000))).toBe(0)
    expect(overBy(`  ${'x'.repeat(2_012)}\n`)).toBe(12)
  })

  it('[page-59] cites nothing that was not heard, and nothing twice, and picks nothing that is not offered', () => {
    fc.assert(
      fc.property(anyDraft, (draft) => {
        const { option, reason, evidence } = fitted(draft, card, run)
        expect([null, ...(run.options ?? []).map(({ id }) => id)]).toContain(option)
        expect(reason).toBe(draft.reason)
        expect(new Set(evidence).size).toBe(evidence.length)
        for (const fact of evidence) expect(run.facts.map(({ id }) => id)).toContain(fact)
      }),
    )
    const cited = { option: 'gone', reason: 'r', evidence: ['phasing', 'credit', 'credit'], unticked: ['phasing'] }
    expect(fitted(cited, card, run)).toEqual({ option: null, reason: 'r', evidence: ['credit'], unticked: [] })
    const early = { ...run, options: card.options }
    expect(fitted({ ...NO_DRAFT, option: 'hold-back-medical' }, card, early).option).toBeNull()
  })

  it('[page-57] is kept as it was left, for its run', () => {
    fc.assert(
      fc.property(anyDraft, (draft) => {
        keepDraft('ctx_a', draft)
        expect(keptDraft('ctx_a')).toEqual(isEmpty(draft) ? NO_DRAFT : draft)
        expect(keptDraft('ctx_b')).toEqual(NO_DRAFT)
        forgetDraft('ctx_a')
        expect(keptDraft('ctx_a')).toEqual(NO_DRAFT)
      }),
    )
    for (const text of [null, '', '{', 'null', '[]', '{"option":1,"reason":[],"evidence":7}'])
      expect(readDraft(text)).toEqual(NO_DRAFT)
    expect(readDraft('{"evidence":["a",1]}').evidence).toEqual(['a'])
  })

  it('[page-61] is sent as the service takes it', () => {
    const draft = { option: 'ship-as-is', reason: '\u202e Because.\n', evidence: ['credit'], unticked: [] }
    const sent = { option: 'ship-as-is', reason: 'Because.', evidence: ['credit'] }
    expect(decisionOf(draft)).toEqual(sent)
    expect(decisionOf({ ...draft, unticked: ['gate'] })).toEqual({ ...sent, unticked: ['gate'] })
    expect(() => decisionOf(NO_DRAFT)).toThrow(TypeError)
  })

  it('[page-64] is compared with the decision without regard to blanks', () => {
    const decision = { option: 'ship-as-is', reason: 'One two.', evidence: ['a', 'b'], at: 1 }
    const draft = { option: 'ship-as-is', reason: ' One\n two. ', evidence: ['b', 'a'], unticked: [] }
    expect(saysTheSame(draft, decision)).toBe(true)
    expect(saysTheSame({ ...draft, reason: 'One three.' }, decision)).toBe(false)
    expect(saysTheSame({ ...draft, option: 'delay-a-week' }, decision)).toBe(false)
    expect(saysTheSame({ ...draft, evidence: ['a'] }, decision)).toBe(false)
    expect(saysTheSame({ ...draft, unticked: ['c'] }, decision)).toBe(false)
  })
})

it('[page-59] names the colleagues who were not heard out, except the guide', () => {
  expect(leftOut(run, 'otto')).toEqual({ never: [], open: ['ines'] })
  const people = run.people.map((person) => ({ ...person, status: 'new' as const }))
  expect(leftOut({ people }, 'otto')).toEqual({ never: ['maya', 'marcus', 'ines'], open: [] })
  expect(leftOut({ people }, null).never).toContain('otto')
})
