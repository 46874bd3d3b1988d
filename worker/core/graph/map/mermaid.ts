import {
  speaks,
  stateName,
  isChoice,
  type Graph,
  type GraphNode,
  type NodeId,
  type NodeKind,
  type Exit,
} from '../graph.ts'
import { guardWords } from './map-words.ts'

/**
 * Draws a graph as a Mermaid flowchart: a shape for each kind of node, a box for each linked graph, conditions on
 * arrows, dashed arrows for calls and returns.
 *
 * @param path the nodes of a walk in order. A node at which the walk stayed appears twice. The drawing highlights these
 * nodes and the steps between them, and numbers them from 1. A limit or a migration can make a step for which the graph
 * has no exit; this step gets an arrow of its own.
 */
export function drawMermaid(graph: Graph, path: readonly NodeId[] = []): string {
  const links = linksOf(graph, path)
  const drawn = [...nodesOf(graph).map(({ id }) => id), ...path, ...links.flatMap(({ from, to }) => [from, to ?? from])]
  const drawing: Drawing = { graph, path, links, ids: new Map([...new Set(drawn)].map((id, i) => [id, `n${i}`])) }
  const lines = [
    ...beginnings(graph),
    ...boxes(drawing),
    ...strangers(drawing),
    ...(links.some(({ to }) => to === null) ? ['finish(["the end"])'] : []),
    ...entries(drawing),
    ...links.map((link) => linkLine(link, drawing)),
    ...classes(drawing),
    ...linkStyles(drawing),
  ]
  return `${['flowchart TD', ...indent(lines)].join('\n')}\n`
}

interface Drawing {
  readonly graph: Graph
  readonly path: readonly NodeId[]
  readonly links: readonly Link[]
  readonly ids: ReadonlyMap<NodeId, string>
}

/** An arrow, and the steps of the path along it. */
interface Link extends Arrow {
  readonly steps: readonly number[]
}

function linksOf(graph: Graph, path: readonly NodeId[]): readonly Link[] {
  const arrows = arrowsOf(graph)
  const taken = new Map<number, number[]>()
  const leaps = new Map<string, Link & { readonly steps: number[] }>()
  for (const [i, to] of path.entries()) {
    const from = path[i - 1]
    if (from === undefined || from === to) continue
    const known = arrows.findIndex((arrow) => arrow.from === from && arrow.to === to)
    if (known >= 0) {
      taken.set(known, [...(taken.get(known) ?? []), i])
      continue
    }
    const key = JSON.stringify([from, to])
    const leap = leaps.get(key) ?? { from, to, label: '', returnTo: null, style: 'exit', isSafety: false, steps: [] }
    leap.steps.push(i)
    leaps.set(key, leap)
  }
  return [...arrows.map((arrow, i) => ({ ...arrow, steps: taken.get(i) ?? [] })), ...leaps.values()]
}

function linkLine({ from, to, label, returnTo, style, steps }: Link, { graph, ids }: Drawing): string {
  const back = returnTo === null ? '' : `returns to ${named(nameIn(graph, returnTo))}`
  const said = [shortened(label), back].filter((part) => part !== '').join(', ')
  const text = [numbers(steps), said].filter((part) => part !== '').join(' ')
  const arrow = style === 'exit' ? '-->' : '-.->'
  const end = to === null ? 'finish' : idIn(ids, to)
  return `${idIn(ids, from)} ${arrow}${text === '' ? '' : `|"${text}"|`} ${end}`
}

/** Returns the name of a node; its id if the graph has no such node. */
export function nameIn(graph: Graph, id: NodeId): string {
  const node = Object.hasOwn(graph.nodes, id) ? graph.nodes[id] : undefined
  return node ? stateName(node) : id
}

function beginnings(graph: Graph): readonly string[] {
  if (graph.entry === graph.returning) return ['start(["start"])']
  return ['start(["start, new"])', 'again(["start, returning"])']
}

function entries({ graph, ids }: Drawing): readonly string[] {
  const known = (id: NodeId) => Object.hasOwn(graph.nodes, id)
  const first = known(graph.entry) ? [`start --> ${idIn(ids, graph.entry)}`] : []
  if (graph.entry === graph.returning || !known(graph.returning)) return first
  return [...first, `again --> ${idIn(ids, graph.returning)}`]
}

function boxes(drawing: Drawing): readonly string[] {
  const nodes = nodesOf(drawing.graph)
  const modules = [...new Set(nodes.map(({ module }) => module))]
  return modules.flatMap((module, i) => [
    `subgraph g${i}["${named(module)}"]`,
    ...indent(nodes.filter((node) => node.module === module).map((node) => nodeLine(node, drawing))),
    'end',
  ])
}

function nodeLine(node: GraphNode, { graph, path, ids }: Drawing): string {
  const [open, close] = SHAPES[node.kind]
  const lines = [labelled(stateName(node), node.id, path), ...marksOf(graph, node)]
  return `${idIn(ids, node.id)}${open}"${lines.join('<br/>')}"${close}`
}

const SHAPES: Readonly<Record<NodeKind, readonly [string, string]>> = {
  speak: ['(', ')'],
  pivot: ['{{', '}}'],
  decide: ['{', '}'],
  recall: ['[(', ')]'],
  reflect: ['([', '])'],
  annotate: ['>', ']'],
  effect: ['[/', '/]'],
}

/** Returns a node's name, preceded by the numbers of its steps on the path. */
function labelled(name: string, id: NodeId, path: readonly NodeId[]): string {
  const steps = numbers(path.flatMap((visited, i) => (visited === id ? [i + 1] : [])))
  return steps === '' ? named(name) : `${steps} ${named(name)}`
}

/** Writes step numbers in parentheses, because Mermaid would parse `1.` as a list. */
function numbers(steps: readonly number[]): string {
  return steps.length === 0 ? '' : `(${steps.join(', ')})`
}

function marksOf(graph: Graph, node: GraphNode): readonly string[] {
  if (!speaks(node)) return []
  return [
    ...(node.isGate ? ['gate'] : []),
    ...(node.kind === 'pivot' ? ['pivot'] : []),
    ...(node.overlay ? [`opens ${named(node.overlay.id)}`] : []),
    ...(node.id === graph.terminal ? ['terminal'] : []),
  ]
}

/** Draws the nodes that the graph lacks, but to which the path or an arrow leads. */
function strangers(drawing: Drawing): readonly string[] {
  const { ids, path } = drawing
  return missingIn(drawing).map((id) => `${idIn(ids, id)}["${labelled(id, id, path)}<br/>not in this graph"]`)
}

function missingIn({ graph, ids }: Drawing): readonly NodeId[] {
  const known = new Set(nodesOf(graph).map(({ id }) => id))
  return [...ids.keys()].filter((id) => !known.has(id))
}

function classes(drawing: Drawing): readonly string[] {
  const { graph, ids, path } = drawing
  const nodes = nodesOf(graph)
  const all: readonly (readonly [string, string, readonly NodeId[]])[] = [
    ['silent', 'stroke-dasharray:3 3', nodes.filter((node) => !speaks(node)).map(({ id }) => id)],
    ['gate', 'stroke-width:4px', nodes.filter((node) => speaks(node) && node.isGate).map(({ id }) => id)],
    ['pivot', 'stroke:#8a5a00', nodes.filter(({ kind }) => kind === 'pivot').map(({ id }) => id)],
    ['gone', 'stroke:#a00000,stroke-dasharray:1 3', missingIn(drawing)],
    ['walked', 'fill:#dbe8ff,stroke:#1f4fa3,color:#0b1f44', [...new Set(path)]],
  ]
  return all
    .filter(([, , members]) => members.length > 0)
    .flatMap(([name, style, members]) => [
      `classDef ${name} ${style}`,
      `class ${members.map((id) => idIn(ids, id)).join(',')} ${name}`,
    ])
}

/**
 * Writes the styles of arrows. Mermaid refers to an arrow by its number, and counts the arrows to the entry nodes too.
 */
function linkStyles(drawing: Drawing): readonly string[] {
  const before = entries(drawing).length
  const numbered = drawing.links.map((link, i) => ({ ...link, number: before + i }))
  const walked = numbered.filter(({ steps }) => steps.length > 0)
  const pale = numbered.filter(({ steps, isSafety }) => isSafety && steps.length === 0)
  return [...linkStyle(pale, 'stroke:#b8b8b8,color:#767676'), ...linkStyle(walked, 'stroke:#1f4fa3,stroke-width:3px')]
}

function linkStyle(links: readonly { readonly number: number }[], style: string): readonly string[] {
  return links.length === 0 ? [] : [`linkStyle ${links.map(({ number }) => number).join(',')} ${style}`]
}

function nodesOf(graph: Graph): readonly GraphNode[] {
  return graph.order.flatMap((id) => (Object.hasOwn(graph.nodes, id) ? (graph.nodes[id] ?? []) : []))
}

function idIn(ids: ReadonlyMap<NodeId, string>, id: NodeId): string {
  return ids.get(id) ?? 'missing'
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`)
}

/** One arrow of a drawing, by node ids. A null `to` is the end of the conversation. */
export interface Arrow {
  readonly from: NodeId
  readonly to: NodeId | null
  readonly label: string
  readonly returnTo: NodeId | null
  readonly style: 'exit' | 'call' | 'return'
  /** True for a safety exit. Safety exits are drawn pale, because nearly every node has one. */
  readonly isSafety: boolean
}

/**
 * Returns every arrow of the drawing, in the order of nodes and exits. The drawing leaves out the two limits that end
 * any conversation (`stallBackstop` and `exchangeLimit`), because each would need an arrow from every node.
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

/**
 * Tells whether a node's exit to null ends the conversation. At a called graph's terminal node, such an exit returns to
 * the caller instead.
 */
function endsHere(graph: Graph, node: GraphNode): boolean {
  return node.id === graph.terminal || graph.modules[node.module]?.terminal !== node.id
}

function labelOf(node: GraphNode, exit: Exit): string {
  if (exit.by === 'choice') return exit.description
  if (exit.when) return guardWords(exit.when)
  return node.exits.length > 1 ? 'otherwise' : ''
}

/** Returns the arrows from the end of each called graph to its return nodes, without duplicates. */
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

/** The maximum length of an arrow's label, in code points. */
const LONGEST = 48

/** Returns the quoted name of a node or box. The result is never empty, because Mermaid cannot parse an empty name. */
function named(text: string): string {
  return quoted(text) || '(no name)'
}

/** Returns the quoted label of an arrow. A long label is cut, at a space near the end if possible. */
function shortened(text: string): string {
  const points = Array.from(oneLine(text))
  if (points.length <= LONGEST) return quoted(points.join(''))
  const space = points.lastIndexOf(' ', LONGEST - 1)
  const kept = points.slice(0, space > LONGEST / 2 ? space : LONGEST - 1)
  return quoted(`${kept.join('')}…`)
}

/**
 * Escapes text for Mermaid's quotes. Mermaid parses HTML, Markdown, comments and directives inside a label, and its
 * only escape is `#34;`. So this function escapes everything but letters, digits, spaces and plain punctuation.
 */
function quoted(text: string): string {
  return oneLine(text).replaceAll(UNSAFE, entity).replaceAll(EMPHASIS, entity).replace(LIST_MARK, entity)
}

// Mermaid uses the last four characters of this pattern internally as placeholders for `#` and `;`.
const UNSAFE = /[^\p{L}\p{M}\p{N} .,!?'()_/@+…→-]|[ﬂ°¶ß]/gu
// Mermaid parses an underscore at a word's edge as Markdown, and the characters of `LIST_MARK` at a label's start as a
// Markdown list.
const EMPHASIS = /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu
const LIST_MARK = /(?<=^\d*)[.)+-]/u

function oneLine(text: string): string {
  const visible = text.toWellFormed().replaceAll(/[\s\p{C}]+/gu, ' ')
  return visible.trim()
}

function entity(char: string): string {
  return `#${char.codePointAt(0) ?? 32};`
}
