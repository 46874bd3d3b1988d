import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import path from '../fixtures/maya-path.json' with { type: 'json' }
import { Chat, openPage, PHONE, stopClock, type WatchedPage } from '../support/browser.ts'
import { serveInBrowser } from '../support/serve.ts'
import { IS_LONG, variants } from '../support/runs.ts'

const served = serveInBrowser()

/**
 * The widget collects announcements for a moment before it makes them. This time in milliseconds is longer than that
 * moment.
 */
const ANNOUNCED_MS = 500

type Visit = WatchedPage & { readonly chat: Chat }

/** A phone whose keyboard is open. */
const SHORT = { width: 390, height: 500 }

/**
 * Opens a third-party page that stores the ids of all received commands across reloads. With `offers`, every reply that
 * comes to the page offers these texts.
 */
async function visit(
  options: Parameters<typeof openPage>[1] = {},
  attributes = '',
  offers: readonly string[] = [],
): Promise<Visit> {
  const url = await served.site.put(`<h1>A shop</h1><script>
      (window.Walkon ??= []).push(['on', 'command', ({ id }) => {
        sessionStorage.heard = JSON.stringify([...JSON.parse(sessionStorage.heard ?? '[]'), id])
      }])
    </script>
    <script src="${served.server.url.href}embed.js" data-scenario="launch-decision" data-npc="maya" ${attributes}></script>`)
  const watched = await openPage(served.browser, { reducedMotion: 'reduce', ...options })
  served.closeAfterwards(watched.context)
  if (offers.length > 0)
    await watched.page.routeWebSocket(/socket\.io/, (page) => {
      const service = page.connectToServer()
      service.onMessage((frame) => {
        const withoutOwn = String(frame).replaceAll(/,"offers":\[[^\]]*\]/g, '')
        page.send(withoutOwn.replaceAll('"type":"turn",', `"type":"turn","offers":${JSON.stringify(offers)},`))
      })
    })
  await watched.page.goto(url)
  return { ...watched, chat: new Chat(watched.page) }
}

describe('a reload', () => {
  it('[embed-10] [embed-42] [embed-71] at an open fork restores its cards and the draft, and repeats no command and no announcement', async () => {
    const { chat, page } = await visit({ viewport: SHORT }, '', ['The sample', 'How it was marked'])
    await chat.open()
    await play(chat, page, 3)
    await chat.field.fill('Well')
    const before = await commands(page)
    await reloadOutOfTime(page)
    await chat.open()
    await cards(chat).nth(2).waitFor()
    // The last reply asks the fork's question. The cards repeat the question only for screen readers.
    const reply = chat.log.locator('.speech').last()
    await expect.poll(() => isOnTop(reply)).toBe(true)
    const question = (await chat.panel.locator('.pivot').getByRole('heading').textContent()) ?? 'no question'
    expect(await reply.textContent()).toContain(question)
    expect(await chat.log.locator('.chips').count()).toBe(0)
    expect((await chat.panel.locator('.pivot h3').boundingBox())?.height).toBeLessThan(2)
    await expect.poll(() => chat.field.inputValue()).toBe('Well')
    expect(await commands(page)).toEqual(before)
    await page.clock.runFor(ANNOUNCED_MS)
    expect(await announcements(chat)).toBe('')
    await page.clock.resume()
    await chat.field.press('2')
    await expect.poll(() => chat.field.inputValue()).toBe('Well2')
    await chat.field.fill('')
    await chat.field.press('2')
    await cards(chat).first().waitFor({ state: 'detached' })
    expect(await focused(chat.field)).toBe(true)
  })

  it('[embed-42] folds the cards of a fork to one line once the learner has written something else', async () => {
    const { chat, page } = await visit({ viewport: PHONE })
    await chat.open()
    await play(chat, page, 3)
    const line = chat.panel.locator('.pivot summary')
    const isFolded = () => cards(chat).first().isHidden()
    expect(await isFolded()).toBe(false)
    await chat.say('What time is it with you?')
    await expect.poll(isFolded).toBe(true)
    expect(await line.innerText()).toMatch(/^Maya wants an answer\s+Do you want the number/)
    expect((await line.boundingBox())?.height).toBeLessThan(45)
    await page.reload()
    await chat.open()
    await line.waitFor()
    expect(await isFolded()).toBe(true)
    // A digit picks no card that is not shown.
    await chat.field.press('2')
    expect(await chat.field.inputValue()).toBe('2')
    await chat.field.fill('')
    await line.press('Enter')
    await expect.poll(isFolded).toBe(false)
    expect(await chat.panel.locator('.pivot').getByRole('heading').isVisible()).toBe(true)
    await line.press('2')
    await line.waitFor({ state: 'detached' })
  })

  it.runIf(IS_LONG)(
    '[embed-10] [embed-45] at the end shows the document and the next colleague, with the focus in the composer',
    async () => {
      const { chat, page } = await visit()
      await chat.open()
      await play(chat, page)
      const next = chat.panel.getByRole('button', { name: 'Talk to Marcus' })
      await next.waitFor()
      expect(await commands(page)).toHaveLength(4)
      await reloadOutOfTime(page)
      await chat.open()
      await next.waitFor()
      await expect.poll(() => focused(chat.field)).toBe(true)
      expect(await chat.log.getByRole('article').count()).toBe(1)
      expect(await commands(page)).toHaveLength(4)
      await page.clock.runFor(ANNOUNCED_MS)
      expect(await announcements(chat)).toBe('')
      await page.clock.resume()
      await next.press('Enter')
      await chat.panel.getByRole('heading', { name: 'Marcus Bell' }).waitFor()
      expect(await focused(chat.field)).toBe(true)
      await expect.poll(() => announcements(chat)).toMatch(/^Marcus Bell, Client delivery lead\. /)
    },
  )

  it('[embed-38] [embed-49] after a goodbye the reply stays in view, the colleague can be asked again, and the goodbye can be taken back', async () => {
    const { chat, page } = await visit({ viewport: PHONE })
    await chat.open()
    await chat.say('I have to go. Goodbye, Maya.')
    const next = chat.panel.getByRole('button', { name: 'Talk to Marcus' })
    const over = chat.panel.getByText('You can still ask Maya.')
    const back = chat.panel.getByRole('button', { name: 'Wait, one more thing' })
    await over.waitFor()
    expect(await focused(chat.field)).toBe(true)
    await chat.log.getByRole('article').waitFor()
    await expect.poll(() => isOnTop(chat.log.locator('.speech').last())).toBe(true)
    // The shop's page has no landmarks, so the findings of axe about regions do not count.
    expect((await violations(page)).filter((each) => !each.startsWith('region'))).toEqual([])
    await chat.say('How long does a full medical run take?')
    await chat.log.getByText('A proper medical run is 4 working days').waitFor()
    expect(await next.isVisible()).toBe(true)
    await page.reload()
    await chat.open()
    await back.click()
    expect(await focused(chat.field)).toBe(true)
    expect(await over.count()).toBe(0)
    await chat.say('Where does it make things up?')
    expect(await next.count()).toBe(0)
    await page.reload()
    await chat.open()
    await chat.log.getByText('Where does it make things up?').waitFor()
    expect(await next.count()).toBe(0)
    await chat.say('Goodbye, Maya.')
    await next.waitFor()
    expect(await chat.log.getByRole('article').count()).toBe(1)
    expect(await commands(page)).toEqual(['AI_HandOverDocument', 'AI_EndConversation', 'AI_EndConversation:2'])
  })

  it.runIf(IS_LONG)(
    '[embed-16] [embed-24] of an unknown session starts over, says so, and keeps the text',
    async () => {
      const { chat, page } = await visit()
      await chat.open()
      await chat.panel.getByRole('heading', { name: 'Maya Patel' }).waitFor()
      await page.evaluate((id) => {
        for (const key of Object.keys(localStorage)) {
          localStorage[key] = JSON.stringify({ id, epoch: 'x', seen: 3 })
          sessionStorage[key] = JSON.stringify({ draft: 'Half a', says: [{ cid: 'c1', text: 'Kept words.' }] })
        }
      }, 'f'.repeat(64))
      await page.reload()
      await chat.open()
      await chat.log.getByText('This is a new one.').waitFor()
      await chat.log.getByText('Kept words.').waitFor()
      await expect.poll(() => chat.field.inputValue()).toBe('Half a')
      await chat.panel.getByRole('button', { name: 'Edit' }).click()
      await expect.poll(() => chat.field.inputValue()).toBe('Kept words.\nHalf a')
      await page.reload()
      await chat.open()
      await expect.poll(() => chat.field.inputValue()).toBe('Kept words.\nHalf a')
    },
  )
})

describe('the layout', () => {
  it.runIf(IS_LONG).each(
    variants([
      { width: 640, height: 400 },
      { width: 844, height: 390 },
      { width: 320, height: 256 },
    ]),
  )('keeps the name, Close and the composer in view in $width by $height px', async (viewport) => {
    const { chat, page } = await visit({ viewport })
    await chat.open()
    const parts = [
      chat.panel.getByRole('heading', { name: 'Maya Patel' }),
      chat.panel.getByRole('button', { name: 'Close' }),
      chat.field,
      chat.panel.locator('.send'),
    ]
    const seen = () => Promise.all(parts.map(isOnTop))
    await expect.poll(seen).toEqual(parts.map(() => true))
    await play(chat, page, 3)
    await cards(chat).first().waitFor()
    // All parts are visible when the panel is scrolled to the end, where the cards are, and to the beginning.
    await expect.poll(seen).toEqual(parts.map(() => true))
    await chat.panel.evaluate((panel) => panel.scrollTo(0, 0))
    await expect.poll(seen).toEqual(parts.map(() => true))
  })
})

describe('ready-made messages', () => {
  it('[embed-41] are the openers, and then what the last reply offers, each until the learner has sent something', async () => {
    const { chat, page } = await visit({}, '', ['The sample', 'How it was marked'])
    const chips = chat.log.locator('.chips').getByRole('button')
    const shown = () => chips.allTextContents()
    await chat.open()
    await expect.poll(shown).toEqual(['Hello. What’s going on?', 'What should I know?'])
    const heard = await chat.listen()
    await chat.field.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await chat.log.getByRole('group', { name: 'You can say' }).waitFor()
    expect(await chat.log.locator('.said > [dir]').allTextContents()).toEqual(['What should I know?'])
    expect(await shown()).toEqual(['The sample', 'How it was marked'])
    // On a busy machine the words that Maya is still writing come first, in the same announcement.
    await expect.poll(heard).toMatch(/Maya: [^]*You can say: The sample; How it was marked\.$/m)
    expect((await violations(page)).filter((each) => !each.startsWith('region'))).toEqual([])
    expect(await focused(chat.field)).toBe(true)
    await chips.first().click()
    await expect.poll(() => chat.log.locator('.said').count()).toBe(2)
    await expect.poll(shown).toEqual(['The sample', 'How it was marked'])
    expect(await focused(chat.field)).toBe(true)
    // Only the last message shows that it was sent.
    expect(await chat.log.getByText('Sent', { exact: true }).filter({ visible: true }).count()).toBe(1)
    await page.reload()
    await chat.open()
    await expect.poll(shown).toEqual(['The sample', 'How it was marked'])
  })
})

describe('a message that is too long', () => {
  it.runIf(IS_LONG)(
    '[embed-29] stays complete in the composer, says by how much it is too long, and can be sent when shorter',
    async () => {
      const { chat, page } = await visit()
      await chat.open()
      await chat.field.focus()
      await page.keyboard.insertText('word '.repeat(999) + 'words')
      await chat.panel.getByText('over 2,000 characters by 3000.').first().waitFor()
      expect(await chat.field.getAttribute('aria-invalid')).toBe('true')
      await chat.field.press('Enter')
      await expect.poll(() => chat.field.inputValue()).toHaveLength(5000)
      expect(await chat.log.locator('.said').count()).toBe(0)
      await page.reload()
      await chat.open()
      await expect.poll(() => chat.field.inputValue()).toHaveLength(5000)
      await chat.panel.getByText('over 2,000 characters by 3000.').first().waitFor()
      await chat.say('é'.repeat(2000))
      await expect.poll(() => chat.field.inputValue()).toBe('')
      expect(await chat.field.getAttribute('aria-invalid')).toBe('false')
    },
  )
})

describe('the page’s own text', () => {
  it.runIf(IS_LONG)(
    '[embed-65] is sent with every message in its current form, cut to the service’s limit, and is not stored',
    async () => {
      const { chat, page } = await visit({}, 'data-page="The shelf"')
      const told: unknown[] = []
      page.on('websocket', (socket) =>
        socket.on('framesent', ({ payload }) => {
          const [, body] = /^42\d+(\["say".*)$/s.exec(String(payload)) ?? []
          if (body) told.push((JSON.parse(body) as [string, { page?: string }])[1].page)
        }),
      )
      const tell = (text: string) =>
        page.evaluate(
          (about) => (globalThis as unknown as { Walkon: { setPage(text: string): void } }).Walkon.setPage(about),
          text,
        )
      await chat.open()
      await chat.say("Hi, what's going on?")
      await tell('w'.repeat(200_000))
      await chat.say('So what did run 47 show?')
      await tell('')
      await chat.say('And the medical part?')
      expect(told).toEqual(['The shelf', 'w'.repeat(2_000), undefined])
      const kept = await page.evaluate(() =>
        [localStorage, sessionStorage].flatMap((area) => Object.values(area)).join(),
      )
      expect(kept).not.toMatch(/shelf|www/)
    },
  )
})

describe('the scroll position of the transcript', () => {
  it.runIf(IS_LONG).each([
    ['a desktop', { viewport: { width: 1280, height: 800 } }],
    ['a phone on its side', { viewport: { width: 844, height: 390 } }],
    ['a page at 400 %', { viewport: { width: 320, height: 256 } }],
  ])('[embed-38] is the end, with the last message and the next step in view, on %s', async (_, options) => {
    const { chat, page } = await visit(options)
    await chat.open()
    for (const [index, step] of path.turns.slice(0, 3).entries()) {
      await chat.say(step.learner)
      await expect.poll(() => inView(chat.field), { message: `after turn ${index + 1}` }).toBe(true)
    }
    await cards(chat).last().waitFor()
    await expect.poll(() => inView(cards(chat).last())).toBe(true)
    expect(await chat.panel.getByRole('button', { name: 'New messages' }).count()).toBe(0)
    // Wherever the panel is scrolled, it shows no empty space below its content.
    expect(
      await chat.panel.evaluate(
        (panel) => panel.scrollHeight - (panel.firstElementChild?.firstElementChild?.clientHeight ?? 0),
      ),
    ).toBeLessThan(4)
    await page.keyboard.press('1')
    await cards(chat).first().waitFor({ state: 'detached' })
    await expect.poll(() => inView(chat.field)).toBe(true)
  })

  it.runIf(IS_LONG)('[embed-38] stays where the learner has scrolled to, with a button that leads down', async () => {
    const { chat, page } = await visit({ viewport: { width: 390, height: 500 } })
    await chat.open()
    await play(chat, page, 3)
    await page.keyboard.press('1')
    await cards(chat).first().waitFor({ state: 'detached' })
    await chat.log.hover()
    const top = () => chat.log.evaluate((log) => log.scrollTop)
    const fromEnd = () => chat.log.evaluate((log) => log.scrollHeight - log.clientHeight - log.scrollTop)
    await page.mouse.wheel(0, -400)
    // Waits until the scroll is complete, because a browser may scroll smoothly.
    await expect.poll(fromEnd).toBe(400)
    const before = await top()
    // A message from another tab does not scroll the log of this tab.
    const other = await chat.page.context().newPage()
    await other.goto(page.url())
    await new Chat(other).open()
    await new Chat(other).say('And from the other tab?')
    await chat.panel.getByRole('button', { name: 'New messages' }).waitFor()
    expect(await top()).toBe(before)
    await chat.panel.getByRole('button', { name: 'New messages' }).click()
    expect(await focused(chat.log)).toBe(true)
  })

  it.runIf(IS_LONG)(
    '[embed-1] [embed-45] is in a panel that fills a phone, whichever corner the launcher has',
    async () => {
      const { chat } = await visit({ viewport: PHONE }, 'data-position="start"')
      await chat.open()
      expect(await chat.panel.boundingBox()).toMatchObject({ x: 0, width: PHONE.width })
    },
  )
})

/**
 * Reloads the page with the clock stopped. With a running clock, the widget would announce a connection that takes more
 * than two seconds, and on a busy machine a connection may take so long.
 */
async function reloadOutOfTime(page: Visit['page']): Promise<void> {
  await page.clock.install()
  await stopClock(page)
  await page.reload()
}

async function play(chat: Chat, page: Visit['page'], turns = path.turns.length): Promise<void> {
  for (const [index, step] of path.turns.slice(0, turns).entries()) {
    await chat.say(step.learner)
    if (!step.choose) continue
    await cards(chat).first().waitFor()
    if (index + 1 === turns) return
    await page.keyboard.press('1')
    await cards(chat).first().waitFor({ state: 'detached' })
  }
}

function cards(chat: Chat): Locator {
  return chat.panel.locator('.card')
}

function focused(element: Locator): Promise<boolean> {
  return element.evaluate((each) => each.matches(':focus'))
}

function inView(element: Locator): Promise<boolean> {
  return element.evaluate((each) => {
    const { top, bottom } = each.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })
}

async function announcements(chat: Chat): Promise<string> {
  return (await chat.panel.locator('> [aria-live]').allTextContents()).join('')
}

function commands(page: Visit['page']): Promise<string[]> {
  return page.evaluate(() => JSON.parse(sessionStorage['heard'] ?? '[]') as string[])
}

/** Returns whether a person can click the middle of an element: the element is on the screen and not covered. */
function isOnTop(part: Locator): Promise<boolean> {
  return part.evaluate((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
    const root = element.getRootNode() as ShadowRoot
    const hit = root.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    return isInside && hit !== null && element.contains(hit)
  })
}
