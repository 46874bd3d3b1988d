import { type Exit, isChoice } from '../exit.ts'
import type { Graph, GraphNode, NodeId } from '../graph.ts'
import { guardWords } from './guard-words.ts'

/** One arrow of a drawing, in the graph's own names. Null: the end of the conversation. */
export interface Arrow {
  readonly from: NodeId
  readonly to: NodeId | null
  readonly label: string
  /** For a call: where it goes on afterwards. */
  readonly returnTo: NodeId | null
  readonly style: 'exit' | 'call' | 'return'
  /** A way out for what nobody planned for: there is one from nearly everywhere. */
  readonly isSafety: boolean
}

/**
 * Every way a walk can go, in the order of the nodes and of their exits. What leads to the end from anywhere, the
 * backstop and the limit of exchanges, is left out: it would be an arrow from every node.
 */
export function arrowsOf(graph: Graph): readonly Arrow[] {
  const nodes = graph.order.flatMap((id) => graph.nodes[id] ?? [])
  const exits = nodes.flatMap((node) => node.exits.flatMap((exit) => arrowOf(graph, node, exit)))
  return [...exits, ...returnsOf(graph, nodes)]
}

function arrowOf(graph: Graph, node: GraphNode, exit: Exit): readonly Arrow[] {
  const arrow = { from: node.id, label: labelOf(node, exit), isSafety: isChoice(exit) && exit.isSafety }
  if (exit.to === null) return endsHere(graph, node) ? [{ ...arrow, to: null, returnTo: null, style: 'exit' }] : []
  if (exit.returnTo === null) return [{ ...arrow, to: exit.to, returnTo: null, style: 'exit' }]
  return [{ ...arrow, to: exit.to, returnTo: exit.returnTo, style: 'call' }]
}

/** A called graph's terminal does not end the conversation: it goes back. */
function endsHere(graph: Graph, node: GraphNode): boolean {
  return node.id === graph.terminal || graph.modules[node.module]?.terminal !== node.id
}

function labelOf(node: GraphNode, exit: Exit): string {
  if (exit.by === 'choice') return exit.description
  if (exit.when) return guardWords(exit.when)
  return node.exits.length > 1 ? 'otherwise' : ''
}

/** From the end of a called graph back to wherever its calls go on, each once. */
function returnsOf(graph: Graph, nodes: readonly GraphNode[]): readonly Arrow[] {
  const calls = nodes.flatMap(({ exits }) => exits.filter(({ to, returnTo }) => to !== null && returnTo !== null))
  const returns = new Map<string, Arrow>()
  for (const { to, returnTo } of calls) {
    const callee = to === null ? undefined : graph.nodes[to]
    const from = callee && graph.modules[callee.module]?.terminal
    if (from === undefined) continue
    returns.set(JSON.stringify([from, returnTo]), {
      from,
      to: returnTo,
      label: 'returns',
      returnTo: null,
      style: 'return',
      isSafety: false,
    })
  }
  return [...returns.values()]
}
