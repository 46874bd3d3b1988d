import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../worker/chain/api/operations.ts'
import { violations } from '../support/axe.ts'
import { DESKTOP, openPage, PHONE, connectBrowser } from '../support/browser.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'
import { IS_LONG } from '../support/runs.ts'

let browser: Browser
let server: WorkerServer
beforeAll(async () => {
  browser = await connectBrowser()
  server = await startWorkerServer({ configPath: 'test/conversations/api-worker.toml' })
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

const address = () => new URL('api/docs', server.url).href

describe("the API's page", () => {
  it.runIf(IS_LONG).each([
    ['phone', 'light', PHONE],
    ['phone', 'dark', PHONE],
    ['desktop', 'light', DESKTOP],
    ['desktop', 'dark', DESKTOP],
  ] as const)(
    '[api-12] on a %s, %s: axe finds no problem, and nothing is wider than the screen',
    { timeout: 180_000 },
    async (_, colorScheme, viewport) => {
      const { page, context, complaints } = await openPage(browser, { viewport, colorScheme, bypassCSP: true })
      // The test bypasses the page's Content Security Policy, which forbids the page's icon. Without this route, the
      // browser would therefore request the icon.
      await page.route('**/favicon.ico', (route) => route.abort())
      await page.goto(address())
      expect(await violations(page)).toEqual([])
      const widths = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ])
      expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0)
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
      expect(ground).toMatch(colorScheme === 'dark' ? /^oklch\(0\.19/ : /^oklch\(0\.985/)
      expect(complaints).toEqual([])
      await context.close()
    },
  )

  it.runIf(IS_LONG)('[api-12] needs one request, under a policy that allows only its style', async () => {
    const { page, context, requests, complaints } = await openPage(browser)
    const response = await page.goto(address())
    expect(response?.headers()['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; /)
    expect(response?.headers()['cache-control']).toBe('no-store')
    expect(await page.getByRole('article').count()).toBeGreaterThan(Object.keys(operations).length)
    // The style sheet applies: without it the body would have a margin.
    expect(await page.evaluate(() => getComputedStyle(document.body).marginTop)).toBe('0px')
    expect(requests.filter((path) => path !== '/favicon.ico')).toEqual(['/api/docs'])
    expect(complaints).toEqual([])
    await context.close()
  })

  it.runIf(IS_LONG)(
    '[api-12] works by keyboard: past the list, to an operation, and along content wider than its box',
    async () => {
      const { page, context } = await openPage(browser, { viewport: PHONE })
      await page.goto(address())
      await page.keyboard.press('Tab')
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('To the operations')
      await page.keyboard.press('Enter')
      // The browser moves the focus in its next frame. Before that, Tab would continue from the link.
      await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(true)
      await page.keyboard.press('Tab')
      await expect.poll(() => page.evaluate(() => document.activeElement?.closest('article')?.id)).toBe('createContext')
      await page.getByRole('navigation').getByRole('link', { name: 'erasePerson' }).focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => page.evaluate(() => location.hash)).toBe('#erasePerson')
      const heading = page.getByRole('heading', { name: 'erasePerson' })
      const isInSight = async () => {
        const top = (await heading.boundingBox())?.y ?? -1
        return top >= 0 && top < PHONE.height
      }
      await expect.poll(isInSight).toBe(true)
      const unreachable = await page.evaluate(
        () =>
          [...document.querySelectorAll('.scroll')].filter(
            (box) => box.scrollWidth > box.clientWidth && (box as HTMLElement).tabIndex !== 0,
          ).length,
      )
      expect(unreachable).toBe(0)
      await context.close()
    },
  )
})
