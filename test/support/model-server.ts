import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as nextLoop } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { readRequest, type RawRequest } from './http-request.ts'
import type { Step } from './model-steps.ts'

/** A request as a scripted server received it. The key itself is never stored. */
export interface ModelRequest {
  readonly method: string
  readonly path: string
  /** By lower-case name, without `authorization`. */
  readonly headers: Readonly<Record<string, string>>
  /** `expected`: the scheme is `Bearer` and the key is the one the server was started with. */
  readonly authorization: 'absent' | 'present' | 'expected'
  /** The parsed JSON body, or its text if it is not JSON. */
  readonly body: unknown
  /** Resolves when the connection is closed: `client` if the client left before the script ended. */
  readonly gone: Promise<'client' | 'server'>
}

/**
 * Returns the steps with which the server answers a request. A generator may be endless; it is abandoned when the
 * client leaves.
 */
export type ModelHandler = (request: ModelRequest) => Iterable<Step> | AsyncIterable<Step>

export interface ModelServer {
  /** `http://127.0.0.1:<port>/v1` */
  readonly url: string
  readonly requests: {
    /** All requests so far, oldest first. */
    readonly all: readonly ModelRequest[]
    /** Returns the next request that was not returned yet. */
    next(): Promise<ModelRequest>
  }
  /** Breaks every connection and stops listening. Rejects with the error that a handler threw, if one did. */
  close(): Promise<void>
}

/**
 * Starts an HTTP/1.1 server on a free port that answers byte for byte as scripted: one request per connection, unless
 * the script keeps the connection.
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
    // Clients that leave during a write are normal here; `gone` reports them.
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

/** Returns a URL with a port on which no process listens; a server may be started there later. */
export async function refusedUrl(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}/v1`
}

async function serve(socket: Socket, handler: ModelHandler, requests: RequestQueue, key?: string): Promise<void> {
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  let raw = await readRequest(socket)
  while (raw !== null) {
    // Reading starts before anything is answered, because bytes that arrive without a reader are dropped.
    const next = readRequest(socket)
    next.catch(() => {})
    if (!(await answerOne(socket, raw, gone, handler, requests, key))) return
    raw = await next
  }
}

/** Plays the script of one request. Returns true when the connection is to be kept for another request. */
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
 * Writes bytes to the socket. Returns after the kernel has the bytes and the event loop has gone round, so that a
 * client in this process has read them before more come.
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
