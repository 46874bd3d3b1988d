import {
  isChoice,
  isGuarded,
  isModuleTerminal,
  isSilentReturn,
  targetsOf,
  speaks,
  type Graph,
  type GraphNode,
  type NodeId,
  type PivotNode,
  type SpeakingNode,
  type Exit,
  type ModuleId,
  type SilentNode,
} from './graph.ts'
import { findingsInOrder, pointerTo, type Finding } from './finding.ts'
import { found, type Code } from './document/lints/found.ts'
import { exchangesToEnd, finishing, reachableFrom, withoutSafety, type Stop } from './document/routes.ts'
import { isSatisfiable } from './document/satisfiable.ts'

/**
 * Lints a graph without walking it: a backbone with a colleague's content, or a linked context graph. Returns all
 * findings in a stable order. `docs/reference/lints.md` lists the codes.
 */
export function lint(graph: Graph): readonly Finding[] {
  const nodes = graph.order.flatMap((id) => (Object.hasOwn(graph.nodes, id) ? (graph.nodes[id] ?? []) : []))
  const stops = new Map(nodes.map((node) => [node.id, stopOf(graph, node)]))
  return findingsInOrder([
    ...nodes.flatMap((node) => [...lintExits(graph, node), ...(speaks(node) ? lintSpeaking(graph, node) : [])]),
    ...lintReach(graph, stops),
    ...lintLimits(graph, stops),
  ])
}

function lintExits(graph: Graph, node: GraphNode): readonly Finding[] {
  const findings: Finding[] = []
  const at = pointerTo('nodes', node.id, 'exits')
  const isTerminal = isModuleTerminal(graph, node)
  for (const [index, { to, returnTo }] of node.exits.entries()) {
    const here = at + pointerTo(index, 'to')
    if (to === null && !isTerminal)
      findings.push(found('G004', here, `Ends the conversation, which only a terminal node does.`))
    if (to === node.id) findings.push(found('G006', here, 'Leads to itself. Staying is what selfLoop is for.'))
    for (const target of [to, returnTo]) {
      if (target !== null && !Object.hasOwn(graph.nodes, target))
        findings.push(found('G001', here, `Leads to ${target}, which does not exist.`))
    }
  }
  if (node.kind === 'decide' && !node.exits.some(isChoice))
    findings.push(found('G012', at, 'Has nothing to choose from. Add exits with descriptions.'))
  if (!speaks(node) && node.kind !== 'decide' && node.exits.length !== 1)
    findings.push(found('G012', at, `Has ${node.exits.length} ways on. It goes on to exactly one node.`))
  if (isTerminal && targetsOf(node).length > 0)
    findings.push(found('G004', at, 'The terminal node leads on. It has to end the conversation.'))
  return findings
}

function lintSpeaking(graph: Graph, node: SpeakingNode): readonly Finding[] {
  const findings: Finding[] = []
  const report = (code: Code, key: string, message: string) =>
    findings.push(found(code, pointerTo('nodes', node.id, key), message))

  if (node.isGate && !(graph.policy.stallBackstop >= 1))
    report('G017', 'isGate', 'A gate without a stall backstop can hold for ever. Set stallBackstop to 1 or more.')
  if (node.isGate && node.content.length === 0 && node.actions.length === 0)
    report('G018', 'content', 'A gate with nothing to say can never be satisfied. Give it content.')
  if (node.isGate && node.satisfyWhen === null)
    report('G018', 'satisfyWhen', 'Nothing says when this gate is satisfied. Say it.')
  if (node.maxTurns !== null && node.minTurns > node.maxTurns)
    report('G019', 'minTurns', 'Asks for more turns than it allows. Lower minTurns or raise maxTurns.')
  if (node.minTurns > 1 && !node.selfLoop)
    report('G020', 'selfLoop', 'Needs several turns and may not stay for them. Set selfLoop.')
  if (node.isGate && node.maxTurns !== null)
    report('G021', 'maxTurns', 'On a gate maxTurns never forces: it is where the wording becomes blunter.')
  return node.kind === 'pivot' ? [...findings, ...lintPivot(graph, node)] : findings
}

function lintPivot(graph: Graph, node: PivotNode): readonly Finding[] {
  const findings: Finding[] = []
  const at = pointerTo('nodes', node.id, 'exits')
  if (new Set(node.pivot.choices.map(({ id }) => id)).size < 2)
    findings.push(found('G023', pointerTo('nodes', node.id, 'pivot'), 'A fork needs two choices or more.'))
  if (!(graph.policy.pivotPatience >= 1))
    findings.push(
      found('G023', '/policy/pivotPatience', 'A pivot without patience never lets go. Set it to 1 or more.'),
    )
  if (!hasWayOn(graph, node))
    findings.push(
      found('G023', at, 'Once it is answered a fork is left by the walker. Give it a guarded exit that always holds.'),
    )
  const asking = silentlyFrom(graph, node).find(({ kind }) => kind !== 'annotate' && kind !== 'effect')
  if (asking)
    findings.push(
      found(
        'G037',
        at,
        `A card that is picked here leads to ${asking.id}, where somebody has to be asked before it can go on. Let the fork lead to a node that speaks, and that one there.`,
      ),
    )
  return findings
}

/** Returns true if at least one guarded exit is open in every situation. */
function hasWayOn(graph: Graph, node: PivotNode): boolean {
  const closed = node.exits.filter(isGuarded).map(({ when }) => ({ not: when ?? { all: [] } }))
  return !isSatisfiable(closed, graph.policy.relationship)
}

function lintReach(graph: Graph, stops: ReadonlyMap<NodeId, Stop>): readonly Finding[] {
  const spoken = graph.opening ? [graph.opening.node] : []
  const reached = reachableFrom(stops, [graph.entry, graph.returning, ...spoken])
  const ending = finishing(stops)
  return graph.order.flatMap((id) => {
    const at = pointerTo('nodes', id)
    if (!reached.has(id)) return found('G007', at, 'No exit leads here. Remove it, or lead to it.')
    if (ending.has(id)) return []
    return found('G008', at, `From here ${graph.terminal} cannot be reached: a conversation would be trapped.`)
  })
}

/**
 * Reports a `stallBackstop` that is lower than the turns that a node needs, and an `exchangeLimit` that is lower than
 * the exchanges on the shortest path to the end.
 */
function lintLimits(graph: Graph, stops: ReadonlyMap<NodeId, Stop>): readonly Finding[] {
  const findings: Finding[] = []
  const { stallBackstop, exchangeLimit } = graph.policy
  const slowest = graph.order
    .map((id) => graph.nodes[id])
    .find((node) => node && turnsIn(node) > Math.max(1, stallBackstop))
  if (slowest)
    findings.push(
      found(
        'G022',
        '/policy/stallBackstop',
        `Gives up after ${stallBackstop} exchanges, and ${slowest.id} needs ${turnsIn(slowest)}.`,
      ),
    )
  const fewest = exchangesToEnd(withoutSafety(stops), (id) => costOf(graph, id))
  const shortest = Math.max(...[graph.entry, graph.returning].map((id) => fewest.get(id) ?? Number.POSITIVE_INFINITY))
  if (exchangeLimit !== null && Number.isFinite(shortest) && exchangeLimit < shortest)
    findings.push(
      found(
        'G022',
        '/policy/exchangeLimit',
        `Allows ${exchangeLimit} exchanges, and the shortest way through takes ${shortest}.`,
      ),
    )
  return findings
}

/** Converts a node for `routes.ts`: the node's exits and calls, and whether it is terminal. */
function stopOf(graph: Graph, node: GraphNode): Stop {
  const legs = node.exits.map((exit) => ({
    to: exit.to,
    returnTo: exit.returnTo,
    isCall: exit.returnTo !== null,
    isSafety: isChoice(exit) && exit.isSafety,
  }))
  // An exit to null counts as an end even from a node that is not terminal. G004 reports such an exit.
  return { isTerminal: isModuleTerminal(graph, node), legs }
}

/** Returns the least number of exchanges that a node takes. A called graph's silent terminal node takes no exchange. */
function costOf(graph: Graph, id: NodeId): number {
  const node = graph.nodes[id]
  if (!node) return 0
  const isReturn = id !== graph.terminal && isSilentReturn(graph, node)
  return isReturn ? 0 : turnsIn(node)
}

/** Returns the least number of turns in a node. The number can be 0 if the actor can select an exit on arrival. */
function turnsIn(node: GraphNode): number {
  if (!speaks(node)) return 0
  const isPassable = node.kind === 'speak' && !node.isGate && node.exits.some(isChoice)
  return isPassable ? node.minTurns : Math.max(1, node.minTurns)
}

/**
 * Returns the silent nodes that a walk can pass after a node, before it reaches a speaking node. The search follows
 * every exit. At the silent terminal node of a called graph, it follows every possible return to a caller.
 */
function silentlyFrom(graph: Graph, node: GraphNode): readonly SilentNode[] {
  const passed = new Set<SilentNode>()
  const seen = new Set<NodeId>()
  const queue = node.exits.map((exit) => nextOf(graph, node.module, exit))
  for (let ids = queue.pop(); ids !== undefined; ids = queue.pop()) {
    for (const id of ids) {
      const next = Object.hasOwn(graph.nodes, id) ? graph.nodes[id] : undefined
      if (!next || seen.has(id)) continue
      seen.add(id)
      if (!speaks(next)) {
        passed.add(next)
        queue.push(...next.exits.map((exit) => nextOf(graph, next.module, exit)))
      } else if (isSilentReturn(graph, next)) {
        queue.push(returnsOf(graph, next.module))
      }
    }
  }
  return [...passed]
}

/** Returns the nodes that an exit leads to. The end of a called graph leads to its callers' return nodes. */
function nextOf(graph: Graph, module: ModuleId, { to }: Exit): readonly NodeId[] {
  return to === null ? returnsOf(graph, module) : [to]
}

function returnsOf(graph: Graph, module: ModuleId): readonly NodeId[] {
  return Object.values(graph.nodes).flatMap(({ exits }) =>
    exits.flatMap(({ to, returnTo }) =>
      to !== null && returnTo !== null && graph.nodes[to]?.module === module ? [returnTo] : [],
    ),
  )
}
