import { DurableObject } from 'cloudflare:workers'
import type { EchoReport } from '../../support/echo-report.ts'
import type { Peer } from '../../../worker/socket/peer.ts'
import { refuseSocket } from '../../../worker/socket/refuse-socket.ts'
import { SocketEngine } from '../../../worker/socket/socket-engine.ts'
import type { SocketEngineOptions, SocketLogEntry } from '../../../worker/socket/socket-engine.ts'

export interface EchoEnv {
  ECHO: DurableObjectNamespace<EchoObject>
}

/**
 * The engine with handlers that do as the events' names say:
 *
 * - CONNECT with `{ refuse: true }` is refused, with `{ explode: true }` throws, with `{ close: true }` closes;
 *   otherwise `auth` comes back as `hello`
 * - `echo` comes back as `echo`, and in the acknowledgement
 * - `tell` is broadcast as `told`
 * - `explode` throws, `explode-later` rejects, `ack-twice` and `ack-cycle` misuse the acknowledgement
 * - `kick` closes the socket that asks
 * - a client whose id is `explode-on-leave` makes the handler throw when it leaves
 * - anything else is acknowledged with `{ unknown: name }`
 */
export class EchoObject extends DurableObject<EchoEnv> {
  engine: SocketEngine
  readonly #log: SocketLogEntry[] = []

  constructor(ctx: DurableObjectState, env: EchoEnv) {
    super(ctx, env)
    ctx.storage.kv.put('constructions', this.#constructions() + 1)
    this.engine = this.#newEngine()
  }

  override async fetch(request: Request): Promise<Response> {
    const response = this.engine.upgrade(request)
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

  /** Sets the engine's options, for good. */
  configure(options: Omit<SocketEngineOptions, 'log' | 'now'>): void {
    this.ctx.storage.kv.put('options', options)
    this.engine = this.#newEngine()
  }

  async report(): Promise<EchoReport> {
    return {
      constructions: this.#constructions(),
      peers: this.engine.peers().map((peer) => peer.record),
      connects: this.#list('connects'),
      disconnects: this.#list('disconnects'),
      log: this.#log,
      alarm: await this.ctx.storage.getAlarm(),
    }
  }

  #newEngine(): SocketEngine {
    return new SocketEngine(
      this.ctx,
      {
        connect: (peer, auth) => this.#connect(peer, auth),
        event: (peer, name, body, ack) => this.#event(peer, name, body, ack),
        disconnect: (peer) => this.#disconnect(peer),
      },
      { ...this.ctx.storage.kv.get<SocketEngineOptions>('options'), log: (entry) => this.#log.push(entry) },
    )
  }

  #connect(peer: Peer, auth: unknown): void | { refuse: { message: string; data: unknown } } {
    this.#append('connects', peer.sid)
    if (isTrue(auth, 'refuse')) return { refuse: { message: 'refused', data: { code: 'test' } } }
    if (isTrue(auth, 'close')) return peer.close('failed', 'not now')
    if (isTrue(auth, 'explode')) throw new RangeError('a secret')
    peer.emit('hello', { auth: auth ?? null })
  }

  #event(peer: Peer, name: string, body: unknown, ack: ((body: unknown) => void) | null): void | Promise<void> {
    switch (name) {
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
 * `/<name>/…` goes to the object of that name. `POST /<name>/options` configures it, `GET /<name>/report` asks it.
 * `/nowhere/…` is refused for good without an object.
 */
export default {
  async fetch(request: Request, env: EchoEnv): Promise<Response> {
    const [, name = '', action] = new URL(request.url).pathname.split('/')
    if (name === 'nowhere') return refuseSocket({ message: 'unknown', data: { code: 'nowhere' } })
    const object = env.ECHO.getByName(name)
    if (action === 'report') return Response.json(await object.report())
    if (action === 'options') {
      await object.configure(await request.json())
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
