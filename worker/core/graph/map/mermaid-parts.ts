import { type Exit, isChoice, type Graph, type GraphNode, type NodeId } from '../graph.ts'
import { guardWords } from './map-words.ts'

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

/** Longest label on an arrow, in code points. */
const LONGEST = 48

/** The name of a node or a box, quoted. Never empty: Mermaid does not read that. */
export function named(text: string): string {
  return quoted(text) || '(no name)'
}

/** What is on an arrow, quoted; cut where it is long, at a word if there is one not far back. */
export function shortened(text: string): string {
  const points = Array.from(oneLine(text))
  if (points.length <= LONGEST) return quoted(points.join(''))
  const space = points.lastIndexOf(' ', LONGEST - 1)
  const kept = points.slice(0, space > LONGEST / 2 ? space : LONGEST - 1)
  return quoted(`${kept.join('')}…`)
}

/**
 * Text as it may stand between Mermaid's quotes. Mermaid reads HTML, Markdown, comments and directives inside a label,
 * and knows no escape but `#34;`: so whatever is not a letter, a digit, a space or plain punctuation is written so.
 */
function quoted(text: string): string {
  return oneLine(text).replaceAll(UNSAFE, entity).replaceAll(EMPHASIS, entity).replace(LIST_MARK, entity)
}

// The last four are what Mermaid itself puts in the place of `#` and `;` while it reads.
const UNSAFE = /[^\p{L}\p{M}\p{N} .,!?'()_/@+…→-]|[ﬂ°¶ß]/gu
// Inside a word an underscore is one; at its rim it is Markdown, and so are a list's marks at the beginning.
const EMPHASIS = /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu
const LIST_MARK = /(?<=^\d*)[.)+-]/u

function oneLine(text: string): string {
  const visible = text.toWellFormed().replaceAll(/[\s\p{C}]+/gu, ' ')
  return visible.trim()
}

function entity(char: string): string {
  return `#${char.codePointAt(0) ?? 32};`
}
