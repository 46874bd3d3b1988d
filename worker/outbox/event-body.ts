import type { NodeId } from '../core/graph/graph.ts'
import type { Origin } from './origin.ts'

export interface OutgoingEvent {
  readonly event: string
  readonly data: Readonly<Record<string, string>>
  readonly node: NodeId
  /** Milliseconds since 1970. */
  readonly at: number
}

/**
 * A webhook's body as JSON ([outbox-6]), in the shape that Standard Webhooks recommends. Made of what the conversation is
 * pinned to and of what the author wrote; nothing that anybody said is in it.
 */
export function eventBody(origin: Origin, sent: OutgoingEvent): string {
  const { session, scenario, npc } = origin
  return JSON.stringify({
    type: sent.event,
    timestamp: new Date(sent.at).toISOString(),
    data: {
      session,
      scenario: { id: scenario.id, version: scenario.version },
      npc,
      ...placeOf(origin, sent.node),
      fields: sent.data,
    },
  })
}

/** The graph a node was written in, and its name there: a linked graph's node is called `id@version/state`. */
function placeOf({ graph }: Origin, node: NodeId): { graph: { id: string; version: number }; state: string } {
  const module = graph.modules[graph.nodes[node]?.module ?? '']
  const { id, version } = module ? { id: module.graph, version: module.version } : graph
  const prefix = `${id}@${version}/`
  return { graph: { id, version }, state: node.startsWith(prefix) ? node.slice(prefix.length) : node }
}
