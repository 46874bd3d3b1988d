import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Guard } from '../../worker/core/graph/graph.ts'
import { DEFAULT_POLICY } from '../../worker/core/graph/policy.ts'
import { isSatisfiable } from '../../worker/core/graph/document/satisfiable.ts'
import { holds } from '../../worker/core/walk/decide.ts'
import { levelOf } from '../../worker/core/walk/relationship.ts'
import { runs } from '../support/runs.ts'
import { IS_LONG } from '../support/runs.ts'

const policy = DEFAULT_POLICY.relationship

describe('whether a condition can ever hold', () => {
  it('[lint-15] is what trying every walk says', () => {
    fc.assert(
      fc.property(anyGuard, (guard) => {
        expect(isSatisfiable([guard], policy)).toBe(everyWalk(STATES).some((walk) => holds(guard, walk, policy)))
      }),
      { numRuns: runs('cheap') },
    )
  })

  it('[lint-15] knows which states are never satisfied', () => {
    fc.assert(
      fc.property(anyGuard, fc.subarray(STATES), (guard, possible) => {
        const canSatisfy = (state: string) => possible.includes(state)
        expect(isSatisfiable([guard], policy, canSatisfy)).toBe(
          everyWalk(possible).some((walk) => holds(guard, walk, policy)),
        )
      }),
      { numRuns: runs('cheap') },
    )
  })

  it('[lint-15] a level that no score reaches never holds', () => {
    const guard: Guard = { relationship: { atLeast: 'trusting' } }
    expect(isSatisfiable([guard], { ...policy, highest: 17 })).toBe(false)
    expect(isSatisfiable([guard], { ...policy, highest: 18 })).toBe(true)
    expect(isSatisfiable([{ not: guard }], { ...policy, lowest: 18 })).toBe(false)
  })

  it.runIf(IS_LONG)('[lint-15] too much to try gets the benefit of the doubt', () => {
    expect(isSatisfiable(pigeons(3, 2), policy)).toBe(false)
    expect(isSatisfiable(pigeons(9, 8), policy)).toBe(true)
  })
})

/**
 * Returns the conditions of the pigeonhole problem: each pigeon is in a hole, and no two pigeons are in the same hole.
 * With fewer holes than pigeons, the conditions cannot all be true, which is hard for a program to prove.
 */
function pigeons(count: number, holes: number): readonly Guard[] {
  const birds = Array.from({ length: count }, (_, nth) => nth)
  const places = Array.from({ length: holes }, (_, nth) => nth)
  const at = (bird: number, hole: number): Guard => ({ satisfied: `bird_${bird}_in_${hole}` })
  const somewhere = birds.map((bird): Guard => ({ any: places.map((hole) => at(bird, hole)) }))
  const alone = birds.flatMap((bird) =>
    birds
      .slice(0, bird)
      .flatMap((other) => places.map((hole): Guard => ({ not: { all: [at(bird, hole), at(other, hole)] } }))),
  )
  return [...somewhere, ...alone]
}

const STATES = ['a', 'b', 'c']

const { guard: anyGuard } = fc.letrec<{ guard: Guard }>((tie) => ({
  guard: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Guard>(...policy.levels.map(({ level }): Guard => ({ relationship: { atLeast: level } }))),
    fc.constantFrom<Guard>(...STATES.map((satisfied): Guard => ({ satisfied }))),
    fc.record({ all: fc.array(tie('guard'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('guard'), { maxLength: 3 }) }),
    fc.record({ not: tie('guard') }),
  ),
}))

/**
 * Returns every walk that a condition can tell apart from other walks: one walk for each score and each set of
 * satisfied states.
 */
function everyWalk(states: readonly string[]) {
  const sets = states.reduce<readonly (readonly string[])[]>(
    (all, state) => [...all, ...all.map((set) => [...set, state])],
    [[]],
  )
  const scores = Array.from({ length: policy.highest - policy.lowest + 1 }, (_, nth) => policy.lowest + nth)
  return scores.flatMap((score) =>
    sets.map((satisfied) => ({ satisfied, relationship: { score, level: levelOf(score, policy) } })),
  )
}
