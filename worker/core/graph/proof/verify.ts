import { cutsShort } from '../../walk/move.ts'
import { step } from '../../walk/step.ts'
import type { Walk } from '../../walk/walk.ts'
import { longestPath, NOWHERE, type Path, shortestEnd } from './ends.ts'
import { explore, isAtRest, type Passage, pathTo, type Situation } from './explore.ts'
import { type Finding, findingsInOrder } from '../finding.ts'
import { type Graph, type NodeId, nodeOf, speaks } from '../graph.ts'
import { type Move, told, type Walker } from './moves.ts'

/** What exhaustive exploration proves of a graph. */
export interface GraphVerification {
  /** Distinct situations a walk can rest in between two turns. */
  readonly states: number
  /** The quickest way to the end for somebody new, and the slowest an adversary can make it for anybody. */
  readonly shortest: Path
  readonly longest: Path
  readonly findings: readonly Finding[]
}

/**
 * Walks a graph in every way there is: each reachable situation times every report, choice, selection and finding that
 * can matter. Counters are bounded by the policy, so there are few of them.
 *
 * Finds situations from which the end cannot be reached but by cutting the conversation short (G008), walks that need
 * never end (G009), and gates left unsatisfied by anything but the backstop or the limit (G036), each with the
 * shortest way to see it; and says when a graph is too large for that (G038).
 *
 * @param walker what is explored; another one than `step` is for seeing that a broken walker is found out.
 */
export function verifyGraph(graph: Graph, walker: Walker = step): GraphVerification {
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
  if (cutsShort(reason)) return true
  if (reason === 'selected') return walk.satisfied.includes(walk.node)
  return reason === 'satisfied' && event.type === 'exchange' && event.satisfied
}

/** Being cut short is no way out: whoever rests anywhere needs another. In the middle of a turn it may be too late. */
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

/** A node that says nothing of when it is satisfied is left satisfied only by an actor who oversteps. */
function countsAsWayOut(graph: Graph, here: Situation, { event, reason }: Move): boolean {
  if (cutsShort(reason)) return false
  const node = nodeOf(graph, here.walk.node)
  const isOverstep = event.type === 'exchange' && event.satisfied && reason === 'satisfied'
  return !isOverstep || !speaks(node) || node.satisfyWhen !== null
}

/** The quickest to be seen of each node: one way to see a defect is enough. */
function firstAtEachNode(situations: readonly Situation[]): readonly Situation[] {
  const seen = new Set<NodeId>()
  return situations.filter(({ walk }) => !seen.has(walk.node) && seen.add(walk.node))
}

function finding(code: string, node: NodeId, what: string, path: readonly Move[]): Finding {
  const shown = path.map((move) => `${move.node} ${told(move.event)}`).join(', ')
  return { code, severity: 'error', at: `/nodes/${node}`, message: `${what}. See: ${shown || 'at the start'}.` }
}
