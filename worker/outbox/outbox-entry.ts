import type { SendEffect } from '../core/walk/event.ts'
import type { Graph } from '../core/graph/graph.ts'

/** A message to send, claimed for one attempt. */
export interface OutboxEntry {
  readonly effect: SendEffect
  /** When its turn was completed, in milliseconds since 1970. */
  readonly at: number
  /** Which attempt this is, from 1. */
  readonly attempt: number
}

/** The conversation that a message is sent from. */
export interface Origin {
  readonly session: string
  readonly scenario: { readonly id: string; readonly version: number }
  readonly npc: string
  readonly graph: Pick<Graph, 'id' | 'version' | 'nodes' | 'modules'>
}

/** How one attempt to deliver something went. */
export type Outcome =
  | { readonly type: 'delivered' }
  | { readonly type: 'failed'; readonly why: Failure; readonly retryAfterMs: number | null }
  /** The receiver wants nothing more from here. `destination` names it, for what else is waiting to go there. */
  | { readonly type: 'gone'; readonly destination: string }
  /** This deployment has nowhere to send such a thing. */
  | { readonly type: 'undeliverable' }

/** `interrupted`: the object died during the last attempt, whose result is unknown. */
export type Failure = 'timeout' | 'unreachable' | 'refused' | 'interrupted' | `status-${number}`

export function failed(why: Failure, retryAfterMs: number | null = null): Outcome {
  return { type: 'failed', why, retryAfterMs }
}
