import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EchoReport } from '../support/echo-report.ts'
import { connectBrowser } from '../support/browser.ts'
import { SharedServer } from '../support/shared.ts'

/** The file of the official client for script tags. In Chromium, this client polls by XMLHttpRequest. */
const CLIENT = path.resolve(import.meta.dirname, '../../node_modules/socket.io-client/dist/socket.io.min.js')

let server: SharedServer
let browser: Browser

beforeAll(async () => {
  browser = await connectBrowser()
  server = await SharedServer.open('echo')
})

afterAll(async () => {
  await browser.close()
})

it.each([
  ['polling', ['polling'], 'polling'],
  ['upgrading', ['polling', 'websocket'], 'websocket'],
  ['websocket', ['websocket'], 'websocket'],
])('[protocol-25] [protocol-29] the official client works in a browser, %s', async (name, transports, ends) => {
  const page = await browser.newPage()
  // The page has the server's own origin, so that the test checks only the transport.
  await page.goto(new URL(`${name}/report`, server.url).href)
  await page.addScriptTag({ path: CLIENT })
  // The test passes the code as text, because the code calls functions, such as `io`, that exist only in the page.
  const answers = await page.evaluate(`new Promise((resolve, reject) => {
    const socket = io(location.origin, { path: '/${name}/', transports: ${JSON.stringify(transports)} })
    socket.on('connect_error', reject)
    socket.on('connect', async () => {
      const answers = []
      for (let n = 0; n < 20; n++) answers.push((await socket.emitWithAck('echo', 'Grüße ' + n)).echoed)
      resolve(answers)
    })
  })`)
  expect(answers).toEqual(Array.from({ length: 20 }, (_, n) => `Grüße ${n}`))
  await expect.poll(async () => (await report(name)).peers.map(({ transport }) => transport)).toEqual([ends])
  await page.close()
})

async function report(name: string): Promise<EchoReport> {
  return (await server.fetch(`${name}/report`)).json()
}
