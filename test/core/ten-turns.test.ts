import { describe, expect, it } from 'vitest'
import type { Graph } from '../../worker/core/graph/graph.ts'
import rows from '../fixtures/ten-turns.json' with { type: 'json' }
import { startWalk } from '../../worker/core/walk/walk.ts'
import { graphOf } from '../support/sample-scenario.ts'
import { choose, play, turn } from '../support/walk-events.ts'

describe('the ten turns of the worked example', () => {
  it('[walk-27] every row has its decision, its reason and its commands', () => {
    const graph = endingEarns()
    let walk = startWalk(graph)
    for (const row of rows) {
      expect(walk.node, `row ${row.turn}`).toBe(row.node)
      const played = play(graph, [turn(row.satisfied, row.detour)], walk)
      expect(decisionsIn(played.trace), `row ${row.turn}`).toEqual([{ from: row.node, to: row.to, reason: row.reason }])
      expect(commandsIn(played.effects), `row ${row.turn}`).toEqual(row.commands ?? [])
      if (row.overlay) expect(played.walk.overlays).toEqual([row.overlay])
      walk = played.walk
      if (!row.choose) continue
      const before = walk.relationship.score
      const chosen = play(graph, [choose(row.choose.choice)], walk)
      expect(decisionsIn(chosen.trace)).toEqual([{ from: row.node, to: row.choose.to, reason: row.choose.reason }])
      expect(chosen.walk.relationship.score - before).toBe(row.choose.mood)
      expect(chosen.walk.seq, 'a choice is no exchange').toBe(walk.seq)
      walk = chosen.walk
    }
    expect(walk.end).toEqual({ completion: 'earned' })
    expect(walk.seq).toBe(10)
  })

  it('[walk-27] [walk-23] where the learner may leave, only the objective comes earlier: with the gate', () => {
    const acts = rows.flatMap((row) => [
      turn(row.satisfied, row.detour),
      ...(row.choose ? [choose(row.choose.choice)] : []),
    ])
    const [late, early] = [endingEarns(), graphOf()].map((graph) => play(graph, acts))
    expect(early?.trace).toEqual(late?.trace)
    expect(commandsIn(late?.effects ?? []).indexOf(OBJECTIVE)).toBe(2)
    const given = early?.steps.filter(({ step }) => commandsIn(step.effects).includes(OBJECTIVE)) ?? []
    expect(given.map(({ before, step }) => [before.node, step.walk.node, step.walk.end])).toEqual([
      ['DECISIVE', 'PIVOT_2', null],
    ])
  })
})

const OBJECTIVE = 'AI_AdvanceObjective:launch-risk'

/** The graph of the example, in which the end gives out the objective. */
function endingEarns(): Graph {
  const { policy, ...graph } = graphOf()
  return { ...graph, policy: { ...policy, leaving: false } }
}

function decisionsIn(trace: ReturnType<typeof play>['trace']) {
  return trace.flatMap((entry) => (entry.type === 'decision' ? [entry.decision] : []))
}

function commandsIn(effects: ReturnType<typeof play>['effects']) {
  return effects.flatMap((effect) => (effect.type === 'command' ? [effect.id] : []))
}
