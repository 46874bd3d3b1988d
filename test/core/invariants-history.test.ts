import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { step } from '../../worker/core/walk/step.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'
import { deepFreeze } from '../../worker/deep-freeze.ts'
import { anyHappening, anyHappenings, happen, happenTurns, wrongEvents } from '../support/any-events.ts'
import { EVERY_KIND, everyStep, everyWalk } from '../support/every-walk.ts'
import { IS_LONG, runs } from '../support/runs.ts'

describe.each(EVERY_KIND.filter((_, index) => IS_LONG || index % 3 === 0))(
  'the past of a walk through $name',
  (walked) => {
    it('[corpus-8] [walk-1] (1) the same walk and event give the same result, and nothing given is changed', () => {
      everyStep(
        walked,
        (graph, { event, before, step: made }) => {
          const given = deepFreeze(structuredClone({ graph, before, event }))
          same(step(given.graph, given.before, given.event), made)
        },
        40,
      )
    })

    it('[corpus-8] [walk-2] (2) is the fold of its events at every moment, also when it is stored and read in between', () => {
      everyWalk(walked, (graph, taken) => {
        let folded = startWalk(graph)
        for (const { event, step: made } of taken) {
          folded = step(graph, JSON.parse(JSON.stringify(folded)) as Walk, event).walk
          same(folded, made.walk)
        }
      })
    })

    it('[corpus-8] [walk-8] (18) is over once it has ended', () => {
      let ends = 0
      fc.assert(
        fc.property(
          walked.graphs,
          fc.array(anyHappening, { minLength: 12, maxLength: 40 }),
          anyHappenings,
          (graph, acts, late) => {
            const ended = happenTurns(graph, acts, 90, startWalk(graph)).at(-1)?.step.walk
            if (!ended?.end) return
            ends += 1
            for (const { step: made } of happen(graph, late, ended)) {
              expect(made.walk).toBe(ended)
              expect(made.effects).toEqual([])
              expect(made.trace.map(({ type }) => type)).toEqual(['ignored'])
            }
          },
        ),
        { numRuns: runs('costly') },
      )
      expect(ends).toBeGreaterThan(runs('costly') / 4)
    })

    it('[corpus-8] [walk-9] (19) takes nothing that is late, early, for somebody else or of another kind', () => {
      fc.assert(
        fc.property(walked.graphs, anyHappenings, anyHappening, (graph, happenings, happening) => {
          for (const { step: made } of happen(graph, happenings))
            for (const wrong of wrongEvents(made.walk, happening, 'late')) {
              const answered = step(graph, made.walk, wrong)
              expect(answered.walk).toBe(made.walk)
              expect(answered.effects).toEqual([])
              expect(answered.trace.map(({ type }) => type)).toEqual(['ignored'])
            }
        }),
        { numRuns: runs('costly') },
      )
    })

    it('[corpus-8] [walk-9] (19) takes no report twice', () => {
      everyStep(walked, (graph, { event, before, step: made }) => {
        if (event.type !== 'report' || made.walk === before) return
        expect(step(graph, made.walk, event).walk).toBe(made.walk)
      })
    })
  },
)

/** Checks that two values are deeply and strictly equal. The check is slow only for values that differ. */
function same(one: unknown, other: unknown) {
  if (!isDeepStrictEqual(one, other)) expect(one).toStrictEqual(other)
}
