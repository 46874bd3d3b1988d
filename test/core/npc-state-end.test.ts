import { describe, expect, it } from 'vitest'
import { fromNpcState, toNpcState } from '../../worker/core/walk/npc-state.ts'
import type { Walk } from '../../worker/core/walk/walk.ts'
import { graphOf } from '../support/sample-scenario.ts'
import { choose, play, turn, walkTo } from '../support/walk-events.ts'

const graph = graphOf()

function reload(walk: Walk): Walk {
  const loaded = fromNpcState(graph, toNpcState(walk), { score: walk.relationship.score, unknownNode: 'fail' })
  if (!loaded.ok) throw new Error('not loaded')
  return loaded.walk
}

describe('an ended conversation in npc_state', () => {
  it.each([
    ['earned', walkTo(graph, 'CLOSE')],
    [
      'forced',
      play(
        graph,
        Array.from({ length: 6 }, () => turn(false)),
        walkTo(graph, 'DECISIVE'),
      ).walk,
    ],
  ] as const)('[walk-26] [walk-8] [walk-23] stays ended (%s): nothing is given out a second time', (completion, at) => {
    for (const last of [turn(true), turn(false)]) {
      const { walk } = play(graph, [last], at)
      expect(walk.end).toEqual({ completion })
      const loaded = reload(walk)
      expect(loaded.end).toEqual({ completion })
      const late = play(graph, [turn(true), choose('a')], loaded)
      expect(late.effects).toEqual([])
      expect(late.walk).toBe(loaded)
    }
  })

  it('[walk-26] one that stands in its last node without having left it goes on', () => {
    const at = walkTo(graph, 'CLOSE')
    expect(reload(at).end).toBeNull()
    expect(reload(play(graph, [turn(false, true)], at).walk).end).toBeNull()
  })
})
