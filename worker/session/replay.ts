import type { LogEvent } from '../wire/messages.ts'

interface ReplayedLog {
  readonly epoch: string
  head(): number
  eventsAfter(seq: number): readonly LogEvent[]
}

interface SmallStorage {
  get(key: string): unknown
  put(key: string, value: Uint8Array): void
}

const SECRET = 'recovery-secret'

/**
 * Makes the data that the official Socket.IO client needs to recover after a dropped connection ([protocol-32]): the
 * log, its positions (`seq`), and a secret. With the secret, the object checks that it issued a client's id itself. The
 * secret is made at its first use. Walkon's own clients send a cursor instead, and need no secret.
 */
export function replayOf(conversation: () => ReplayedLog, storage: SmallStorage) {
  return {
    secret(): Uint8Array<ArrayBuffer> {
      const stored = storage.get(SECRET)
      if (stored instanceof Uint8Array) return Uint8Array.from(stored)
      const secret = crypto.getRandomValues(new Uint8Array(32))
      storage.put(SECRET, secret)
      return secret
    },
    log: () => conversation().epoch,
    missedSince(offset: string | null) {
      const log = conversation()
      const seq = offset === null ? 0 : seqOf(offset)
      if (seq === null || seq > log.head()) return null
      return log.eventsAfter(seq).map((event) => ({ offset: String(event.seq), name: 'event', body: event }))
    },
  }
}

function seqOf(offset: string): number | null {
  return /^\d{1,9}$/.test(offset) ? Number(offset) : null
}
