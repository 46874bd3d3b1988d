import {
  NO_GUIDELINES,
  type BehaviorSet,
  type ChoiceExit,
  type Exit,
  type GuardedExit,
  type Graph,
  type GraphNode,
  type Module,
  type NodeId,
  type SpeakNode,
} from '../../worker/core/graph/graph.ts'
import { fingerprint } from '../../worker/core/graph/hash.ts'
import { DEFAULT_POLICY, type Policy } from '../../worker/core/graph/policy.ts'

/** Builds a context graph directly, so that tests of the walker need neither the parser nor the linker. */
export function stateGraph(made: {
  nodes: readonly GraphNode[]
  terminal?: NodeId
  entry?: NodeId
  returning?: NodeId
  policy?: Partial<Policy>
  behaviors?: readonly BehaviorSet[]
  modules?: Readonly<Record<string, Partial<Module>>>
}): Graph {
  const first = made.nodes[0]?.id ?? 'greet'
  const terminal = made.terminal ?? 'end_session'
  const modules = Object.fromEntries(
    Object.entries({ 'root@1': {}, ...made.modules }).map(([id, module]) => [id, moduleOf(id, terminal, module)]),
  )
  const unsigned: Omit<Graph, 'hash'> = {
    ir: 2,
    id: 'root',
    version: 1,
    entry: made.entry ?? first,
    returning: made.returning ?? made.entry ?? first,
    terminal,
    policy: { ...DEFAULT_POLICY, stallBackstop: 6, exchangeLimit: 12, ...made.policy },
    nodes: Object.fromEntries(made.nodes.map((node) => [node.id, node])),
    order: made.nodes.map(({ id }) => id),
    modules,
    behaviors: made.behaviors ?? [],
    migrations: [],
    closing: { objective: { id: 'talk', title: 'Have talked' }, document: null, next: null },
  }
  return { ...unsigned, hash: fingerprint(unsigned) }
}

function moduleOf(id: string, terminal: NodeId, made: Partial<Module>): Module {
  const [graph = id] = id.split('@')
  return { id, graph, version: 1, description: '', topology: '', terminal, speaksAtReturn: false, ...made }
}

/** Returns an action state with its exits. */
export function action(id: NodeId, exits: readonly Exit[], change: Partial<SpeakNode> = {}): SpeakNode {
  return {
    id,
    kind: 'speak',
    module: moduleIn(id),
    intent: `be in ${id}`,
    exits,
    satisfyWhen: null,
    content: [],
    minTurns: 0,
    maxTurns: null,
    isGate: false,
    selfLoop: true,
    overlay: null,
    actions: [`do ${id}`, `do ${id} again`],
    guidelines: NO_GUIDELINES,
    contexts: [],
    messageMetadata: [],
    ...change,
  }
}

/** Returns a terminal state, which has one action and ends the conversation. */
export function terminal(id: NodeId = 'end_session'): SpeakNode {
  return action(id, [guarded(null)], { actions: [`do ${id}`], minTurns: 1, maxTurns: 1, selfLoop: false })
}

export function decision(id: NodeId, exits: readonly Exit[]): GraphNode {
  return { id, kind: 'decide', module: moduleIn(id), intent: `decide ${id}`, guidelines: [], exits }
}

export function recall(id: NodeId, to: Exit, queries: readonly string[] | null = [`about ${id}`]): GraphNode {
  return { id, kind: 'recall', module: moduleIn(id), intent: '', exits: [to], queries, requested: null }
}

export function reflection(id: NodeId, to: Exit, wordLimit = 10): GraphNode {
  return { id, kind: 'reflect', module: moduleIn(id), intent: '', exits: [to], problem: `what of ${id}?`, wordLimit }
}

export function annotation(id: NodeId, to: Exit): GraphNode {
  return { id, kind: 'annotate', module: moduleIn(id), intent: '', exits: [to], thought: `noted ${id}` }
}

export function sideEffect(id: NodeId, to: Exit): GraphNode {
  const effect = { type: 'emit-event', event: `${id}.passed`, data: {} } as const
  return { id, kind: 'effect', module: moduleIn(id), intent: '', exits: [to], sideEffect: effect }
}

export function choice(to: NodeId, description = `on to ${to}`, returnTo: NodeId | null = null): ChoiceExit {
  return { id: `to ${to}`, by: 'choice', to, returnTo, description, isSafety: false }
}

export function guarded(to: NodeId | null, returnTo: NodeId | null = null): GuardedExit {
  return { id: 'onward', by: 'guard', when: null, to, returnTo }
}

/** Returns a node's module: `graph@1` for an id such as `graph@1/state`, and the root module for any other id. */
function moduleIn(id: NodeId): string {
  return id.includes('/') ? (id.split('/')[0] ?? 'root@1') : 'root@1'
}
