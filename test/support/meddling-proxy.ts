import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'

/** A proxy between a page and the service that can block connections. */
export interface MeddlingProxy {
  readonly url: string
  /** The number of WebSockets that clients have requested so far. */
  readonly upgrades: number
  /** From now on, refuses new WebSockets, as some companies' networks do. Also closes every open WebSocket. */
  refuseUpgrades(): void
  allowUpgrades(): void
  drop(): void
  /** From now on, drops every byte of the open WebSockets. Neither side is told. */
  swallow(): void
  close(): Promise<void>
}

/**
 * Starts a proxy in front of the server `target`. The proxy passes on the header `Host`, so the service sees requests
 * from its own page. `files` is the server for pages and scripts, if `target` does not serve them.
 */
export async function startMeddlingProxy(target: URL, files = target): Promise<MeddlingProxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let refuses = false
  let upgrades = 0

  const server = createServer((incoming, outgoing) => {
    const { method, headers, url: path } = incoming
    const { hostname: host, port } = /^\/(api|socket\.io)\//.test(path ?? '') ? target : files
    const forwarded = request({ host, port, method, headers, path }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  server.on('upgrade', (incoming, client: Socket, head) => {
    upgrades += 1
    client.on('error', () => {})
    if (refuses) return void client.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n')
    const service = connect(Number(target.port), target.hostname)
    service.on('error', () => client.destroy())
    const { rawHeaders } = incoming
    const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}\r\n`] : []))
    service.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('')}\r\n`)
    service.write(head)
    const pair = [client, service] as const
    pairs.add(pair)
    for (const [from, to] of [pair, [service, client]] as const) {
      from.pipe(to)
      from.on('close', () => {
        to.destroy()
        pairs.delete(pair)
      })
    }
  })
  const drop = () => {
    for (const [client] of pairs) client.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    get upgrades() {
      return upgrades
    },
    refuseUpgrades() {
      refuses = true
      drop()
    },
    allowUpgrades() {
      refuses = false
    },
    drop,
    swallow() {
      for (const [client, service] of pairs) {
        client.unpipe().resume()
        service.unpipe().resume()
      }
    },
    async close() {
      drop()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
