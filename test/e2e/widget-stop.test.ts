import { afterAll, describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { Chat, openPage, PHONE, demoOf, stopClock, type WatchedPage } from '../support/browser.ts'
import { startHeldModel } from '../support/held-model.ts'
import { serveInBrowser } from '../support/serve.ts'
import { IS_LONG } from '../support/runs.ts'

/** A model whose replies do not end in these tests unless a test allows it. */
const speaker = await startHeldModel()
const served = serveInBrowser(speaker.vars)
afterAll(() => speaker.close())

const HI = "Hi, what's going on?"

type Visit = WatchedPage & { readonly chat: Chat }

async function visit(options: Parameters<typeof openPage>[1] = {}): Promise<Visit> {
  speaker.letSay('beginning')
  const watched = await openPage(served.browser, { reducedMotion: 'reduce', bypassCSP: true, ...options })
  served.closeAfterwards(watched.context)
  await watched.page.goto(demoOf(served.server.url))
  return { ...watched, chat: new Chat(watched.page) }
}

describe('a reply that the learner stops', () => {
  it('[embed-39] [embed-46] by keyboard keeps its text with a mark, is announced once, and the learner may go on', async () => {
    const { chat, page } = await visit()
    await chat.open()
    await chat.type(HI)
    // The test waits for the second speech, which is the reply. The first speech is the opening, and the opening has
    // the same words as the reply here.
    await chat.log.locator('.speech .words').nth(1).getByText('Run 47 failed').waitFor()
    expect(await violations(page)).toEqual([])
    await chat.panel.evaluate((panel) => {
      const heard: string[] = []
      Object.assign(globalThis, { heard })
      const note = () =>
        heard.push(...Array.from(panel.querySelectorAll(':scope > [aria-live]'), (each) => each.textContent))
      new MutationObserver(note).observe(panel, { childList: true, subtree: true, characterData: true })
    })
    await page.keyboard.press('Tab')
    expect(await stop(chat).evaluate((button) => button.matches(':focus'))).toBe(true)
    // Within 600 ms of sending, a press counts as a double press and stops nothing.
    const sent = await page.evaluate(() => Date.now())
    await expect.poll(() => page.evaluate(() => Date.now())).toBeGreaterThan(sent + 600)
    await page.keyboard.press('Enter')
    await chat.log.getByText('You stopped Maya here.').waitFor()
    const words = await chat.log.locator('.speech .words').nth(1).innerText()
    expect(words).toMatch(/^Run 47/)
    expect(words).not.toContain('later')
    const heard = () =>
      page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard.filter((each) => each.includes(':')))
    await expect.poll(async () => (await heard()).join()).toContain('You stopped Maya here.')
    const told = new Set((await heard()).map((each) => each.replace('Maya is replying ', '')))
    // The screen shows printed apostrophes; the announcement has those of the reply.
    expect([...told]).toEqual([`Maya: ${words.replaceAll('’', "'")} You stopped Maya here.`])
    expect(await chat.field.evaluate((field) => field.matches(':focus'))).toBe(true)
    expect(await violations(page)).toEqual([])
    await page.keyboard.type('And run 47?')
    await page.keyboard.press('Enter')
    await chat.log.locator('.speech').nth(2).waitFor()
    await page.reload()
    await chat.open()
    await chat.log.getByText('You stopped Maya here.').waitFor()
    expect(await chat.log.locator('.speech .words').nth(1).innerText()).toBe(words)
  })

  it.runIf(IS_LONG)('[embed-39] by touch can be stopped before its first word', async () => {
    const { chat, page } = await visit({ viewport: PHONE, hasTouch: true, isMobile: true })
    speaker.letSay('nothing')
    let cancels = 0
    page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => (cancels += String(payload).includes('"cancel"') ? 1 : 0)),
    )
    await page.clock.install()
    await chat.launcher.tap()
    await chat.field.fill(HI)
    await chat.panel.getByRole('button', { name: 'Send' }).tap()
    await chat.log.getByText('Maya is replying').waitFor()
    // If the second tap came at once, the page would count it as part of the tap on Send.
    await page.clock.fastForward(700)
    await stop(chat).tap()
    await chat.log.getByText('You stopped Maya here.').waitFor()
    expect(cancels).toBe(1)
    expect(await stop(chat).count()).toBe(0)
    expect(await chat.log.locator('.speech').count()).toBeLessThan(2)
  })

  it.runIf(IS_LONG)(
    '[embed-47] can be stopped from the transcript once its first word has taken 20 seconds, which is announced once',
    async () => {
      const { chat, page } = await visit()
      speaker.letSay('nothing')
      await chat.open()
      await chat.panel.getByRole('heading', { name: 'Maya Patel' }).waitFor()
      const note = 'Still thinking. You can stop and ask again.'
      await chat.panel.evaluate((panel, words) => {
        let times = 0
        let isSaid = false
        const count = () => {
          const regions = Array.from(panel.querySelectorAll(':scope > [aria-live]'), (each) => each.textContent)
          const isNow = regions.some((said) => said.includes(words))
          times += isNow && !isSaid ? 1 : 0
          isSaid = isNow
          Object.assign(globalThis, { times })
        }
        new MutationObserver(count).observe(panel, { childList: true, subtree: true, characterData: true })
      }, note)
      await page.clock.install()
      await chat.type(HI)
      await chat.log.getByText('Maya is replying').waitFor()
      await chat.field.fill('A draft hides the button of the composer')
      await page.clock.fastForward(19_000)
      expect(await chat.log.getByText(note).count()).toBe(0)
      await page.clock.fastForward(1_000)
      await chat.log.getByText(note).waitFor()
      await page.clock.fastForward(2_000)
      expect(await violations(page)).toEqual([])
      await chat.log.getByRole('button', { name: 'Stop Maya' }).click()
      await chat.log.getByText('You stopped Maya here.').waitFor()
      expect(await chat.log.getByText(note).count()).toBe(0)
      expect(await page.evaluate(() => (globalThis as unknown as { times: number }).times)).toBe(1)
    },
  )

  it.runIf(IS_LONG)(
    '[embed-39] is not stopped by sending twice or by Enter, empty or with text, and nothing shifts',
    async () => {
      const { chat, page } = await visit()
      speaker.letSay('nothing')
      await chat.open()
      // The page shows the colleague's name after the hello. So the connection is open. A connection that is still
      // opening when the clock stops would not open any more.
      await chat.panel.getByRole('heading', { name: 'Maya Patel' }).waitFor()
      await chat.field.fill(HI)
      const button = chat.panel.locator('.send')
      const before = await button.boundingBox()
      await page.clock.install()
      await stopClock(page)
      await button.click()
      await stop(chat).waitFor()
      await page.clock.runFor(500)
      await button.click()
      await page.clock.resume()
      expect(await button.boundingBox()).toEqual(before)
      await chat.field.press('Enter')
      await chat.field.fill('And')
      await chat.panel.getByRole('button', { name: 'Send' }).waitFor()
      await chat.field.fill('')
      await stop(chat).waitFor()
      speaker.letSay('beginning')
      await chat.log.getByText('Run 47 failed').waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(() => chat.panel.count()).toBe(0)
      await chat.open()
      await stop(chat).waitFor()
    },
  )

  it.runIf(IS_LONG)(
    '[embed-39] is stopped once by a double click, although a waiting message begins another reply at once',
    async () => {
      const { chat, page } = await visit()
      await page.clock.install()
      await chat.open()
      await chat.type(HI)
      await chat.log.getByText('Run 47 failed').waitFor()
      await chat.type('And run 47?')
      await chat.log.getByText('Waits for its turn').waitFor()
      await page.clock.fastForward(700)
      // The test lets the next reply begin before it presses the button the second time, as may happen on a fast
      // connection.
      await stopClock(page)
      speaker.letSay('nothing')
      await stop(chat).click()
      await chat.log.locator('.speech').nth(2).waitFor()
      await stop(chat).click()
      await page.clock.resume()
      speaker.letSay('beginning')
      await chat.log.locator('.speech').nth(2).getByText('Run 47 failed').waitFor()
      expect(await chat.log.getByText('You stopped Maya here.').count()).toBe(1)
      await page.clock.fastForward(700)
      await stop(chat).click()
      await expect.poll(() => chat.log.getByText('You stopped Maya here.').count()).toBe(2)
    },
  )

  it.runIf(IS_LONG)('[embed-39] during a lost connection is stopped when the connection is back', async () => {
    const { chat, context, page } = await visit()
    await page.clock.install()
    await chat.open()
    await chat.type(HI)
    await chat.log.getByText('Run 47 failed').waitFor()
    await context.setOffline(true)
    await chat.panel.locator('.banner').waitFor()
    // If this press came at once, the page would count it as part of the press on Send.
    await page.clock.fastForward(700)
    await stop(chat).click()
    await context.setOffline(false)
    await chat.log.getByText('You stopped Maya here.').waitFor()
    expect(await chat.log.innerText()).not.toContain('later')
  })

  it.runIf(IS_LONG)('[embed-39] in one tab is shown as stopped in the other too', async () => {
    const { chat, context } = await visit()
    await chat.open()
    await chat.type(HI)
    await chat.log.getByText('Run 47 failed').waitFor()
    const other = await context.newPage()
    await other.goto(demoOf(served.server.url))
    await new Chat(other).open()
    await stop(new Chat(other)).click()
    for (const each of [chat, new Chat(other)]) await each.log.getByText('You stopped Maya here.').waitFor()
    await expect.poll(async () => (await new Chat(other).log.innerText()) === (await chat.log.innerText())).toBe(true)
  })
})

function stop(chat: Chat) {
  return chat.panel.getByRole('button', { name: 'Stop Maya' })
}
