import { copyFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import maya from '../fixtures/maya-path.json' with { type: 'json' }
import { Chat, DESKTOP, PHONE, openPage, startBrowser, demoOf } from '../support/browser.ts'
import { Operator } from '../support/operator-page.ts'
import { putWorkflow } from '../support/put-workflow.ts'
import { BEGUN, runOfLarkfield } from '../support/run-of-larkfield.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'
import { takeGame } from './game-pictures.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..')
const FOLDER = path.join(ROOT, 'build', 'screenshots')
/** The folder of the pictures that the documents show. `IN_DOCUMENTS` has the name of each picture in this folder. */
const SHOWN = path.join(ROOT, 'docs', 'screenshots')
const IN_DOCUMENTS: Readonly<Record<string, string>> = {
  'game-library-desktop-light.png': 'story-1-library.png',
  'game-briefing-desktop-light.png': 'story-2-briefing.png',
  'game-pivot-desktop-light.png': 'story-3-pivot.png',
  'game-document-desktop-light.png': 'story-4-document.png',
  'game-last-look-desktop-light.png': 'story-5-decision.png',
  'game-debrief-desktop-light.png': 'story-6-debrief.png',
  'talk-desktop-light.png': 'widget.png',
}

/**
 * Takes pictures of every screen, in each size, light and dark, into `build/screenshots`: a run of the game, the
 * example conversation in the widget on an ordinary page, and a run on the operator's page. Then copies the pictures
 * that the documents show.
 */
async function main(): Promise<void> {
  for (const folder of [FOLDER, SHOWN]) await mkdir(folder, { recursive: true })
  const server = await startWorkerServer({ configPath: 'wrangler.toml', vars: { WALKON_REHEARSAL_PACE_MS: '0' } })
  const browser = await startBrowser()
  await putWorkflow(server, runOfLarkfield())
  try {
    for (const size of ['phone', 'desktop'] as const) await takeGame(browser, server, size, shoot)
    for (const [size, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP }))
      for (const colorScheme of ['light', 'dark'] as const) {
        await takeOperator(browser, server, size, viewport, colorScheme)
        await takeAll(browser, server, size, viewport, colorScheme)
      }
    await takeLanguages(browser, server)
  } finally {
    await browser.close()
    await server.stop()
  }
}

/** Takes pictures of the chat in the widget's other languages. */
async function takeLanguages(browser: Browser, server: WorkerServer): Promise<void> {
  for (const lang of ['es', 'de', 'ar']) {
    const { page, context } = await openPage(browser, {
      viewport: PHONE,
      deviceScaleFactor: 2,
      reducedMotion: 'reduce',
    })
    await page.goto(demoOf(server.url))
    await page.evaluate((locale) => {
      const { Walkon } = globalThis as unknown as { Walkon: Record<'setLocale' | 'open', (value?: string) => void> }
      Walkon.setLocale(locale)
      Walkon.open('maya')
    }, lang)
    const chat = new Chat(page)
    await chat.panel.getByRole('heading', { name: 'The launch decision' }).waitFor()
    await chat.say('What did run 47 show?')
    await shoot(page, `language-${lang}.png`)
    await context.close()
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
    ...(viewport === PHONE && { hasTouch: true, isMobile: true, deviceScaleFactor: 2 }),
    reducedMotion: 'reduce',
  })
  const take = (name: string) => shoot(page, `${name}-${size}-${colorScheme}.png`)
  await page.goto(demoOf(server.url))
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

/**
 * Takes pictures of the operator's page: the tree at a moment in the middle of a run and, on a phone, the details of
 * one context.
 */
async function takeOperator(
  browser: Browser,
  server: WorkerServer,
  size: string,
  viewport: { width: number; height: number },
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const look = { viewport, colorScheme, timezoneId: 'UTC', deviceScaleFactor: viewport === PHONE ? 2 : 1 } as const
  const time = new Date(BEGUN + 14.7 * 60_000).toISOString()
  const operator = await Operator.enter(browser, server, `#run=ctx_run-larkfield&time=${time}`, look)
  await operator.tree.waitFor()
  if (viewport !== PHONE) await operator.line('Find out from Maya').click()
  await shoot(operator.page, `operator-${size}-${colorScheme}.png`)
  if (viewport === PHONE) {
    await operator.line('Find out from Maya').click()
    await operator.details.waitFor()
    await shoot(operator.page, `operator-details-${size}-${colorScheme}.png`)
  }
  await operator.context.close()
}

/** Writes a message while offline and takes a picture. Then goes online and waits until the reply is complete. */
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
  console.log(path.join('build', 'screenshots', name))
  const shown = IN_DOCUMENTS[name]
  if (shown !== undefined) await copyFile(path.join(FOLDER, name), path.join(SHOWN, shown))
}

await main()
