import { describe, expect, it } from 'vitest'
import { streamed } from '../support/completion-stream.ts'
import { Chat, openPage, demoOf, stopClock, type WatchedPage } from '../support/browser.ts'
import { mayaReply } from '../support/maya-model.ts'
import { answer } from '../support/model-steps.ts'
import { startModelServer } from '../support/model-server.ts'
import { serveInBrowser } from '../support/serve.ts'
import { startWorkerServer } from '../support/worker-server.ts'
import { IS_LONG } from '../support/runs.ts'

const served = serveInBrowser('paced')

const HI = "Hi, what's going on?"
/**
 * The widget collects announcements for a moment before it makes them. This time in milliseconds is longer than that
 * moment.
 */
const ANNOUNCED_MS = 500

async function visit(url: URL = served.server.url): Promise<WatchedPage & { chat: Chat }> {
  const watched = await openPage(served.browser)
  served.closeAfterwards(watched.context)
  await watched.page.goto(demoOf(url))
  return { ...watched, chat: new Chat(watched.page) }
}

describe('a connection that breaks', { timeout: 120_000 }, () => {
  it('[embed-21] [embed-46] loses no message written offline: it is shown, announced and sent once when the network is back', async () => {
    const { chat, context, page } = await visit()
    await page.clock.install()
    // The test stops the clock. With a running clock, the widget would announce a reconnect that takes more than two
    // seconds, and on a busy machine a reconnect may take so long.
    await stopClock(page)
    await chat.open()
    const heard = await chat.listen()
    await chat.say(HI)
    await context.setOffline(true)
    await chat.panel.locator('.banner').getByText("You're offline").waitFor()
    await page.clock.runFor(ANNOUNCED_MS)
    await expect.poll(heard).toContain("You're offline")
    await chat.type('So what did run 47 show?')
    await chat.type('And the medical part?')
    await expect.poll(() => chat.log.getByText('Not sent yet').count()).toBe(2)
    await context.setOffline(false)
    await expect.poll(() => page.evaluate(() => fetch('/').then(Boolean, () => false))).toBe(true)
    // If the first attempt came before the network was back, the widget makes a second attempt.
    await page.clock.runFor(1_500)
    await whole(chat).nth(2).waitFor()
    await page.clock.runFor(ANNOUNCED_MS)
    await expect.poll(heard).toContain("You're connected again.")
    expect(await heard()).not.toContain('Reconnecting')
    expect(await chat.panel.locator('.banner').count()).toBe(0)
    expect(await said(chat)).toEqual([HI, 'So what did run 47 show?', 'And the medical part?'])
  })

  it.runIf(IS_LONG)(
    '[embed-14] [embed-16] in the middle of a reply shows the complete reply once when it is back',
    async () => {
      const { chat, context } = await visit()
      await chat.open()
      await chat.type(HI)
      await reply(chat).waitFor()
      await context.setOffline(true)
      await chat.panel.locator('.banner').waitFor()
      await context.setOffline(false)
      await whole(chat).waitFor()
      const [first = ''] = (await whole(chat).innerText()).split('. ')
      expect((await chat.log.innerText()).split(first)).toHaveLength(2)
    },
  )

  it.runIf(IS_LONG)(
    '[embed-21] [embed-20] two tabs that send at the same time show the same conversation, each message once',
    async () => {
      const { chat, context } = await visit()
      await chat.open()
      await chat.say(HI)
      const page = await context.newPage()
      await page.goto(demoOf(served.server.url))
      const other = new Chat(page)
      await other.open()
      await whole(other).waitFor()
      await Promise.all([chat.type('From the first.'), other.type('From the second.')])
      for (const each of [chat, other]) await whole(each).nth(2).waitFor()
      expect((await said(chat)).toSorted()).toEqual(['From the first.', 'From the second.', HI])
      await expect.poll(async () => (await other.log.innerText()) === (await chat.log.innerText())).toBe(true)
    },
  )
})

describe('a colleague whose reply fails', { timeout: 120_000 }, () => {
  it.runIf(IS_LONG)(
    '[embed-24] can be asked again with one click after each failure, and each failure is announced once',
    async () => {
      let works = false
      const model = await startModelServer(() =>
        works ? streamed([mayaReply('SURFACE', 0)]) : answer(400, { 'content-type': 'application/json' }, '{}'),
      )
      const spoken = await startWorkerServer({
        configPath: 'wrangler.toml',
        vars: { OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'walkon-test' },
      })
      served.closeAfterwards({ close: () => spoken.stop() }, model)
      const { chat, page } = await visit(spoken.url)
      const again = chat.panel.getByRole('button', { name: 'Try again' })
      await chat.open()
      const heard = await chat.listen()
      await chat.type(HI)
      await again.waitFor()
      await expect.poll(heard).toMatch(/Maya: .+ Maya didn't get to finish\.$/)
      for (const attempt of [2, 3]) {
        await again.click()
        // Waits for the announcement. Before the announcement, the button belongs to the earlier attempt, and a press
        // does nothing.
        await expect.poll(async () => (await heard()).match(/didn't get to finish\.$/gm)?.length).toBe(attempt)
        expect(model.requests.all).toHaveLength(attempt)
      }
      works = true
      await again.focus()
      await page.keyboard.press('Enter')
      await chat.log.getByText('run 47').waitFor()
      expect(await again.count()).toBe(0)
      expect(await chat.field.evaluate((field) => field.matches(':focus'))).toBe(true)
      expect(await said(chat)).toEqual([HI])
    },
  )
})

/** Finds the beginning of the reply to the first message. The opening stands before that message. */
function reply(chat: Chat) {
  return chat.log.locator('.said ~ .speech .words').first()
}

function whole(chat: Chat) {
  return chat.log.locator('.said ~ .speech[aria-busy="false"]')
}

function said(chat: Chat): Promise<string[]> {
  return chat.log.locator('.said > [dir]').allInnerTexts()
}
