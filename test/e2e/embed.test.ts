import { describe, expect, it } from 'vitest'
import { Chat, openPage, PHONE, demoOf, type WatchedPage } from '../support/browser.ts'
import { serveInBrowser } from '../support/serve.ts'
import { IS_LONG } from '../support/runs.ts'

const served = serveInBrowser()

const HI = "Hi, what's going on?"

/** Opens a third-party page with the widget's script tag, and records the page's requests, sockets and errors. */
async function visit(page: { body?: string; headers?: Record<string, string>; nonce?: string }): Promise<WatchedPage> {
  const nonce = page.nonce ? ` nonce="${page.nonce}"` : ''
  const tag = `<script src="${served.server.url.href}embed.js" data-scenario="launch-decision" data-npc="maya" async${nonce}></script>`
  const watched = await openPage(served.browser)
  served.closeAfterwards(watched.context)
  await watched.page.goto(await served.site.put(`${page.body ?? '<h1>A shop</h1>'}${tag}`, page.headers))
  return watched
}

describe('one tag on a third-party page', () => {
  it('[embed-2] requests only its own script, stores nothing and connects to nothing until a person opens it', async () => {
    const { page, requests, sockets, complaints } = await visit({})
    const chat = new Chat(page)
    await chat.launcher.waitFor()
    await page.waitForLoadState('networkidle')
    const asked = requests.filter((path) => path !== '/favicon.ico')
    expect(asked).toEqual([expect.stringMatching(/^\/page-/), '/embed.js'])
    expect(sockets).toEqual([])
    expect(await stored(page)).toEqual({ local: 0, session: 0, cookies: '', databases: 0 })
    await chat.open()
    await expect.poll(() => requests).toEqual(expect.arrayContaining(['/widget.js', '/api/sessions']))
    await chat.say(HI)
    expect(sockets).toHaveLength(1)
    expect((await stored(page)).cookies).toBe('')
    expect(complaints).toEqual([])
  })

  it('[embed-3] creates one global variable', async () => {
    const { page } = await visit({
      body: '<script>window.before = new Set(Object.getOwnPropertyNames(window))</script>',
    })
    await new Chat(page).open()
    const added = await page.evaluate(() => {
      const before = (window as unknown as { before: Set<string> }).before
      return Object.getOwnPropertyNames(window).filter((name) => !before.has(name) && name !== 'before')
    })
    expect(added).toEqual(['Walkon'])
  })

  it.runIf(IS_LONG).each([
    [
      'a list of hosts',
      (host: string) =>
        `default-src 'none'; script-src ${host}; connect-src ${host} ${host.replace('http', 'ws')}; require-trusted-types-for 'script'; trusted-types 'none'`,
    ],
    [
      'a nonce and strict-dynamic',
      (host: string) =>
        `default-src 'none'; script-src 'nonce-abc123' 'strict-dynamic'; style-src 'self'; connect-src ${host} ${host.replace('http', 'ws')}; require-trusted-types-for 'script'; trusted-types 'none'`,
    ],
  ])('[embed-52] works under a strict policy with Trusted Types: %s', async (_, policy) => {
    const headers = { 'content-security-policy': policy(served.server.url.origin) }
    const { page, complaints } = await visit({ headers, nonce: 'abc123' })
    const chat = new Chat(page)
    await chat.open()
    await chat.say(HI)
    expect(await chat.log.innerText()).toContain('make the call on Thursday')
    expect(await chat.panel.evaluate((panel) => getComputedStyle(panel).display)).not.toBe('inline')
    expect(complaints).toEqual([])
  })

  it.runIf(IS_LONG)(
    '[embed-48] in a language written from right to left: English texts keep their language and direction',
    async () => {
      const { page } = await visit({
        body: `<h1>חנות</h1><script>Object.assign(document.documentElement, { dir: 'rtl', lang: 'he' })</script>`,
      })
      const chat = new Chat(page)
      const corner = await chat.launcher.boundingBox()
      expect(await chat.launcher.locator('span').evaluate((each) => getComputedStyle(each).direction)).toBe('ltr')
      await chat.open()
      await chat.say('שלום, מה קורה?')
      const panel = await chat.panel.boundingBox()
      expect([corner?.x, panel?.x]).toEqual([24, 24])
      expect(await chat.panel.evaluate((each) => (each as HTMLElement).lang)).toBe('en')
      const directions = (selector: string) =>
        chat.panel.locator(selector).evaluateAll((all) => all.map((each) => getComputedStyle(each).direction))
      expect(new Set(await directions('.scene p, .head p, .speech .words'))).toEqual(new Set(['ltr']))
      // The learner's own text keeps its direction.
      expect(await directions('.said > [dir]')).toEqual(['rtl'])
    },
  )

  it.runIf(IS_LONG)('[embed-52] is not changed by a hostile style sheet, and not covered by an overlay', async () => {
    const measure = async (body: string) => {
      const { page } = await visit({ body })
      const chat = new Chat(page)
      await page.evaluate(() => (globalThis as unknown as { Walkon?: { open(): Promise<void> } }).Walkon?.open())
      await chat.field.waitFor()
      await chat.say(HI)
      const styles = await chat.panel.evaluate((panel) =>
        [panel, ...panel.querySelectorAll('*')].map((element) => {
          const { letterSpacing, fontSize, fontFamily, color, lineHeight, textTransform, display, padding } =
            getComputedStyle(element)
          return [
            element.tagName,
            letterSpacing,
            fontSize,
            fontFamily,
            color,
            lineHeight,
            textTransform,
            display,
            padding,
          ].join(' ')
        }),
      )
      const onTop = await chat.field.evaluate((field) => {
        const { left, top, width, height } = field.getBoundingClientRect()
        return document.elementFromPoint(left + width / 2, top + height / 2)?.tagName
      })
      return { styles, onTop }
    }
    const hostile = `<style>
      html { font-size: 30px } * { letter-spacing: 3px !important; text-transform: uppercase !important; font-family: serif !important }
      button, textarea, div, p, dialog { color: red !important; padding: 40px !important; display: block !important }
      .overlay { position: fixed; inset: 0; z-index: 2147483647; background: #fffc }
    </style><div class="overlay">Cookies?</div>`
    const [plain, attacked] = [await measure('<h1>A shop</h1>'), await measure(hostile)]
    expect(attacked.styles).toEqual(plain.styles)
    expect(attacked.onTop).toBe('WALKON-CHAT')
  })

  it('[embed-6] is removed completely by destroy, again and again', async () => {
    const { page, complaints } = await visit({})
    const chat = new Chat(page)
    await chat.open()
    // Waits for a connection, because a browser reports an error if a socket is closed before it is open.
    await chat.say(HI)
    const left = await page.evaluate(
      async (times) => {
        const { Walkon } = globalThis as unknown as {
          Walkon: Record<'open' | 'destroy' | 'add', (a?: unknown) => Promise<void>>
        }
        const tag = document.querySelector('script[data-npc]')
        await Walkon.destroy()
        for (let i = 0; i < times; i++) {
          await Walkon.add(tag)
          await Walkon.destroy()
        }
        return document.querySelectorAll('walkon-chat').length
      },
      IS_LONG ? 100 : 10,
    )
    expect(left).toBe(0)
    expect(complaints).toEqual([])
  })

  it.runIf(IS_LONG)('[embed-72] works where nothing can be stored', async () => {
    const { page } = await visit({
      body: `<script>
        for (const name of ['localStorage', 'sessionStorage'])
          Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError') } })
      </script>`,
    })
    const chat = new Chat(page)
    await chat.open()
    await chat.say(HI)
    expect(await page.evaluate(() => 'localStorage' in window && document.cookie)).toBe('')
  })

  it.runIf(IS_LONG)(
    '[embed-63] [embed-72] in a frame without an origin opens the panel, which says that no conversation is possible',
    async () => {
      const tag = `<script src="${served.server.url.href}embed.js" data-npc="maya"></script>`
      const watched = await openPage(served.browser)
      served.closeAfterwards(watched.context)
      await watched.page.goto(
        await served.site.put(
          `<iframe sandbox="allow-scripts" title="A frame" width="600" height="700" srcdoc='<!doctype html><html lang="en"><body>${tag}</body></html>'></iframe>`,
        ),
      )
      const inside = watched.page.frameLocator('iframe')
      await inside.getByRole('button', { name: 'Talk to Maya' }).click()
      await inside.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor()
    },
  )

  it('[embed-45] on a phone fills the screen with the panel, and Tab cannot leave it', async () => {
    const watched = await openPage(served.browser, { viewport: PHONE, hasTouch: true, isMobile: true })
    served.closeAfterwards(watched.context)
    await watched.page.goto(demoOf(served.server.url))
    const chat = new Chat(watched.page)
    await chat.launcher.tap()
    await chat.field.waitFor()
    const box = await chat.panel.boundingBox()
    expect(box).toMatchObject({ x: 0, width: PHONE.width })
    for (let i = 0; i < 12; i++) {
      await watched.page.keyboard.press('Tab')
      const where = await watched.page.evaluate(() => document.activeElement?.tagName)
      expect(['WALKON-CHAT', 'BODY']).toContain(where)
    }
  })
})

async function stored(page: WatchedPage['page']) {
  return page.evaluate(async () => ({
    local: localStorage.length,
    session: sessionStorage.length,
    cookies: document.cookie,
    databases: (await indexedDB.databases()).length,
  }))
}
