import type { Npc, Scenario } from '../scenario/scenario.ts'
import type { Backbone, BackboneNode, Conditional } from './backbone.ts'
import { parseContentSource, resolveTerm, type Resolved } from './content-source.ts'
import { type Finding, hasErrors, inOrder } from './finding.ts'
import type { BoundContent, Closing, Graph, GraphNode, NodeId, Overlay } from './graph.ts'
import { fingerprint } from './hash.ts'
import { lint } from './lint.ts'

/** A graph ready to be walked, or the reasons why there is none. Both carry everything that was found. */
export type Instantiated =
  | { readonly ok: true; readonly graph: Graph; readonly findings: readonly Finding[] }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/**
 * Binds a backbone to one colleague's content (S3-6): resolves every content source, takes out the optional nodes a
 * scenario has nothing for and joins their neighbours, and caps dwell at what there is to say.
 */
export function instantiate(backbone: Backbone, scenario: Scenario, npc: Npc): Instantiated {
  const findings: Finding[] = []
  const bound = new Map<NodeId, Binding>()
  for (const node of backbone.nodes) {
    const binding = bind(node, npc, findings)
    if (binding) bound.set(node.id, binding)
    else if (node.whenEmpty === 'refuse') findings.push(nothingFor(node))
  }
  if (hasErrors(findings)) return { ok: false, findings: inOrder(findings) }

  const graph = assemble(backbone, scenario, npc, bound)
  const all = inOrder([...findings, ...lint(graph)])
  return hasErrors(all) ? { ok: false, findings: all } : { ok: true, graph, findings: all }
}

interface Binding {
  readonly node: BackboneNode
  readonly content: readonly BoundContent[]
  readonly pivot: Extract<Resolved, { kind: 'pivot' }>['pivot'] | null
  readonly overlay: Overlay | null
}

/** Null when the scenario has nothing for this node. An overlay alone is something: it may be all a node has. */
function bind(node: BackboneNode, npc: Npc, findings: Finding[]): Binding | null {
  const conditional = node.exits.conditional
  const overlay = conditional && 'overlay' in conditional ? bindOverlay(node, conditional, npc, findings) : null
  const claimed = conditional && 'overlay' in conditional ? conditional.contentSource : null
  const resolved = resolve(node, node.contentSource, npc, findings)
  const content = resolved.flatMap((found) => ('content' in found ? [found.content] : []))
  const pivot = resolved.find((found) => found.kind === 'pivot')?.pivot ?? null
  const own = content.filter(({ source }) => source !== claimed)
  if (own.length === 0 && overlay === null) return null
  return { node, content: own, pivot, overlay }
}

function bindOverlay(
  node: BackboneNode,
  conditional: Extract<Conditional, { overlay: string }>,
  npc: Npc,
  findings: Finding[],
): Overlay | null {
  const [first] = resolve(node, conditional.contentSource, npc, findings)
  return first?.kind === 'lines' ? { id: conditional.overlay, content: first.content, when: conditional.when } : null
}

function resolve(node: BackboneNode, expression: string, npc: Npc, findings: Finding[]): readonly Resolved[] {
  const resolved = parseContentSource(expression)?.map((term) => resolveTerm(term, npc))
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
  const skipTo = (id: NodeId | null): NodeId | null => {
    if (id === null || bound.has(id)) return id
    const gone = backbone.nodes.find((node) => node.id === id)
    return gone ? skipTo(gone.exits.advance) : id
  }
  const nodes: Record<NodeId, GraphNode> = {}
  for (const binding of bound.values()) nodes[binding.node.id] = toGraphNode(binding, skipTo)
  const unsigned = {
    id: `${backbone.id}/${scenario.id}/${npc.id}`,
    version: scenario.version,
    entry: skipTo(backbone.entry) ?? backbone.terminal,
    terminal: backbone.terminal,
    policy: backbone.policy,
    nodes,
    order: [...bound.keys()],
    closing: closingOf(scenario, npc),
  }
  return { ...unsigned, hash: fingerprint(unsigned) }
}

function toGraphNode(binding: Binding, skipTo: (id: NodeId | null) => NodeId | null): GraphNode {
  const { node, content, pivot, overlay } = binding
  const conditional = node.exits.conditional
  const branchTo = conditional && 'to' in conditional ? skipTo(conditional.to) : null
  const items = content.reduce((sum, { lines }) => sum + lines.length, 0)
  const base = {
    id: node.id,
    intent: node.intent,
    satisfyWhen: node.satisfyWhen,
    content,
    minTurns: node.minTurns,
    maxTurns: node.turnPerItem ? Math.max(node.minTurns, Math.min(node.maxTurns, items)) : node.maxTurns,
    isGate: node.isGate,
    advance: skipTo(node.exits.advance),
    selfLoop: node.exits.selfLoop,
    branch: conditional && branchTo !== null ? { to: branchTo, when: conditional.when } : null,
    overlay,
  }
  return node.kind === 'pivot' && pivot ? { ...base, kind: 'pivot', pivot } : { ...base, kind: 'speak' }
}

function closingOf(scenario: Scenario, npc: Npc): Closing {
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
