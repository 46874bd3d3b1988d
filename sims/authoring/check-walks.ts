import type { Finding } from '../../worker/core/graph/finding.ts'
import { amountOf, formError, type DataPath } from './finding.ts'
import { wasTold } from '../../worker/actor/rehearsal/acknowledge.ts'
import { lineKeyOf } from '../../worker/core/briefing/line-key.ts'
import { graphFor, type GraphLibrary } from '../../worker/core/graph/graph-for.ts'
import { isChoice, isSilentReturn, type Graph, type GraphNode, speaks } from '../../worker/core/graph/graph.ts'
import { verifyGraph } from '../../worker/core/graph/proof/verify.ts'
import type { StateLines, NodeLines, SpokenLine } from '../../worker/core/scenario/rehearsal-lines.ts'
import { hasLines, type Npc, type Scenario } from '../../worker/core/scenario/scenario.ts'

/**
 * Binds every colleague to their backbone or context graph, and verifies the bound graph. Finds a graph with an error,
 * a graph that could trap a learner ([graph-6], [graph-8] of `docs/reference/graph.md`), and a fork that no node of the
 * graph asks.
 */
export function checkWalks(scenario: Scenario, library: GraphLibrary): readonly Finding[] {
  return scenario.npcs.flatMap((npc, index) => {
    const path = ['npcs', index]
    const bound = graphFor(scenario, npc, library)
    const errors = (bound.ok ? verifyGraph(bound.graph).findings : bound.findings)
      .filter(({ severity }) => severity === 'error')
      .map(({ code, at, message }) => formError(path, `cannot be walked: ${code} at ${at}. ${message}`))
    return bound.ok ? [...errors, ...unaskedForks(bound.graph, npc, path)] : errors
  })
}

function unaskedForks({ nodes }: Graph, { pivots }: Npc, path: DataPath): readonly Finding[] {
  const asked = new Set(Object.values(nodes).map((node) => (node.kind === 'pivot' ? node.pivot.id : null)))
  return pivots.flatMap(({ id }, index) =>
    asked.has(id) ? [] : [formError([...path, 'pivots', index, 'id'], 'is asked in no node that this colleague walks')],
  )
}

/**
 * Checks the rehearsal lines of colleagues with a context graph, if they have any ([document-22] of
 * `docs/reference/graphs.md`). Each state with actions needs lines. A state may have no more lists of cues than exits;
 * cues are the words by which the rehearsal actor recognises an exit. No lines may belong to a missing state.
 */
export function checkStates(scenario: Scenario, library: GraphLibrary): readonly Finding[] {
  return scenario.npcs.flatMap((npc, index) => {
    if (typeof npc.walk !== 'object' || !hasLines(npc)) return []
    const made = graphFor(scenario, npc, library)
    if (!made.ok) return []
    const at = ['npcs', index, 'rehearsal']
    return [
      ...checkNpc(made.graph, npc, [...at, 'states']),
      ...checkGates(made.graph, npc, [...at, 'acknowledgements']),
    ]
  })
}

/**
 * Checks that a colleague whose graph has a gate has `acknowledgements`: the words by which the rehearsal actor sees
 * that a learner has taken in a decision fact. Without a model nothing else lets the walk leave a gate. The walk would
 * stay at the gate until the sixth exchange without a move, when the walker's backstop ends the conversation.
 */
function checkGates(graph: Graph, { rehearsal }: Npc, path: DataPath): readonly Finding[] {
  if (rehearsal.acknowledgements.length > 0) return []
  const gates = graph.order.filter((id) => {
    const node = graph.nodes[id]
    return node !== undefined && speaks(node) && node.isGate
  })
  return gates.map((id) =>
    formError(path, `says nothing that opens the gate ${id}: give a decision fact, and what registers it`),
  )
}

function checkNpc(graph: Graph, npc: Npc, at: DataPath): readonly Finding[] {
  const { states } = npc.rehearsal
  const nodes = new Map(graph.order.flatMap((id) => keyed(graph, graph.nodes[id])))
  const missing = [...nodes]
    .filter(([key, node]) => actionsOf(node).length > 0 && !Object.hasOwn(states, key) && isHeard(graph, node))
    .map(([key]) => formError(at, `has no lines for ${key}`))
  const wrong = Object.entries(states).flatMap(([key, lines]) => {
    const node = nodes.get(key)
    const path = [...at, key]
    return node ? checkLines(node, lines, path) : [formError(path, 'is no state that this colleague walks')]
  })
  return [...missing, ...wrong]
}

function keyed(graph: Graph, node: GraphNode | undefined): readonly (readonly [string, GraphNode])[] {
  return node ? [[lineKeyOf(graph, node), node]] : []
}

/**
 * Returns true if the actor speaks in this node. A called graph's terminal state is silent, unless the called graph
 * says that the state speaks.
 */
function isHeard(graph: Graph, node: GraphNode): boolean {
  return node.id === graph.terminal || !isSilentReturn(graph, node)
}

function checkLines(node: GraphNode, lines: StateLines, path: DataPath): readonly Finding[] {
  const actions = actionsOf(node).length
  const exits = node.exits.filter(isChoice).length
  const problems: Finding[] = []
  if (lines.actions.length !== actions && (actions > 0 || lines.actions.length > 0))
    problems.push(
      formError(
        [...path, 'actions'],
        `has ${amountOf(lines.actions.length, 'list')} for ${amountOf(actions, 'action')}`,
      ),
    )
  lines.actions.forEach((said, i) => {
    if (said.length === 0) problems.push(formError([...path, 'actions', i], 'has nothing to say'))
  })
  if (lines.exits.length > exits)
    problems.push(
      formError([...path, 'exits'], `has ${amountOf(lines.exits.length, 'list')} for ${amountOf(exits, 'exit')}`),
    )
  return problems
}

function actionsOf(node: GraphNode): readonly string[] {
  return 'actions' in node ? node.actions : []
}

/** The most exchanges that a conversation spends in one node. Each node needs at least this many lines. */
export const LONGEST_STAY = 6

/**
 * Checks that forks end on a question. For a colleague with rehearsal lines, also checks that every node has enough of
 * them, and that the `acknowledgements` fit the decision facts.
 */
export function checkSupply(scenario: Scenario, library: GraphLibrary): readonly Finding[] {
  return scenario.npcs.flatMap((npc, index) => {
    const path = ['npcs', index]
    return [
      ...(hasLines(npc) ? checkNodes(npc, path, nodesOf(scenario, npc, library)) : []),
      ...checkForks(npc, path),
      ...(hasLines(npc) ? [...checkFacts(npc, path), ...checkAsides(npc, path)] : []),
    ]
  })
}

/**
 * Checks that each node of the colleague's walk has lines. Also finds lines for nodes that the walk doesn't have,
 * because the actor would never say them.
 */
function checkNodes(npc: Npc, path: DataPath, walked: readonly GraphNode[] | null): readonly Finding[] {
  if (walked === null) return []
  const { nodes, asides } = npc.rehearsal
  const at = [...path, 'rehearsal', 'nodes']
  const missing = walked.filter(({ id }) => !(id in nodes)).map(({ id }) => formError(at, `has no lines for ${id}`))
  const short = Object.entries(nodes).flatMap(([id, lines]) => {
    const node = walked.find((one) => one.id === id)
    if (!node) return [formError([...at, id], 'is no node that this colleague walks')]
    return runsDry(node, lines, asides.idle.length)
      ? [formError([...at, id], `runs dry before ${LONGEST_STAY} exchanges`)]
      : []
  })
  return [...missing, ...short]
}

/**
 * Returns the nodes of a colleague's walk. Returns null for a colleague with a context graph. Returns null also if the
 * colleague's backbone can't be bound; `checkWalks` reports that.
 */
function nodesOf(scenario: Scenario, npc: Npc, library: GraphLibrary): readonly GraphNode[] | null {
  if (typeof npc.walk === 'object') return null
  const bound = graphFor(scenario, npc, library)
  return bound.ok ? Object.values(bound.graph.nodes) : null
}

/**
 * Returns whether a node has fewer lines than the rehearsal actor may need in it. A gate uses only its own lines. Other
 * nodes can also use the colleague's `idle` lines, which fit any node.
 *
 * @param idle the number of idle lines
 */
export function runsDry(node: GraphNode, { open, stay, escalated }: NodeLines, idle: number): boolean {
  const own = Math.min(1, open.length) + stay.length + escalated.length
  return (node.kind === 'speak' && node.isGate ? own : own + idle) < LONGEST_STAY
}

/** Finds the cases for which a colleague has no aside, because the actor would have nothing to say in that case. */
function checkAsides({ rehearsal }: Npc, path: DataPath): readonly Finding[] {
  return Object.entries(rehearsal.asides).flatMap(([name, lines]: [string, readonly string[]]) =>
    lines.length > 0 ? [] : [formError([...path, 'rehearsal', 'asides'], `has no aside for ${name}`)],
  )
}

function checkForks({ pivots, rehearsal }: Npc, path: DataPath): readonly Finding[] {
  const questions = pivots.map(({ question }, index) => ({
    path: [...path, 'pivots', index, 'question'],
    text: question,
  }))
  const again = pivots.flatMap(({ id }) =>
    (rehearsal.nodes[forkNode(id)]?.stay ?? []).map((line, index) => ({
      path: [...path, 'rehearsal', 'nodes', forkNode(id), 'stay', index],
      text: sayOf(line),
    })),
  )
  return [...questions, ...again].flatMap(({ path: at, text }) =>
    /\?["']?\s*$/.test(text) ? [] : [formError(at, 'has to end on a question')],
  )
}

function checkFacts({ decisionFacts, rehearsal }: Npc, path: DataPath): readonly Finding[] {
  const at = [...path, 'rehearsal', 'acknowledgements']
  const { acknowledgements, nodes } = rehearsal
  if (acknowledgements.length !== decisionFacts.length) {
    const entries = amountOf(acknowledgements.length, 'entry', 'entries')
    return [formError(at, `has ${entries} for ${amountOf(decisionFacts.length, 'decision fact')}`)]
  }
  const untold = acknowledgements.flatMap((fact, index) =>
    wasTold(fact, [decisionFacts[index] ?? ''])
      ? []
      : [formError([...at, index], 'has a group the fact itself holds no term of')],
  )
  const uneven = acknowledgements.flatMap(({ groups, questions = groups }, index) =>
    questions.length === groups.length
      ? []
      : [
          formError(
            [...at, index, 'questions'],
            `has ${amountOf(questions.length, 'question')} for ${amountOf(groups.length, 'group')}`,
          ),
        ],
  )
  const opening = nodes['DECISIVE']?.open ?? []
  const first = acknowledgements[0]
  const silent = opening.flatMap((line, index) =>
    !first || wasTold(first, [sayOf(line)])
      ? []
      : [
          formError(
            [...path, 'rehearsal', 'nodes', 'DECISIVE', 'open', index],
            'does not tell the first decision fact',
          ),
        ],
  )
  return [...untold, ...uneven, ...silent]
}

/** Returns the node that asks a fork, for example `PIVOT_1` for `p1`. */
function forkNode(pivot: string): string {
  return `PIVOT_${pivot.replace(/^p/, '')}`
}

function sayOf(line: SpokenLine): string {
  return typeof line === 'string' ? line : line.say
}
