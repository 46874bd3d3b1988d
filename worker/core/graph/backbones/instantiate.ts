import type { Npc, Scenario } from '../../scenario/scenario.ts'
import { backboneModule, NO_STATE, type Backbone, type BackboneNode, type Conditional } from './backbone.ts'
import { parseContentSource, resolveTerm, type Resolved } from './content-source.ts'
import { type Finding, hasErrors, findingsInOrder } from '../finding.ts'
import type {
  GuardedExit,
  BoundContent,
  GraphClosing,
  Graph,
  GraphNode,
  ModuleId,
  NodeId,
  SpokenOpening,
  Overlay,
  Guard,
} from '../graph.ts'
import { fingerprint } from '../hash.ts'
import { lint } from '../lint.ts'

/** The graph made from a backbone, or no graph if there were errors. Either result includes all findings. */
export type Instantiated =
  | { readonly ok: true; readonly graph: Graph; readonly findings: readonly Finding[] }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/**
 * Binds a backbone to one colleague's content. First resolves every content source. Then removes the nodes that have no
 * content and whose `whenEmpty` is `splice`, and connects the neighbours of the removed nodes. Limits the turns in a
 * `turnPerItem` node to the number of the node's content lines.
 *
 * @param seed the session's seed, a whole number from 0; it only picks among the backbone's wordings (`framings`)
 */
export function instantiate(unframed: Backbone, scenario: Scenario, npc: Npc, seed = 0): Instantiated {
  const backbone = framed(unframed, seed)
  const findings: Finding[] = []
  const bound = new Map<NodeId, Binding>()
  for (const node of backbone.nodes) {
    const binding = bind(node, { scenario, npc, findings })
    if (binding) bound.set(node.id, binding)
    else if (node.whenEmpty === 'refuse') findings.push(nothingFor(node))
  }
  if (hasErrors(findings)) return { ok: false, findings: findingsInOrder(findings) }

  const graph = assemble(backbone, scenario, npc, bound)
  const all = findingsInOrder([...findings, ...lint(graph)])
  return hasErrors(all) ? { ok: false, findings: all } : { ok: true, graph, findings: all }
}

interface Source {
  readonly scenario: Scenario
  readonly npc: Npc
  readonly findings: Finding[]
}

interface Binding {
  readonly node: BackboneNode
  readonly content: readonly BoundContent[]
  readonly pivot: Extract<Resolved, { kind: 'pivot' }>['pivot'] | null
  readonly overlay: Overlay | null
}

/** Binds content to a node. Returns null if the scenario has no content for the node; an overlay counts as content. */
function bind(node: BackboneNode, from: Source): Binding | null {
  const conditional = node.exits.conditional
  const overlay = conditional && 'overlay' in conditional ? bindOverlay(node, conditional, from) : null
  const claimed = conditional && 'overlay' in conditional ? conditional.contentSource : null
  const resolved = resolve(node, node.contentSource, from)
  const content = resolved.flatMap((found) => ('content' in found ? [found.content] : []))
  const pivot = resolved.find((found) => found.kind === 'pivot')?.pivot ?? null
  const own = content.filter(({ source }) => source !== claimed)
  if (own.length === 0 && overlay === null) return null
  return { node, content: own, pivot, overlay }
}

function bindOverlay(
  node: BackboneNode,
  conditional: Extract<Conditional, { overlay: string }>,
  from: Source,
): Overlay | null {
  const [first] = resolve(node, conditional.contentSource, from)
  return first?.kind === 'lines' ? { id: conditional.overlay, content: first.content, when: conditional.when } : null
}

function resolve(node: BackboneNode, expression: string, from: Source): readonly Resolved[] {
  const { scenario, npc, findings } = from
  const resolved = parseContentSource(expression)?.map((term) => resolveTerm(term, npc, scenario))
  if (!resolved || resolved.some(({ kind }) => kind === 'unknown')) {
    findings.push({
      code: 'G024',
      severity: 'error',
      at: `/nodes/${node.id}/contentSource`,
      message: `"${expression}" names no content a colleague has. Use a path such as beat1, decision_facts or pivots[p1].`,
    })
    return []
  }
  return resolved
}

function nothingFor(node: BackboneNode): Finding {
  return {
    code: 'G018',
    severity: 'error',
    at: `/nodes/${node.id}`,
    message: `${node.id} cannot be left out and has nothing to say. Give the colleague some ${node.contentSource}.`,
  }
}

function assemble(backbone: Backbone, scenario: Scenario, npc: Npc, bound: ReadonlyMap<NodeId, Binding>): Graph {
  const waysFrom = splicer(backbone, bound)
  const { id: graph, version, terminal } = backbone
  const module = backboneModule({ graph, version, terminal })
  const nodes: Record<NodeId, GraphNode> = {}
  for (const binding of bound.values()) nodes[binding.node.id] = toGraphNode(binding, module.id, waysFrom)
  const first = waysFrom(toward(backbone.entry)).at(-1)?.to ?? terminal
  const opening = openingOf(backbone, npc, bound)
  const entry = opening ? (nodes[first]?.exits.at(-1)?.to ?? terminal) : first
  const unsigned: Omit<Graph, 'hash'> = {
    ir: 2,
    id: `${backbone.id}/${scenario.id}/${npc.id}`,
    version: scenario.version,
    entry,
    returning: entry,
    terminal,
    policy: backbone.policy,
    nodes,
    order: [...bound.keys()],
    modules: { [module.id]: module },
    behaviors: [],
    migrations: [],
    closing: closingOf(scenario, npc),
    ...(opening && { opening }),
  }
  return { ...unsigned, hash: fingerprint(unsigned) }
}

/**
 * Returns the colleague's greeting as the first line of the conversation. Returns null if the backbone has no spoken
 * opening, if the colleague has no greeting, or if the entry node was removed.
 */
function openingOf(
  { opening, entry }: Backbone,
  { greeting }: Npc,
  bound: ReadonlyMap<NodeId, unknown>,
): SpokenOpening | null {
  return opening === 'spoken' && greeting !== '' && bound.has(entry) ? { node: entry, text: greeting } : null
}

/** Returns which of a backbone's wordings a session's seed picks: 0 for the backbone's own, or a framing, from 1. */
export function framingOf({ framings }: Pick<Backbone, 'framings'>, seed: number): number {
  return Math.abs(Math.trunc(seed)) % (framings.length + 1)
}

/**
 * Returns the backbone in the wording that a seed picks: seed 0 picks the backbone's own wording, the next seeds pick
 * the framings in order.
 */
function framed(backbone: Backbone, seed: number): Backbone {
  const turn = framingOf(backbone, seed)
  const framing = turn === 0 ? undefined : backbone.framings[turn - 1]
  if (!framing) return backbone
  return {
    ...backbone,
    nodes: backbone.nodes.map((node) => ({ ...node, intent: framing.intents[node.id] ?? node.intent })),
  }
}

function toGraphNode(binding: Binding, module: ModuleId, waysFrom: WaysFrom): GraphNode {
  const { node, content, pivot, overlay } = binding
  const items = content.reduce((sum, { lines }) => sum + lines.length, 0)
  const base = {
    id: node.id,
    module,
    intent: node.intent,
    satisfyWhen: node.satisfyWhen,
    ...(node.landsOn && { landsOn: node.landsOn }),
    ...(node.stay && node.stay.length > 0 && { stay: node.stay }),
    content,
    minTurns: node.minTurns,
    maxTurns: node.turnPerItem ? Math.max(node.minTurns, Math.min(node.maxTurns, items)) : node.maxTurns,
    isGate: node.isGate,
    selfLoop: node.exits.selfLoop,
    exits: waysFrom(node.exits).map(toExit),
    overlay,
    ...NO_STATE,
  }
  return node.kind === 'pivot' && pivot ? { ...base, kind: 'pivot', pivot } : { ...base, kind: 'speak' }
}

/**
 * An exit of a node after `splicer` has removed the nodes without content. `to` is null at the end of the conversation.
 */
interface Way {
  readonly to: NodeId | null
  readonly when: Guard | null
}

type WaysFrom = (exits: BackboneNode['exits']) => readonly Way[]

/**
 * Returns a function that returns the exits of a node after the nodes without content were removed. In place of an exit
 * to a removed node, a node gets the removed node's own exits, including a branch (an exit with a condition). A branch
 * comes before `advance` (the regular exit), so the walker tries the branch first. The last exit has no guard.
 */
function splicer(backbone: Backbone, bound: ReadonlyMap<NodeId, unknown>): WaysFrom {
  const waysFrom: WaysFrom = ({ advance, conditional }) => {
    const branch = conditional && 'to' in conditional ? conditional : null
    const aside = branch ? waysTo(branch.to).map(({ to, when }) => ({ to, when: both(branch.when, when) })) : []
    return withoutDetours([...aside, ...waysTo(advance)])
  }
  const waysTo = (id: NodeId | null): readonly Way[] => {
    const gone = id === null || bound.has(id) ? undefined : backbone.nodes.find((node) => node.id === id)
    return gone ? waysFrom(gone.exits) : [{ to: id, when: null }]
  }
  return waysFrom
}

function toward(id: NodeId): BackboneNode['exits'] {
  return { advance: id, selfLoop: false, conditional: null }
}

function both(outer: Guard, inner: Guard | null): Guard {
  return inner === null ? outer : { all: [outer, inner] }
}

/** Drops an exit that leads to the same node as the exit after it. */
function withoutDetours(ways: readonly Way[]): readonly Way[] {
  return ways.toReversed().reduce<readonly Way[]>((kept, way) => (kept[0]?.to === way.to ? kept : [way, ...kept]), [])
}

function toExit({ to, when }: Way, index: number, ways: readonly Way[]): GuardedExit {
  const id = index === ways.length - 1 ? 'advance' : index === 0 ? 'branch' : `branch-${index + 1}`
  return { id, by: 'guard', when, to, returnTo: null }
}

/** Returns the objective, the document and the next colleague for the end of a conversation with this colleague. */
export function closingOf(scenario: Scenario, npc: Npc): GraphClosing {
  const objective = scenario.objectives.find(({ id }) => id === npc.goal.objective)
  const person = scenario.npcs.find(({ id }) => id === npc.next?.npc)
  return {
    objective: objective ?? { id: npc.goal.objective, title: npc.goal.objective },
    document: npc.document && { ...npc.document, lines: [...npc.document.lines] },
    next:
      person && npc.next
        ? { id: person.id, name: person.name, role: person.role, hue: person.hue, why: npc.next.why }
        : null,
  }
}
