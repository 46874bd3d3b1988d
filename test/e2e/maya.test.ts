import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import path from '../fixtures/maya-path.json' with { type: 'json' }
import { Chat, openPage, PHONE, connectBrowser, demoOf, type WatchedPage } from '../support/browser.ts'
import { mayaReplies } from '../support/maya-model.ts'
import { startModelServer } from '../support/model-server.ts'
import { SharedServer } from '../support/shared.ts'
import { startWorkerServer } from '../support/worker-server.ts'
import { IS_LONG } from '../support/runs.ts'

let browser: Browser
let server: SharedServer

beforeAll(async () => {
  browser = await connectBrowser()
  server = await SharedServer.open('plain')
})
afterAll(async () => {
  await browser.close()
})

describe('a learner talks with Maya on the served page', { timeout: 120_000 }, () => {
  it('[walk-27] [message-9] [embed-45] plays to the closing card with the rehearsal actor, on a desktop by keyboard alone', async () => {
    const watched = await openPage(browser)
    await watched.page.goto(demoOf(server.url))
    const chat = new Chat(watched.page)
    await chat.launcher.focus()
    await watched.page.keyboard.press('Enter')
    await chat.field.waitFor()
    expect(await chat.field.evaluate((field) => field.matches(':focus'))).toBe(true)
    await playPath(chat, (choice) => watched.page.keyboard.press(choice))
    await expectClosing(chat, watched)
    await watched.page.keyboard.press('Escape')
    await chat.panel.waitFor({ state: 'hidden' })
    expect(await chat.launcher.evaluate((button) => button.matches(':focus'))).toBe(true)
    await watched.context.close()
  })

  it.runIf(IS_LONG)(
    '[walk-27] [message-8] plays to the closing card on a phone, with a model whose bytes are split at hostile places',
    async () => {
      const model = await startModelServer(mayaReplies())
      const spoken = await startWorkerServer({
        configPath: 'wrangler.toml',
        vars: { OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'walkon-test' },
      })
      const watched = await openPage(browser, { viewport: PHONE, hasTouch: true, isMobile: true })
      await watched.page.goto(demoOf(spoken.url))
      const chat = new Chat(watched.page)
      await chat.launcher.tap()
      await chat.field.waitFor()
      await playPath(chat, (choice) =>
        chat.panel
          .locator('.card')
          .nth(Number(choice) - 1)
          .tap(),
      )
      await expectClosing(chat, watched)
      expect(await chat.log.innerText()).not.toMatch(/---|END|node_satisfied|�/)
      await watched.context.close()
      await spoken.stop()
      await model.close()
    },
  )

  it.runIf(IS_LONG)('[message-4] [message-5] loses nothing by a reload in the middle of a reply', async () => {
    const slow = await startWorkerServer({ configPath: 'wrangler.toml', vars: { WALKON_REHEARSAL_PACE_MS: '80' } })
    const watched = await openPage(browser)
    await watched.page.goto(demoOf(slow.url))
    const chat = new Chat(watched.page)
    await chat.open()
    await chat.type("Hi, what's going on?")
    await chat.log.locator('.said ~ .speech .words').first().waitFor()
    await watched.page.reload()
    await chat.open()
    const reply = chat.log.locator('.said ~ .speech[aria-busy="false"]')
    await reply.waitFor()
    const text = await chat.log.innerText()
    expect(text.match(/Hi, what's going on\?/g)).toHaveLength(1)
    expect(text.split(await reply.locator('.words').innerText())).toHaveLength(2)
    await watched.context.close()
    await slow.stop()
  })

  it.runIf(IS_LONG)('[message-9] goes on to the next colleague from the closing card, in the same panel', async () => {
    const watched = await openPage(browser)
    await watched.page.goto(demoOf(server.url))
    const chat = new Chat(watched.page)
    await chat.open()
    await playPath(chat, (choice) => watched.page.keyboard.press(choice))
    await chat.panel.getByRole('button', { name: 'Talk to Marcus' }).click()
    await chat.panel.getByText('Marcus', { exact: false }).first().waitFor()
    await chat.field.waitFor()
    // Waits for the complete reply. If a reply arrives after the panel was closed, the launcher shows the reply
    // instead.
    await chat.say('Hi Marcus, Maya sent me. What does the contract say?')
    await watched.page.keyboard.press('Escape')
    expect(await chat.launcher.innerText()).toBe('Talk to Marcus')
    expect(watched.complaints).toEqual([])
    await watched.context.close()
  })
})

async function playPath(chat: Chat, pick: (choice: string) => Promise<void>): Promise<void> {
  for (const step of path.turns) {
    await chat.say(step.learner)
    if (!step.choose) continue
    const cards = chat.panel.locator('.card')
    await cards.first().waitFor()
    await pick('1')
    await cards.first().waitFor({ state: 'detached' })
  }
}

async function expectClosing(chat: Chat, { complaints, page }: WatchedPage): Promise<void> {
  await chat.panel.getByRole('button', { name: 'Talk to Marcus' }).waitFor()
  const panel = await chat.panel.innerText()
  expect(panel).toMatch(/Learn what the test run really says/)
  expect(panel).toMatch(/23\.4%/)
  expect(await chat.field.count()).toBe(1)
  expect(complaints).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
}
