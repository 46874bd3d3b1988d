import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import path from '../fixtures/maya-path.json' with { type: 'json' }
import { Chat, DESKTOP, openPage, PHONE, startBrowser } from '../support/browser.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'

let browser: Browser
let server: WorkerServer
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

beforeAll(async () => {
  browser = await startBrowser()
  server = await startWorkerServer({ configPath: 'wrangler.toml', vars: { WALKON_REHEARSAL_PACE_MS: '0' } })
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

describe.each([
  ['phone', 'light', PHONE],
  ['phone', 'dark', PHONE],
  ['desktop', 'light', DESKTOP],
  ['desktop', 'dark', DESKTOP],
] as const)('on a %s, %s', (_, colorScheme, viewport) => {
  it('[E44] axe finds nothing on the page, in the talk, at a pivot and at the end', async () => {
    const { page, context } = await openPage(browser, {
      viewport,
      colorScheme,
      reducedMotion: 'reduce',
      bypassCSP: true,
    })
    await page.goto(server.url.href)
    const chat = new Chat(page)
    await chat.launcher.waitFor()
    expect(await violations(page)).toEqual([])
    await chat.open()
    expect(await violations(page)).toEqual([])
    for (const step of path.turns) {
      await chat.say(step.learner)
      if (!step.choose) continue
      await chat.panel.locator('.card').first().waitFor()
      expect(await violations(page)).toEqual([])
      await page.keyboard.press('1')
      await chat.panel.locator('.card').first().waitFor({ state: 'detached' })
    }
    await chat.panel.getByRole('button', { name: /^Talk to/ }).waitFor()
    expect(await violations(page)).toEqual([])
    await context.close()
  })
})

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { axe: runner } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    }
    const { violations: found } = await runner.run()
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  })
}
