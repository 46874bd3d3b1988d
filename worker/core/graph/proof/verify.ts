import { endsEarly } from '../../walk/move.ts'
import { step } from '../../walk/step.ts'
import type { Walk } from '../../walk/walk.ts'
import { longestPath, NOWHERE, type Path, shortestEnd } from './ends.ts'
import { explore, isAtRest, type Passage, pathTo, type Situation } from './explore.ts'
import { type Finding, findingsInOrder } from '../finding.ts'
import { type Graph, type NodeId, nodeOf, speaks } from '../graph.ts'
import { type Move, told, type Walker } from './moves.ts'

/** The result of exploring a graph exhaustively. */
export interface GraphVerification {
  /** The number of situations that a walk can be in between two turns. */
  readonly states: number
  /**
   * `shortest`: the shortest path to the end for a new learner. `longest`: the longest path that any inputs can force.
   */
  readonly shortest: Path
  readonly longest: Path
  readonly findings: readonly Finding[]
}

/**
 * Explores a graph exhaustively: in each reachable situation it tries every report, choice, selection and recall result
 * that can matter. The graph's policy limits all counters, so the number of situations is small.
 *
 * A conversation ends early if a limit (`stallBackstop` or `exchangeLimit`) or the learner's goodbye ends it. Reports
 * three kinds of defects, each with the shortest path to it: situations from which the conversation can only end early
 * (G008), walks that may never end (G009), and gates that a walk can leave unsatisfied although the conversation does
 * not end early (G036). Reports a graph that is too large to explore (G038).
 *
 * Keeps the results for the latest graphs, because `check`, the build and the arena verify each graph several times.
 *
 * @param walker the walker to explore, without using a kept result; tests pass a broken one to check that the
 * exploration reports it
 */
export function verifyGraph(graph: Graph, walker?: Walker): GraphVerification {
  if (walker) return verify(graph, walker)
  const content = JSON.stringify(graph)
  const known = kept.get(content)
  if (known) return known
  if (kept.size >= MOST_KEPT) kept.clear()
  const verified = verify(graph, step)
  kept.set(content, verified)
  return verified
}

/** The results of `verifyGraph`, by the graph's content. */
const kept = new Map<string, GraphVerification>()
const MOST_KEPT = 100

function verify(graph: Graph, walker: Walker): GraphVerification {
  const { situations, isWhole } = explore(graph, walker)
  const states = situations.filter(({ walk }) => isAtRest(walk)).length
  if (!isWhole) return { states, shortest: NOWHERE, longest: NOWHERE, findings: [tooLarge(graph)] }
  const { path: longest, round } = longestPath(graph, situations)
  const findings = [...bypasses(graph, situations), ...traps(graph, situations), ...endless(round)]
  return { states, shortest: shortestEnd(situations), longest, findings: findingsInOrder(findings) }
}

function tooLarge(graph: Graph): Finding {
  return {
    code: 'G038',
    severity: 'error',
    at: '',
    message: `${graph.id} can stand in too many ways to try them all. Take out states or lower its limits.`,
  }
}

function bypasses(graph: Graph, situations: readonly Situation[]): Finding[] {
  return situations.flatMap((here) => {
    const node = nodeOf(graph, here.walk.node)
    if (!speaks(node) || !node.isGate) return []
    const wrong = here.exits.find((passage) => leaves(here.walk, passage) && !mayLeaveGate(here.walk, passage.move))
    return wrong ? [finding('G036', node.id, 'The gate can be left unsatisfied', [...pathTo(here), wrong.move])] : []
  })
}

function leaves(walk: Walk, { to }: Passage): boolean {
  return to.walk.node !== walk.node || to.walk.end !== null
}

function mayLeaveGate(walk: Walk, { event, reason }: Move): boolean {
  if (endsEarly(reason)) return true
  if (reason === 'selected') return walk.satisfied.includes(walk.node)
  return reason === 'satisfied' && event.type === 'exchange' && event.satisfied
}

/**
 * Reports situations between turns from which the conversation can only end early. Situations inside a turn are not
 * reported, because an early end may be unavoidable there.
 */
function traps(graph: Graph, situations: readonly Situation[]): Finding[] {
  const back = new Map<Situation, Situation[]>()
  for (const here of situations) {
    for (const { to, move } of here.exits)
      if (countsAsWayOut(graph, here, move)) back.set(to, [...(back.get(to) ?? []), here])
  }
  const safe = new Set<Situation>()
  const queue = situations.filter(({ walk }) => walk.end)
  for (let here = queue.pop(); here !== undefined; here = queue.pop()) {
    if (safe.has(here)) continue
    safe.add(here)
    queue.push(...(back.get(here) ?? []))
  }
  return firstAtEachNode(situations.filter((here) => isAtRest(here.walk) && !safe.has(here))).map((here) =>
    finding('G008', here.walk.node, 'The end cannot be reached', pathTo(here)),
  )
}

function endless(round: Situation | null): Finding[] {
  return round ? [finding('G009', round.walk.node, 'A walk can go round for ever', pathTo(round))] : []
}

/**
 * Tells whether a move counts as a step towards the regular end. An early end does not count. A report that satisfies a
 * node without `satisfyWhen` does not count either, because an actor should never send such a report.
 */
function countsAsWayOut(graph: Graph, here: Situation, { event, reason }: Move): boolean {
  if (endsEarly(reason)) return false
  const node = nodeOf(graph, here.walk.node)
  const isOverstep = event.type === 'exchange' && event.satisfied && reason === 'satisfied'
  return !isOverstep || !speaks(node) || node.satisfyWhen !== null
}

/** Returns the nearest situation of each node, because one path is enough to show the defect. */
function firstAtEachNode(situations: readonly Situation[]): readonly Situation[] {
  const seen = new Set<NodeId>()
  return situations.filter(({ walk }) => !seen.has(walk.node) && seen.add(walk.node))
}

function finding(code: string, node: NodeId, what: string, path: readonly Move[]): Finding {
  const shown = path.map((move) => `${move.node} ${told(move.event)}`).join(', ')
  return { code, severity: 'error', at: `/nodes/${node}`, message: `${what}. See: ${shown || 'at the start'}.` }
}
