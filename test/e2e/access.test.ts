import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import path from '../fixtures/maya-path.json' with { type: 'json' }
import { violations } from '../support/axe.ts'
import { Chat, DESKTOP, openPage, PHONE, connectBrowser, demoOf } from '../support/browser.ts'
import { IS_LONG, variants } from '../support/runs.ts'
import { SharedServer } from '../support/shared.ts'
import type { Walkon } from '../../widget/walkon.ts'

let browser: Browser
let server: SharedServer

beforeAll(async () => {
  browser = await connectBrowser()
  server = await SharedServer.open('plain')
})
afterAll(async () => {
  await browser.close()
})

const VARIANTS = [
  ['phone', 'light', PHONE, 'en'],
  ['phone', 'dark', PHONE, 'ar'],
  ['phone', 'light', PHONE, 'es'],
  ['desktop', 'light', DESKTOP, 'de'],
  ['desktop', 'light', DESKTOP, 'ar'],
  ['desktop', 'dark', DESKTOP, 'en'],
] as const

describe.each(variants(VARIANTS))('on a %s, %s', { timeout: 120_000 }, (_, colorScheme, viewport, lang) => {
  it.runIf(IS_LONG)('[embed-44] axe finds no problem on the page, in the talk, at a pivot and at the end', async () => {
    const { page, context } = await openPage(browser, {
      viewport,
      colorScheme,
      reducedMotion: 'reduce',
      bypassCSP: true,
    })
    await page.goto(demoOf(server.url))
    const chat = new Chat(page)
    await chat.launcher.waitFor()
    expect(await violations(page)).toEqual([])
    await chat.open()
    await chat.panel.getByRole('heading', { name: 'Maya Patel' }).waitFor()
    await page.evaluate((now) => (globalThis as unknown as { Walkon: Walkon }).Walkon.setLocale(now), lang)
    await expect.poll(() => chat.panel.getAttribute('lang')).toBe(lang)
    expect(await violations(page)).toEqual([])
    for (const step of path.turns) {
      await chat.say(step.learner)
      if (!step.choose) continue
      await chat.panel.locator('.card').first().waitFor()
      expect(await violations(page)).toEqual([])
      await page.keyboard.press('1')
      await chat.panel.locator('.card').first().waitFor({ state: 'detached' })
    }
    await chat.panel.locator('.foot .main').waitFor()
    expect(await violations(page)).toEqual([])
    await context.close()
  })
})
