import { env } from 'cloudflare:workers'
import { expect, vi } from 'vitest'
import { Arrivals } from '../../support/arrivals.ts'
import type { EchoObject } from './echo-object.ts'

// The timeout is longer than the wait for a frame. It applies to every test file that imports this file.
vi.setConfig({ testTimeout: 60_000 })

export function echoObject(name: string): DurableObjectStub<EchoObject> {
  return env.ECHO.getByName(name)
}

/** Requests a WebSocket from an echo object, and returns the response, even a refusal. */
export function knock(name: string, query = 'EIO=4&transport=websocket', init: RequestInit = {}): Promise<Response> {
  return echoObject(name).fetch(`http://localhost/${name}/?${query}`, { headers: { Upgrade: 'websocket' }, ...init })
}

/** Opens a WebSocket to an echo object and reads the open packet. @throws Error when the object refuses the socket */
export async function openRaw(name: string, query = ''): Promise<RawClient> {
  const response = await knock(name, `EIO=4&transport=websocket${query}`)
  if (response.webSocket === null) throw new Error(`refused: ${response.status} ${await response.text()}`)
  const client = new RawClient(response.webSocket)
  client.opened = String(await client.next())
  return client
}

/** Opens a WebSocket, connects, and reads everything up to `hello`. */
export async function connectRaw(name: string, auth: object = {}, query = ''): Promise<RawClient> {
  const client = await openRaw(name, query)
  client.send(`40${JSON.stringify(auth)}`)
  const connected: { sid: string } = JSON.parse(String(await client.next()).slice(2))
  client.sid = connected.sid
  expect(await client.next()).toBe(`42["hello",${JSON.stringify({ auth })}]`)
  return client
}

/** A WebSocket client. A test reads its frames one by one. */
export class RawClient {
  opened = ''
  /** The client's id, from the answer to CONNECT. */
  sid = ''
  readonly #ws: WebSocket
  readonly #arrivals = new Arrivals()

  constructor(ws: WebSocket) {
    this.#ws = ws
    ws.accept()
    ws.addEventListener('message', ({ data }) => this.#arrivals.push('frame', data))
    ws.addEventListener('close', ({ code, reason }) => this.#arrivals.push('close', { code, reason }))
  }

  send(frame: string | ArrayBuffer | Uint8Array): void {
    this.#ws.send(frame)
  }

  /** Returns the oldest frame that was not read yet, or waits for the next frame. */
  next(): Promise<unknown> {
    return this.#arrivals.next('frame')
  }

  /** Waits for the server's close frame and returns its code and reason. */
  closing(): Promise<unknown> {
    return this.#arrivals.next('close')
  }

  close(): void {
    this.#ws.close(1000)
  }
}

let probes = 0

/**
 * Checks that the object still serves a client: the object answers the client's next event, and nothing arrives before
 * this answer.
 */
export async function expectServed(client: RawClient): Promise<void> {
  const probe = ++probes
  client.send(`42${probe}["probe"]`)
  expect(await client.next()).toBe(`43${probe}[{"unknown":"probe"}]`)
}
