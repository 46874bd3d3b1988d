import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Exit,
  isGuarded,
  type Graph,
  type GraphNode,
  type NodeId,
  nodeOf,
  type SpeakingNode,
  speaks,
  type Guard,
} from '../../worker/core/graph/graph.ts'
import { verifyGraph } from '../../worker/core/graph/proof/verify.ts'
import type { Decision, Trace } from '../../worker/core/walk/event.ts'
import { step } from '../../worker/core/walk/step.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'
import { anyHappening, happenTurns } from '../support/any-events.ts'
import { EVERY_KIND, everyStep, everyWalk, TIERS } from '../support/every-walk.ts'
import { anyReport } from '../support/walk-events.ts'
import { runs } from '../support/runs.ts'

describe.each(TIERS)('a walk through $name', ({ graphs }) => {
  it('[corpus-8] [walk-3] (3) ends within the bound that exploration gives, whatever happens', () => {
    const [graph] = fc.sample(graphs, 1)
    if (!graph) throw new Error('no graph')
    const bound = verifyGraph(graph).longest.exchanges
    let longest = 0
    fc.assert(
      fc.property(fc.array(anyHappening, { minLength: 20, maxLength: 120 }), (happenings) => {
        const walk = happenTurns(graph, happenings, bound + 5, startWalk(graph)).at(-1)?.step.walk
        expect(walk?.end).not.toBeNull()
        expect(walk?.seq).toBeLessThanOrEqual(bound)
        longest = Math.max(longest, walk?.seq ?? 0)
      }),
      { numRuns: runs('dear') },
    )
    expect(longest).toBeGreaterThan(verifyGraph(graph).shortest.exchanges)
  })
})

describe.each(EVERY_KIND)('the pointer in $name', (walked) => {
  it('[corpus-8] [walk-13] (4) leaves a gate satisfied by a report made there, or by being cut short', () => {
    everyWalk(walked, (graph, taken) => {
      const said = new Set<NodeId>()
      for (const { event, before, step: made } of taken) {
        const isTaken = event.type === 'report' && made.walk !== before
        if (isTaken && event.report.node_satisfied) said.add(before.node)
        for (const entry of made.trace) {
          if (entry.type !== 'moved' || !isGate(graph, entry.from) || isCut(entry.reason)) continue
          if (entry.reason === 'satisfied') expect(isTaken && event.report.node_satisfied).toBe(true)
          else expect(said.has(entry.from)).toBe(true)
        }
      }
    })
  })

  it('[corpus-8] [walk-4] [walk-24] (5) depends on seven fields of a report', () => {
    fc.assert(
      fc.property(walked.graphs, fc.array(anyHappening, { maxLength: 60 }), anyReport, (graph, happenings, other) => {
        for (const { event, before, step: made } of happenTurns(graph, happenings, 20, startWalk(graph))) {
          if (event.type !== 'report') continue
          const { node_satisfied, engagement_score, detour_detected } = event.report
          const { went_on, pivot_choice, learner_leaving, document_given } = event.report
          const read = { node_satisfied, engagement_score, detour_detected }
          const report = { ...other, ...read, went_on, pivot_choice, learner_leaving, document_given }
          const changed = step(graph, before, { ...event, report })
          expect(changed.walk).toEqual(made.walk)
          expect(changed.effects).toEqual(made.effects)
        }
      }),
      { numRuns: runs('costly') },
    )
  })

  it('[corpus-8] [walk-11] (6) is only ever delayed by a detour, and by none that satisfied', () => {
    everyStep(walked, (graph, { event, before, step: made }) => {
      if (event.type !== 'report' || made.walk === before) return
      const after = (detour_detected: boolean, node_satisfied: boolean) =>
        step(graph, before, { ...event, report: { ...event.report, detour_detected, node_satisfied } }).walk
      // This rule does not hold at a fork: there, a detour leaves the fork's question open, and no node is satisfied
      // ([walk-12]).
      if (graph.policy.forks && nodeOf(graph, before.node).kind === 'pivot') return
      expect(after(true, true)).toEqual(after(false, true))
      const [aside, straight] = [after(true, false), after(false, false)]
      expect(aside.seq).toBe(straight.seq)
      if (aside.node === straight.node && (aside.end === null) === (straight.end === null)) return
      // The exchange counts towards the backstop (the limit of exchanges without a move) although it was a detour. So
      // the backstop may end the walk here.
      if (aside.isCutShort && aside.node === graph.terminal) return
      expect(aside.node).toBe(before.node)
      expect([aside.graceUsed, aside.turns]).toEqual([before.graceUsed + 1, before.turns])
    })
  })

  it('[corpus-8] [walk-15] [walk-17] [walk-33] (7) moves on before the least number of turns for nothing but a choice or a cut', () => {
    everyStep(walked, (graph, { before, step: made }) => {
      const node = nodeOf(graph, before.node)
      if (!speaks(node)) return
      const decision = decisionIn(made.trace)
      if (decision && COUNTED.has(decision.reason)) expect(before.turns + 1).toBeGreaterThanOrEqual(node.minTurns)
      const [first] = made.trace
      if (first?.type === 'exit-selected' && first.node === node.id)
        expect(before.turns).toBeGreaterThanOrEqual(node.minTurns)
    })
  })

  it('[corpus-8] [walk-16] (8) stays in no node beyond its turns and its grace, but in a gate and a fork', () => {
    everyStep(walked, (graph, { before, step: made }) => {
      const node = nodeOf(graph, before.node)
      const decision = decisionIn(made.trace)
      if (node.kind !== 'speak' || node.isGate || node.maxTurns === null || decision?.to !== node.id) return
      // A generated graph may have an exit that leads from a node to itself. This exit leaves the walk in the node.
      if (!node.exits.some((exit) => isGuarded(exit) && exit.when === null) || COUNTED.has(decision.reason)) return
      const most = Math.max(node.maxTurns, node.minTurns)
      if (before.turns >= most) {
        // The node's turns are used up, so the walk had left the node. Only a loop of silent nodes can have led the
        // walk back to the node within the same turn.
        expect(graph.order.some((id) => !speaks(nodeOf(graph, id)))).toBe(true)
        return
      }
      expect(made.walk.turns).toBeLessThan(most)
      expect(made.walk.visits.at(-1)?.exchanges).toBeLessThan(most + graph.policy.detourGrace)
    })
  })

  it('[corpus-8] [walk-5] (9) starts the counters of a visit again with every move', () => {
    everyStep(walked, (_, { step: made }) => {
      const { turns, graceUsed, stall, visits } = made.walk
      const here = visits.at(-1)?.exchanges
      expect([turns + graceUsed, stall]).toEqual([here, here])
    })
  })

  it('[corpus-8] [walk-19] (13) takes the first of the walker’s exits whose condition holds after the turn', () => {
    everyStep(walked, (graph, { before, step: made }) => {
      const node = nodeOf(graph, before.node)
      const decision = decisionIn(made.trace)
      if (!speaks(node) || !decision || !GUARDED.has(decision.reason)) return
      const walk = { relationship: made.walk.relationship, satisfied: before.satisfied }
      const wanted = node.exits.filter(isGuarded).find(({ when }) => when === null || isTrue(graph, when, walk))
      expect(decision.to).toBe(wanted?.to)
    })
  })

  it('[corpus-8] [walk-6] (15) visits what exits, returns and cuts lead to, and stands in the last of it', () => {
    everyStep(walked, (graph, { step: made }) => {
      expect(made.walk.visits.at(-1)?.node).toBe(made.walk.node)
      for (const entry of made.trace) {
        if (entry.type !== 'moved' || entry.reason === 'jumpback') continue
        if (isCut(entry.reason)) expect(entry.to).toBe(graph.terminal)
        else expect(nodeOf(graph, entry.from).exits.flatMap(waysOf)).toContain(entry.to)
      }
    })
  })

  it('[corpus-8] [walk-7] (16) has left no node both satisfied and forced, and none that it was not in', () => {
    everyStep(walked, (_, { step: made }) => {
      const { satisfied, forced, visits } = made.walk
      const visited = new Set(visits.map(({ node }) => node))
      const listed = [...satisfied, ...forced]
      expect(listed.filter((id, i) => !visited.has(id) || listed.indexOf(id) !== i)).toEqual([])
    })
  })
})

/**
 * `COUNTED`: the reasons for which the walker leaves a node only after the node's minimum number of turns. `GUARDED`:
 * the reasons for which the walker takes the exit whose condition is true.
 */
const COUNTED: ReadonlySet<Decision['reason']> = new Set(['satisfied', 'max-turns', 'no-self-loop'] as const)
const GUARDED: ReadonlySet<Decision['reason']> = new Set([...COUNTED, 'pivot-choice', 'pivot-timeout'] as const)

function decisionIn(trace: readonly Trace[]): Decision | undefined {
  return trace.find((entry) => entry.type === 'decision')?.decision
}

/** Evaluates a condition. The code is independent of the walker's own code. */
function isTrue(graph: Graph, guard: Guard, walk: Pick<Walk, 'relationship' | 'satisfied'>): boolean {
  if ('all' in guard) return !guard.all.some((part) => !isTrue(graph, part, walk))
  if ('any' in guard) return guard.any.some((part) => isTrue(graph, part, walk))
  if ('not' in guard) return !isTrue(graph, guard.not, walk)
  if ('satisfied' in guard) return walk.satisfied.includes(guard.satisfied)
  const levels = graph.policy.relationship.levels.filter(({ from }) => walk.relationship.score >= from)
  const reached = levels.length > 0 ? levels : graph.policy.relationship.levels.slice(0, 1)
  return reached.some(({ level }) => level === guard.relationship.atLeast)
}

/**
 * Returns the nodes to which the walker may go when it takes an exit. If a call would nest too deeply, the walker skips
 * the call and goes to the call's return point.
 */
function waysOf({ to, returnTo }: Exit): readonly (NodeId | null)[] {
  return [to, returnTo]
}

function isGate(graph: Graph, id: NodeId): boolean {
  const node: GraphNode | undefined = graph.nodes[id]
  return node !== undefined && speaks(node) && (node satisfies SpeakingNode).isGate
}

function isCut(reason: string): boolean {
  return reason === 'backstop' || reason === 'exchange-limit'
}
