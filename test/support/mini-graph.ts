import {
  NO_GUIDELINES,
  type Exit,
  type Graph,
  type GraphNode,
  type ModuleId,
  type NodeId,
  type NodeKind,
} from '../../worker/core/graph/graph.ts'
import { DEFAULT_POLICY } from '../../worker/core/graph/policy.ts'

/** The fields of a node that a test may set. */
export interface MiniNode {
  readonly kind: NodeKind
  readonly module?: ModuleId
  readonly exits?: readonly Exit[]
  readonly actions?: readonly string[]
  readonly isGate?: boolean
  readonly maxTurns?: number | null
  readonly selfLoop?: boolean
  readonly overlay?: string
}

export interface MiniGraph {
  readonly nodes: Readonly<Record<NodeId, MiniNode>>
  readonly entry: NodeId
  readonly returning?: NodeId
  readonly terminal: NodeId
  /** The terminals of the graphs that this graph calls, by the called graph's module. */
  readonly terminals?: Readonly<Record<ModuleId, NodeId>>
  readonly part?: Partial<Graph>
}

const ROOT = 'root@1'

/**
 * Returns a complete graph. The test sets only the fields that matter to it. The module of the graph itself has the id
 * `root@1`.
 */
export function miniGraph({ nodes, entry, returning = entry, terminal, terminals = {}, part = {} }: MiniGraph): Graph {
  const ends: Record<ModuleId, NodeId> = { [ROOT]: terminal, ...terminals }
  return {
    ir: 2,
    id: 'root',
    version: 1,
    hash: '0'.repeat(16),
    entry,
    returning,
    terminal,
    policy: DEFAULT_POLICY,
    nodes: Object.fromEntries(Object.entries(nodes).map(([id, node]) => [id, nodeFrom(id, node)])),
    order: Object.keys(nodes),
    modules: Object.fromEntries(
      Object.entries(ends).map(([id, end]) => [
        id,
        {
          id,
          graph: id.split('@')[0] ?? id,
          version: Number(id.split('@')[1] ?? 1),
          description: '',
          topology: '',
          terminal: end,
          speaksAtReturn: false,
        },
      ]),
    ),
    behaviors: [],
    migrations: [],
    closing: { objective: { id: 'o', title: 'O' }, document: null, next: null },
    ...part,
  }
}

export function pick(to: NodeId, description: string, returnTo: NodeId | null = null): Exit {
  return { id: `to-${to}-${description}`, by: 'choice', to, returnTo, description, isSafety: false }
}

/** Returns an exit that the walker always takes, without asking a model. */
export function pass(to: NodeId | null, returnTo: NodeId | null = null): Exit {
  return { id: 'next', by: 'guard', when: null, to, returnTo }
}

function nodeFrom(id: NodeId, node: MiniNode): GraphNode {
  const { kind, module = ROOT, exits = [] } = node
  const base = { id, module, intent: `Do ${id}`, exits }
  switch (kind) {
    case 'speak':
      return { ...base, kind, ...speakingFrom(node) }
    case 'pivot':
      return { ...base, kind, ...speakingFrom(node), pivot: { id: 'p1', question: 'Which?', choices: [] } }
    case 'decide':
      return { ...base, kind, guidelines: [] }
    case 'recall':
      return { ...base, kind, queries: [`query of ${id}`], requested: null }
    case 'reflect':
      return { ...base, kind, problem: `problem of ${id}`, wordLimit: 30 }
    case 'annotate':
      return { ...base, kind, thought: `thought of ${id}` }
    case 'effect':
      return { ...base, kind, sideEffect: { type: 'emit-event', event: `event of ${id}`, data: {} } }
  }
}

function speakingFrom({ actions = ['Talk'], isGate = false, maxTurns = null, selfLoop = true, overlay }: MiniNode) {
  return {
    satisfyWhen: null,
    content: [],
    minTurns: 1,
    maxTurns,
    isGate,
    selfLoop,
    overlay:
      overlay === undefined
        ? null
        : {
            id: overlay,
            content: { source: overlay, lines: ['A line.'] },
            when: { relationship: { atLeast: 'cooperative' as const } },
          },
    actions,
    guidelines: NO_GUIDELINES,
    contexts: [],
    messageMetadata: [],
  }
}
