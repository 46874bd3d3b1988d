import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectBrowser } from '../support/browser.ts'
import { type HostSite, startHostSite } from '../support/host-page.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'

let listed: HostSite
let foreign: HostSite
let server: WorkerServer
let browser: Browser

beforeAll(async () => {
  ;[listed, foreign, browser] = await Promise.all([startHostSite(), startHostSite(), connectBrowser()])
  server = await startWorkerServer({
    configPath: 'test/socket/trust/wrangler.toml',
    vars: { WALKON_ORIGINS: `self ${listed.origin}`, WALKON_REHEARSAL_PACE_MS: '0' },
  })
})
afterAll(() => Promise.all([server.stop(), browser.close(), listed.close(), foreign.close()]))

async function open(site: HostSite): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(site.put('<h1>A page</h1>'))
  return page
}

interface Given {
  readonly session: string
  readonly key: string
  readonly ticket: string
}

const woken = async () => (await server.fetch('doors/woken')).json()

/**
 * Begins a conversation from a page, with a request that needs a preflight. Returns the response, or the error's name
 * if the browser refuses the request.
 */
const begin = (page: Page) =>
  page.evaluate(async (service) => {
    const headers = { 'content-type': 'application/json' }
    const asked = fetch(`${service}api/sessions`, { method: 'POST', headers, body: '{}' })
    return asked.then((answer) => answer.json()).catch((error: Error) => error.name) as Promise<unknown>
  }, server.url.href)

/** Tries both transports from a page. Returns the WebSocket's first packet or its error, and the text of a poll. */
const join = (page: Page, { session, ticket }: Given) =>
  page.evaluate(
    async ({ service, query }) => {
      const socket = new WebSocket(`${service.replace('http', 'ws')}socket.io/?EIO=4&transport=websocket&${query}`)
      const opened = await new Promise<string>((resolve) => {
        socket.addEventListener('message', ({ data }) => resolve(String(data).slice(0, 1)))
        socket.addEventListener('error', () => resolve('error'))
      })
      socket.close()
      const poll = fetch(`${service}socket.io/?EIO=4&transport=polling&${query}`)
      const read = await poll.then((answer) => answer.text()).catch((error: Error) => error.name)
      return { opened, read: read.slice(0, 9) }
    },
    { service: server.url.href, query: String(new URLSearchParams({ session, ticket })) },
  )

describe('in a browser', () => {
  it('[trust-1] [trust-3] a listed page begins a conversation, opens its socket and polls', async () => {
    const page = await open(listed)
    const given = (await begin(page)) as Given
    expect(given.session).toMatch(/^[0-9a-f]{64}$/)
    expect(await join(page, given)).toEqual({ opened: '0', read: '0{"sid":"' })
    await page.close()
  })

  it('[trust-1] [trust-3] an unlisted page can do none of this and reads nothing, even with valid credentials', async () => {
    const page = await open(listed)
    const given = (await begin(page)) as Given
    await page.close()
    const other = await open(foreign)
    const before = await woken()
    expect(await begin(other)).toBe('TypeError')
    expect(await join(other, given)).toEqual({ opened: 'error', read: 'TypeError' })
    // The browser sends this request without a preflight. The request changes nothing, and the page cannot read the
    // response.
    const simple = await other.evaluate((service) => {
      const asked = fetch(`${service}api/sessions`, { method: 'POST', mode: 'no-cors', body: '{}' })
      return asked.then(() => 'answered').catch((error: Error) => error.name)
    }, server.url.href)
    expect(simple).toBe('TypeError')
    expect(await woken()).toBe(before)
    await other.close()
  })

  it('[trust-1] a sandboxed page, whose origin is `null`, can do none of this', async () => {
    const page = await browser.newPage()
    await page.goto(listed.put('<h1>A page</h1>', { 'content-security-policy': 'sandbox allow-scripts' }))
    expect(await begin(page)).toBe('TypeError')
    await page.close()
  })
})
