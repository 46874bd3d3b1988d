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
 * Returns a webhook's body as JSON ([outbox-6]), in the shape that Standard Webhooks recommends. The body contains the
 * versions of the scenario and the graph to which the conversation is pinned, and fields that the author wrote, but
 * nothing that was said.
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

/** Number of hexadecimal digits of the digest in a message's id: 128 bits. */
const LENGTH = 32

/**
 * Returns the id of a message ([outbox-4]). The id is the same in all attempts to deliver the message, and differs from
 * the ids of all other messages of all conversations. The id is a digest for two reasons. First, receivers log the
 * header with the message's id, and the session's id in it would identify the conversation. Second, the signature joins
 * id, time and body by full stops, so the id must not contain a full stop.
 */
export async function messageIdOf(session: string, effect: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${session}\n${effect}`)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `evt_${hexOf(digest).slice(0, LENGTH)}`
}
