import { fingerprint } from '../core/graph/hash.ts'
import type { DeliveryConfig } from './delivery-config.ts'
import { eventBody } from './event-body.ts'
import type { Origin, OutboxEntry, Outcome } from './outbox-entry.ts'
import { postWebhook } from './post-webhook.ts'
import { type EmailBinding, sendEmail } from './send-email.ts'

/** Tries once to deliver a message, for at most the configured timeout. Never throws. */
export type Carry = (origin: Origin, id: string, entry: OutboxEntry) => Promise<Outcome>

export interface CarryOptions {
  readonly delivery: DeliveryConfig
  readonly email: EmailBinding | null
  /** Returns true if the receiver `destination` has answered an earlier message with 410 (gone). */
  readonly isGone: (destination: string) => boolean
  /** Returns the time, in milliseconds since 1970. */
  readonly now: () => number
}

export function createCarry({ delivery, email, isGone, now }: CarryOptions): Carry {
  const { webhook, timeoutMs } = delivery
  const destination = webhook && fingerprint(webhook.url)
  return async (origin, id, { effect, at }) => {
    const { sideEffect, node } = effect
    switch (sideEffect.type) {
      case 'emit-event': {
        if (webhook === null || destination === null) return { type: 'undeliverable' }
        if (isGone(destination)) return { type: 'gone', destination }
        const body = eventBody(origin, { event: sideEffect.event, data: sideEffect.data, node, at })
        return postWebhook(webhook, { id, body }, { destination, timeoutMs, now })
      }
      case 'send-email': {
        if (email === null || delivery.email === null) return { type: 'undeliverable' }
        return sendEmail(email, delivery.email, { id, subject: sideEffect.subject, text: sideEffect.text }, timeoutMs)
      }
    }
  }
}
