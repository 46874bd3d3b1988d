import { lineKeyOf } from '../worker/core/briefing/line-key.ts'
import type { GraphDocument } from '../worker/core/graph/document/document.ts'
import { isSilentReturn } from '../worker/core/graph/exits.ts'
import { isChoice } from '../worker/core/graph/exit.ts'
import { type Graph, type GraphNode, speaks } from '../worker/core/graph/graph.ts'
import { graphFor } from '../worker/core/graph/graph-for.ts'
import type { StateLines } from '../worker/core/scenario/rehearsal-lines.ts'
import type { Npc, Scenario } from '../worker/core/scenario/scenario.ts'
import type { Problem } from './problem.ts'

/**
 * Whether the rehearsal actor has what it needs for the colleagues who walk a context graph: lines for each action it
 * may engage in, cues for exits that are there, and nothing for states that are not ([document-22] of `docs/reference/graphs.md`).
 */
export function checkStates(scenario: Scenario, documents: readonly GraphDocument[] = []): readonly Problem[] {
  return scenario.npcs.flatMap((npc, index) => {
    if (typeof npc.walk !== 'object') return []
    const made = graphFor(scenario, npc, { documents })
    if (!made.ok) return []
    const at = ['npcs', index, 'rehearsal']
    return [
      ...checkNpc(made.graph, npc, [...at, 'states']),
      ...checkGates(made.graph, npc, [...at, 'acknowledgements']),
    ]
  })
}

/** Without a model nothing but a fact that was registered satisfies a gate: it would hold until the backstop. */
function checkGates(graph: Graph, { rehearsal }: Npc, path: Problem['path']): readonly Problem[] {
  if (rehearsal.acknowledgements.length > 0) return []
  const gates = graph.order.filter((id) => {
    const node = graph.nodes[id]
    return node !== undefined && speaks(node) && node.isGate
  })
  return gates.map((id) => ({
    path,
    message: `says nothing that opens the gate ${id}: give a decision fact, and what registers it`,
  }))
}

function checkNpc(graph: Graph, npc: Npc, at: Problem['path']): readonly Problem[] {
  const { states } = npc.rehearsal
  const nodes = new Map(graph.order.flatMap((id) => keyed(graph, graph.nodes[id])))
  const missing = [...nodes]
    .filter(([key, node]) => actionsOf(node).length > 0 && !Object.hasOwn(states, key) && isHeard(graph, node))
    .map(([key]) => ({ path: at, message: `has no lines for ${key}` }))
  const wrong = Object.entries(states).flatMap(([key, lines]) => {
    const node = nodes.get(key)
    const path = [...at, key]
    return node ? checkLines(node, lines, path) : [{ path, message: 'is no state that this colleague walks' }]
  })
  return [...missing, ...wrong]
}

function keyed(graph: Graph, node: GraphNode | undefined): readonly (readonly [string, GraphNode])[] {
  return node ? [[lineKeyOf(graph, node), node]] : []
}

/** A called graph's terminal state is a silent return, unless it was told to speak. */
function isHeard(graph: Graph, node: GraphNode): boolean {
  return node.id === graph.terminal || !isSilentReturn(graph, node)
}

function checkLines(node: GraphNode, lines: StateLines, path: Problem['path']): readonly Problem[] {
  const actions = actionsOf(node).length
  const exits = node.exits.filter(isChoice).length
  const problems: Problem[] = []
  if (lines.actions.length !== actions && (actions > 0 || lines.actions.length > 0))
    problems.push({ path: [...path, 'actions'], message: `has ${lines.actions.length} lists for ${actions} actions` })
  lines.actions.forEach((said, i) => {
    if (said.length === 0) problems.push({ path: [...path, 'actions', i], message: 'has nothing to say' })
  })
  if (lines.exits.length > exits)
    problems.push({ path: [...path, 'exits'], message: `has ${lines.exits.length} lists for ${exits} exits` })
  return problems
}

function actionsOf(node: GraphNode): readonly string[] {
  return 'actions' in node ? node.actions : []
}
