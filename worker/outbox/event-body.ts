import type { NodeId } from '../core/graph/graph.ts'
import type { Origin } from './outbox-entry.ts'
import { hexOf } from '../bytes.ts'

export interface OutgoingEvent {
  readonly event: string
  readonly data: Readonly<Record<string, string>>
  readonly node: NodeId
  /** When the turn was completed, in milliseconds since 1970. */
  readonly at: number
}

/**
 * Returns a webhook's body as JSON ([outbox-6]), in the shape that Standard Webhooks recommends. It contains what the
 * conversation is pinned to and what the author wrote, and nothing that was said.
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

/**
 * Returns the graph in which a node was written, and the node's name there. A linked graph's node is called
 * `id@version/state`.
 */
function placeOf({ graph }: Origin, node: NodeId): { graph: { id: string; version: number }; state: string } {
  const module = graph.modules[graph.nodes[node]?.module ?? '']
  const { id, version } = module ? { id: module.graph, version: module.version } : graph
  const prefix = `${id}@${version}/`
  return { graph: { id, version }, state: node.startsWith(prefix) ? node.slice(prefix.length) : node }
}

/** How many hexadecimal digits of the digest are kept: 128 bits. */
const LENGTH = 32

/**
 * Returns the id of a message ([outbox-4]): the same in all attempts, different from every other message of any
 * conversation. It is a digest for two reasons. A session's id identifies a conversation, and receivers log this
 * header. The signature joins id, time and body by full stops, so the id must not contain any.
 */
export async function messageIdOf(session: string, effect: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${session}\n${effect}`)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `evt_${hexOf(digest).slice(0, LENGTH)}`
}
