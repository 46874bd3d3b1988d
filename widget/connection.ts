import { Manager } from 'socket.io-client'
import { decode, decodeAcknowledgement, decodeRefusal } from '../worker/wire/decode.ts'
import type { Decoded } from '../worker/wire/decode.ts'
import type { Acknowledgement, ConnectAuth, Refusal, Up } from '../worker/wire/messages.ts'

export interface Connection {
  /** Emits once. `answered` is called once: with the acknowledgement, or null when none came in time. */
  emit<N extends keyof Up>(name: N, body: Up[N], answered: (acknowledgement: Acknowledgement | null) => void): void
  sync(body: Up['sync']): void
  /** Tries again now instead of when the backoff says so. */
  reconnect(): void
  close(): void
}

export interface ConnectionListener {
  /** Called for every CONNECT, so that the cursor is the newest one. */
  auth(): ConnectAuth
  received(message: Decoded): void
  /** The line is gone; the client tries again by itself. */
  down(): void
  /** The service refused this conversation for good. Nothing is tried again until `reconnect`. */
  refused(refusal: Refusal): void
}

const HEARTBEAT_MS = 25_000
const SILENCE_MS = 8_000
const ANSWER_MS = 10_000

/**
 * One conversation's socket. The client's own retries stay off: the outbox does that, under the same `cid`
 * (`docs/protocol.md`).
 */
export function connect(origin: string, session: string, listener: ConnectionListener): Connection {
  // What `io()` does with `forceNew`, without its cache by origin: two widgets must not share a session.
  const manager = new Manager(origin, {
    path: '/socket.io',
    query: { session, hb: '1' },
    transports: ['websocket'],
    timeout: 10_000,
    reconnectionDelay: 500,
    reconnectionDelayMax: 10_000,
  })
  const socket = manager.socket('/', { auth: (give: (auth: object) => void) => give(listener.auth()) })

  let waiting = 0
  let later = 0

  /**
   * A socket can be `connected` on a dead line for minutes. The ping is volatile, because one that waits in a buffer
   * proves nothing; closing the engine lets the client's own reconnection run.
   */
  const beat = () => {
    if (!socket.connected || waiting) return
    waiting = window.setTimeout(() => manager.engine.close(), SILENCE_MS)
    socket.volatile.emit('hb')
  }
  const heard = () => {
    clearTimeout(waiting)
    waiting = 0
  }
  const reconnect = () => {
    // `connect` does nothing while the client waits out its backoff; going down first ends the wait.
    if (!socket.connected) socket.disconnect().connect()
  }
  const awake = () => {
    if (document.visibilityState === 'hidden') return
    if (socket.connected) beat()
    else if (socket.active) reconnect()
  }

  socket.onAny((name: unknown, body: unknown) => {
    heard()
    const message = decode(name, body)
    if (message) listener.received(message)
  })
  socket.on('disconnect', (reason) => {
    heard()
    listener.down()
    if (reason === 'io server disconnect') listener.refused(CLOSED)
  })
  socket.on('connect_error', (error: Error & { data?: unknown }) => {
    listener.down()
    // A refusal ends the client's own tries; a line that cannot be had does not.
    if (socket.active) return
    const refusal = decodeRefusal(error.data) ?? CLOSED
    if (refusal.next !== 'retry-after') return listener.refused(refusal)
    later = window.setTimeout(() => socket.connect(), refusal.retryAfterMs ?? 5_000)
  })

  const heartbeat = window.setInterval(beat, HEARTBEAT_MS)
  const off = new AbortController()
  const { signal } = off
  document.addEventListener('visibilitychange', awake, { signal })
  addEventListener('online', awake, { signal })
  addEventListener('pageshow', awake, { signal })

  return {
    emit(name, body, answered) {
      socket.timeout(ANSWER_MS).emit(name, body, (error: Error | null, answer: unknown) => {
        answered(error ? null : decodeAcknowledgement(answer))
      })
    },
    sync: (body) => void socket.emit('sync', body),
    reconnect,
    close() {
      off.abort()
      clearInterval(heartbeat)
      clearTimeout(later)
      heard()
      socket.offAny()
      socket.off()
      socket.disconnect()
    },
  }
}

const CLOSED: Refusal = { ok: false, next: 'give-up', code: 'unavailable', message: '' }
