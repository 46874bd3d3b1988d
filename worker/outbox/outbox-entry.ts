import type { SendEffect } from '../core/walk/event.ts'
import type { Graph } from '../core/graph/graph.ts'

/** A message to another system, claimed for one attempt to deliver it. */
export interface OutboxEntry {
  readonly effect: SendEffect
  /** When the message's turn was completed, in milliseconds since 1970. */
  readonly at: number
  /** The number of this attempt, from 1. */
  readonly attempt: number
}

/** The conversation that a message is sent from. */
export interface Origin {
  readonly session: string
  readonly scenario: { readonly id: string; readonly version: number }
  readonly npc: string
  readonly graph: Pick<Graph, 'id' | 'version' | 'nodes' | 'modules'>
}

/** The result of one delivery attempt. */
export type Outcome =
  | { readonly type: 'delivered' }
  | { readonly type: 'failed'; readonly why: Failure; readonly retryAfterMs: number | null }
  /**
   * The receiver accepts no more messages. `destination` identifies the receiver, so that this conversation sends it no
   * further message.
   */
  | { readonly type: 'gone'; readonly destination: string }
  /** The deployment has no destination for messages of this type. */
  | { readonly type: 'undeliverable' }

/** Why an attempt failed. `interrupted`: the object died during the last attempt, so nobody knows its result. */
export type Failure = 'timeout' | 'unreachable' | 'refused' | 'interrupted' | `status-${number}`

export function failed(why: Failure, retryAfterMs: number | null = null): Outcome {
  return { type: 'failed', why, retryAfterMs }
}
