import type { BehaviorSet } from '../guidelines.ts'
import type { Speaker } from './bind-content.ts'
import type { GraphDocument } from './document.ts'
import {
  targetsOf,
  type GraphClosing,
  type Graph,
  type GraphNode,
  type Module,
  type ModuleId,
  type NodeId,
} from '../graph.ts'
import { fingerprint } from '../hash.ts'
import { closingOf } from '../backbones/instantiate.ts'
import { linkState } from './link-state.ts'
import { type LinkScope, nodeIdIn } from './link-scope.ts'
import { type LinkedDocument, moduleOf } from './linked-set.ts'
import { DEFAULT_POLICY } from '../policy.ts'
import { topologyOf } from '../map/topology.ts'

/** Lays a document and all it refers to out flat. The set has been linted: what it names is there. */
export function flatten(document: GraphDocument, set: readonly LinkedDocument[], speaker: Speaker | null): Graph {
  const root = moduleOf(document)
  const scopes = set.map((linked) => ({ document: linked.document, module: moduleOf(linked.document), root }))
  const written = scopes.flatMap((scope) => scope.document.states.map((state) => linkState(state, scope, speaker)))
  const nodes = withinReach(written, root)
  const states = Object.fromEntries(nodes.map((node) => [node.id, node]))
  const scope: LinkScope = { document, module: root, root }
  const unsigned: Omit<Graph, 'hash'> = {
    ir: 2,
    id: speaker ? `${document.id}/${speaker.scenario.id}/${speaker.npc.id}` : document.id,
    version: document.version,
    entry: nodeIdIn(scope, document.newUserInitialState),
    returning: nodeIdIn(scope, document.returningUserInitialState),
    terminal: nodeIdIn(scope, document.terminalState),
    policy: {
      ...DEFAULT_POLICY,
      stallBackstop: document.limits.stall,
      exchangeLimit: document.limits.exchanges,
    },
    nodes: states,
    order: nodes.map(({ id }) => id),
    modules: modulesOf(scopes, nodes, set),
    behaviors: behaviorsOf(set),
    migrations: document.migrations,
    closing: speaker ? closingOf(speaker.scenario, speaker.npc) : closingOfItsOwn(document),
  }
  return { ...unsigned, hash: fingerprint(unsigned) }
}

/** The root's states, and whatever else a walk can come to. A library's graph is more than one caller needs of it. */
function withinReach(nodes: readonly GraphNode[], root: ModuleId): readonly GraphNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const reached = new Set<NodeId>()
  const queue = nodes.filter(({ module }) => module === root)
  for (let node = queue.pop(); node; node = queue.pop()) {
    if (reached.has(node.id)) continue
    reached.add(node.id)
    queue.push(...targetsOf(node).flatMap((id) => byId.get(id) ?? []))
  }
  return nodes.filter(({ id }) => reached.has(id))
}

function modulesOf(
  scopes: readonly LinkScope[],
  nodes: readonly GraphNode[],
  set: readonly LinkedDocument[],
): Readonly<Record<ModuleId, Module>> {
  const library = set.map(({ document }) => document)
  const used = scopes.filter(({ module }) => nodes.some((node) => node.module === module))
  const modules = used.map((scope): Module => {
    const { document, module } = scope
    return {
      id: module,
      graph: document.id,
      version: document.version,
      description: document.description,
      topology: topologyOf(document, library),
      terminal: nodeIdIn(scope, document.terminalState),
      speaksAtReturn: document.speaksAtReturn,
    }
  })
  return Object.fromEntries(modules.map((module) => [module.id, module]))
}

/** All there are in the set. One that goes by a name that was there before is the same to an activation, so it yields. */
function behaviorsOf(set: readonly LinkedDocument[]): readonly BehaviorSet[] {
  const all = set.flatMap(({ document }) => document.behaviors)
  return all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index)
}

function closingOfItsOwn({ id, name }: GraphDocument): GraphClosing {
  return { objective: { id, title: name }, document: null, next: null }
}
