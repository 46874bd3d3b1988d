import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'
import { io as nodeIo } from 'socket.io-client'
import type { ManagerOptions, Socket, SocketOptions } from 'socket.io-client'
import { Arrivals } from './arrivals.ts'

type Connect = typeof nodeIo

/**
 * One build of the official client. The builds differ: the ones for browsers have no debug statements. One of these
 * statements is `return debug(…)`, so a browser build goes on where the build for Node returns.
 */
export interface ClientBuild {
  name: 'node' | 'browser' | 'min'
  io: Connect
  /**
   * The classes with which the build polls and opens sockets. They are given only if Node can run them. A browser build
   * polls with XMLHttpRequest by default, which Node does not have.
   */
  transports: { polling: Transport; websocket: Transport }
}

type Transport = NonNullable<ManagerOptions['transports']>[number]

/** The build that Node itself loads. */
export const nodeBuild: ClientBuild = {
  name: 'node',
  io: nodeIo,
  transports: { polling: 'polling', websocket: 'websocket' },
}

/** Loads the minified build, which a page loads as a module by a script tag. */
export async function loadMinifiedBuild(): Promise<ClientBuild> {
  const file = path.resolve(import.meta.dirname, '../../node_modules/socket.io-client/dist/socket.io.esm.min.js')
  // The package does not declare its files as modules, so Node refuses to import this one from its file.
  return buildOf('min', await import(`data:text/javascript;base64,${(await readFile(file)).toString('base64')}`))
}

/**
 * Loads the build that a bundled page gets: `build/esm` with the platform's WebSocket, bundled as the widget is
 * bundled.
 *
 * @throws Error when the bundle contains a different build
 */
export async function loadBrowserBuild(): Promise<ClientBuild> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export { io, Fetch, WebSocket } from 'socket.io-client'`, resolveDir: import.meta.dirname },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    write: false,
    metafile: true,
  })
  const inputs = Object.keys(metafile.inputs)
  if (!inputs.some((path) => path.endsWith('engine.io-client/build/esm/transports/websocket.js'))) {
    throw new Error(`not the browser build: ${inputs.join(', ')}`)
  }
  const code = outputFiles[0]?.contents ?? new Uint8Array()
  return buildOf('browser', await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`))
}

function buildOf(
  name: ClientBuild['name'],
  module: { io: Connect; Fetch: Transport; WebSocket: Transport },
): ClientBuild {
  return { name, io: module.io, transports: { polling: module.Fetch, websocket: module.WebSocket } }
}

export type ClientOptions = Partial<ManagerOptions & SocketOptions> & { client?: ClientBuild }

/** Opens a connection to `url` of its own. The client reconnects as the official client does, but sooner. */
export function connectClient(url: string | URL, { client = nodeBuild, ...options }: ClientOptions = {}): SocketClient {
  return new SocketClient(
    client.io(new URL(url).origin, {
      path: new URL(url).pathname,
      transports: ['websocket'],
      forceNew: true,
      reconnectionDelay: 20,
      reconnectionDelayMax: 100,
      ...options,
    }),
  )
}

/** The official client, with methods that return promises. So a test needs no listeners. */
export class SocketClient {
  readonly socket: Socket
  /** The raw text of every Socket.IO packet that the client received, over all its connections. */
  readonly packets: string[] = []
  readonly #arrivals = new Arrivals()

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('connect', () => this.#arrivals.push('connect', socket.id))
    socket.on('connect_error', (error) => this.#arrivals.push('connect_error', error))
    socket.on('disconnect', (reason) => this.#arrivals.push('disconnect', reason))
    socket.onAny((name: string, body: unknown) => this.#arrivals.push(name, body))
    socket.io.on('reconnect_attempt', (attempt) => this.#arrivals.push('reconnect_attempt', attempt))
    socket.io.on('ping', () => this.#arrivals.push('ping', null))
    socket.io.on('open', () => socket.io.engine.on('data', (packet: unknown) => this.packets.push(String(packet))))
  }

  /**
   * Returns the body of the oldest event with this name that the test has not taken yet. Waits if there is none. The
   * name may also be an event of the client itself: `connect` (the body is the id), `connect_error` (the error),
   * `disconnect` (the reason), `reconnect_attempt` (its number) or `ping`.
   */
  next(name: string): Promise<unknown> {
    return this.#arrivals.next(name)
  }

  /** Returns the names of the events that have arrived and that the test has not taken yet, oldest first. */
  unread(): string[] {
    return this.#arrivals.unread()
  }

  /**
   * Sends an event and returns its acknowledgement. @throws Error when the connection drops before the acknowledgement
   */
  emitAck(name: string, ...args: unknown[]): Promise<unknown> {
    return this.socket.timeout(30_000).emitWithAck(name, ...args)
  }

  /** Sends an event. An event without a body has no argument, because the client would send `undefined` as `null`. */
  emit(name: string, ...args: unknown[]): void {
    this.socket.emit(name, ...args)
  }

  /** Closes the connection without a Socket.IO disconnect, as a failing network does. The client then reconnects. */
  drop(): void {
    this.socket.io.engine.close()
  }

  stop(): void {
    this.socket.disconnect()
  }
}
