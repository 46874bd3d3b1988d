import { afterAll, describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { Chat, openPage, demoOf, type WatchedPage } from '../support/browser.ts'
import { streamed } from '../support/completion-stream.ts'
import { startHeldModel } from '../support/held-model.ts'
import { KillableServer } from '../support/killable-server.ts'
import { mayaReply } from '../support/maya-model.ts'
import { startMeddlingProxy } from '../support/meddling-proxy.ts'
import { startModelServer } from '../support/model-server.ts'
import { serveInBrowser } from '../support/serve.ts'
import { startWorkerServer } from '../support/worker-server.ts'
import { IS_LONG } from '../support/runs.ts'

const speaker = await startHeldModel()
const served = serveInBrowser(speaker.vars)
afterAll(() => speaker.close())

const HI = "Hi, what's going on?"

async function visit(url: string | URL = served.server.url): Promise<WatchedPage & { chat: Chat }> {
  const watched = await openPage(served.browser, { reducedMotion: 'reduce', bypassCSP: true })
  served.closeAfterwards(watched.context)
  await watched.page.goto(demoOf(url))
  return { ...watched, chat: new Chat(watched.page) }
}

describe('a reloaded page', () => {
  it('[embed-16] [embed-61] in the middle of a reply shows its beginning and then the rest, each word once', async () => {
    const { chat, page } = await visit()
    speaker.letSay('beginning')
    await chat.open()
    await chat.type(HI)
    await chat.log.getByText('Run 47 failed').waitFor()
    await page.reload()
    await chat.open()
    await chat.log.getByText('Run 47 failed').waitFor()
    expect(await whole(chat).count()).toBe(0)
    speaker.letSay('all')
    await whole(chat).waitFor()
    const words = await whole(chat).locator('.words').innerText()
    expect(words.match(/Run 47 failed/g)).toHaveLength(1)
    expect(words).toMatch(/than later\.$/)
  })
})

describe('a message that waits for a reply to end', () => {
  it.runIf(IS_LONG)('[embed-23] shows that it waits, however often it is retried meanwhile', async () => {
    const { chat, page } = await visit()
    speaker.letSay('beginning')
    let tries = 0
    page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => (tries += String(payload).includes('run 47') ? 1 : 0)),
    )
    await chat.open()
    await chat.type(HI)
    await chat.log.getByText('Run 47 failed').waitFor()
    await chat.type('So what did run 47 show?')
    const status = chat.log.locator('.said .status')
    await status.getByText('Waits for its turn').waitFor()
    await chat.log.evaluate((log) => {
      const read: string[] = []
      Object.assign(globalThis, { read })
      const note = () => read.push(log.querySelector('.said .status')?.textContent ?? '')
      new MutationObserver(note).observe(log, { childList: true, subtree: true, characterData: true })
    })
    await expect.poll(() => tries).toBeGreaterThan(2)
    speaker.letSay('all')
    await whole(chat).nth(1).waitFor()
    const read = await page.evaluate(() => (globalThis as unknown as { read: string[] }).read)
    expect(new Set(['Waits for its turn', ...read])).toEqual(new Set(['Waits for its turn', 'Sent']))
  })
})

describe('a tab that is duplicated', () => {
  it.runIf(IS_LONG)('[embed-71] with unsent messages sends none of them twice', async () => {
    const { chat, page, context } = await visit()
    speaker.letSay('beginning')
    await chat.open()
    await chat.type(HI)
    await chat.log.getByText('Run 47 failed').waitFor()
    // This message waits because a reply is running. Duplicating the tab also copies its unsent messages.
    await chat.type('So what did run 47 show?')
    await chat.log.getByText('Waits for its turn').waitFor()
    await chat.field.fill('And also')
    const opened = context.waitForEvent('page')
    await page.evaluate(() => void window.open(location.href))
    const other = new Chat(await opened)
    await other.open()
    await expect.poll(() => other.field.inputValue()).toBe('And also')
    speaker.letSay('all')
    for (const each of [chat, other]) await whole(each).nth(1).waitFor()
    for (const each of [chat, other]) expect(await said(each)).toEqual([HI, 'So what did run 47 show?'])
    await expect.poll(async () => (await other.log.innerText()) === (await chat.log.innerText())).toBe(true)
  })
})

describe('a service that is killed', () => {
  it.runIf(IS_LONG)(
    '[embed-21] [embed-66] and restarted has every message from before, during and after the failure once',
    async () => {
      const server = await KillableServer.start('test/conversations/context-worker.toml', {
        WALKON_REHEARSAL_PACE_MS: '20',
      })
      const proxy = await startMeddlingProxy(server.url, served.server.url)
      served.closeAfterwards(proxy, { close: () => server.stop() })
      const { chat } = await visit(proxy.url)
      await chat.open()
      await chat.say(HI)
      await server.kill()
      await chat.type('So what did run 47 show?')
      await chat.log.getByText('Not sent yet').waitFor()
      await chat.panel.locator('.banner').waitFor()
      await server.resume()
      // The widget goes on after two failed attempts, one of which took the full timeout of twenty seconds.
      await whole(chat).nth(1).waitFor({ timeout: 90_000 })
      await chat.panel.locator('.banner').waitFor({ state: 'detached' })
      await chat.say('And the medical part?')
      expect(await said(chat)).toEqual([HI, 'So what did run 47 show?', 'And the medical part?'])
      // wrangler starts twice, which takes time on a busy machine.
    },
    300_000,
  )
})

describe('a learner who is faster than the service lets them be', { timeout: 120_000 }, () => {
  it.runIf(IS_LONG)('[embed-23] [embed-44] [embed-63] sees a plain message without a button', async () => {
    const server = await startWorkerServer({
      configPath: 'wrangler.toml',
      vars: { WALKON_REHEARSAL_PACE_MS: '0', WALKON_TURNS_MINUTE: '1' },
    })
    served.closeAfterwards({ close: () => server.stop() })
    const { chat, context, page } = await visit(server.url)
    await chat.open()
    await chat.say(HI)
    await chat.type('So what did run 47 show?')
    await chat.log.getByText('That was quick. It goes out by itself in a moment.').waitFor()
    expect(await said(chat)).toEqual([HI, 'So what did run 47 show?'])
    // The widget holds back the next message for now.
    await chat.type('And the medical part?')
    await chat.log.getByText('Waits for its turn').waitFor()
    expect(await chat.log.getByText('Sending').count()).toBe(0)
    expect(await chat.log.getByText('Try again').count()).toBe(0)
    await context.setOffline(true)
    await chat.log.getByText('Not sent yet').first().waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await violations(page)).toEqual([])
    }
  })
})

describe('a conversation that has used up its limit', { timeout: 120_000 }, () => {
  it.runIf(IS_LONG)('[embed-24] offers a new conversation, which takes over the unsent message', async () => {
    const server = await startWorkerServer({
      configPath: 'wrangler.toml',
      vars: { WALKON_REHEARSAL_PACE_MS: '0', WALKON_TURNS_SESSION: '1' },
    })
    served.closeAfterwards({ close: () => server.stop() })
    const { chat } = await visit(server.url)
    await chat.open()
    await chat.say(HI)
    await chat.type('So what did run 47 show?')
    await chat.log.getByText('has grown too long').waitFor()
    expect(await chat.log.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await chat.log.getByRole('button', { name: 'Start a new conversation' }).click()
    await chat.log.getByText('This is a new one.').waitFor()
    expect(await said(chat)).toEqual(['So what did run 47 show?'])
    expect(await chat.log.innerText()).not.toContain('too long')
    await chat.log.getByRole('button', { name: 'Try again' }).click()
    await whole(chat).waitFor()
  })

  it.runIf(IS_LONG)('[embed-24] [embed-63] of today says so beside the reply that is retried', async () => {
    const model = await startModelServer(() => streamed([mayaReply('SURFACE', 0)]))
    const server = await startWorkerServer({
      configPath: 'wrangler.toml',
      vars: {
        OPENAI_BASE_URL: model.url,
        OPENAI_MODEL: 'walkon-test',
        WALKON_MONEY_DAY: '0.000001',
        WALKON_PRICE_INPUT: '1',
        WALKON_PRICE_OUTPUT: '1',
      },
    })
    served.closeAfterwards({ close: () => server.stop() }, model)
    const { chat } = await visit(server.url)
    await chat.open()
    await chat.type(HI)
    await chat.log.getByRole('button', { name: 'Try again' }).click()
    await chat.log.getByText("Maya didn't get to finish. Enough has been said here for today.").waitFor()
    await chat.type('And the medical part?')
    await chat.log.getByText('Your message is kept. Enough has been said here for today.').waitFor()
    expect(model.requests.all).toHaveLength(0)
  })
})

/** Finds the complete replies. The opening, which stands before the learner's first message, is none. */
function whole(chat: Chat) {
  return chat.log.locator('.said ~ .speech[aria-busy="false"]')
}

function said(chat: Chat): Promise<string[]> {
  return chat.log.locator('.said > [dir]').allInnerTexts()
}
