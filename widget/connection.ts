import { Manager } from 'socket.io-client'
import type { Fetch, Socket } from 'socket.io-client'
import { decode, decodeAcknowledgement, decodeCredentials, decodeRefusal } from '../worker/wire/decode.ts'
import type { Decoded } from '../worker/wire/decode.ts'
import type { Acknowledgement, ConnectAuth, Credentials, Refusal, Up } from '../worker/wire/messages.ts'
import { loadFile } from './load-file.ts'

/** The socket of one conversation. The connection sends no request before `open` is called. */
export interface Connection {
  /** Connects now, without waiting for the back-off. Does nothing while connected. */
  open(): void
  /**
   * Emits an event once, without retries. Calls `answered` once: with the acknowledgement, or with null if no
   * acknowledgement came in time.
   */
  emit<N extends keyof Up>(name: N, body: Up[N], answered: (acknowledgement: Acknowledgement | null) => void): void
  sync(body: Up['sync']): void
  close(): void
}

export interface ConnectionListener {
  /**
   * Returns the data of a CONNECT packet. The connection calls `auth` for each CONNECT, so that the server learns which
   * event this client received last.
   */
  auth(): ConnectAuth
  /** Requests new credentials. Returns null if the service gave this session no key. */
  admit(): Promise<Credentials | Refusal | null>
  received(message: Decoded): void
  /** Called when the connection has broken. The connection then reconnects by itself. */
  down(): void
  /** Called when the service has refused the conversation. The connection doesn't reconnect until `open` is called. */
  refused(refusal: Refusal): void
}

/** The state of the connection. Leaving a state stops the state's timer. */
type LineState =
  | { readonly name: 'idle' }
  /**
   * The connection requests credentials, or loads `polling.js`, which replaces a blocked WebSocket by HTTP requests.
   */
  | { readonly name: 'admitting' }
  /** The socket is opening, or is open and waits for `hello`. The timer ends the attempt. */
  | { readonly name: 'connecting'; readonly timer: number }
  /** The service sent `hello`. The timer resets the back-off once the connection has held for `STEADY_MS`. */
  | { readonly name: 'open'; readonly timer: number }
  /** The connection waits before the next attempt. The timer is the back-off. */
  | { readonly name: 'waiting'; readonly timer: number }
  | { readonly name: 'refused' }
  | { readonly name: 'closed' }

const HEARTBEAT_MS = 25_000
const SILENCE_MS = 8_000
const ANSWER_MS = 10_000
/** The longest wait for `hello`, in milliseconds. */
const HELLO_MS = 20_000
/** How long a connection has to hold before the back-off is reset, in milliseconds. */
const STEADY_MS = 10_000
const FIRST_WAIT = 500
const LONGEST_WAIT = 10_000
/** About the longest delay that a browser's timer supports, in milliseconds. */
const LONGEST_TIMER = 2e9

/**
 * Makes one conversation's connection, which reconnects by itself ([embed-60] to [embed-68]). The Socket.IO client's
 * own retries and reconnection stay off: the outbox sends a message again with the same `cid` (message id), and this
 * class reconnects, because it may have to fetch credentials first. A connection counts as working only after the
 * service's `hello`; for the Socket.IO client an open socket would be enough.
 *
 * @param given the credentials that came with a new session
 */
export function openConnection(
  origin: string,
  session: string,
  given: Credentials | null,
  listener: ConnectionListener,
): Connection {
  return new SocketLine(origin, session, given, listener)
}

class SocketLine implements Connection {
  #state: LineState = { name: 'idle' }
  readonly #session: string
  readonly #listener: ConnectionListener
  readonly #manager: Manager
  readonly #socket: Socket
  readonly #pass = new Pass(() => this.#renew())
  /**
   * Whether, since the last `hello`, the service has refused the credentials and the connection has requested new
   * credentials. If the service then refuses the new credentials too, the connection gives up.
   */
  #hasAsked = false
  #polling: typeof Fetch | null = null
  #byPolling = false
  #tries = 0
  /** The timer of an unanswered heartbeat; 0 if every heartbeat was answered. */
  #silence = 0
  readonly #heartbeat = window.setInterval(() => this.#beat(), HEARTBEAT_MS)
  readonly #off = new AbortController()

  constructor(origin: string, session: string, given: Credentials | null, listener: ConnectionListener) {
    this.#session = session
    this.#listener = listener
    // `io()` would share one manager among all widgets with this origin. Each widget needs its own manager, because the
    // manager's query names the session.
    this.#manager = new Manager(origin, {
      path: '/socket.io',
      upgrade: false,
      timeout: ANSWER_MS,
      reconnection: false,
      autoConnect: false,
    })
    this.#socket = this.#manager.socket('/', {
      auth: (give: (auth: object) => void) => {
        const { held } = this.#pass
        give({ ...listener.auth(), ...(held && { token: held.token }) })
      },
    })
    if (given) this.#pass.take(given)
    this.#listenToSocket()
    this.#listenToPage()
  }

  open(): void {
    if (this.#socket.connected) return
    this.#tries = 0
    this.#socket.disconnect()
    void this.#admit()
  }

  emit<N extends keyof Up>(name: N, body: Up[N], answered: (acknowledgement: Acknowledgement | null) => void): void {
    const emitter: Pick<Socket, 'emit'> = this.#socket.timeout(ANSWER_MS)
    emitter.emit(name, body, (error: Error | null, answer: unknown) => {
      const acknowledgement = error ? null : decodeAcknowledgement(answer)
      // No acknowledgement came. The heartbeat finds out whether the connection is dead although the socket has not
      // closed.
      if (error) this.#beat()
      answered(this.#hasLapsed(acknowledgement) ? null : acknowledgement)
    })
  }

  sync(body: Up['sync']): void {
    this.#socket.emit('sync', body)
  }

  close(): void {
    this.#go({ name: 'closed' })
    this.#off.abort()
    clearInterval(this.#heartbeat)
    this.#pass.stop()
    this.#heard()
    this.#socket.offAny()
    this.#socket.off()
    this.#socket.disconnect()
  }

  /**
   * Changes the state and returns the new state. An asynchronous caller compares the returned state with `#state` to
   * notice a later change.
   */
  #go(next: LineState): LineState {
    if ('timer' in this.#state) clearTimeout(this.#state.timer)
    this.#state = next
    return next
  }

  async #admit(): Promise<void> {
    const mine = this.#go({ name: 'admitting' })
    if (!this.#pass.isGood) {
      const answer = await this.#listener.admit()
      if (this.#state !== mine) return
      if (answer && 'ok' in answer) return this.#refuse(answer)
      if (answer) this.#pass.take(answer)
    }
    if (this.#tries > 1 && !this.#polling) {
      this.#polling = await loadPolling(this.#tries)
      if (this.#state !== mine) return
    }
    this.#dial()
  }

  #dial(): void {
    const { held } = this.#pass
    this.#manager.opts.query = { session: this.#session, hb: '1', ...(held && { ticket: held.ticket }) }
    this.#manager.opts.transports = this.#byPolling && this.#polling ? [this.#polling] : ['websocket']
    const giveUp = () => {
      this.#socket.disconnect()
      this.#lose()
    }
    this.#go({ name: 'connecting', timer: window.setTimeout(giveUp, HELLO_MS) })
    this.#socket.connect()
  }

  #greet(): void {
    this.#hasAsked = false
    this.#go({ name: 'open', timer: window.setTimeout(() => (this.#tries = 0), STEADY_MS) })
    this.#pass.renewIfDue()
  }

  #wait(wait = Math.min(FIRST_WAIT * 2 ** this.#tries, LONGEST_WAIT) * (0.5 + Math.random())): void {
    this.#tries += 1
    this.#go({ name: 'waiting', timer: window.setTimeout(() => void this.#admit(), wait) })
  }

  /**
   * Handles a failed attempt. If `polling.js` has loaded, HTTP works, so attempts by WebSocket and by HTTP polling
   * alternate.
   */
  #lose(): void {
    this.#byPolling = !this.#byPolling && this.#polling !== null
    // A browser hides why an attempt failed. The service may have refused credentials that have not expired, so every
    // third failure drops the credentials.
    if (this.#tries % 3 === 2) this.#pass.drop()
    this.#wait()
  }

  #refuse(refusal: Refusal): void {
    if (refusal.next === 'retry-after') return this.#wait(refusal.retryAfterMs)
    this.#go({ name: 'refused' })
    this.#listener.refused(refusal)
  }

  #listenToSocket(): void {
    this.#socket.onAny((name: unknown, body: unknown) => {
      this.#heard()
      const message = decode(name, body)
      if (!message) return
      if (message.name === 'hello') this.#greet()
      this.#listener.received(message)
    })
    this.#socket.on('disconnect', (reason) => {
      this.#fall()
      if (reason === 'io server disconnect') this.#refuse(CLOSED)
      else this.#wait()
    })
    this.#socket.on('connect_error', (error: Error & { data?: unknown }) => {
      this.#fall()
      if (this.#socket.active) return this.#lose()
      const refusal = decodeRefusal(error.data) ?? CLOSED
      if (refusal.code !== 'not-admitted' || this.#hasAsked) return this.#refuse(refusal)
      this.#hasAsked = true
      this.#pass.drop()
      void this.#admit()
    })
  }

  #fall(): void {
    this.#heard()
    this.#listener.down()
  }

  #listenToPage(): void {
    const { signal } = this.#off
    const wake = () => {
      if (document.visibilityState === 'hidden' || this.#state.name === 'refused') return
      this.open()
      this.#beat()
      this.#pass.renewIfDue()
    }
    const online = () => {
      // The browser is online again, maybe in another network, which may let a WebSocket through.
      this.#byPolling = false
      wake()
    }
    document.addEventListener('visibilitychange', wake, { signal })
    addEventListener('online', online, { signal })
    // A page that a browser has kept, and not one that loads.
    addEventListener('pageshow', ({ persisted }) => persisted && wake(), { signal })
  }

  /**
   * Sends a heartbeat, because a socket can stay `connected` for minutes after the network died. `volatile` drops a
   * heartbeat that can't be sent at once, because a heartbeat in a buffer proves nothing. If the service sends nothing
   * in time, the timer disconnects the socket. The timer does not close the Engine.IO engine under the socket, because
   * that would first wait until the engine's write buffer is empty.
   */
  #beat(): void {
    if (!this.#socket.connected || this.#silence) return
    this.#silence = window.setTimeout(() => this.#socket.disconnect(), SILENCE_MS)
    this.#socket.volatile.emit('hb')
  }

  #heard(): void {
    clearTimeout(this.#silence)
    this.#silence = 0
  }

  #renew(): void {
    // Without a connection there is nothing to do: `#admit` requests new credentials before it reconnects.
    if (!this.#socket.connected) return
    this.#pass.renewLater(ANSWER_MS * 2)
    this.#socket.timeout(ANSWER_MS).emit('renew', {}, (error: Error | null, answer: unknown) => {
      const credentials = error ? null : decodeCredentials(answer)
      if (credentials) this.#pass.take(credentials)
      else this.#hasLapsed(decodeRefusal(answer))
    })
  }

  /**
   * Checks whether the service refused the credentials on an open socket, for example because they expired while the
   * computer slept. If so, drops the credentials, disconnects and returns true. To reconnect, the connection requests
   * new credentials with the session's key.
   */
  #hasLapsed(answer: Acknowledgement | null): boolean {
    const isSo = answer?.ok === false && answer.code === 'not-admitted'
    if (isSo) {
      this.#pass.drop()
      this.#socket.disconnect()
    }
    return isSo
  }
}

/** The current credentials, and when to renew them. */
class Pass {
  held: (Credentials & { readonly until: number; readonly renewAt: number }) | null = null
  #timer = 0
  readonly #renew: () => void

  constructor(renew: () => void) {
    this.#renew = renew
  }

  get isGood(): boolean {
    return this.held !== null && Date.now() <= this.held.until
  }

  take(credentials: Credentials): void {
    const { lastsMs } = credentials
    const now = Date.now()
    const renewIn = (lastsMs * 2) / 3
    this.held = { ...credentials, until: now + lastsMs, renewAt: now + renewIn }
    this.renewLater(renewIn)
  }

  drop(): void {
    this.held = null
  }

  renewLater(wait: number): void {
    this.stop()
    this.#timer = window.setTimeout(this.#renew, Math.min(wait, LONGEST_TIMER))
  }

  /** Renews credentials whose renewal is overdue, because the renewal timer stops while a laptop sleeps. */
  renewIfDue(): void {
    if (this.held && Date.now() > this.held.renewAt) this.#renew()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}

/**
 * Loads `polling.js`. A browser may remember that a module failed to load, so each attempt uses a different address.
 */
async function loadPolling(tries: number): Promise<typeof Fetch | null> {
  try {
    const loaded = (await loadFile('polling.js', tries)) as { Fetch: typeof Fetch }
    return loaded.Fetch
  } catch {
    return null
  }
}

const CLOSED: Refusal = { ok: false, next: 'give-up', code: 'unavailable', message: '' }
