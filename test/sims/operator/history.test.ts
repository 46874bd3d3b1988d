import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { momentAt, momentsOf, contextStateAt, statesOf } from '../../../sims/operator/workflow/history.ts'
import { changeLine, clock, dateTime, findingSentence, lasted, tally } from '../../../sims/operator/texts.ts'
import { anyHistory, known } from '../../support/any-workflow.ts'

describe('what a context was', () => {
  it('[operator-12] is null before the context began, and the new state at the time of a change', () => {
    fc.assert(
      fc.property(anyHistory, fc.integer({ min: -1, max: 90 }), (context, time) => {
        // States the service's rule in another way: of all states that are not later than `time`, the state with the
        // highest version.
        const possible = statesOf(context).filter(({ timestamp }) => timestamp <= time)
        const highest = Math.max(0, ...possible.map(({ version }) => version))
        expect(contextStateAt(context, time)?.version ?? 0).toBe(highest)
      }),
    )
  })

  it('[operator-12] is the present state without a time', () => {
    fc.assert(
      fc.property(anyHistory, (context) => {
        expect(contextStateAt(context, null)).toMatchObject({ version: context.version, status: context.status })
        expect(contextStateAt(context, Number.MAX_SAFE_INTEGER)).toEqual(contextStateAt(context, null))
      }),
    )
  })

  it('[operator-12] holds no version twice, where the export brings the latest among the earlier ones', () => {
    const state = { version: 1, status: 'active', purpose: 'p', description: null, data: {} } as const
    const context = known({ id: 'ctx_a', previousVersions: [{ ...state, timestamp: 1_000, updatedBy: 'tests' }] })
    expect(statesOf(context).map(({ version }) => version)).toEqual([1])
  })
})

describe('the moments of a run', () => {
  it('[operator-12] are all times at which anything changed, once each, with every change in exactly one', () => {
    fc.assert(
      fc.property(fc.array(anyHistory, { maxLength: 6 }), (contexts) => {
        const moments = momentsOf(contexts)
        const times = moments.map(({ time }) => time)
        expect(times).toEqual(
          [...new Set(contexts.flatMap((each) => statesOf(each).map((state) => state.timestamp)))].toSorted(
            (a, b) => a - b,
          ),
        )
        const changes = moments.flatMap((moment) => moment.changes)
        expect(changes).toHaveLength(contexts.flatMap(statesOf).length)
        for (const { before, after } of changes) expect(before?.version ?? 0).toBe(after.version - 1)
        for (const [index, time] of times.entries()) {
          expect(momentAt(moments, time)).toBe(index)
          expect(momentAt(moments, time - 1)).toBe(index - 1)
        }
        expect(momentAt(moments, null)).toBe(moments.length - 1)
      }),
    )
  })

  it('[operator-12] say what changed, the status first', () => {
    const state = {
      version: 1,
      status: 'active',
      purpose: 'p',
      description: null,
      data: {},
      timestamp: 1,
      updatedBy: 'b',
    } as const
    expect(changeLine({ id: 'a', before: null, after: state }, 'maya')).toBe('maya: begun')
    expect(changeLine({ id: 'a', before: state, after: { ...state, status: 'blocked', data: { x: 1 } } }, 'maya')).toBe(
      'maya: active → blocked',
    )
    expect(changeLine({ id: 'a', before: state, after: { ...state, purpose: 'q', data: { x: 1 } } }, 'maya')).toBe(
      'maya: purpose and data changed',
    )
    const [begun, turned] = [
      { x: 1, y: 1 },
      { y: 1, x: 1 },
    ].map((data) => ({ ...state, data }))
    expect(changeLine({ id: 'a', before: begun ?? state, after: turned ?? state }, 'maya')).toBe(
      'maya: nothing that shows changed',
    )
  })
})

describe('words', () => {
  it.each([
    [0, '0 s'],
    [59_400, '59 s'],
    [60_000, '1 min'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h'],
    [5_000_000, '1 h 23 min'],
    [86_400_000, '1 day'],
    [200_000_000, '2 days 7 h'],
  ])('[operator-9] %i ms are %s', (milliseconds, words) => expect(lasted(milliseconds)).toBe(words))

  it('[operator-7] the clock alone is shown on the day of a time nearby, and on no other', () => {
    const noon = new Date(2026, 10, 20, 12).getTime()
    expect(clock(noon + 1_000, noon)).toBe('12:00:01')
    expect(clock(noon + 86_400_000, noon)).toBe(dateTime(noon + 86_400_000))
  })

  // Each row has the kind of a finding, the texts `found` and `expected` as the service sends them, and the sentence
  // that the page shows.
  it.each([
    ['orphan', 'parent ctx_b', 'a parent that is there', 'Its parent isn’t there. It names parent ctx_b.'],
    ['wrong-depth', '4', '1', 'It says its depth is 4. By its parents it is 1.'],
    ['too-deep', '11', 'at most 10', 'It is at depth 11; at most 10 is allowed.'],
    [
      'version-gap',
      '1 from 2 to 2',
      '2 from 1 to 2',
      'Its history has a gap. Earlier versions that are there: 1 from 2 to 2. That should be: 2 from 1 to 2.',
    ],
    ['wrong-count', '3 children', '1', 'A count is wrong. What is kept: 3 children. What is true: 1.'],
  ] as const)('[operator-14] %s, found %s', (kind, found, expected, sentence) => {
    expect(findingSentence({ kind, contextId: 'ctx_a', found, expected })).toBe(sentence)
  })

  it('[operator-9] statuses are counted, those first that are live', () => {
    expect(tally(['completed', 'active', 'completed', 'cancelled'])).toBe('1 active, 2 completed, 1 cancelled')
  })
})
