import { describe, expect, it } from 'vitest'
import { Chat, openPage, demoOf, stopClock, type WatchedPage } from '../support/browser.ts'
import { startMeddlingProxy, type MeddlingProxy } from '../support/meddling-proxy.ts'
import { serveInBrowser } from '../support/serve.ts'
import { HEARTBEAT_PING, HEARTBEAT_PONG } from '../../worker/wire/version.ts'

const served = serveInBrowser('paced')

const HI = "Hi, what's going on?"

type Visit = WatchedPage & { readonly chat: Chat; readonly proxy: MeddlingProxy }

async function visit(prepare: (proxy: MeddlingProxy) => void = () => {}): Promise<Visit> {
  const proxy = await startMeddlingProxy(served.server.url)
  prepare(proxy)
  const watched = await openPage(served.browser)
  served.closeAfterwards(watched.context, proxy)
  await watched.page.clock.install()
  await watched.page.goto(demoOf(proxy.url))
  return { ...watched, proxy, chat: new Chat(watched.page) }
}

/** Waits until the page has sent all its earlier requests. */
async function roundTrip(page: Visit['page']): Promise<void> {
  await page.evaluate(() => fetch('/'))
}

describe('a network without WebSockets', { timeout: 120_000 }, () => {
  it('[embed-68] carries the conversation by long-polling, whose code is loaded only then', async () => {
    const { chat, page, requests, proxy } = await visit((each) => each.refuseUpgrades())
    // The widget's second attempt comes one second later.
    await stopClock(page)
    await chat.open()
    await expect.poll(() => proxy.upgrades).toBe(1)
    await roundTrip(page)
    expect(requests).not.toContain('/polling.js')
    await page.clock.resume()
    await chat.say(HI)
    await chat.say('And the medical part?')
    expect(requests.filter((path) => path === '/polling.js')).toHaveLength(1)
    expect(requests.filter((path) => path === '/socket.io/').length).toBeGreaterThan(4)
    expect(await chat.log.locator('.said').count()).toBe(2)
    expect(proxy.upgrades).toBeGreaterThan(1)
  })

  it('[embed-68] continues a reply by long-polling, and uses a WebSocket again after a change of network', async () => {
    const { chat, context, proxy, sockets } = await visit()
    await chat.open()
    await chat.type(HI)
    await chat.log.locator('.said ~ .speech .words').first().waitFor()
    proxy.refuseUpgrades()
    await chat.log.locator('.said ~ .speech[aria-busy="false"]').waitFor()
    await chat.say('And the medical part?')
    expect(await chat.log.locator('.said').count()).toBe(2)
    proxy.allowUpgrades()
    const before = sockets.length
    await context.setOffline(true)
    await chat.panel.locator('.banner').getByText("You're offline").waitFor()
    await context.setOffline(false)
    await chat.panel.locator('.banner').waitFor({ state: 'detached' })
    await chat.say('So what did run 47 show?')
    await expect.poll(() => sockets.length).toBeGreaterThan(before)
  })
})

describe('a network that is silently dead', () => {
  it('[embed-66] [embed-21] is detected by an unanswered heartbeat, and a message sent into it arrives once', async () => {
    const { chat, page, proxy } = await visit()
    // From now on time passes only when the test advances it.
    await stopClock(page)
    await chat.open()
    await chat.say(HI)
    proxy.swallow()
    await chat.type('And the medical part?')
    await chat.log.getByText('Sending').waitFor()
    expect(proxy.upgrades).toBe(1)
    await page.evaluate(() => dispatchEvent(new Event('pageshow')))
    await page.clock.fastForward(7_000)
    await roundTrip(page)
    expect(proxy.upgrades).toBe(1)
    await page.clock.fastForward(2_000)
    await page.clock.resume()
    await chat.log.locator('.said ~ .speech[aria-busy="false"]').nth(1).waitFor()
    expect(proxy.upgrades).toBe(2)
    expect(await chat.log.locator('.said').count()).toBe(2)
  })
})

describe('a service that accepts the connection and sends nothing', () => {
  it('[embed-66] gets a new attempt after twenty seconds without a hello', async () => {
    const { chat, page, proxy } = await visit()
    let lines = 0
    let opened = 0
    await page.routeWebSocket(/socket\.io/, (line) => {
      lines += 1
      const service = line.connectToServer()
      if (lines > 1) return
      // The first connection opens, but the test drops the hello.
      service.onMessage((message) => {
        if (!String(message).startsWith('0{')) return
        line.send(message)
        opened += 1
      })
    })
    // From now on time passes only when the test advances it.
    await stopClock(page)
    await chat.open()
    await expect.poll(() => opened).toBe(1)
    await roundTrip(page)
    await page.clock.runFor(19_000)
    await roundTrip(page)
    expect(proxy.upgrades).toBe(1)
    await page.clock.runFor(2_000)
    await expect.poll(() => proxy.upgrades).toBe(2)
    await page.clock.resume()
    await chat.say(HI)
  })
})

describe('a network that dies under a message', () => {
  it('[embed-66] is checked as soon as a message has waited ten seconds for its answer', async () => {
    const { chat, page, proxy } = await visit()
    // From now on time passes only when the test advances it, so the next heartbeat is not due.
    await stopClock(page)
    await chat.open()
    await chat.say(HI)
    proxy.swallow()
    await chat.type('And the medical part?')
    await chat.log.getByText('Sending').waitFor()
    await page.clock.runFor(10_000)
    await page.clock.runFor(8_000)
    await page.clock.runFor(1_000)
    await expect.poll(() => proxy.upgrades).toBe(2)
    await page.clock.resume()
    await chat.log.locator('.said ~ .speech[aria-busy="false"]').nth(1).waitFor()
    expect(proxy.upgrades).toBe(2)
    expect(await chat.log.locator('.said').count()).toBe(2)
  })
})

describe('a service that sends hello and drops the connection', () => {
  it('[embed-66] gets each attempt after twice the delay, up to ten seconds, and after the first delay again once a connection held', async () => {
    const { chat, page, proxy } = await visit()
    let hellos = 0
    let closed = 0
    let unanswered = 0
    page.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => (hellos += String(payload).startsWith('42["hello"') ? 1 : 0))
      socket.on('framereceived', ({ payload }) => (unanswered -= payload === HEARTBEAT_PONG ? 1 : 0))
      socket.on('framesent', ({ payload }) => (unanswered += payload === HEARTBEAT_PING ? 1 : 0))
      socket.on('close', () => (closed += 1))
    })
    // From now on time passes only when the test advances it.
    await stopClock(page)
    await chat.open()
    await expect.poll(() => hellos).toBe(1)
    const comesBackAfter = async (wait: number) => {
      const before = hellos
      proxy.drop()
      await expect.poll(() => closed).toBe(before)
      // By now, the page has noticed the closed socket and has started the delay before it reconnects.
      await roundTrip(page)
      await page.clock.runFor(wait * 0.49)
      await roundTrip(page)
      expect(proxy.upgrades).toBe(before)
      // The test advances time in steps: a connection attempt may take ten seconds, and the network cannot keep up with
      // a larger jump.
      for (let step = 0; step < 10 && proxy.upgrades === before; step += 1) {
        await page.clock.runFor(wait * 0.103)
        await roundTrip(page)
      }
      await expect.poll(() => hellos).toBe(before + 1)
    }
    for (const wait of [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) await comesBackAfter(wait)
    // A heartbeat that becomes due during the delay does not change the delay either.
    for (let second = 0; second < 10; second += 1) {
      await page.clock.runFor(1_000)
      await expect.poll(() => unanswered).toBe(0)
    }
    await comesBackAfter(500)
  })
})
