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
 * Returns a webhook's body as JSON ([outbox-6]), in the shape that Standard Webhooks recommends. The body contains ids,
 * versions and the fields that the author wrote, but nothing that was said.
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
 * Returns the graph in which the author wrote a node, and the node's name there. In the conversation's graph, a node
 * that came from a called graph is named `id@version/state`.
 */
function placeOf({ graph }: Origin, node: NodeId): { graph: { id: string; version: number }; state: string } {
  const module = graph.modules[graph.nodes[node]?.module ?? '']
  const { id, version } = module ? { id: module.graph, version: module.version } : graph
  const prefix = `${id}@${version}/`
  return { graph: { id, version }, state: node.startsWith(prefix) ? node.slice(prefix.length) : node }
}

/** The number of hexadecimal digits in a message's id: 128 bits. */
const LENGTH = 32

/**
 * Returns the id of a message ([outbox-4]). The id is the same in all attempts to deliver the message, and no other
 * message of any conversation has it. The id is a digest for two reasons. Receivers log the id, and must not learn the
 * session's id from it. And the id must contain no full stop, because the signed text is id, time and body, joined by
 * full stops.
 */
export async function messageIdOf(session: string, effect: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${session}\n${effect}`)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `evt_${hexOf(digest).slice(0, LENGTH)}`
}
