import { ACADEMIC, EXPERT, GUIDE, TECHNICAL } from '../../support/backbones.ts'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { endingOf, nodeWords, reasonWords, scoreOf, readableStrip } from '../../../sims/game/debrief/strip.ts'
import { inWords } from '../../../sims/game/people.ts'
import { lateEn } from '../../../sims/game/texts/late-en.ts'
import { lateEs } from '../../../sims/game/texts/late-es.ts'
import { useLateTexts } from '../../../sims/game/texts/texts.ts'
import type { Reason } from '../../../worker/core/walk/event.ts'
import type { WalkStep } from '../../../worker/wire/run.ts'

beforeAll(() => useLateTexts(lateEn))

const anyStep: fc.Arbitrary<WalkStep> = fc.record({
  node: fc.constantFrom('GROUND', 'DEEPEN', 'ask-first', 'recall'),
  kind: fc.constantFrom('speak', 'pivot', 'silent'),
  from: fc.integer({ min: 1, max: 9 }),
  to: fc.integer({ min: 9, max: 20 }),
  reason: fc.option(fc.constantFrom('satisfied', 'max-turns', 'backstop')),
})

describe('the strip of a walk', () => {
  it('[after-5] shows every node that was stood in or passed, in its order', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 200 }), (walk) => {
        const { steps, after } = readableStrip(walk)
        const shown = [...steps.flatMap(({ passed, node }) => [...passed, node]), ...after]
        const stood = walk.filter(
          (step, index) =>
            step.kind === 'silent' || step.node !== walk[index - 1]?.node || walk[index - 1]?.kind === 'silent',
        )
        expect(shown).toEqual(stood.map(({ node }) => node))
      }),
    )
  })

  it('[after-5] makes one stop of a node that was come back to at once, and keeps the reason it was left for in the end', () => {
    const walk = [
      { node: 'A', kind: 'speak', from: 1, to: 2, reason: 'selected' },
      { node: 'A', kind: 'speak', from: 3, to: 4, reason: 'satisfied' },
      { node: 'thinks', kind: 'silent', from: 5, to: 5, reason: 'passed' },
      { node: 'A', kind: 'speak', from: 5, to: 5, reason: null },
    ] satisfies WalkStep[]
    expect(readableStrip(walk)).toEqual({
      steps: [
        { node: 'A', kind: 'speak', from: 1, to: 4, reason: 'satisfied', passed: [] },
        { node: 'A', kind: 'speak', from: 5, to: 5, reason: null, passed: ['thinks'] },
      ],
      after: [],
    })
  })
})

/**
 * A record with every reason of the walker, so that the compiler reports an error here when the walker gets a new
 * reason.
 */
const REASONS: Record<Reason, true> = {
  satisfied: true,
  'max-turns': true,
  'no-self-loop': true,
  backstop: true,
  'exchange-limit': true,
  'pivot-choice': true,
  'pivot-own': true,
  'pivot-asked': true,
  'pivot-passed': true,
  left: true,
  'went-on': true,
  resumed: true,
  'pivot-timeout': true,
  'pivot-armed': true,
  'pivot-open': true,
  'gate-hold': true,
  'detour-grace': true,
  dwell: true,
  selected: true,
  passed: true,
  jumpback: true,
  'internal-loop': true,
  migrated: true,
  reported: true,
}

describe('its words', () => {
  it.each([
    ['English', lateEn],
    ['Spanish', lateEs],
  ])('[after-5] there are some for every reason of the walker, in %s', (_, texts) => {
    useLateTexts(texts)
    for (const reason of Object.keys(REASONS)) {
      expect(reasonWords(reason, 'Maya')).toMatch(/\p{L}.*\.$/u)
    }
    expect(Object.keys(texts.debrief.reasons).toSorted()).toEqual(Object.keys(REASONS).toSorted())
    useLateTexts(lateEn)
  })

  it('[after-5] there are some for every node of every backbone', () => {
    const nodes = [TECHNICAL, ACADEMIC, EXPERT, GUIDE].flatMap((backbone) => backbone.nodes.map(({ id }) => id))
    expect(nodes.length).toBeGreaterThan(20)
    expect(nodes.filter((node) => !Object.hasOwn(lateEn.debrief.nodes, node))).toEqual([])
  })

  it('[after-5] a node or a reason without words goes by its name', () => {
    expect(nodeWords('ask-first')).toBe('Ask first')
    expect(nodeWords('toString')).toBe('To string')
    expect(reasonWords('struck-by-lightning', 'Maya')).toBe('Struck by lightning')
    expect(reasonWords('constructor', 'Maya')).toBe('Constructor')
    expect(reasonWords(null, 'Maya')).toBe(lateEn.debrief.notLeft)
    expect(inWords('WEEK_3.check:in')).toBe('Week 3 check in')
    expect([endingOf('struck-by-lightning'), endingOf(null), endingOf('backstop')]).toEqual(['passed', 'open', 'cut'])
  })

  it('every score has a word, even an unknown one', () => {
    expect([-9, -2, -1, 0, 1, 2, 40, Number.NaN, 0.9].map((score) => scoreOf(score).worth)).toEqual([
      -2, -2, -1, 0, 1, 2, 2, 0, 0,
    ])
    expect(scoreOf(2).words).toBe('opened up')
  })
})
