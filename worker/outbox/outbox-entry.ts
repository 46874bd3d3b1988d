import type { SendEffect } from '../core/walk/event.ts'

/** Something to be sent, claimed for one attempt. */
export interface OutboxEntry {
  readonly effect: SendEffect
  /** When its turn was completed, in milliseconds since 1970. */
  readonly at: number
  /** Which attempt this is, from 1. */
  readonly attempt: number
}
