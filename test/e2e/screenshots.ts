import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import maya from '../fixtures/maya-path.json' with { type: 'json' }
import { Chat, DESKTOP, PHONE, openPage, startBrowser } from '../support/browser.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'

const FOLDER = path.resolve(import.meta.dirname, '..', '..', 'docs', 'screenshots')

/** Plays the worked example on the served page and takes its pictures for the documents: each size, light and dark. */
async function main(): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  const server = await startWorkerServer({ configPath: 'wrangler.toml', vars: { WALKON_REHEARSAL_PACE_MS: '0' } })
  const browser = await startBrowser()
  try {
    for (const [size, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP }))
      for (const colorScheme of ['light', 'dark'] as const) await takeAll(browser, server, size, viewport, colorScheme)
  } finally {
    await browser.close()
    await server.stop()
  }
}

async function takeAll(
  browser: Browser,
  server: WorkerServer,
  size: string,
  viewport: { width: number; height: number },
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const { page, context } = await openPage(browser, {
    viewport,
    colorScheme,
    deviceScaleFactor: viewport === PHONE ? 2 : 1,
    reducedMotion: 'reduce',
  })
  const take = (name: string) => shoot(page, `${name}-${size}-${colorScheme}.png`)
  await page.goto(server.url.href)
  const chat = new Chat(page)
  await chat.launcher.waitFor()
  await take('page')
  await chat.open()
  await chat.panel.getByRole('heading', { name: 'The launch decision' }).waitFor()
  await take('opening')
  for (const [index, step] of maya.turns.entries()) {
    if (index === 1) await sayOffline(chat, step.learner, () => take('offline'))
    else await chat.say(step.learner)
    if (step.node === 'DECISIVE' && step.satisfied) await take('talk')
    if (!step.choose) continue
    const card = chat.panel.locator('.card').first()
    await card.waitFor()
    if (step.node === 'PIVOT_1') await take('pivot')
    await card.click()
    await card.waitFor({ state: 'detached' })
  }
  await chat.panel.getByRole('button', { name: /^Talk to/ }).waitFor()
  await take('closing')
  await context.close()
}

/** Says a line without a network, takes a picture of it, and waits until the network is back and the reply whole. */
async function sayOffline(chat: Chat, line: string, take: () => Promise<void>): Promise<void> {
  const whole = chat.log.locator('.speech[aria-busy="false"]')
  const before = await whole.count()
  await chat.page.context().setOffline(true)
  await chat.panel.locator('.banner').waitFor()
  await chat.type(line)
  await take()
  await chat.page.context().setOffline(false)
  await whole.nth(before).waitFor()
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: path.join(FOLDER, name), animations: 'disabled' })
  console.log(path.join('docs', 'screenshots', name))
}

await main()
