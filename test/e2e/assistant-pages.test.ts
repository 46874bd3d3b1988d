import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ToldRecord } from '../../worker/session/assistant/assistant-record.ts'
import { openPage } from '../support/browser.ts'
import { serveInBrowser } from '../support/serve.ts'
import { IS_LONG } from '../support/runs.ts'

const SECRET = 'w7Kd2RzQm5XcT9vLs4Hn8YbJf3GpUe6a'
const served = serveInBrowser({ WALKON_ADMIN_SECRET: SECRET, WALKON_REHEARSAL_PACE_MS: '0' })

type Sent = readonly [name: string, body: Record<string, unknown>]

/** Opens the chat beside the editor. `sent` and `got` are the messages of its socket, and `session` its session. */
async function visit() {
  const { page, context } = await openPage(served.browser, { reducedMotion: 'reduce', bypassCSP: true })
  served.closeAfterwards(context)
  const [sent, got]: [Sent[], Sent[]] = [[], []]
  page.on('websocket', (socket) => {
    const keep = (list: Sent[]) => (frame: { payload: string | Buffer }) => {
      const text = String(frame.payload)
      if (/^42\d*\[/.test(text)) list.push(JSON.parse(text.replace(/^42\d*/, '')) as Sent)
    }
    socket.on('framesent', keep(sent))
    socket.on('framereceived', keep(got))
  })
  await page.goto(new URL('embed/editor', served.server.url).href)
  await page.locator('walkon-chat').getByRole('button').first().click()
  await replies(page).first().waitFor()
  const hello = got.find(([name]) => name === 'hello')?.[1] as { conversation: { session: string } }
  return { page, sent, got, session: hello.conversation.session }
}

const replies = (page: Page) => page.locator('walkon-chat .speech[aria-busy="false"]')

async function ask(page: Page, text: string): Promise<void> {
  const before = await replies(page).count()
  const field = page.locator('walkon-chat').getByRole('textbox')
  await field.fill(text)
  await field.press('Enter')
  await replies(page).nth(before).waitFor()
}

async function toldTo(session: string): Promise<readonly ToldRecord[]> {
  const response = await served.server.fetch(`api/admin/sessions/${session}/told`, {
    headers: { Authorization: `Bearer ${SECRET}` },
  })
  return ((await response.json()) as { told: readonly ToldRecord[] }).told
}

/** The parts of what an agent was told that describe the page, and all others. */
const PAGE = ['active_editor', 'active_pipeline'].map((part) => `shared_memory.${part}`)
const partsOf = ({ because }: ToldRecord) => because.map(({ part }) => part).toSorted()
const others = (record: ToldRecord) => partsOf(record).filter((part) => !PAGE.includes(part))

describe('what the page shows', () => {
  it.runIf(IS_LONG)(
    '[assistant-3] [assistant-16] decides what the agent is told of it, and nothing else is told or changes that',
    async () => {
      const { page, sent, session } = await visit()
      const steps: readonly [before: () => Promise<unknown>, kinds: readonly string[]][] = [
        // The page begins with its editor.
        [async () => null, ['page', 'say']],
        // Nothing of this changes what the page shows.
        [() => page.evaluate(`Walkon.setTheme('dark', 'assistant'); scrollTo(0, 400)`), ['say']],
        [() => page.locator('#text').evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(40, 40)), ['say']],
        [() => page.getByRole('button', { name: 'A pipeline' }).click(), ['page', 'say']],
        [() => page.getByRole('button', { name: 'Neither' }).click(), ['page', 'say']],
        [() => page.evaluate(`Walkon.setPage(null, 'assistant')`), ['say']],
        [() => page.getByRole('button', { name: 'A text in an editor' }).click(), ['page', 'say']],
      ]
      for (const [index, [before, kinds]] of steps.entries()) {
        await before()
        sent.length = 0
        await ask(page, `@chat What is question ${index}?`)
        expect(
          sent.map(([name]) => name),
          String(index),
        ).toEqual(kinds)
      }
      const told = await toldTo(session)
      const shown = told.map((record) => partsOf(record).filter((part) => PAGE.includes(part)))
      const [editor, pipeline] = PAGE.map((part) => [part])
      expect(new Set(told.map((record) => JSON.stringify(others(record)))).size).toBe(1)
      expect(shown).toEqual([editor, editor, editor, pipeline, [], [], editor])
      const contents = told.map((record) => record.told.shared_memory?.active_editor?.content)
      expect(contents[0]).toContain('lantern')
      expect(contents.map((content) => content === contents[0])).toEqual([true, true, true, false, false, false, true])
    },
  )

  const ALWAYS = {
    hello: ['conversation', 'epoch', 'events', 'head', 'level', 'mode', 'running', 'v'],
    conversation: ['assistant', 'colleagues', 'npc', 'scenario', 'scene', 'session', 'speaker'],
    assistant: ['agents', 'grants', 'locked', 'starters', 'tools'],
    agent: ['does', 'id', 'name'],
  }
  it('[message-42] sends of a page and of a state only what the table names', async () => {
    const { page, sent, got } = await visit()
    await ask(page, 'When was the first street lantern lit?')
    await ask(page, 'And who paid for it?')
    await page.evaluate(`Walkon.setPage('A text.', 'assistant')`)
    await ask(page, 'And where is that?')
    const keys = (value: unknown) => Object.keys(Object(value) as object).toSorted()
    expect(sent.map(([name, body]) => [name, keys(body)])).toEqual([
      ['page', ['hash', 'page']],
      ['say', ['cid', 'context', 'text']],
      ['say', ['cid', 'context', 'text']],
      ['say', ['cid', 'page', 'text']],
    ])
    const hello = got.find(([name]) => name === 'hello')?.[1]
    const { conversation } = hello as { conversation: { assistant: { agents: unknown[] } } }
    expect(keys(hello)).toEqual(ALWAYS.hello)
    expect(keys(conversation)).toEqual(ALWAYS.conversation)
    expect(keys(conversation.assistant)).toEqual(ALWAYS.assistant)
    for (const agent of conversation.assistant.agents) expect(keys(agent)).toEqual(ALWAYS.agent)
    // Nothing of the page comes back but what an agent quotes.
    expect(JSON.stringify(sent)).toContain('bakery')
    expect(JSON.stringify(got.filter(([name]) => name !== 'd'))).not.toContain('bakery')
    expect(new Set(got.map(([name]) => name))).toEqual(new Set(['hello', 'event', 'd', 'turn']))
  })
})
