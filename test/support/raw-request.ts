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
   * Headers that are sent exactly as given, such as `Origin`, `Host` or others that `fetch` does not allow. A list is
   * sent as several headers.
   */
  readonly headers?: OutgoingHttpHeaders
  /** A list is sent in pieces, each as soon as the one before was sent. */
  readonly body?: string | readonly string[]
}

/** Sends a request with headers that no browser and no `fetch` would send. An accepted upgrade is closed at once. */
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

/** The headers that make a request an upgrade. */
export const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
} as const
