import { describe, expect, it } from 'vitest'
import { type Graph, nodeOf } from '../../worker/core/graph/graph.ts'
import { verifyGraph } from '../../worker/core/graph/proof/verify.ts'
import { startWalk } from '../../worker/core/walk/walk.ts'
import { withBranch, withNode } from '../support/edit-graph.ts'
import { graphOf } from '../support/sample-scenario.ts'
import { choose, play, turn } from '../support/walk-events.ts'

describe('exploration of a branch', () => {
  it('[graph-8] [walk-19] is as warm and as cold as a walk can be, so a choice that costs something may still take it', () => {
    const graph = withCostlyBranch(graphOf(), 'PIVOT_1')
    const warmest = { ...startWalk(graph), relationship: { score: 30, level: 'trusting' as const } }
    const walked = play(graph, [turn(true), turn(true), turn(true), turn(true), choose('b'), turn(true)], warmest).walk
    expect([walked.end, walked.seq]).toEqual([{ completion: 'forced' }, 5])
    // Five exchanges are enough if the learner types the answer to the fork's question: the reply to that message also
    // goes on to CLOSE.
    expect(verifyGraph(graph).shortest.exchanges).toBe(5)
  })
})

/**
 * Returns the graph with an additional exit from a fork to CLOSE. The walker takes this exit only if the relationship
 * has the level `trusting`. Every choice at the fork lowers the relationship's score.
 */
function withCostlyBranch(graph: Graph, id: string): Graph {
  const node = nodeOf(graph, id)
  if (node.kind !== 'pivot') throw new Error(`no pivot ${id}`)
  const pivot = { ...node.pivot, choices: node.pivot.choices.map((choice) => ({ ...choice, mood: -4 })) }
  return withBranch(withNode(graph, id, { pivot }), id, 'CLOSE', { relationship: { atLeast: 'trusting' } })
}
