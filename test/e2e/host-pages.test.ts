import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import path from '../fixtures/maya-path.json' with { type: 'json' }
import { Chat, openPage, type WatchedPage } from '../support/browser.ts'
import { IS_LONG, oneIn, variants } from '../support/runs.ts'
import { serveInBrowser } from '../support/serve.ts'

// The widget on pages that make its life hard. `docs/reference/embedding.md` has the rules.

const served = serveInBrowser()

/** An ordinary page, with elements that a style of the widget could change. */
const SHOP = `<h1>A shop</h1><p>Tents and <a href="#tents">more tents</a>.</p>
  <form><label>Name <input></label><select><option>One</option></select><button type="button">Buy</button></form>
  <table><tr><td>Two-person tent</td><td>99</td></tr></table><ul><li>Light</li><li>Dry</li></ul>
  <dialog id="basket">Basket</dialog><textarea></textarea><div class="panel launcher card">A card</div>`

interface HostPage {
  body?: string
  headers?: Record<string, string>
  tag?: (src: string) => string
}

/** Opens a page of a third party with the widget's script tag. */
async function visit({ body = SHOP, headers, tag }: HostPage = {}): Promise<WatchedPage & { chat: Chat }> {
  const watched = await openPage(served.browser, { reducedMotion: 'reduce' })
  served.closeAfterwards(watched.context)
  const src = `${served.server.url.href}embed.js`
  const made = tag ?? ((from) => `<script src="${from}" data-scenario="launch-decision" data-npc="maya"></script>`)
  await watched.page.goto(await served.site.put(`${body}${made(src)}`, headers))
  return { ...watched, chat: new Chat(watched.page) }
}

type State = (name: 'closed' | 'open' | 'talking' | 'fork' | 'end') => Promise<void>

/**
 * Talks with Maya, and calls `at` in each of the five states of the widget. With `isBrief`, `npm test` stops after the
 * first message, because playing the conversation to its end takes longest.
 */
async function throughStates(chat: Chat, at: State, isBrief = false): Promise<void> {
  await chat.launcher.waitFor()
  await at('closed')
  await chat.open()
  await chat.panel.getByRole('heading', { name: 'Maya Patel' }).waitFor()
  await at('open')
  for (const [index, step] of path.turns.entries()) {
    await chat.say(step.learner)
    if (index === 0) await at('talking')
    if (isBrief && !IS_LONG) return
    if (!('choose' in step)) continue
    await chat.panel.locator('.card').first().waitFor()
    await at('fork')
    await chat.page.keyboard.press('1')
    await chat.panel.locator('.card').first().waitFor({ state: 'detached' })
  }
  await chat.panel.getByRole('button', { name: /^Talk to/ }).waitFor()
  await at('end')
}

/** Expects that Close and the composer are wholly inside the window, and that nothing covers them. */
async function expectInView(chat: Chat, what: string): Promise<void> {
  const close = chat.panel.getByRole('button', { name: 'Close' }).first()
  for (const part of [close, chat.field]) {
    const seen = () =>
      part.evaluate((element) => {
        const { left, top, right, bottom } = element.getBoundingClientRect()
        const root = element.getRootNode() as ShadowRoot
        const hit = root.elementFromPoint((left + right) / 2, (top + bottom) / 2)
        const isInside = left >= 0 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1
        return isInside && (hit === element || element.contains(hit)) ? 'in view' : [left, top, right, bottom].join(' ')
      })
    // The widget measures a window that changes one frame later.
    await expect.poll(async () => `${what}: ${await seen()}`).toBe(`${what}: in view`)
  }
}

/** Returns what the page's own elements look like. */
async function looksOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [document.documentElement, ...document.body.querySelectorAll('*')]
      .filter((element) => !/^(SCRIPT|WALKON-CHAT)$/.test(element.tagName))
      .map((element) => {
        const style = getComputedStyle(element)
        return `${element.tagName} ${[...style].map((name) => style.getPropertyValue(name)).join(';')}`
      }),
  )
}

/** Returns what the elements of the widget look like. */
async function looksInside(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const root = document.querySelector('walkon-chat')?.shadowRoot
    // A field grows with the clock of the caret, so its own caret is left out.
    const names = ['color', 'background-color', 'font-size', 'font-family', 'letter-spacing', 'line-height', 'display']
    names.push('padding-top', 'margin-top', 'text-transform', 'visibility', 'opacity', 'position', 'border-top-width')
    const pseudo = getComputedStyle(document.querySelector('walkon-chat')!, '::before').content
    return [
      pseudo,
      ...[...(root?.querySelectorAll('*') ?? [])].map((element) => {
        const style = getComputedStyle(element)
        return `${element.tagName} ${names.map((name) => style.getPropertyValue(name)).join(';')}`
      }),
    ]
  })
}

const POLICIES: readonly [string, (host: string) => Record<string, string>][] = [
  [
    'a list of hosts, with Trusted Types',
    (host) => ({
      'content-security-policy': `default-src 'none'; script-src ${host}; connect-src ${host} ${ws(host)}; require-trusted-types-for 'script'; trusted-types 'none'`,
    }),
  ],
  ['none', () => ({})],
  [
    'a nonce and strict-dynamic',
    (host) => ({
      'content-security-policy': `default-src 'none'; script-src 'nonce-abc123' 'strict-dynamic'; connect-src ${host} ${ws(host)}; require-trusted-types-for 'script'; trusted-types 'none'`,
    }),
  ],
  [
    'a nonce beside a host',
    (host) => ({
      'content-security-policy': `script-src 'nonce-abc123' ${host}; connect-src ${host} ${ws(host)}; object-src 'none'`,
    }),
  ],
  [
    'its own styles only',
    (host) => ({
      'content-security-policy': `default-src 'none'; style-src 'self'; script-src ${host}; connect-src ${host} ${ws(host)}`,
    }),
  ],
  [
    'Trusted Types with a default policy of the page',
    (host) => ({
      'content-security-policy': `script-src ${host}; connect-src ${host} ${ws(host)}; require-trusted-types-for 'script'; trusted-types default 'allow-duplicates'`,
    }),
  ],
  [
    'isolation from other origins',
    () => ({ 'cross-origin-embedder-policy': 'credentialless', 'cross-origin-opener-policy': 'same-origin' }),
  ],
]

function ws(host: string): string {
  return host.replace('http', 'ws')
}

const SHEETS: readonly string[] = [
  '* { letter-spacing: 3px !important; text-transform: uppercase !important; font-family: serif !important }',
  '* { --ink: #fff; --paper: #fff; --sheet: #fff; --rule: #fff; --lamp: #fff; --pencil: #fff; --voice: #fff }',
  '*::before, *::after { content: "X" !important; position: fixed !important }',
  'html { font-size: 30px } body { line-height: 3 }',
  'button, textarea, div, p, dialog { color: red !important; padding: 40px !important; display: block !important }',
  '* { all: unset !important }',
  'dialog, [popover] { display: none !important }',
  '* { box-sizing: content-box !important; margin: 9px !important; border: 4px solid lime !important }',
  'walkon-chat { display: none; position: static; opacity: 0; visibility: hidden }',
  '* { transition: all 9s !important; animation: spin 1s infinite !important }',
  'body { filter: grayscale(1) }',
  'body { transform: translateX(30px) }',
  'body { contain: strict; overflow: hidden; height: 100px }',
  '* { direction: rtl !important; writing-mode: vertical-rl !important }',
  'html { color-scheme: dark } :root { background: #000 !important; color: #fff !important }',
]

const SIZES: readonly [string, number, number, string][] = [
  ['a phone', 390, 844, ''],
  ['a phone on its side', 844, 390, ''],
  ['a phone above its keyboard', 390, 500, ''],
  ['a small phone', 320, 568, ''],
  ['a desktop at 200 %', 640, 400, ''],
  ['a desktop at 400 %', 320, 256, ''],
  ['a page that zooms itself', 1280, 800, 'html { zoom: 1.5 }'],
  [
    'the text spacing of WCAG 1.4.12',
    1280,
    800,
    '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }',
  ],
]

describe('on a page with a policy', () => {
  it.each(oneIn(POLICIES.length, POLICIES))(
    '[embed-52] [embed-53] %s: in all five states no rule is broken, and nothing of the page changes',
    { timeout: 90_000 },
    async (_, headers) => {
      const { page, chat, complaints } = await visit({
        headers: headers(served.server.url.origin),
        tag: (src) => `<script nonce="abc123" src="${src}" data-scenario="launch-decision" data-npc="maya"></script>`,
      })
      const before = await looksOf(page)
      await throughStates(chat, async (state) => {
        expect([state, complaints]).toEqual([state, []])
        if (state !== 'closed') await expectInView(chat, state)
        expect(await looksOf(page)).toEqual(before)
      })
    },
  )
})

describe('in every window', () => {
  it.runIf(IS_LONG)(
    '[embed-45] head and composer stay in view at every size and zoom, in every state',
    { timeout: 120_000 },
    async () => {
      const { page, chat } = await visit({})
      await throughStates(
        chat,
        async (state) => {
          if (state === 'closed') return
          for (const [name, width, height, sheet] of SIZES) {
            await page.evaluate((text) => {
              const style =
                document.querySelector('#given') ?? document.head.appendChild(document.createElement('style'))
              style.id = 'given'
              style.textContent = text
            }, sheet)
            // A page has its zoom from the beginning. The widget looks again when the window changes.
            await page.setViewportSize({ width: width - 1, height })
            await page.setViewportSize({ width, height })
            await chat.field.waitFor()
            await expectInView(chat, `${state}, ${name}`)
          }
          await page.setViewportSize({ width: 1280, height: 800 })
          await page.evaluate(() => document.querySelector('#given')?.remove())
        },
        true,
      )
    },
  )

  it.runIf(IS_LONG)(
    '[embed-52] no style of the page changes the widget, in three states',
    { timeout: 120_000 },
    async () => {
      const { page, chat } = await visit({})
      await throughStates(
        chat,
        async (state) => {
          if (state === 'open' || state === 'end') return
          await page.evaluate(() => document.querySelector('walkon-chat')?.setAttribute('data-theme', 'light'))
          const plain = await looksInside(page)
          const widget = page.locator('walkon-chat').first()
          const place = await widget.evaluate((host) => {
            const { x, y, width } = host.shadowRoot!.querySelector('button, .panel')!.getBoundingClientRect()
            return [x, y, width]
          })
          for (const sheet of IS_LONG ? SHEETS : SHEETS.slice(0, 5)) {
            await page.evaluate((text) => {
              const style = document.head.appendChild(document.createElement('style'))
              style.id = 'hostile'
              style.textContent = text
            }, sheet)
            expect([sheet, await looksInside(page)]).toEqual([sheet, plain])
            const now = await widget.evaluate((host) => {
              const { x, y, width } = host.shadowRoot!.querySelector('button, .panel')!.getBoundingClientRect()
              return [x, y, width]
            })
            if (!sheet.includes('direction')) expect([sheet, now]).toEqual([sheet, place])
            await page.evaluate(() => document.querySelector('#hostile')?.remove())
          }
        },
        true,
      )
    },
  )
})

describe('on a page with scripts of its own', () => {
  const GLOBALS = [
    ['a number', 'window.Walkon = 5'],
    ['a set', 'window.Walkon = new Set()'],
    ['an object', 'window.Walkon = { mine: true }'],
    ['an element', 'document.body.append(Object.assign(document.createElement("select"), { id: "Walkon" }))'],
  ] as const

  it.each(variants(GLOBALS))(
    '[embed-9] works beside a global Walkon that is %s, and says that there is no script API',
    async (_, script) => {
      const { chat, complaints, page } = await visit({ body: `${SHOP}<script>${script}</script>` })
      await chat.open()
      await chat.say('Hello')
      expect(complaints).toEqual(['Walkon: the page has another Walkon.'])
      expect(await page.evaluate('typeof Walkon.open')).toBe('undefined')
    },
  )

  const SPOILT = [
    ['has taken the name of the element', "customElements.define('walkon-chat', class extends HTMLElement {})"],
    ['defines no elements', "customElements.define = () => { throw new Error('no elements here') }"],
  ] as const

  it.each(variants(SPOILT))('[embed-9] works on a page that %s', async (_, script) => {
    const { chat, complaints } = await visit({ body: `${SHOP}<script>${script}</script>` })
    await chat.open()
    await chat.say('Hello')
    expect(complaints).toEqual([expect.stringMatching(/^Walkon:/)])
  })

  it('[embed-9] says what to do if the page gives arrays a toJSON', async () => {
    const { chat, complaints } = await visit({
      body: `${SHOP}<script>Array.prototype.toJSON = function () { return '[' + this.join() + ']' }</script>`,
    })
    await chat.open()
    await expect.poll(() => complaints).toContainEqual(expect.stringContaining('Remove Array.prototype.toJSON'))
  })

  it('[embed-9] says what to do about a tag in a shadow root, and a module', async () => {
    const { complaints, page } = await visit({
      tag: (src) => `<div id="frame"></div><script type="module" src="${src}"></script><script>
        const tag = document.createElement('script')
        tag.src = '${src}'
        document.querySelector('#frame').attachShadow({ mode: 'open' }).append(tag)
      </script>`,
    })
    await page.waitForLoadState('networkidle')
    const line = 'Walkon: embed.js needs a plain <script src>.'
    expect(complaints).toEqual([line, line])
  })

  it.runIf(IS_LONG)(
    '[embed-5] shows the failure on the button and tells the page, if widget.js has another type; the next press tries again',
    async () => {
      const { chat, page, complaints } = await visit({})
      let isBroken = true
      await page.route('**/widget.js*', async (route) => {
        const response = await route.fetch()
        await route.fulfill({
          response,
          headers: { ...response.headers(), ...(isBroken && { 'content-type': 'text/plain' }) },
        })
      })
      await page.evaluate("Walkon.on('error', ({ code }) => (document.title = code))")
      await chat.launcher.click()
      const again = page.getByRole('button', { name: 'Try again' })
      await again.waitFor()
      expect(await page.title()).toBe('not-loaded')
      expect(complaints).toContainEqual('Walkon: no widget.js; see Walkon.diagnose()')
      isBroken = false
      await again.click()
      await chat.field.waitFor()
    },
  )

  it('[embed-8] loads no file whose content is not the one that was built', async () => {
    const { chat, page } = await visit({})
    await page.route('**/widget.js*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: `${await response.text()}\nconsole.log('tampered with')` })
    })
    await chat.launcher.click()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
  })

  it.runIf(IS_LONG)('[embed-6] stays when the page replaces its body or empties it', async () => {
    const { chat, page } = await visit({})
    await chat.open()
    await chat.say('Hello')
    await page.evaluate(() => (document.body.innerHTML = '<h1>Another page</h1>'))
    await chat.say('Still there?')
    await page.evaluate(() => document.body.replaceWith(document.createElement('body')))
    await chat.say('And now?')
    await chat.panel.getByRole('button', { name: 'Close' }).click()
    await chat.launcher.waitFor()
  })

  it.runIf(IS_LONG)('[embed-52] leaves a printed page as it is', async () => {
    const { chat, page } = await visit({})
    await chat.open()
    await page.emulateMedia({ media: 'print' })
    expect(await chat.panel.isVisible()).toBe(false)
  })
})

describe('on a bad network', () => {
  it.runIf(IS_LONG)('[embed-5] shows the empty panel at once while widget.js loads, and none after close', async () => {
    const { chat, page } = await visit({})
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/widget.js*', async (route) => {
      await held
      await route.continue()
    })
    await chat.launcher.click()
    const frame = page.locator('walkon-chat .panel')
    await frame.waitFor({ timeout: 1_000 })
    expect((await frame.boundingBox())?.width).toBe(420)
    await page.evaluate('void Walkon.close()')
    await frame.waitFor({ state: 'detached' })
    release()
    await page.waitForLoadState('networkidle')
    expect(await chat.panel.isVisible()).toBe(false)
    await page.evaluate('Walkon.toggle()')
    await chat.field.waitFor()
  })

  it('[embed-66] begins by itself when the browser is online again', async () => {
    const { chat, page } = await visit({})
    await page.route('**/api/sessions', (route) => route.abort('internetdisconnected'))
    await chat.launcher.click()
    await chat.panel.getByRole('alert').waitFor()
    await page.unroute('**/api/sessions')
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await chat.panel.getByRole('heading', { name: 'Maya Patel' }).waitFor()
  })
})
