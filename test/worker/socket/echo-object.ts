import { DurableObject } from 'cloudflare:workers'
import type { EchoPeer, EchoReport } from '../../support/echo-report.ts'
import type { Peer } from '../../../worker/socket/peer.ts'
import { refuseSocket } from '../../../worker/socket/refuse-socket.ts'
import type { Missed, Recovery } from '../../../worker/socket/recovery.ts'
import { SocketEngine } from '../../../worker/socket/socket-engine.ts'
import type { SocketEngineOptions, SocketLogEntry } from '../../../worker/socket/socket-engine.ts'

export interface EchoOptions extends Omit<SocketEngineOptions, 'log' | 'now' | 'recovery'> {
  recovery?: boolean
}

export interface EchoEnv {
  ECHO: DurableObjectNamespace<EchoObject>
}

/**
 * The engine with handlers for these events:
 *
 * - CONNECT with `{ admit: 'later' }`: the admission waits for `admit`; with `{ admit: <ms> }`: the client is admitted
 * for that time; with `{ turnAway: true }`: the client is not admitted; with `{ admit: 'explode' }`: the admission
 * throws
 * - CONNECT with `{ refuse: true }`: the handler refuses the client; with `{ explode: true }`: the handler throws; with
 * `{ close: true }`: the handler closes the socket; otherwise the handler sends `auth` back as `hello`
 * - `echo`: the body is sent back as `echo` and in the acknowledgement
 * - `tell`: the body is broadcast as `told`; `log`: the body is broadcast as `logged` with the next offset; `flood`:
 * that number of characters is broadcast as `flooded`
 * - `log-many`: logs that number of times, five milliseconds apart
 * - `args`: the arguments are sent back unchanged, in an event and in the acknowledgement
 * - `explode`: the handler throws; `explode-later`: it rejects; `ack-twice` and `ack-cycle`: it misuses the
 * acknowledgement
 * - `kick`: the handler closes the socket that sent the event
 * - the disconnect of a client with the id `explode-on-leave`: the handler throws
 * - every other event: the handler acknowledges it with `{ unknown: name }`
 */
export class EchoObject extends DurableObject<EchoEnv> {
  engine: SocketEngine
  readonly #log: SocketLogEntry[] = []
  readonly #logged: Missed[] = []
  readonly #waiting: (() => void)[] = []
  #isRecovering = false

  constructor(ctx: DurableObjectState, env: EchoEnv) {
    super(ctx, env)
    ctx.storage.kv.put('constructions', this.#constructions() + 1)
    this.engine = this.#newEngine()
  }

  override async fetch(request: Request): Promise<Response> {
    const response = this.engine.handle(request)
    await this.#setAlarm()
    return response
  }

  override webSocketMessage(ws: WebSocket, data: string | ArrayBuffer): Promise<void> | void {
    return this.engine.message(ws, data)
  }

  override webSocketClose(ws: WebSocket): void {
    this.engine.closed(ws)
  }

  override webSocketError(ws: WebSocket): void {
    this.engine.errored(ws)
  }

  override async alarm(): Promise<void> {
    this.engine.runDeadlines(Date.now())
    await this.#setAlarm()
  }

  /** The number of admissions that wait for `admit`. */
  get waiting(): number {
    return this.#waiting.length
  }

  admit(): void {
    for (const settle of this.#waiting.splice(0)) settle()
  }

  /**
   * Changes the engine's options permanently, also for clients that are already connected. With `recovery`, the engine
   * recovers missed events from a log, which is a list in memory.
   */
  configure({ recovery = false, ...options }: EchoOptions): Promise<void> {
    this.#isRecovering = recovery
    this.ctx.storage.kv.put('options', options)
    this.engine = this.#newEngine()
    return this.#setAlarm()
  }

  /** Crashes the object. The object loses data that is not durable, and every socket drops. */
  abort(): void {
    this.ctx.abort()
  }

  async report(): Promise<EchoReport> {
    return {
      constructions: this.#constructions(),
      peers: this.engine.peers().map((peer) => peer.record as EchoPeer),
      connects: this.#list('connects'),
      disconnects: this.#list('disconnects'),
      log: this.#log,
      alarm: await this.ctx.storage.getAlarm(),
      kept: this.engine.kept(),
    }
  }

  #newEngine(): SocketEngine {
    return new SocketEngine(
      this.ctx,
      {
        admit: (peer, auth) => this.#admit(peer, auth),
        connect: (peer, auth, recovered) => this.#connect(peer, auth, recovered),
        event: (peer, name, body, ack, args) => this.#event(peer, name, body, ack, args),
        disconnect: (peer) => this.#disconnect(peer),
      },
      {
        ...this.ctx.storage.kv.get<SocketEngineOptions>('options'),
        ...(this.#isRecovering && { recovery: this.#recovery() }),
        log: (entry) => this.#log.push(entry),
      },
    )
  }

  #recovery(): Recovery {
    const { kv } = this.ctx.storage
    return {
      secret: () => {
        const secret = kv.get<Uint8Array<ArrayBuffer>>('secret') ?? crypto.getRandomValues(new Uint8Array(32))
        kv.put('secret', secret)
        return secret
      },
      log: () => 'one',
      missedSince: (offset) => {
        const index = this.#logged.findIndex((each) => each.offset === offset)
        if (offset !== null && index === -1) return null
        return this.#logged.slice(index + 1)
      },
    }
  }

  async #admit(peer: Peer, auth: unknown): Promise<void | { refuse: { message: string } }> {
    if (isTrue(auth, 'turnAway')) return { refuse: { message: 'turned away' } }
    const admit: unknown = typeof auth === 'object' && auth !== null ? Reflect.get(auth, 'admit') : undefined
    if (admit === 'explode') throw new RangeError('a secret')
    if (typeof admit === 'number') peer.admit(Date.now() + admit, null)
    if (admit === 'later') await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #connect(peer: Peer, auth: unknown, recovered: boolean): void | { refuse: { message: string; data: unknown } } {
    this.#append('connects', peer.sid)
    if (isTrue(auth, 'refuse')) return { refuse: { message: 'refused', data: { code: 'test' } } }
    if (isTrue(auth, 'close')) return peer.close('failed', 'not now')
    if (isTrue(auth, 'explode')) throw new RangeError('a secret')
    peer.emit('hello', { auth: auth ?? null, ...(recovered && { recovered }) })
  }

  #event(
    peer: Peer,
    name: string,
    body: unknown,
    ack: ((...args: unknown[]) => void) | null,
    args: readonly unknown[],
  ): void | Promise<void> {
    switch (name) {
      case 'args':
        peer.emit('args', ...args)
        return ack?.(...args)
      case 'log': {
        const logged = this.#logOne(body)
        return ack?.({ logged })
      }
      case 'log-many':
        return this.#logMany(Number(body))
      case 'flood':
        this.engine.broadcast('flooded', 'x'.repeat(Number(body)))
        return ack?.({ flooded: body })
      case 'echo':
        peer.emit('echo', body ?? null)
        return ack?.({ echoed: body ?? null })
      case 'tell':
        this.engine.broadcast('told', body)
        return ack?.({ told: true })
      case 'kick':
        return peer.close('failed', 'kicked')
      case 'explode':
        throw new RangeError('a secret')
      case 'explode-later':
        return Promise.reject(new RangeError('a secret'))
      case 'ack-twice':
        ack?.(1)
        return ack?.(2)
      case 'ack-cycle':
        return ack?.(cycle())
      default:
        return ack?.({ unknown: name })
    }
  }

  /** Adds an event to the log, broadcasts the event, and returns its offset. */
  #logOne(body: unknown): string {
    const missed = { offset: `o${this.#logged.length + 1}`, name: 'logged', body }
    this.#logged.push(missed)
    this.engine.broadcast('logged', body, missed.offset)
    return missed.offset
  }

  async #logMany(count: number): Promise<void> {
    for (let n = 1; n <= count; n++) {
      this.#logOne(n)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  #disconnect(peer: Peer): void {
    this.#append('disconnects', peer.sid)
    if (peer.clientId === 'explode-on-leave') throw new RangeError('a secret')
  }

  #constructions(): number {
    return this.ctx.storage.kv.get<number>('constructions') ?? 0
  }

  #list(key: string): string[] {
    return this.ctx.storage.kv.get<string[]>(key) ?? []
  }

  #append(key: string, sid: string): void {
    this.ctx.storage.kv.put(key, [...this.#list(key), sid])
  }

  async #setAlarm(): Promise<void> {
    const next = this.engine.nextDeadline(Date.now())
    if (next === null) await this.ctx.storage.deleteAlarm()
    else await this.ctx.storage.setAlarm(next)
  }
}

/**
 * Routes requests to objects. `/<name>/…` goes to the object of that name. `POST /<name>/options` configures the
 * object, `GET /<name>/report` returns its report, `POST /<name>/admit` settles its waiting admissions, and `POST
 * /<name>/abort` ends its instance. For `/nowhere/…`, the worker refuses the socket without an object. If a name begins
 * with `polled`, the worker refuses WebSockets, as some proxies do.
 */
export default {
  async fetch(request: Request, env: EchoEnv): Promise<Response> {
    const [, name = '', action] = new URL(request.url).pathname.split('/')
    if (name === 'nowhere') return refuseSocket({ message: 'unknown', data: { code: 'nowhere' } })
    if (name.startsWith('polled') && request.headers.has('Upgrade')) return new Response(null, { status: 403 })
    const object = env.ECHO.getByName(name)
    if (action === 'report') return Response.json(await object.report())
    if (action === 'options') {
      await object.configure(await request.json())
      return new Response(null, { status: 204 })
    }
    if (action === 'admit') {
      await object.admit()
      return new Response(null, { status: 204 })
    }
    if (action === 'abort') {
      // This call never returns, because it ends the object.
      await object.abort().catch(() => null)
      return new Response(null, { status: 204 })
    }
    return object.fetch(request)
  },
} satisfies ExportedHandler<EchoEnv>

function isTrue(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && Reflect.get(value, key) === true
}

function cycle(): unknown {
  const loop: { self?: unknown } = {}
  loop.self = loop
  return loop
}
