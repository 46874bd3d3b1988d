import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HostPage {
  readonly url: string
  close(): Promise<void>
}

/** A stranger's website: one page on an origin of its own, with the headers and the body a test gives it. */
export async function startHostPage(body: string, headers: Record<string, string> = {}): Promise<HostPage> {
  const server = createServer((request, response) => {
    // A browser asks for an icon whatever the page says.
    if (request.url !== '/') return void response.writeHead(204).end()
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
    response.end(`<!doctype html><html lang="en"><head><title>A shop</title></head><body>${body}</body></html>`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
