import {
  targetsOf,
  type BehaviorSet,
  type GraphClosing,
  type Graph,
  type GraphNode,
  type Module,
  type ModuleId,
  type NodeId,
  type Exit,
  type GuardedExit,
  type BoundContent,
  type Overlay,
  type Guard,
} from '../graph.ts'
import { bindContent, type Speaker } from './bind-content.ts'
import {
  injectedGuidelines,
  type GraphDocument,
  type ActionDocument,
  type DwellDocument,
  type ExitDocument,
  type StateDocument,
  type TargetDocument,
} from './document.ts'
import { fingerprint } from '../hash.ts'
import { closingOf } from '../backbones/instantiate.ts'
import { moduleOf, type LinkedDocument } from './linked-set.ts'
import { DEFAULT_POLICY, FORKS } from '../policy.ts'
import { topologyOf } from '../map/topology.ts'

/**
 * Joins a document and every graph it refers to into one flat graph. The caller has already linted these documents
 * without errors, so every name exists.
 */
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
      forks: FORKS,
      leaving: true,
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

/**
 * Returns the root graph's nodes and every node that they lead to. A root graph rarely uses every state of a library
 * graph.
 */
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

/** Returns the behaviors of all documents. If two behaviors have the same id, the first is kept. */
function behaviorsOf(set: readonly LinkedDocument[]): readonly BehaviorSet[] {
  const all = set.flatMap(({ document }) => document.behaviors)
  return all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index)
}

function closingOfItsOwn({ id, name }: GraphDocument): GraphClosing {
  return { objective: { id, title: name }, document: null, next: null }
}

function linkState(state: StateDocument, scope: LinkScope, speaker: Speaker | null): GraphNode {
  const base = { id: nodeIdIn(scope, state.name), module: scope.module }
  switch (state.type) {
    case 'action':
      return linkAction(state, scope, speaker)
    case 'decision': {
      const { objective, guidelines, exits } = state
      return { ...base, kind: 'decide', intent: objective, guidelines, exits: linkExits(exits, scope) }
    }
    case 'recall': {
      const { queries, requestedInformation: requested } = state
      return { ...base, kind: 'recall', intent: requested ?? '', queries, requested, exits: onwards(state, scope) }
    }
    case 'reflection': {
      const { problem, wordLimit } = state
      return { ...base, kind: 'reflect', intent: problem, problem, wordLimit, exits: onwards(state, scope) }
    }
    case 'annotation': {
      const { innerThought: thought } = state
      return { ...base, kind: 'annotate', intent: thought, thought, exits: onwards(state, scope) }
    }
    case 'side-effect':
      return { ...base, kind: 'effect', intent: '', sideEffect: state.sideEffect, exits: onwards(state, scope) }
  }
}

/** The dwell of a state without dwell rules: a walk stays in the state until the actor selects an exit. */
const OPEN_DWELL: DwellDocument = { minTurns: 0, maxTurns: null, isGate: false, selfLoop: true }

/**
 * The dwell of a terminal state: the state speaks once, then ends the conversation or, in a called graph, returns to
 * the caller.
 */
const LAST_DWELL: DwellDocument = { minTurns: 1, maxTurns: 1, isGate: false, selfLoop: false }
const END: GuardedExit = { id: 'end', by: 'guard', when: null, to: null, returnTo: null }

function linkAction(state: ActionDocument, scope: LinkScope, speaker: Speaker | null): GraphNode {
  const isTerminal = state.name === scope.document.terminalState
  const { content, pivot } = contentOf(state, scope, speaker)
  const base = {
    id: nodeIdIn(scope, state.name),
    module: scope.module,
    intent: state.objective,
    exits: isTerminal ? [END] : linkExits(state.exits, scope),
    satisfyWhen: state.satisfyWhen,
    ...(state.satisfyWhen !== null && !isTerminal && { landsOn: 'learner' as const }),
    content,
    ...(isTerminal ? LAST_DWELL : (state.dwell ?? OPEN_DWELL)),
    overlay: overlayOf(state, scope, speaker),
    actions: state.actions,
    guidelines: injectedGuidelines(scope.document, state),
    contexts: state.includedContexts,
    messageMetadata: state.messageMetadata,
    ...(state.tools && { tools: scope.document.tools?.filter(({ name }) => state.tools?.includes(name)) ?? [] }),
  }
  return pivot && !isTerminal ? { ...base, kind: 'pivot', pivot } : { ...base, kind: 'speak' }
}

/**
 * Returns a state's content and fork. The fork is the state's own, or the colleague's fork that the content source
 * names. The fork's question is part of the content, as in a backbone.
 */
function contentOf({ contentSource, pivot }: ActionDocument, { document }: LinkScope, speaker: Speaker | null) {
  const bound = contentSource === null ? null : bindContent(contentSource, document, speaker)
  const asked: readonly BoundContent[] = pivot ? [{ source: `pivots[${pivot.id}]`, lines: [pivot.question] }] : []
  return { content: [...(bound?.content ?? []), ...asked], pivot: pivot ?? bound?.pivot ?? null }
}

function overlayOf({ overlay }: ActionDocument, scope: LinkScope, speaker: Speaker | null): Overlay | null {
  if (!overlay) return null
  const [first, ...rest] = bindContent(overlay.contentSource, scope.document, speaker).content
  if (!first) return null
  const content = { source: first.source, lines: [first, ...rest].flatMap(({ lines }) => lines) }
  return { id: ownNameIn(scope, overlay.id), content, when: guardIn(scope, overlay.when) }
}

function linkExits(exits: readonly ExitDocument[], scope: LinkScope): readonly Exit[] {
  return exits.map((exit, index): Exit => {
    const base = { id: `exit-${index + 1}`, ...targetIn(scope, exit.nextState) }
    if (exit.isGuarded) return { ...base, by: 'guard', when: exit.when && guardIn(scope, exit.when) }
    return { ...base, by: 'choice', description: exit.description, isSafety: exit.isSafety }
  })
}

function onwards({ nextStates }: { nextStates: readonly TargetDocument[] }, scope: LinkScope): readonly GuardedExit[] {
  return nextStates.map((target) => ({ id: 'next', by: 'guard', when: null, ...targetIn(scope, target) }))
}

/** The document and the modules that decide how the document's names are written in the linked graph. */
export interface LinkScope {
  readonly document: GraphDocument
  readonly module: ModuleId
  readonly root: ModuleId
}

/** Returns a state's id in the linked graph: its own name in the root, `id@version/state` in a referenced graph. */
function nodeIdIn({ module, root }: LinkScope, state: string): NodeId {
  return qualified(module, root, state)
}

/** Returns the node that an exit leads to, and the node to return to after a call. */
function targetIn(scope: LinkScope, target: TargetDocument): { to: NodeId; returnTo: NodeId | null } {
  if (typeof target === 'string') return { to: nodeIdIn(scope, target), returnTo: null }
  const [name = '', state = ''] = target.call.split('.')
  const { references } = scope.document
  const reference = Object.hasOwn(references, name) ? references[name] : undefined
  // The lint has already rejected every call whose name is not a reference.
  if (!reference) throw new Error(`${scope.module} has no reference ${name}`)
  return { to: qualified(moduleOf(reference), scope.root, state), returnTo: nodeIdIn(scope, target.returnTo) }
}

/** Converts a condition about a document's states to one about nodes of the linked graph. */
function guardIn(scope: LinkScope, guard: Guard): Guard {
  if ('satisfied' in guard) return { satisfied: nodeIdIn(scope, guard.satisfied) }
  if ('all' in guard) return { all: guard.all.map((each) => guardIn(scope, each)) }
  if ('any' in guard) return { any: guard.any.map((each) => guardIn(scope, each)) }
  if ('not' in guard) return { not: guardIn(scope, guard.not) }
  return guard
}

function ownNameIn({ module, root }: LinkScope, name: string): string {
  return qualified(module, root, name)
}

function qualified(module: ModuleId, root: ModuleId, name: string): string {
  return module === root ? name : `${module}/${name}`
}
