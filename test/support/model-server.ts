import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as nextLoop } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { readRequest, type RawRequest } from './http-request.ts'
import type { Step } from './model-steps.ts'

/** A request that a scripted server has received. The server keeps no API key. */
export interface ModelRequest {
  readonly method: string
  readonly path: string
  /** The headers by lower-case name, without `authorization`. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether the request has this header. `expected`: the scheme is `Bearer`, and the key is the server's own key. */
  readonly authorization: 'absent' | 'present' | 'expected'
  /** The parsed JSON body, or the body's text if it is not JSON. */
  readonly body: unknown
  /**
   * Resolves when the connection has closed, with the side that closed it. `client`: the client left before the script
   * ended.
   */
  readonly gone: Promise<'client' | 'server'>
}

/**
 * Returns the steps with which the server answers a request. The steps may be endless, because the server stops them
 * when the client leaves.
 */
export type ModelHandler = (request: ModelRequest) => Iterable<Step> | AsyncIterable<Step>

export interface ModelServer {
  /** `http://127.0.0.1:<port>/v1` */
  readonly url: string
  readonly requests: {
    readonly all: readonly ModelRequest[]
    /** Returns the oldest request that `next` has not returned yet. Waits for a request if there is none. */
    next(): Promise<ModelRequest>
  }
  /** Breaks every connection and stops listening. Rejects if a handler has thrown an error. */
  close(): Promise<void>
}

/**
 * Starts an HTTP/1.1 server that sends exactly the bytes of a script. Each connection brings one request, unless the
 * script keeps the connection.
 */
export async function startModelServer(
  handler: ModelHandler,
  { key, port = 0 }: { readonly key?: string; readonly port?: number } = {},
): Promise<ModelServer> {
  const sockets = new Set<Socket>()
  const requests = new RequestQueue()
  const faults: unknown[] = []

  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // A client may leave during a write. This is no error of the test; `gone` reports it.
    socket.on('error', () => {})
    serve(socket, handler, requests, key).catch((fault: unknown) => {
      faults.push(fault)
      socket.destroy()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
      requests.close()
      if (faults.length > 0) throw new AggregateError(faults, 'a handler of the model server threw')
    },
  }
}

/** Returns a URL at which no server listens. A test may start a server on its port later. */
export async function refusedUrl(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}/v1`
}

async function serve(socket: Socket, handler: ModelHandler, requests: RequestQueue, key?: string): Promise<void> {
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  let raw = await readRequest(socket)
  while (raw !== null) {
    // The server starts to read the next request before it has answered this one. A socket would lose bytes that arrive
    // while nobody listens.
    const next = readRequest(socket)
    next.catch(() => {})
    if (!(await answerOne(socket, raw, gone, handler, requests, key))) return
    raw = await next
  }
}

/** Plays the script of one request. Returns true if the connection must stay open for another request. */
async function answerOne(
  socket: Socket,
  raw: RawRequest,
  gone: Promise<void>,
  handler: ModelHandler,
  requests: RequestQueue,
  key: string | undefined,
): Promise<boolean> {
  let isThrough = false
  const { authorization, ...headers } = raw.headers
  const request: ModelRequest = {
    method: raw.method,
    path: raw.path,
    headers,
    authorization: authorization === undefined ? 'absent' : authorization === `Bearer ${key}` ? 'expected' : 'present',
    body: parsed(raw.body),
    gone: gone.then(() => (isThrough ? 'server' : 'client')),
  }
  requests.push(request)

  for await (const step of handler(request)) {
    if (socket.destroyed) return false
    isThrough = step.kind === 'reset' || step.kind === 'close' || step.kind === 'keep'
    await take(step, socket, gone)
    if (isThrough) return step.kind === 'keep'
  }
  isThrough = true
  socket.end()
  return false
}

async function take(step: Step, socket: Socket, gone: Promise<unknown>): Promise<void> {
  if (step.kind === 'send') return write(step.bytes, socket, gone)
  if (step.kind === 'wait') await Promise.race([step.until, gone])
  if (step.kind === 'hang') await gone
  if (step.kind === 'reset') socket.resetAndDestroy()
  if (step.kind === 'close') socket.end()
}

/**
 * Writes bytes to the socket. Returns when the kernel has the bytes and the event loop has run twice. A client in this
 * process has then read them, so it gets the next write separately.
 */
async function write(bytes: Uint8Array, socket: Socket, gone: Promise<unknown>): Promise<void> {
  const drained = new Promise<void>((resolve) => socket.write(bytes, () => resolve()))
  await Promise.race([drained, gone])
  await nextLoop()
  await nextLoop()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

class RequestQueue {
  readonly all: ModelRequest[] = []
  #handedOut = 0
  #waiting: { resolve: (request: ModelRequest) => void; reject: (error: Error) => void }[] = []

  push(request: ModelRequest): void {
    this.all.push(request)
    const waiter = this.#waiting.shift()
    if (waiter === undefined) return
    this.#handedOut++
    waiter.resolve(request)
  }

  next(): Promise<ModelRequest> {
    const request = this.all[this.#handedOut]
    if (request !== undefined) {
      this.#handedOut++
      return Promise.resolve(request)
    }
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  close(): void {
    for (const { reject } of this.#waiting) reject(new Error('the model server was closed before the next request'))
    this.#waiting = []
  }
}
