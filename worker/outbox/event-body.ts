import type { NodeId } from '../core/graph/graph.ts'
import type { Origin } from './outbox-entry.ts'
import { hexOf } from '../bytes.ts'

export interface OutgoingEvent {
  readonly event: string
  readonly data: Readonly<Record<string, string>>
  readonly node: NodeId
  /** Milliseconds since 1970. */
  readonly at: number
}

/**
 * A webhook's body as JSON ([outbox-6]), in the shape that Standard Webhooks recommends. Made of what the conversation is
 * pinned to and of what the author wrote; it contains nothing that was said.
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

/** Hexadecimal digits of the digest that are kept: 128 bits. */
const LENGTH = 32

/**
 * The id of a message ([outbox-4]): the same in all attempts, different from every other message of any
 * conversation. A digest, because a session's id says whose conversation it is and receivers log this header; and
 * because the signature joins id, time and body by full stops, so the id must hold none.
 */
export async function messageIdOf(session: string, effect: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${session}\n${effect}`)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `evt_${hexOf(digest).slice(0, LENGTH)}`
}
