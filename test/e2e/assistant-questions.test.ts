import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { DESKTOP, openPage, PHONE } from '../support/browser.ts'
import { serveInBrowser } from '../support/serve.ts'
import { IS_LONG, variants } from '../support/runs.ts'

const served = serveInBrowser('plain')

/** Opens the chat beside the editor. */
async function visit(viewport = DESKTOP): Promise<Page> {
  const { page, context } = await openPage(served.browser, { reducedMotion: 'reduce', viewport })
  served.closeAfterwards(context)
  await page.goto(new URL('embed/editor', served.server.url).href)
  await page.locator('walkon-chat').getByRole('button').first().click()
  await replies(page).first().waitFor()
  return page
}

const chatOf = (page: Page) => page.locator('walkon-chat')
const field = (page: Page) => chatOf(page).getByRole('textbox')
const replies = (page: Page) => chatOf(page).locator('.speech[aria-busy="false"]')

async function send(page: Page, text: string): Promise<void> {
  await field(page).fill(text)
  await field(page).press('Enter')
}

async function ask(page: Page, text: string): Promise<string> {
  const before = await replies(page).count()
  await send(page, text)
  const reply = replies(page).nth(before)
  await reply.waitFor()
  return reply.innerText()
}

/** Returns true if the whole element is within the part of the transcript that is in view. */
const isShown = (page: Page, name: string) =>
  chatOf(page).evaluate((chat, wanted) => {
    const room = chat.shadowRoot?.querySelector('.room')?.getBoundingClientRect()
    const found = [...(chat.shadowRoot?.querySelectorAll('.asks button') ?? [])].find(
      ({ textContent }) => textContent === wanted,
    )
    const box = found?.getBoundingClientRect()
    return !!room && !!box && box.top >= room.top && box.bottom <= room.bottom
  }, name)

const SIZES = [
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
] as const

describe('a question of an assistant', () => {
  it.each(variants(SIZES))(
    '[assistant-30] comes into view on %s, also after a reload, and what is sent meanwhile says that it waits for the answer',
    async (_, viewport) => {
      const page = await visit(viewport)
      await ask(page, 'Please proofread this.')
      await send(page, '@research Why do moths gather?')
      await chatOf(page).locator('.asks').getByText('Waits for your answer.').waitFor()
      await expect.poll(() => isShown(page, "Don't allow")).toBe(true)
      await page.reload()
      await chatOf(page).locator('.asks').waitFor()
      await expect.poll(() => isShown(page, "Don't allow")).toBe(true)
      await send(page, 'Another one')
      await chatOf(page).getByText('Waits for your answer above').waitFor()
      await chatOf(page).getByRole('button', { name: "Don't allow" }).click()
      await replies(page).nth(3).waitFor()
    },
  )

  it.runIf(IS_LONG)(
    '[assistant-27] what was allowed is listed in the menu of that conversation, and not in a new one',
    async () => {
      const page = await visit(PHONE)
      const menu = chatOf(page).getByRole('button', { name: 'Menu' })
      const back = chatOf(page).getByRole('button', { name: 'Take back: Search the web' })
      await send(page, '@research Why do moths gather?')
      await chatOf(page).getByRole('button', { name: 'Allow in this conversation' }).click()
      await replies(page).nth(1).waitFor()
      await menu.click()
      await back.waitFor()
      await chatOf(page).getByRole('button', { name: 'New conversation' }).click()
      await expect.poll(() => chatOf(page).locator('.asks').count()).toBe(0)
      await send(page, '@research Where do trams run?')
      await chatOf(page).getByRole('button', { name: "Don't allow" }).click()
      await replies(page).nth(1).waitFor()
      await menu.click()
      await chatOf(page).getByRole('button', { name: 'New conversation' }).waitFor()
      expect(await back.count()).toBe(0)
    },
  )

  it.runIf(IS_LONG)(
    '[assistant-31] shows one open list of changes: older ones are replaced, and none is proposed twice',
    async () => {
      const page = await visit()
      const lists = chatOf(page).locator('.edits')
      await ask(page, 'Please proofread this.')
      await lists.first().waitFor()
      const count = await lists.first().locator('li').count()
      expect(await ask(page, 'Please proofread this.')).toContain(
        `Those ${count} changes to lanterns.md are open above`,
      )
      expect(await lists.count()).toBe(1)
      const text = page.locator('#text')
      await text.fill(`${await text.inputValue()}It was realy late.\n`)
      await ask(page, 'Please proofread this.')
      for (const again of [false, true]) {
        if (again) await page.reload()
        await expect.poll(() => lists.last().getByRole('button', { name: 'Take it' }).count()).toBe(count + 1)
        expect(await lists.first().getByRole('button').count()).toBe(0)
        expect(await lists.first().getByText('Replaced by the newer changes below.').count()).toBe(count)
      }
    },
  )

  it.each(variants(SIZES))(
    '[assistant-33] has its message box in view on %s, and the menu in place of the chat',
    async (_, viewport) => {
      const page = await visit(viewport)
      const box = await field(page).boundingBox()
      expect(box && box.y >= 0 && box.y + box.height <= viewport.height).toBe(true)
      await ask(page, 'Please proofread this.')
      await chatOf(page).getByRole('button', { name: 'Take it: teh → the', exact: true }).waitFor()
      await chatOf(page).getByRole('button', { name: 'Menu' }).click()
      await chatOf(page).getByRole('button', { name: 'New conversation' }).waitFor()
      expect(await chatOf(page).locator('.room').isVisible()).toBe(false)
    },
  )

  it('[assistant-16] names in the console what nobody knows and what is left out, and sends the rest of the page', async () => {
    const page = await visit()
    const lines: string[] = []
    page.on('console', (message) => void lines.push(message.text()))
    await page.evaluate(
      `Walkon.setPage({ text: 'The heron stands in the pond.', tools: ['nosuch'], agent: 'nobody', results: [] }, 'assistant')`,
    )
    const faults = [
      'Walkon.setPage: results is no object. It is left out.',
      'Walkon.setPage: there is no agent nobody.',
      'Walkon.setPage: no agent has a tool nosuch.',
    ]
    const said = () => lines.filter((line) => line.startsWith('Walkon'))
    await expect.poll(said).toEqual(faults)
    expect(await ask(page, 'Where does the heron stand?')).toContain('in the pond')
    expect(said()).toEqual(faults)
    await page.evaluate(`Walkon.setPage('heron '.repeat(400), 'assistant')`)
    await expect.poll(said).toEqual([...faults, expect.stringContaining('Only its beginning is sent')])
  })
})
