import { DurableObject } from 'cloudflare:workers'
import { ENGINE_DEFAULTS, Engine } from '../../../worker/socket/engine.ts'
import type { EngineOptions } from '../../../worker/socket/engine.ts'
import { encodeMessage } from '../../../worker/socket/engine-packet.ts'
import { SocketEngine } from '../../../worker/socket/socket-engine.ts'

interface ConformanceEnv {
  CONFORMANCE: DurableObjectNamespace<ConformanceObject>
}

type Served = Pick<Engine, 'handle' | 'closed' | 'runDeadlines' | 'nextDeadline'> & {
  frame: Engine['frame']
}

const OPTIONS = { maxFrame: 1_000_000, maxSockets: 100 }

const LONG_MS = 600_000

/**
 * The intervals in milliseconds. The cases that test an interval use the interval of the suites' own server. All other
 * cases use long intervals, so that no pause of the machine ends a connection.
 */
const PACES = {
  suite: { pingInterval: 300, pingTimeout: 200, connectTimeout: 1000 },
  pinging: { pingInterval: 300, pingTimeout: LONG_MS, connectTimeout: LONG_MS },
  connecting: { pingInterval: LONG_MS, pingTimeout: LONG_MS, connectTimeout: 1000 },
  calm: { pingInterval: LONG_MS, pingTimeout: LONG_MS, connectTimeout: LONG_MS },
} as const

export type Pace = keyof typeof PACES

/** The kind of object that the address names. The object stores its kind, because hibernation ends its memory. */
interface Kind {
  readonly hibernate: boolean
  readonly protocol: string
  readonly pace: Pace
}

/**
 * The server that the protocols' own suites expect. Over Engine.IO alone, the server echoes every message. Over
 * Socket.IO, the server has the namespaces `/` and `/custom`. It answers CONNECT with an `auth` event, `message` with
 * `message-back`, and `message-with-ack` with its acknowledgement. The object's name selects the protocol, the
 * intervals, and whether sockets hibernate. For the query `?requests`, the object returns how many requests its engine
 * has had.
 */
export class ConformanceObject extends DurableObject<ConformanceEnv> {
  #served: Served | null = null
  #requests = 0

  override async fetch(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    if (search === '?requests') return Response.json(this.#requests)
    const [, mode, protocol = '', pace] = pathname.split('/')
    this.ctx.storage.kv.put('kind', { hibernate: mode === 'hibernating', protocol, pace: pace as Pace } satisfies Kind)
    const response = this.#engine().handle(request)
    this.#requests += 1
    await this.#setAlarm()
    return response
  }

  override webSocketMessage(ws: WebSocket, data: string | ArrayBuffer): Promise<void> | void {
    return this.#engine().frame(ws, data)
  }

  override webSocketClose(ws: WebSocket): void {
    this.#engine().closed(ws)
  }

  override async alarm(): Promise<void> {
    this.#engine().runDeadlines(Date.now())
    await this.#setAlarm()
  }

  #engine(): Served {
    const { kv } = this.ctx.storage
    const { hibernate, protocol, pace } = kv.get<Kind>('kind') ?? { hibernate: true, protocol: 'socket', pace: 'calm' }
    const chosen = { ...OPTIONS, ...PACES[pace], hibernate }
    this.#served ??= protocol === 'engine' ? engineAlone(this.ctx, chosen) : engineWhole(this.ctx, chosen)
    return this.#served
  }

  async #setAlarm(): Promise<void> {
    const next = this.#engine().nextDeadline(Date.now())
    if (next === null) await this.ctx.storage.deleteAlarm()
    else await this.ctx.storage.setAlarm(next)
  }
}

/** Gives each address `/<mode>/<protocol>/<pace>/<test>/` its own object. */
export default {
  fetch(request: Request, env: ConformanceEnv): Promise<Response> {
    return env.CONFORMANCE.getByName(new URL(request.url).pathname).fetch(request)
  },
} satisfies ExportedHandler<ConformanceEnv>

function engineAlone(ctx: DurableObjectState, chosen: Partial<EngineOptions>): Served {
  return new Engine(
    ctx,
    {
      message: (line, message) => void line.send(encodeMessage(message)),
      leave: () => {},
      isStale: () => false,
      failed: (error) => {
        throw error
      },
    },
    // Engine.IO alone has no CONNECT, so the timeout for CONNECT must never end a connection.
    { ...ENGINE_DEFAULTS, ...chosen, binary: true, connectTimeout: 86_400_000 },
  )
}

function engineWhole(ctx: DurableObjectState, chosen: Partial<EngineOptions>): Served {
  const engine = new SocketEngine(
    ctx,
    {
      connect: (peer, auth) => void peer.emit('auth', auth ?? {}),
      event: (peer, name, _body, ack, args) => {
        if (name === 'message') peer.emit('message-back', ...args)
        if (name === 'message-with-ack') ack?.(...args)
      },
    },
    { ...chosen, namespaces: ['/', '/custom'], maxAttachments: 10 },
  )
  return {
    handle: (request) => engine.handle(request),
    frame: (ws, data) => engine.message(ws, data),
    closed: (ws) => engine.closed(ws),
    runDeadlines: (now) => engine.runDeadlines(now),
    nextDeadline: (now) => engine.nextDeadline(now),
  }
}
