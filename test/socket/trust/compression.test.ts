import { readFile } from 'node:fs/promises'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rawRequest, UPGRADE } from '../../support/raw-request.ts'

const SCRIPT = `export default {
  fetch() {
    const { 0: client, 1: server } = new WebSocketPair()
    server.accept()
    return new Response(null, { status: 101, webSocket: client })
  },
}`

/**
 * This server runs without wrangler, because wrangler puts a proxy in front of a worker, and that proxy compresses the
 * responses again.
 */
let worker: Miniflare
beforeAll(async () => {
  const config = await readFile('wrangler.toml', 'utf8')
  const [, compatibilityDate = ''] = /^compatibility_date = "(.*)"$/m.exec(config) ?? []
  const [, flags = '[]'] = /^compatibility_flags = (\[.*\])$/m.exec(config) ?? []
  const options = {
    modules: true,
    script: SCRIPT,
    compatibilityDate,
    compatibilityFlags: JSON.parse(flags) as string[],
  }
  worker = new Miniflare(convertV4MiniflareOptions({ ...options, unsafeDirectSockets: [{}] }))
  await worker.ready
})
afterAll(() => worker.dispose())

it('[protocol-17] with the deployed settings, the platform accepts an upgrade that offers compression without compression', async () => {
  const upgraded = await rawRequest(await worker.unsafeGetDirectURL(), {
    headers: { ...UPGRADE, 'Sec-WebSocket-Extensions': 'permessage-deflate; client_max_window_bits' },
  })
  expect(upgraded.status).toBe(101)
  expect(upgraded.headers['sec-websocket-extensions']).toBeUndefined()
})
