import { describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { Chat, DESKTOP, openPage, PHONE, demoOf } from '../support/browser.ts'
import { noorPath } from '../support/noor-path.ts'
import { serveInBrowser } from '../support/serve.ts'
import { IS_LONG, variants } from '../support/runs.ts'

const served = serveInBrowser()

/** The lines of a learner who is content with the work. */
const SHORTEST_PATH = [
  "Sure, let's begin.",
  'Work is good, nothing is unclear.',
  "Nobody. I'm on my own when I am stuck.",
  'Yes please, you ask. By tomorrow would be good.',
]

describe('a conversation on a context graph, in the page', { timeout: 120_000 }, () => {
  it.each(
    variants([
      ['the shortest way', SHORTEST_PATH],
      ['the longest way', noorPath],
    ] as const),
  )(
    '[message-25] [embed-44] [embed-45] can be played by keyboard alone on a phone, from the first message to the closing card, %s',
    async (_, path) => {
      const watched = await openPage(served.browser, { viewport: PHONE, bypassCSP: true, reducedMotion: 'reduce' })
      served.closeAfterwards(watched.context)
      const { page, complaints } = watched
      await page.goto(new URL('embed/week-three', served.server.url).href)
      const chat = new Chat(page)
      await chat.launcher.focus()
      await page.keyboard.press('Enter')
      await chat.field.waitFor()
      for (const line of path) {
        const whole = chat.log.locator('.speech[aria-busy="false"]')
        const before = await whole.count()
        await page.keyboard.type(line)
        await page.keyboard.press('Enter')
        await whole.nth(before).waitFor()
      }
      await chat.panel.locator('.foot').waitFor()
      const panel = await chat.panel.innerText()
      expect(panel).toMatch(/Say what you need before the first month is over/)
      expect(panel).toMatch(/Whom to ask for what[^]*extension\s4100/)
      expect(panel).not.toMatch(/_|---|check_in|steady/)
      expect(await chat.panel.getByRole('button', { name: /^Talk to/ }).count()).toBe(0)
      expect(await violations(page)).toEqual([])
      // The page's style sheet may still be loading.
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
      await page.keyboard.press('Escape')
      await chat.panel.waitFor({ state: 'hidden' })
      expect(complaints).toEqual([])
    },
  )

  it.runIf(IS_LONG).each(
    variants([
      ['phone', 'light', PHONE],
      ['desktop', 'dark', DESKTOP],
    ] as const),
  )(
    '[embed-44] [embed-52] can be reached by a link, under the strict policy: %s, %s',
    async (_, colorScheme, viewport) => {
      const { page, context, complaints } = await openPage(served.browser, { viewport, colorScheme })
      served.closeAfterwards(context)
      await page.goto(demoOf(served.server.url))
      for (const [title, launcher] of [
        ['One-to-one', 'Talk to Tove'],
        ['Week three', 'Talk to Noor'],
        ['The launch decision', 'Talk to Maya'],
      ] as const) {
        await page.getByRole('link', { name: title }).click()
        await page.getByRole('button', { name: launcher }).waitFor()
        expect(await page.getByRole('link', { name: title }).getAttribute('aria-current')).toBe('page')
        // The page's style sheet may still be loading.
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth))
          .toBe(true)
      }
      await page.getByRole('link', { name: 'One-to-one' }).click()
      const chat = new Chat(page)
      await chat.open()
      await chat.say('Hello. Everybody wants something of me at once.')
      expect(complaints).toEqual([])
    },
  )
})
