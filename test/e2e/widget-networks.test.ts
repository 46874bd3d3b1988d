import { describe, expect, it } from 'vitest'
import { Chat, openPage, type WatchedPage } from '../support/browser.ts'
import { startMeddlingProxy, type MeddlingProxy } from '../support/meddling-proxy.ts'
import { serveInBrowser } from '../support/serve.ts'

const served = serveInBrowser({ WALKON_REHEARSAL_PACE_MS: '20' })

const HI = "Hi, what's going on?"

type Visit = WatchedPage & { readonly chat: Chat; readonly proxy: MeddlingProxy }

async function visit(prepare: (proxy: MeddlingProxy) => void = () => {}): Promise<Visit> {
  const proxy = await startMeddlingProxy(served.server.url)
  prepare(proxy)
  const watched = await openPage(served.browser)
  served.closeAfterwards(watched.context, proxy)
  await watched.page.clock.install()
  await watched.page.goto(proxy.url)
  return { ...watched, proxy, chat: new Chat(watched.page) }
}

describe('a network that lets no WebSocket through', () => {
  it('[E68] has the conversation by long-polling, which is loaded only then', async () => {
    const { chat, requests, proxy } = await visit((each) => each.refuseUpgrades())
    await chat.open()
    expect(requests).not.toContain('/polling.js')
    await chat.say(HI)
    await chat.say('And the medical part?')
    expect(requests.filter((path) => path === '/polling.js')).toHaveLength(1)
    expect(requests.filter((path) => path === '/socket.io/').length).toBeGreaterThan(4)
    expect(await chat.log.locator('.said').count()).toBe(2)
    expect(proxy.upgrades).toBeGreaterThan(1)
  })

  it('[E68] goes on by long-polling in the middle of a reply, and by WebSocket again when the network is another', async () => {
    const { chat, context, proxy, sockets } = await visit()
    await chat.open()
    await chat.type(HI)
    await chat.log.getByText("So you're who").waitFor()
    proxy.refuseUpgrades()
    await chat.log.locator('.speech[aria-busy="false"]').waitFor()
    await chat.say('And the medical part?')
    expect(await chat.log.locator('.said').count()).toBe(2)
    proxy.allowUpgrades()
    const before = sockets.length
    await context.setOffline(true)
    await chat.panel.locator('.banner').getByText('You’re offline').waitFor()
    await context.setOffline(false)
    await chat.panel.locator('.banner').waitFor({ state: 'detached' })
    await chat.say('So what did run 47 show?')
    await expect.poll(() => sockets.length).toBeGreaterThan(before)
  })
})

describe('a network that is dead and does not say so', () => {
  it('[E67] [E25] is noticed when nothing answers a heartbeat, and what was sent into it arrives once', async () => {
    const { chat, page, proxy } = await visit()
    await chat.open()
    await chat.say(HI)
    proxy.swallow()
    await chat.type('And the medical part?')
    await chat.log.getByText('Sending').waitFor()
    expect(proxy.upgrades).toBe(1)
    await page.evaluate(() => dispatchEvent(new Event('pageshow')))
    await page.clock.fastForward(7_000)
    expect(proxy.upgrades).toBe(1)
    await page.clock.fastForward(2_000)
    await chat.log.locator('.speech[aria-busy="false"]').nth(1).waitFor()
    expect(proxy.upgrades).toBe(2)
    expect(await chat.log.locator('.said').count()).toBe(2)
  })
})

describe('a service that takes the line and says nothing', () => {
  it('[E66] is tried anew after twenty seconds without a hello', async () => {
    const { chat, page, proxy } = await visit()
    let opened = 0
    await page.routeWebSocket(/socket\.io/, (line) => {
      opened += 1
      const service = line.connectToServer()
      // The first line opens, and nothing follows: no hello.
      if (opened === 1) service.onMessage((message) => String(message).startsWith('0{') && line.send(message))
    })
    await chat.open()
    await expect.poll(() => proxy.upgrades).toBe(1)
    // From here on no time passes but what the test lets pass; some has, since the line was opened.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
    await page.clock.runFor(10_000)
    expect(proxy.upgrades).toBe(1)
    await page.clock.runFor(12_000)
    await page.clock.resume()
    await chat.say(HI)
    expect(proxy.upgrades).toBe(2)
  })
})

describe('a network that dies under a message', () => {
  it('[E67] is looked at as soon as the message has waited ten seconds for its answer', async () => {
    const { chat, page, proxy } = await visit()
    await chat.open()
    await chat.say(HI)
    proxy.swallow()
    await chat.type('And the medical part?')
    await chat.log.getByText('Sending').waitFor()
    // From here on no time passes but what the test lets pass: the next heartbeat is not due.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
    await page.clock.runFor(10_000)
    await page.clock.runFor(8_000)
    await page.clock.runFor(1_000)
    await expect.poll(() => proxy.upgrades).toBe(2)
    await page.clock.resume()
    await chat.log.locator('.speech[aria-busy="false"]').nth(1).waitFor()
    expect(proxy.upgrades).toBe(2)
    expect(await chat.log.locator('.said').count()).toBe(2)
  })
})

describe('a service that says hello and drops the line', () => {
  it('[E66] is asked half as often each time, down to every ten seconds, and as at first when a line has held', async () => {
    const { chat, page, proxy } = await visit()
    let hellos = 0
    let closed = 0
    page.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => (hellos += String(payload).startsWith('42["hello"') ? 1 : 0))
      socket.on('close', () => (closed += 1))
    })
    await chat.open()
    await expect.poll(() => hellos).toBe(1)
    // From here on no time passes but what the test lets pass.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
    const comesBackAfter = async (wait: number) => {
      const before = hellos
      proxy.drop()
      await expect.poll(() => closed).toBe(before)
      // By then the page knows it too, and has begun to wait.
      await page.evaluate(() => fetch('/'))
      await page.clock.runFor(wait * 0.49)
      // Whatever was asked for until now has gone out before this.
      await page.evaluate(() => fetch('/'))
      expect(proxy.upgrades).toBe(before)
      await page.clock.runFor(wait * 1.03)
      await expect.poll(() => hellos).toBe(before + 1)
    }
    for (const wait of [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) await comesBackAfter(wait)
    await page.clock.runFor(10_000)
    await comesBackAfter(500)
  })
})
