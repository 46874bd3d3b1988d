import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A website of somebody else, which embeds the chat. The service must name the site's origin in its settings, so the
 * test needs the origin before the service starts.
 */
export interface HostSite {
  readonly origin: string
  /** Publishes a page with the given body and headers, and returns the page's address. */
  put(body: string, headers?: Record<string, string>): string
  close(): Promise<void>
}

export async function startHostSite(): Promise<HostSite> {
  const pages = new Map<string, { readonly body: string; readonly headers: Record<string, string> }>()
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? '')
    // There is no page at this address. Every browser asks, for example, for an icon.
    if (!page) return void response.writeHead(204).end()
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...page.headers })
    response.end(`<!doctype html><html lang="en"><head><title>A shop</title></head><body>${page.body}</body></html>`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    put(body, headers = {}) {
      const path = `/page-${pages.size + 1}`
      pages.set(path, { body, headers })
      return `${origin}${path}`
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
