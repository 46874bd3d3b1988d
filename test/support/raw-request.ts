import { request } from 'node:http'
import type { ClientRequest, IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface RawAsk {
  readonly method?: string
  /**
   * The headers, which are sent exactly as they are here. `fetch` would not allow some of them, such as `Origin` and
   * `Host`. If a value is a list, each element of the list is sent as a header of its own.
   */
  readonly headers?: OutgoingHttpHeaders
  /** The body, or its pieces. Each piece is sent when the previous one has been sent. */
  readonly body?: string | readonly string[]
}

/**
 * Sends a request that no browser and no `fetch` would send. If the server agrees to an upgrade, the function closes
 * the connection at once.
 */
export function rawRequest(url: URL, { method = 'GET', headers = {}, body }: RawAsk = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method, headers, agent: false })
    asking.once('error', reject)
    asking.once('upgrade', (response, socket) => {
      socket.on('error', () => undefined)
      socket.destroy()
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: '' })
    })
    asking.once('response', (response) => {
      text(response)
        .then((read) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: read }))
        .catch(reject)
    })
    if (typeof body === 'object') writeAll(asking, body)
    else asking.end(body)
  })
}

function writeAll(asking: ClientRequest, [piece, ...others]: readonly string[]): void {
  if (piece === undefined) asking.end()
  else asking.write(piece, () => setImmediate(() => writeAll(asking, others)))
}

/** The headers that make a request a WebSocket upgrade. */
export const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
} as const
