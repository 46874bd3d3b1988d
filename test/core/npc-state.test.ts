import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { UnknownNodePolicy } from '../../worker/core/graph/graph.ts'
import { fromNpcState, toNpcState } from '../../worker/core/walk/npc-state.ts'
import { graphOf } from '../support/sample-scenario.ts'
import { anyActs, choose, play, turn } from '../support/walk-events.ts'

const graph = graphOf()

describe('npc_state', () => {
  it('[walk-26] taken up again, a walk goes on to the same nodes', () => {
    fc.assert(
      fc.property(anyActs, anyActs, (before, after) => {
        const { walk } = play(graph, before)
        fc.pre(walk.end === null)
        const state = toNpcState(walk)
        const loaded = fromNpcState(graph, state, { score: walk.relationship.score, unknownNode: 'fail' })
        if (!loaded.ok) throw new Error('not loaded')
        expect(toNpcState(loaded.walk)).toEqual(state)
        expect(toNpcState(play(graph, after, loaded.walk).walk)).toEqual(toNpcState(play(graph, after, walk).walk))
        expect(play(graph, after, loaded.walk).walk.end).toEqual(play(graph, after, walk).walk.end)
      }),
      { numRuns: 500 },
    )
  })

  const lost = {
    ...toNpcState(play(graph, [turn(true), turn(true), turn(true), turn(true), choose('a'), turn(false)]).walk),
    current_node: 'GONE',
  }
  const load = (unknownNode: UnknownNodePolicy) => fromNpcState(graph, lost, { score: 0, unknownNode })

  it('[walk-26] a node the graph does not have is an error', () => {
    expect(load('fail')).toEqual({ ok: false, error: { code: 'RESUME_UNKNOWN_NODE', node: 'GONE' } })
  })

  it('[walk-26] or goes back to the nearest node that is left, and says so', () => {
    const loaded = load('nearest-ancestor')
    expect(loaded.ok && [loaded.walk.node, loaded.moved]).toEqual(['DECISIVE', { from: 'GONE', to: 'DECISIVE' }])
  })

  it('[walk-26] or starts again, and says so', () => {
    const loaded = load('restart')
    expect(loaded.ok && [loaded.walk.node, loaded.walk.seq, loaded.moved]).toEqual([
      'GROUND',
      0,
      { from: 'GONE', to: 'GROUND' },
    ])
  })
})
