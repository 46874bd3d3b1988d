import { TECHNICAL } from './backbones.ts'
import { instantiate } from '../../worker/core/graph/backbones/instantiate.ts'
import type { Graph, GraphNode, Migration, UnknownNodePolicy } from '../../worker/core/graph/graph.ts'
import { fingerprint } from '../../worker/core/graph/hash.ts'
import { sampleNpc, sampleScenario } from './sample-scenario.ts'
import { action, annotation, choice, guarded, stateGraph, terminal } from './state-graph.ts'

/**
 * Returns version 2 of a graph. `migration` says how walks of version 1 go on in it; null means that there is no
 * migration.
 */
export function newer(graph: Graph, migration: Omit<Migration, 'from'> | null): Graph {
  const { hash: _, ...rest } = graph
  const migrations = migration ? [{ from: 1, ...migration }] : []
  const unsigned = { ...rest, version: 2, migrations }
  return { ...unsigned, hash: fingerprint(unsigned) }
}

/**
 * Returns a newer version of the backbone TECHNICAL: it lacks the second fork, and the node SURFACE has another name.
 */
export function newerBackbone(unknown: UnknownNodePolicy): Graph {
  const npc = { ...sampleNpc, pivots: sampleNpc.pivots.slice(0, 1) }
  const renamed = {
    ...TECHNICAL,
    nodes: TECHNICAL.nodes.map((node) => ({
      ...node,
      id: node.id === 'SURFACE' ? 'PROBLEM' : node.id,
      exits: { ...node.exits, advance: node.exits.advance === 'SURFACE' ? 'PROBLEM' : node.exits.advance },
    })),
  }
  const bound = instantiate(renamed, { ...sampleScenario, npcs: [npc] }, npc)
  if (!bound.ok) throw new Error(bound.findings.map(({ message }) => message).join('\n'))
  return newer(bound.graph, { nodes: { SURFACE: 'PROBLEM' }, unknown })
}

const HELPS = { 'help@1': { terminal: 'help@1/done' }, 'deep@1': { terminal: 'deep@1/out' } }

const behavior = {
  id: 'in-a-hurry',
  version: 1,
  triggers: ['no time'],
  mode: 'merge',
  guidelines: { navigation: [], action: ['Be short.'], boundary: [] },
} as const

/** A graph that can call the graph `help`. */
export const callingGraph = stateGraph({
  nodes: [
    action('greet', [choice('talk'), choice('help@1/ask', 'ask for help', 'wrap'), choice('note')]),
    action('talk', [choice('wrap'), choice('help@1/ask', 'ask for help', 'wrap')]),
    annotation('note', guarded('talk')),
    action('wrap', [choice('end_session'), choice('talk')]),
    terminal(),
    ...helpNodes('help@1'),
  ],
  modules: HELPS,
  behaviors: [behavior],
})

/**
 * Returns version 2 of `callingGraph`. In it, `talk` is called `chat`, `wrap` is called `round_up`, the help graph is a
 * newer one, and there is no behavior.
 */
export function newerCallingGraph(migration: Partial<Omit<Migration, 'from'>> = {}): Graph {
  const graph = stateGraph({
    nodes: [
      action('greet', [choice('chat'), choice('help@2/ask', 'ask for help', 'round_up'), choice('note')]),
      action('chat', [choice('round_up'), choice('help@2/ask', 'ask for help', 'round_up')]),
      annotation('note', guarded('chat')),
      action('round_up', [choice('end_session'), choice('chat')]),
      terminal(),
      ...helpNodes('help@2'),
    ],
    modules: { 'help@2': { terminal: 'help@2/done' }, 'deep@1': { terminal: 'deep@1/out' } },
  })
  const nodes = { talk: 'chat', wrap: 'round_up', 'help@1/ask': 'help@2/ask', 'help@1/done': 'help@2/done' }
  return newer(graph, { nodes, unknown: 'fail', ...migration })
}

function helpNodes(help: string): readonly GraphNode[] {
  return [
    action(`${help}/ask`, [choice(`${help}/done`), choice('deep@1/dig', 'go deeper', `${help}/ask`)]),
    terminal(`${help}/done`),
    action('deep@1/dig', [choice('deep@1/out')]),
    terminal('deep@1/out'),
  ]
}
