import { createHmac, randomBytes } from 'node:crypto'
import type { BrowserContext, Request } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { Chat, openPage, demoOf, stopClock, type WatchedPage } from '../support/browser.ts'
import { serveInBrowser } from '../support/serve.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'
import { HEARTBEAT_PING, HEARTBEAT_PONG } from '../../worker/wire/version.ts'
import { IS_LONG } from '../support/runs.ts'

const served = serveInBrowser()

const HI = "Hi, what's going on?"

type Visit = WatchedPage & {
  readonly chat: Chat
  readonly asked: Request[]
  readonly frames: string[]
  readonly heard: string[]
}

/**
 * Opens a page, and records its requests for credentials and its WebSocket frames. Installs a clock that can jump like
 * the clock of a sleeping laptop.
 */
async function visit(url: string = demoOf(served.server.url)): Promise<Visit> {
  const watched = await openPage(served.browser, { reducedMotion: 'reduce', bypassCSP: true })
  served.closeAfterwards(watched.context)
  const asked: Request[] = []
  const frames: string[] = []
  const heard: string[] = []
  // Only requests that succeed count: without a network, the widget keeps retrying.
  watched.page.on('requestfinished', (request) => request.url().includes('/api/sessions') && asked.push(request))
  watched.page.on('websocket', (socket) => {
    frames.push(socket.url())
    socket.on('framesent', ({ payload }) => frames.push(`> ${String(payload)}`))
    socket.on('framereceived', ({ payload }) => heard.push(String(payload)))
  })
  await watched.page.clock.install()
  await watched.page.goto(url)
  return { ...watched, asked, frames, heard, chat: new Chat(watched.page) }
}

describe('an admitted conversation', () => {
  it('[embed-60] stores the key with the session, but no token or ticket, and sends each where it belongs', async () => {
    const { chat, page, asked, frames } = await visit()
    await chat.open()
    await chat.say(HI)
    const answer = await asked[0]?.response()
    const given = (await answer?.json()) as Record<string, string>
    const { session = '', key = '', token = '', ticket = '' } = given
    expect([key, token, ticket].map((each) => each.length > 100)).toEqual([true, true, true])
    const kept = await keptBy(page)
    expect([session, key, token, ticket].map((each) => kept.includes(each))).toEqual([true, true, false, false])
    expect(frames[0]).toContain(`ticket=${ticket}`)
    expect(frames.filter((frame) => frame.includes(token))).toEqual([expect.stringMatching(/^> 40\{/)])
    expect(frames.filter((frame) => frame.includes(key))).toEqual([])
    await page.reload()
    await chat.open()
    await chat.say('And the medical part?')
    expect(asked.map((request) => new URL(request.url()).pathname)).toEqual([
      '/api/sessions',
      `/api/sessions/${session}/credentials`,
    ])
    expect(asked[1]?.postDataJSON()).toEqual({ key })
  })

  it('[embed-61] renews its credentials over the open socket after two thirds of their time', async () => {
    const { chat, page, asked, frames, heard } = await visit()
    await chat.open()
    await chat.say(HI)
    // Waits for the answer to the heartbeat, which arrives in real time. If the clock jumped before this answer, the
    // widget would consider the connection dead.
    await stopClock(page)
    const pongs = () => heard.filter((frame) => frame === HEARTBEAT_PONG).length
    await expect.poll(() => frames.filter((frame) => frame === `> ${HEARTBEAT_PING}`).length - pongs()).toBe(0)
    const before = pongs()
    await page.clock.fastForward('09:00')
    await expect.poll(pongs).toBe(before + 1)
    expect(frames.filter(isRenewal)).toEqual([])
    await page.clock.fastForward('02:00')
    await expect.poll(() => frames.filter(isRenewal).length).toBe(1)
    await page.clock.resume()
    await chat.say('And the medical part?')
    expect(asked).toHaveLength(1)
    expect(sockets(frames)).toHaveLength(1)
  })

  it.runIf(IS_LONG)(
    '[embed-61] gets new credentials with the key before it reconnects, if they expired while the laptop slept',
    async () => {
      const { chat, page, context, asked, frames } = await visit()
      await chat.open()
      await chat.say(HI)
      await sleep(context, chat, page)
      await chat.say('And the medical part?')
      expect(asked).toHaveLength(2)
      const answer = await asked[1]?.response()
      const { ticket = 'none' } = ((await answer?.json()) ?? {}) as { ticket?: string }
      const [, ...later] = sockets(frames)
      // All reconnects use one ticket. The widget reconnects more than once if the network is slower than the page's
      // `online` event.
      expect(new Set(later.map((frame) => new URL(frame).searchParams.get('ticket')))).toEqual(new Set([ticket]))
    },
  )
})

describe('a conversation that is no longer admitted', () => {
  it.runIf(IS_LONG)(
    '[embed-44] [embed-61] says so when the key is refused, and a new one begins with the unsent texts',
    async () => {
      const { chat, page, asked } = await visit()
      await chat.open()
      await chat.say(HI)
      await chat.field.fill('Half a')
      await page.evaluate(() => {
        for (const at of Object.keys(localStorage))
          localStorage[at] = localStorage[at]?.replace(/"key":"\w+/, '"key":"other')
      })
      await page.reload()
      await chat.panel.getByRole('alert').getByText('can no longer be opened').waitFor()
      // The learner returns to the page. The widget does not retry by itself: it waits for the learner.
      await page.evaluate(() => dispatchEvent(new Event('pageshow')))
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await violations(page)).toEqual([])
      }
      expect(asked).toHaveLength(2)
      await chat.panel.getByRole('button', { name: 'Start a new conversation' }).click()
      await chat.log.getByText('This is a new one.').waitFor()
      await expect.poll(() => chat.field.inputValue()).toBe('Half a')
      await chat.say(HI)
      expect(asked).toHaveLength(3)
    },
  )

  it.runIf(IS_LONG)(
    '[embed-61] gets new credentials with the key once when the socket is refused, and goes on',
    async () => {
      const { chat, page, asked } = await visit()
      await chat.open()
      await chat.say(HI)
      let tries = 0
      // The service refuses the first credentials, but the widget cannot see that they are invalid.
      await page.route('**/credentials', async (route) => {
        tries += 1
        const isFirst = tries === 1
        const response = await route.fetch()
        const given = (await response.json()) as object
        const spoiled = isFirst ? { ...given, ticket: 'x', token: 'x' } : given
        await route.fulfill({ response, json: spoiled })
      })
      await page.reload()
      await chat.open()
      await chat.say('And the medical part?')
      expect(asked).toHaveLength(3)
    },
  )
})

describe('a service too busy for new credentials', () => {
  it.runIf(IS_LONG)('[embed-61] [embed-66] gets the next request when it allows one, and not before', async () => {
    const { chat, page, asked } = await visit()
    await chat.open()
    await chat.say(HI)
    let tries = 0
    await page.route('**/credentials', async (route) => {
      tries += 1
      if (tries > 1) return route.continue()
      const error = { ok: false, next: 'retry-after', code: 'rate-limited', message: 'Later.', retryAfterMs: 60_000 }
      await route.fulfill({ status: 429, json: { error } })
    })
    // From now on time passes only when the test advances it, also after the reload.
    await stopClock(page)
    await page.reload()
    await chat.open()
    await expect.poll(() => asked.length).toBe(2)
    await page.evaluate(() => fetch('/'))
    await page.clock.runFor(5_000)
    await chat.panel.locator('.banner').waitFor()
    await page.clock.runFor(45_000)
    await page.evaluate(() => fetch('/'))
    expect(tries).toBe(1)
    await page.clock.runFor(15_000)
    await expect.poll(() => tries).toBe(2)
    await page.clock.resume()
    await chat.say('And the medical part?')
    expect(tries).toBe(2)
  })
})

describe('a connection that outlives its token', () => {
  it.runIf(IS_LONG)(
    '[embed-61] [embed-21] is closed when its first message is not admitted, and the message is sent once on another',
    {
      timeout: 120_000,
    },
    async () => {
      const server = await startWorkerServer({
        configPath: 'wrangler.toml',
        vars: { WALKON_REHEARSAL_PACE_MS: '0', WALKON_TOKEN_SECONDS: '10' },
      })
      served.closeAfterwards({ close: () => server.stop() })
      const { chat, page, asked, heard } = await visit(demoOf(server.url))
      await chat.open()
      await chat.say(HI)
      // The page's clock is stopped, as on a sleeping laptop, so the widget renews nothing.
      await stopClock(page)
      const begun = await asked[0]?.response()
      const { session = '', key } = ((await begun?.json()) ?? {}) as { session?: string; key?: string }
      // The server issues these credentials later than the page's credentials, so the page's credentials expire
      // earlier.
      const given = await server.fetch(`api/sessions/${session}/credentials`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ key }),
      })
      const { ticket } = (await given.json()) as { ticket: string }
      const poll = new URL(
        `/socket.io/?${new URLSearchParams({ EIO: '4', transport: 'polling', session, ticket })}`,
        server.url,
      )
      const isOver = async () => (await fetch(poll)).status === 401
      await expect.poll(isOver, { timeout: 60_000, interval: 1_000 }).toBe(true)
      const before = { asked: asked.length, heard: heard.length }
      await chat.type('And the medical part?')
      await expect.poll(() => heard.slice(before.heard).join()).toContain('not-admitted')
      await page.clock.resume()
      await chat.log.locator('.said ~ .speech[aria-busy="false"]').nth(1).waitFor()
      expect(await chat.log.locator('.said').count()).toBe(2)
      expect(asked).toHaveLength(before.asked + 1)
    },
  )
})

describe('a page that identifies the learner', () => {
  const SECRET = randomBytes(32).toString('hex')
  let strict: WorkerServer
  beforeAll(async () => {
    strict = await startWorkerServer({
      configPath: 'wrangler.toml',
      vars: {
        WALKON_REHEARSAL_PACE_MS: '0',
        WALKON_ORIGINS: served.site.origin,
        WALKON_IDENTITY: 'required',
        WALKON_IDENTITY_SECRET: SECRET,
        WALKON_LEARNER_SECRET: randomBytes(32).toString('hex'),
      },
    })
    return () => strict.stop()
  })

  function host(attributes: string, script = ''): Promise<string> {
    return served.site.put(
      `<script>${script}</script><script src="${strict.url.href}embed.js" data-npc="maya" ${attributes}></script>`,
    )
  }

  it.runIf(IS_LONG)(
    '[embed-63] [embed-64] shows a plain message while it has not identified the learner, and can still do so',
    async () => {
      const { chat, page, asked } = await visit(await host(''))
      await chat.launcher.click()
      await chat.panel.getByText('Sign in on this website, then try again.').waitFor()
      expect(asked[0]?.postDataJSON()).not.toHaveProperty('identity')
      const hash = createHmac('sha256', SECRET).update('ada').digest('hex')
      await page.evaluate(
        (proof) =>
          (globalThis as unknown as { Walkon: { identify(p: unknown): void } }).Walkon.identify(async () => proof),
        { user: 'ada', hash },
      )
      await chat.panel.getByRole('button', { name: 'Try again' }).click()
      await chat.field.waitFor()
      await chat.say(HI)
      await page.reload()
      // The website gave no identity on this page load, and the browser does not store the earlier identity.
      await chat.panel.getByText('Sign in on this website, then try again.').waitFor()
      expect(await keptBy(page)).not.toContain(hash)
      // The widget does not ask another learner, who is signed in on the same machine, to sign in again. That learner can
      // continue.
      const other = createHmac('sha256', SECRET).update('bob').digest('hex')
      await page.evaluate(
        (proof) => (globalThis as unknown as { Walkon: { identify(p: unknown): void } }).Walkon.identify(proof),
        { user: 'bob', hash: other },
      )
      await chat.panel.getByRole('button', { name: 'Try again' }).click()
      await chat.panel.getByText("You're not signed in, or as somebody else.").waitFor()
      await chat.panel.getByRole('button', { name: 'Start a new conversation' }).click()
      await chat.field.waitFor()
      await chat.say(HI)
      expect(await chat.log.locator('.said').count()).toBe(1)
    },
  )

  it.runIf(IS_LONG)(
    '[assistant-34] lists the conversations that the same person has held in other browsers, and nobody else’s',
    async () => {
      const at = (user: string) => {
        const hash = createHmac('sha256', SECRET).update(user).digest('hex')
        const identity = `(window.Walkon ??= []).push(['identify', { user: '${user}', hash: '${hash}' }])`
        return served.site.put(
          `<script>${identity}</script><script src="${strict.url.href}embed.js" data-scenario="page-assistant"></script>`,
        )
      }
      const open = async (user: string) => {
        const { page } = await visit(await at(user))
        const chat = page.locator('walkon-chat')
        await chat.getByRole('button').first().click()
        await chat.getByRole('textbox').waitFor()
        // The greeting comes with the conversation; before that, the menu has no list.
        await chat.locator('.speech[aria-busy="false"]').first().waitFor()
        return { page, chat, list: chat.getByRole('group', { name: 'Conversations' }) }
      }
      const there = await open('ada')
      await there.chat.getByRole('textbox').fill('Is there celery in it?')
      await there.chat.getByRole('textbox').press('Enter')
      await there.chat.locator('.said ~ .speech[aria-busy="false"]').first().waitFor()
      await there.page.close()
      const asked = async (body: object) => {
        const headers = { 'content-type': 'application/json', origin: served.site.origin }
        const answer = await strict.fetch('api/sessions/list', { method: 'POST', headers, body: JSON.stringify(body) })
        const { error, sessions = [] } = (await answer.json()) as { error?: { code: string }; sessions?: unknown[] }
        return [answer.status, error?.code ?? sessions.length]
      }
      const wanted = { scenario: 'page-assistant', npc: 'chat' }
      const hash = createHmac('sha256', SECRET).update('ada').digest('hex')
      await expect.poll(() => asked({ ...wanted, identity: { user: 'ada', hash } })).toEqual([200, 1])
      const [here, other] = [await open('ada'), await open('bob')]
      for (const { chat } of [here, other]) await chat.getByRole('button', { name: 'Menu' }).click()
      await here.list.getByRole('button', { name: 'Is there celery in it?', exact: true }).click()
      await here.chat.locator('.said', { hasText: 'Is there celery in it?' }).waitFor()
      await other.list.getByRole('button', { name: 'New conversation' }).waitFor()
      expect(await other.list.getByText('celery').count()).toBe(0)
      expect(await asked({ ...wanted, identity: { user: 'ada', hash: 'f'.repeat(64) } })).toEqual([
        401,
        'identity-required',
      ])
      expect(await asked(wanted)).toEqual([401, 'identity-required'])
      expect(await asked({ scenario: 'page-assistant' })).toEqual([400, 'malformed'])
    },
  )

  it.runIf(IS_LONG)('[embed-64] that never answers does not block the widget', async () => {
    const { chat, page, asked, complaints } = await visit(
      await host('', `(window.Walkon ??= []).push(['identify', () => new Promise(() => {})])`),
    )
    await chat.launcher.click()
    await chat.panel.getByText('Getting the room ready').waitFor()
    expect(asked).toHaveLength(0)
    await page.clock.fastForward(10_000)
    await chat.panel.getByText('Sign in on this website, then try again.').waitFor()
    expect(complaints.join()).toContain('identify did not answer')
  })

  it.runIf(IS_LONG)('[embed-64] may give a token in the tag, which is sent unchanged, and may fail', async () => {
    const { chat, asked } = await visit(await host('data-identity="a.b.c"'))
    await chat.launcher.click()
    await chat.panel.getByRole('alert').waitFor()
    expect(asked[0]?.postDataJSON()).toMatchObject({ identity: { jwt: 'a.b.c' } })
    const failing = await host('', `(window.Walkon ??= []).push(['identify', () => { throw new Error('mine') }])`)
    const second = await visit(failing)
    await second.chat.launcher.click()
    await second.chat.panel.getByRole('alert').waitFor()
    expect(second.complaints.join()).toContain('mine')
  })
})

/** Simulates a laptop that is closed for sixteen minutes and then opened without a network. */
async function sleep(context: BrowserContext, chat: Chat, page: Visit['page']): Promise<void> {
  // A sleeping laptop sends nothing.
  await stopClock(page)
  await context.setOffline(true)
  await chat.panel.locator('.banner').getByText("You're offline").waitFor()
  await page.clock.fastForward('16:00')
  await context.setOffline(false)
  await page.clock.resume()
}

function sockets(frames: readonly string[]): string[] {
  return frames.filter((frame) => frame.startsWith('ws'))
}

function isRenewal(frame: string): boolean {
  return frame.includes('["renew",')
}

function keptBy(page: Visit['page']): Promise<string> {
  return page.evaluate(() => [localStorage, sessionStorage].flatMap((area) => Object.values(area)).join())
}
