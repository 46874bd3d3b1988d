/** How one attempt to deliver something went. */
export type Outcome =
  | { readonly type: 'delivered' }
  | { readonly type: 'failed'; readonly why: Failure; readonly retryAfterMs: number | null }
  /** The receiver wants nothing more from here. `destination` names it, for what else is waiting to go there. */
  | { readonly type: 'gone'; readonly destination: string }
  /** This deployment has nowhere to send such a thing. */
  | { readonly type: 'undeliverable' }

/** `interrupted`: the object died over the last attempt, and nobody knows how that one went. */
export type Failure = 'timeout' | 'unreachable' | 'refused' | 'interrupted' | `status-${number}`

export function failed(why: Failure, retryAfterMs: number | null = null): Outcome {
  return { type: 'failed', why, retryAfterMs }
}
