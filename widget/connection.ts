import { Manager } from 'socket.io-client'
import type { Fetch } from 'socket.io-client'
import { decode, decodeAcknowledgement, decodeCredentials, decodeRefusal } from '../worker/wire/decode.ts'
import type { Decoded } from '../worker/wire/decode.ts'
import type { Acknowledgement, ConnectAuth, Credentials, Refusal, Up } from '../worker/wire/messages.ts'

export interface Connection {
  /** Emits once. `answered` is called once: with the acknowledgement, or null when none came in time. */
  emit<N extends keyof Up>(name: N, body: Up[N], answered: (acknowledgement: Acknowledgement | null) => void): void
  sync(body: Up['sync']): void
  /** Tries again now instead of when the back-off says so. */
  reconnect(): void
  close(): void
}

export interface ConnectionListener {
  /** Called for every CONNECT, so that the cursor is the newest one. */
  auth(): ConnectAuth
  /** New credentials, since those at hand have run out. Null where the service gave no key to ask with. */
  admit(): Promise<Credentials | Refusal | null>
  received(message: Decoded): void
  /** The line is gone; the client tries again by itself. */
  down(): void
  /** The service refused this conversation for good. Nothing is tried again until `reconnect`. */
  refused(refusal: Refusal): void
}

const HEARTBEAT_MS = 25_000
const SILENCE_MS = 8_000
const ANSWER_MS = 10_000
/** From the first try of a line to the service's hello. */
const HELLO_MS = 20_000
/** A line that holds for so long is a good one: the next time it breaks, the back-off begins anew. */
const STEADY_MS = 10_000
const FIRST_WAIT = 500
const LONGEST_WAIT = 10_000
/** What a timer can hold, more or less. */
const LONGEST_TIMER = 2e9

/**
 * One conversation's socket. The client's own retries and its reconnection stay off: the outbox does the one, under the
 * same `cid`, and what is here the other, because credentials may have to be fetched first, and because the client
 * takes a line that was opened for a good one, where only the service's hello proves it ([embed-60] to [embed-68]).
 */
export function connect(
  origin: string,
  session: string,
  given: Credentials | null,
  listener: ConnectionListener,
): Connection {
  // What `io()` does with `forceNew`, without its cache by origin: two widgets must not share a session.
  const manager = new Manager(origin, {
    path: '/socket.io',
    upgrade: false,
    timeout: ANSWER_MS,
    reconnection: false,
    autoConnect: false,
  })
  const socket = manager.socket('/', {
    auth: (give: (auth: object) => void) => give({ ...listener.auth(), ...(pass && { token: pass.token }) }),
  })

  let pass: (Credentials & { until: number; renewAt: number }) | null = null
  /** New credentials were asked for since the last hello: asking once more would bring the same answer. */
  let asked = false
  let polling: typeof Fetch | null = null
  let byPolling = false
  let tries = 0
  /** Counts the tries, so that what comes back late knows that it is late. */
  let current = 0
  let refused = false
  let later = 0
  let silence = 0
  let renewal = 0
  let steady = 0

  const open = async () => {
    const mine = ++current
    refused = false
    clearTimeout(later)
    if (!pass || Date.now() > pass.until) {
      const answer = await listener.admit()
      if (mine !== current) return
      if (answer && 'ok' in answer) return stay(answer)
      if (answer) take(answer)
    }
    if (tries > 1 && !polling) {
      polling = await loadPolling(tries)
      if (mine !== current) return
    }
    manager.opts.query = { session, hb: '1', ...(pass && { ticket: pass.ticket }) }
    manager.opts.transports = byPolling && polling ? [polling] : ['websocket']
    later = window.setTimeout(() => {
      socket.disconnect()
      lost()
    }, HELLO_MS)
    socket.connect()
  }
  const again = (wait = Math.min(FIRST_WAIT * 2 ** tries, LONGEST_WAIT) * (0.5 + Math.random())) => {
    current += 1
    tries += 1
    clearTimeout(later)
    later = window.setTimeout(open, wait)
  }
  /** The line could not be had. `polling` came over HTTP a moment ago, so HTTP works where WebSocket may not. */
  const lost = () => {
    byPolling = !byPolling && polling !== null
    // A browser does not tell why: perhaps the ticket is not good any more, though its time has not come.
    if (tries % 3 === 2) pass = null
    again()
  }
  const stay = (refusal: Refusal) => {
    clearTimeout(later)
    if (refusal.next === 'retry-after') return again(refusal.retryAfterMs)
    refused = true
    listener.refused(refusal)
  }

  const take = (credentials: Credentials) => {
    const { lastsMs } = credentials
    const now = Date.now()
    pass = { ...credentials, until: now + lastsMs, renewAt: now + (lastsMs * 2) / 3 }
    renewLater((lastsMs * 2) / 3)
  }
  const renew = () => {
    // Who is not connected gets new ones with the key, if they are needed.
    if (!socket.connected) return
    renewLater(ANSWER_MS * 2)
    socket.timeout(ANSWER_MS).emit('renew', {}, (error: Error | null, answer: unknown) => {
      const credentials = error ? null : decodeCredentials(answer)
      if (credentials) take(credentials)
      else lapsed(decodeRefusal(answer))
    })
  }
  /** Whoever slept too long is still connected and not let in any more: the key may open another line. */
  const lapsed = (answer: Acknowledgement | null): boolean => {
    const isSo = answer?.ok === false && answer.code === 'not-admitted'
    if (isSo) {
      pass = null
      socket.disconnect()
    }
    return isSo
  }
  const renewLater = (wait: number) => {
    clearTimeout(renewal)
    renewal = window.setTimeout(renew, Math.min(wait, LONGEST_TIMER))
  }
  /** A timer stands still while a laptop sleeps. */
  const renewIfDue = () => {
    if (pass && Date.now() > pass.renewAt) renew()
  }

  /**
   * A socket can be `connected` on a dead line for minutes. The ping is volatile, because one that waits in a buffer
   * proves nothing. The engine's own `close` would wait until what it has written is gone.
   */
  const beat = () => {
    if (!socket.connected || silence) return
    silence = window.setTimeout(() => socket.disconnect(), SILENCE_MS)
    socket.volatile.emit('hb')
  }
  const heard = () => {
    clearTimeout(silence)
    silence = 0
  }
  const reconnect = () => {
    if (socket.connected) return
    tries = 0
    socket.disconnect()
    void open()
  }
  const awake = () => {
    if (document.visibilityState === 'hidden' || refused) return
    reconnect()
    beat()
    renewIfDue()
  }
  const online = () => {
    // Another network may let a WebSocket through.
    byPolling = false
    awake()
  }

  socket.onAny((name: unknown, body: unknown) => {
    heard()
    const message = decode(name, body)
    if (!message) return
    if (message.name === 'hello') greeted()
    listener.received(message)
  })
  const greeted = () => {
    asked = false
    clearTimeout(later)
    clearTimeout(steady)
    steady = window.setTimeout(() => (tries = 0), STEADY_MS)
    renewIfDue()
  }
  const fell = () => {
    heard()
    clearTimeout(steady)
    listener.down()
  }
  socket.on('disconnect', (reason) => {
    fell()
    if (reason === 'io server disconnect') stay(CLOSED)
    else again()
  })
  socket.on('connect_error', (error: Error & { data?: unknown }) => {
    fell()
    if (socket.active) return lost()
    const refusal = decodeRefusal(error.data) ?? CLOSED
    if (refusal.code !== 'not-admitted' || asked) return stay(refusal)
    asked = true
    pass = null
    void open()
  })

  const heartbeat = window.setInterval(beat, HEARTBEAT_MS)
  const off = new AbortController()
  const { signal } = off
  document.addEventListener('visibilitychange', awake, { signal })
  addEventListener('online', online, { signal })
  addEventListener('pageshow', awake, { signal })
  if (given) take(given)
  void open()

  return {
    emit(name, body, answered) {
      socket.timeout(ANSWER_MS).emit(name, body, (error: Error | null, answer: unknown) => {
        const acknowledgement = error ? null : decodeAcknowledgement(answer)
        // Perhaps the line is dead and does not say so.
        if (error) beat()
        answered(lapsed(acknowledgement) ? null : acknowledgement)
      })
    },
    sync: (body) => void socket.emit('sync', body),
    reconnect,
    close() {
      current += 1
      off.abort()
      clearInterval(heartbeat)
      for (const timer of [later, renewal, steady]) clearTimeout(timer)
      heard()
      socket.offAny()
      socket.off()
      socket.disconnect()
    },
  }
}

/** A browser may remember that a module could not be had; another address makes it ask again. */
async function loadPolling(tries: number): Promise<typeof Fetch | null> {
  try {
    const loaded = (await import(new URL(`polling.js?${tries}`, import.meta.url).href)) as { Fetch: typeof Fetch }
    return loaded.Fetch
  } catch {
    return null
  }
}

const CLOSED: Refusal = { ok: false, next: 'give-up', code: 'unavailable', message: '' }
