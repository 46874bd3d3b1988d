import { describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { Chat, openPage, PHONE, type WatchedPage } from '../support/browser.ts'
import { serveInBrowser } from '../support/serve.ts'
import { IS_LONG, variants } from '../support/runs.ts'
import type { Walkon as WalkonApi } from '../../widget/walkon.ts'

declare const Walkon: WalkonApi

const served = serveInBrowser()

const TAG = 'data-scenario="launch-decision" data-npc="maya"'

/** Opens a page of a third party that loads embed.js with these attributes. */
async function visit(
  attributes = TAG,
  { body = '<main><h1>A shop</h1></main>', ...options }: { body?: string } & Parameters<typeof openPage>[1] = {},
): Promise<WatchedPage & { chat: Chat }> {
  const watched = await openPage(served.browser, options)
  served.closeAfterwards(watched.context)
  await watched.page.goto(
    await served.site.put(`${body}<script src="${served.server.url.href}embed.js" ${attributes}></script>`),
  )
  return { ...watched, chat: new Chat(watched.page) }
}

describe('a launcher', () => {
  it('[embed-1] takes its words, theme and corner from the tag, and shows no button if the page has its own', async () => {
    const { page } = await visit(`${TAG} data-label="Ask QA" data-theme="dark" data-position="start"`)
    const button = page.getByRole('button', { name: 'Ask QA' })
    expect(await button.boundingBox()).toMatchObject({ x: 24 })
    expect(await button.evaluate((each) => getComputedStyle(each).colorScheme)).toBe('dark')
    const { page: other } = await visit(`${TAG} data-launcher="none"`)
    expect(await other.locator('walkon-chat button').count()).toBe(0)
    await other.evaluate(() => Walkon.open())
    await new Chat(other).field.waitFor()
  })

  it.runIf(IS_LONG)('[embed-7] can be made by script again and again, and takes its panel along', async () => {
    const { page, chat, complaints } = await visit('data-launcher="manual"')
    expect(await page.locator('walkon-chat').count()).toBe(0)
    for (const round of [1, 2]) {
      await page.evaluate(() => void Walkon.add({ scenario: 'launch-decision', npc: 'maya' }))
      await chat.open()
      await chat.say(`Hello, ${round}`)
      await page.evaluate(() => Walkon.destroy())
      expect(await page.locator('walkon-chat').count()).toBe(0)
    }
    expect(complaints).toEqual([])
  })

  it.runIf(IS_LONG)('[embed-7] in the page’s markup goes with the page’s route and comes with it', async () => {
    const { page, chat } = await visit('data-launcher="manual"', {
      body: `<main><walkon-chat scenario="launch-decision" npc="maya"></walkon-chat></main>`,
    })
    await chat.open()
    await chat.say('Hello')
    const markup = await page.evaluate(() => {
      const main = document.querySelector('main')!
      const [element] = main.children
      main.replaceChildren()
      return new Promise<number>((resolve) =>
        setTimeout(() => {
          resolve(document.querySelectorAll('walkon-chat').length)
          main.append(element!)
        }),
      )
    })
    expect(markup).toBe(0)
    await chat.open()
    await chat.log.getByText('Hello', { exact: true }).waitFor()
  })

  it.runIf(IS_LONG)(
    '[embed-7] inline fills its place as a region without Close, and begins when it is pressed',
    async () => {
      const { page, sockets, complaints } = await visit('data-launcher="manual"', {
        body: '<style>#here { --walkon-height: 500px; width: 600px }</style><main><h1>A shop</h1><div id="here"></div></main>',
      })
      await page.evaluate(() => void Walkon.add({ npc: 'maya' }, document.querySelector('#here')))
      const place = await page.locator('#here').boundingBox()
      expect(place?.height).toBe(500)
      expect(sockets).toEqual([])
      await page.getByRole('button', { name: 'Talk to Maya' }).click()
      const region = page.getByRole('region', { name: 'Maya Patel' })
      await region.getByRole('textbox').fill('Hello')
      await page.keyboard.press('Enter')
      await region.locator('.said + .speech[aria-busy="false"]').waitFor()
      expect(await region.boundingBox()).toEqual(place)
      expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(0)
      await page.keyboard.press('Escape')
      expect(await region.isVisible()).toBe(true)
      expect(await violations(page)).toEqual([])
      expect(complaints).toEqual([])
    },
  )

  it.runIf(IS_LONG)('[embed-7] in full mode covers the page and is modal', async () => {
    const { page, chat } = await visit(`${TAG} data-mode="full"`)
    await chat.open()
    expect(await chat.panel.boundingBox()).toMatchObject({ x: 0, y: 0, width: 1280, height: 800 })
    expect(await chat.panel.getAttribute('aria-modal')).toBe('true')
    await page.keyboard.press('Escape')
    await chat.launcher.waitFor()
  })

  it.runIf(IS_LONG)('[embed-45] on a desktop is not told to be modal', async () => {
    const { page, chat } = await visit()
    await chat.open()
    const client = await page.context().newCDPSession(page)
    const { nodes } = (await client.send('Accessibility.getFullAXTree')) as {
      nodes: { role?: { value: string }; properties?: { name: string; value: { value: unknown } }[] }[]
    }
    const dialog = nodes.find(({ role }) => role?.value === 'dialog')
    expect(dialog?.properties?.find(({ name }) => name === 'modal')?.value.value ?? false).toBe(false)
  })

  it.runIf(IS_LONG)('[embed-6] two launchers with the same colleague keep their connections', async () => {
    const { page } = await visit(`${TAG} data-name="one"`)
    await page.evaluate(
      () => void Walkon.add({ scenario: 'launch-decision', npc: 'maya', name: 'two', position: 'start' }),
    )
    await page.evaluate(() => Walkon.open('one'))
    await page.evaluate(() => Walkon.open('two'))
    const [one, two] = [page.locator('walkon-chat').first(), page.locator('walkon-chat').last()]
    await one.getByRole('textbox').fill('Hello from the left')
    await one.getByRole('textbox').press('Enter')
    await two.getByText('Hello from the left', { exact: true }).waitFor()
    await one.locator('.said + .speech[aria-busy="false"]').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('[embed-73] stays open over a page load, and closed after a close', async () => {
    const { page, chat } = await visit()
    await chat.open()
    await chat.say('Hello')
    await page.reload()
    await chat.log.getByText('Hello', { exact: true }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    await page.evaluate(() => Walkon.close())
    await page.reload()
    await chat.launcher.waitFor()
    expect(await chat.panel.isVisible()).toBe(false)
  })
})

describe('the script API', () => {
  it('[embed-3] dispatches ready, message, unread, end and error with their details', async () => {
    const { page, chat } = await visit()
    await page.evaluate(() => {
      const heard: unknown[] = []
      Object.assign(globalThis, { heard })
      for (const event of ['open', 'ready', 'message', 'unread', 'end', 'close'] as const)
        Walkon.on(event, (detail) => heard.push([event, detail]))
    })
    const heard = () =>
      page.evaluate(() => (globalThis as unknown as { heard: [string, Record<string, unknown>][] }).heard)
    await chat.open()
    await chat.say('Hello')
    await page.evaluate(async () => {
      await Walkon.sendMessage('And the test run?')
      await Walkon.close()
    })
    await expect.poll(async () => (await heard()).map(([event]) => event)).toContain('unread')
    const events = await heard()
    expect(events.map(([event]) => event).slice(0, 2)).toEqual(['open', 'ready'])
    const messages = events.filter(([event]) => event === 'message').map(([, { from, npc, text }]) => [from, npc, text])
    expect(messages.filter(([from]) => from === 'learner')).toEqual([
      ['learner', 'maya', 'Hello'],
      ['learner', 'maya', 'And the test run?'],
    ])
    expect(messages.filter(([from]) => from === 'npc')).toHaveLength(3)
    expect(events.find(([event]) => event === 'unread')?.[1]).toEqual({ name: 'maya', count: 1 })
    await page.getByRole('button', { name: 'Maya has replied' }).click()
    await chat.type('Goodbye, I have to go.')
    await expect.poll(async () => (await heard()).at(-1)?.[0]).toBe('end')
    expect((await heard()).at(-1)?.[1]).toMatchObject({ name: 'maya', npc: 'maya', completion: 'forced' })
  })

  it('[embed-3] sends a message and fills the composer for the learner', async () => {
    const { page, chat } = await visit()
    await page.evaluate(() => Walkon.sendMessage('What did run 47 show?'))
    await chat.log.getByText('What did run 47 show?').waitFor()
    await page.evaluate(() => Walkon.prefill('And what about'))
    await expect.poll(() => chat.field.inputValue()).toBe('And what about')
  })

  it('[embed-74] reset forgets conversation and draft; the next opening begins anew', async () => {
    const { page, chat } = await visit()
    await chat.open()
    await chat.say('A secret of mine')
    await chat.field.fill('not sent yet')
    await page.evaluate(() => Walkon.close())
    await page.evaluate(() => Walkon.reset())
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0)
    await chat.open()
    await chat.panel.getByRole('heading', { name: 'Maya Patel' }).waitFor()
    expect(await chat.field.inputValue()).toBe('')
    expect(await chat.log.getByText('A secret of mine').count()).toBe(0)
  })

  it.runIf(IS_LONG)('[embed-48] setTheme, setLocale and a page’s own texts', async () => {
    const { page, chat } = await visit('data-launcher="manual"')
    await page.evaluate(
      () => void Walkon.add({ npc: 'maya', texts: { placeholder: 'Ask {name} anything', send: 'Go' } }),
    )
    await page.evaluate(() => Walkon.setTheme('dark'))
    await chat.open()
    await chat.panel.getByRole('heading', { name: 'Maya Patel' }).waitFor()
    await expect.poll(() => chat.field.getAttribute('placeholder')).toBe('Ask Maya anything')
    expect(await chat.panel.evaluate((each) => getComputedStyle(each).colorScheme)).toBe('dark')
    await page.evaluate(() => Walkon.setLocale('de-CH'))
    await chat.panel.getByRole('button', { name: 'Schließen' }).waitFor()
    expect(await chat.field.getAttribute('placeholder')).toBe('Ask Maya anything')
  })

  const LANGUAGES = [
    ['ar', 'تحدّث مع Maya', 'سؤال واحد في كل مرة أفضل', 'rtl'],
    ['es', 'Habla con Maya', 'Mejor de una en una', 'ltr'],
    ['de', 'Sprich mit Maya', 'Am besten eins nach dem anderen', 'ltr'],
  ] as const

  it.each(variants(LANGUAGES))(
    '[embed-48] speaks %s on a page in that language',
    async (lang, label, placeholder, direction) => {
      const { page, complaints } = await visit(TAG, {
        body: `<main><h1>A</h1></main><script>Object.assign(document.documentElement, { lang: '${lang}', dir: '${direction}' })</script>`,
        bypassCSP: true,
        viewport: PHONE,
      })
      await page.getByRole('button', { name: label }).click()
      const field = page.getByRole('dialog').getByRole('textbox')
      await expect.poll(() => field.getAttribute('placeholder')).toBe(placeholder)
      await field.fill('Hello')
      await field.press('Enter')
      await page.locator('.said + .speech[aria-busy="false"]').waitFor()
      expect(await page.locator('.stage').evaluate((each) => getComputedStyle(each).direction)).toBe(direction)
      // The colleague speaks English in any case.
      expect(
        await page
          .locator('.speech .words')
          .first()
          .evaluate((each) => getComputedStyle(each).direction),
      ).toBe('ltr')
      expect(await violations(page)).toEqual([])
      expect(complaints).toEqual([])
    },
  )

  it('[embed-75] with consent required sends and stores nothing before the learner agrees', async () => {
    const { page, chat, requests } = await visit(`${TAG} data-consent="required"`)
    await chat.launcher.click()
    const agree = chat.panel.getByRole('button', { name: 'Agree and begin' })
    await agree.waitFor()
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0)
    expect(requests).not.toContain('/api/sessions')
    await page.evaluate(() => Walkon.sendMessage('Hello'))
    await agree.click()
    await chat.log.getByText('Hello', { exact: true }).waitFor()
    await page.reload()
    await chat.log.getByText('Hello', { exact: true }).waitFor()
  })

  it.runIf(IS_LONG)(
    '[embed-76] the menu copies and saves the conversation, tells what is stored, and deletes everything',
    async () => {
      const { page, chat } = await visit(TAG, { permissions: ['clipboard-read', 'clipboard-write'], bypassCSP: true })
      await chat.open()
      await chat.say('What did run 47 show?')
      const menuButton = chat.panel.getByRole('button', { name: 'Menu' })
      await menuButton.click()
      const menu = chat.panel.getByRole('group', { name: 'Menu' })
      await menu.waitFor()
      expect(await violations(page)).toEqual([])
      const save = page.waitForEvent('download')
      await menu.getByRole('button', { name: 'Save as a text file' }).click()
      const file = await save
      expect(file.suggestedFilename()).toBe('launch-decision-maya.md')
      const chunks: Buffer[] = []
      for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
      expect(Buffer.concat(chunks).toString()).toContain('**You:** What did run 47 show?')
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'detached' })
      expect(await menuButton.evaluate((each) => each === (each.getRootNode() as ShadowRoot).activeElement)).toBe(true)
      await menuButton.click()
      await menu.getByRole('button', { name: 'Delete all conversations' }).click()
      const erased = page.waitForResponse(/\/erase$/)
      await menu.getByRole('button', { name: 'Yes, delete it for good' }).click()
      expect((await erased).status()).toBe(200)
      await expect.poll(() => chat.log.getByText('What did run 47 show?').count()).toBe(0)
      await chat.panel.getByRole('heading', { name: 'Maya Patel' }).waitFor()
    },
  )

  it('[embed-77] diagnose names the policy that the page needs', async () => {
    const { page } = await visit()
    const lines: string[] = []
    page.on('console', (message) => lines.push(message.text()))
    await page.evaluate(() => Walkon.diagnose())
    expect(lines.filter((line) => line.includes('✗'))).toEqual([])
    expect(lines.at(-1)).toContain(`script-src ${served.server.url.origin}`)
  })

  it.runIf(IS_LONG)('[embed-77] a colleague who does not exist is named in the console, and by diagnose', async () => {
    const { page } = await openPage(served.browser, { bypassCSP: true })
    served.closeAfterwards(page.context())
    const origin = served.server.url.origin
    const src = `${origin}/embed.js`
    await page.goto(
      await served.site.put(`<script src="${src}" data-scenario="launch-decision" data-npc="mayo" async></script>`),
    )
    const lines: string[] = []
    page.on('console', (message) => lines.push(message.text()))
    await page.getByRole('button', { name: 'Talk to Mayo' }).click()
    await page.getByRole('alert').waitFor()
    expect(lines).toContain('Walkon: The scenario has no such colleague. Check data-npc.')
    await page.evaluate('Walkon.diagnose()')
    expect(lines.filter((line) => line.includes('✗'))).toEqual([
      `Walkon: ✗ ${origin} can’t begin the conversation launch-decision, mayo: The scenario has no such colleague. Check data-npc.`,
    ])
  })

  it.runIf(IS_LONG)('[embed-77] the openers of a page in another language are sent in the colleague’s', async () => {
    const { page } = await openPage(served.browser, { bypassCSP: true, locale: 'de' })
    served.closeAfterwards(page.context())
    const src = `${served.server.url.origin}/embed.js`
    await page.goto(
      await served.site.put(
        `<script src="${src}" data-scenario="launch-decision" data-npc="maya" data-lang="de" async></script>`,
      ),
    )
    await page.getByRole('button', { name: 'Sprich mit Maya' }).click()
    await page.getByRole('button', { name: 'Hallo. Was ist hier los?' }).click()
    await page.locator('walkon-chat .said').getByText("Hello. What's going on?").waitFor()
  })

  it('[embed-40] a reply that has streamed is in the accessibility tree once, after the learner’s message', async () => {
    const { chat, page } = await visit()
    await page.clock.install()
    await chat.open()
    const heard = await chat.listen()
    await chat.say('What did run 47 show?')
    const reply = await chat.log.locator('.speech .words').last().innerText()
    await expect.poll(heard).toContain(reply.slice(0, 30))
    // What was announced leaves the live regions after 15 seconds.
    await page.clock.fastForward(15_000)
    const regions = chat.panel.locator(':scope > [aria-live]')
    await expect.poll(async () => (await regions.allTextContents()).join('')).toBe('')
    const tree = await chat.panel.ariaSnapshot()
    // The name, the mood, the transcript with its two messages and the opening, and the composer.
    expect(tree.replaceAll(/text: [A-Z].*/g, 'text: …').replaceAll(/paragraph: .*/g, 'paragraph: …'))
      .toMatchInlineSnapshot(`
      "- dialog "Maya Patel":
        - banner:
          - heading "Maya Patel" [level=2]
          - paragraph: …
          - button "Menu"
          - button "Close"
          - paragraph: …
        - log "Transcript":
          - heading "The launch decision" [level=3]
          - paragraph: …
          - paragraph: …
          - paragraph: …
          - text: "Maya:"
          - paragraph: …
          - text: "You: What did run 47 show?"
          - paragraph: …
          - text: "Maya:"
          - paragraph: …
        - textbox "Message to Maya":
          - /placeholder: One thing at a time works best
        - button "Send""
    `)
  })
})
