import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { findChromium } from '../../scripts/chromium.ts'
import { freePort } from './free-port.ts'
import { askShared } from './shared.ts'

export const PHONE = { width: 390, height: 844 }
export const DESKTOP = { width: 1280, height: 800 }

/** How the Chromium is started that the set-up found. */
async function launchOptions() {
  const { path, args, env } = await findChromium()
  return {
    executablePath: path,
    args: [...args],
    env: { ...process.env, ...env } as Record<string, string>,
    timeout: 90_000,
  }
}

/** Starts a Chromium for this process alone. Close it, or the process does not end. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch(await launchOptions())
}

/** A running Chromium, and where other processes connect to it by its own protocol. */
export interface SharedBrowser {
  readonly browser: Browser
  readonly address: string
}

/**
 * Starts a Chromium that other processes connect to. They speak to it directly: Playwright's own server would pass on
 * every message a second time, at a tenth of a run's computing time.
 */
export async function launchSharedBrowser(): Promise<SharedBrowser> {
  const options = await launchOptions()
  const port = await freePort()
  const args = [...options.args, `--remote-debugging-port=${port}`]
  return { browser: await chromium.launch({ ...options, args }), address: `http://127.0.0.1:${port}/` }
}

/** A connection to the one Chromium of a run of tests. Closing it closes the pages that it has opened. */
export async function connectBrowser(): Promise<Browser> {
  return chromium.connectOverCDP(await askShared<string>('browser'))
}

/** A page with everything it asked for, complained about and connected to, from its first byte on. */
export interface WatchedPage {
  readonly context: BrowserContext
  readonly page: Page
  readonly requests: string[]
  readonly sockets: string[]
  readonly complaints: string[]
}

export async function openPage(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: DESKTOP, ...options })
  const page = await context.newPage()
  const watched: WatchedPage = { context, page, requests: [], sockets: [], complaints: [] }
  page.on('request', (request) => watched.requests.push(new URL(request.url()).pathname))
  page.on('websocket', (socket) => watched.sockets.push(socket.url()))
  page.on('pageerror', (error) => watched.complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') watched.complaints.push(message.text())
  })
  return watched
}

/** From now on no time passes on the page but what the test lets pass. Its clock has to be installed. */
export async function stopClock(page: Page): Promise<void> {
  const soon = () => page.evaluate(() => Date.now() + 1_000)
  try {
    await page.clock.pauseAt(await soon())
  } catch {
    // On a busy machine that second is over before the page hears of it. Its clock stands still by then.
    await page.clock.pauseAt(await soon())
  }
}

/** Where a server shows the widget on an ordinary page. */
export function demoOf(server: string | URL): string {
  return new URL('embed/', server).href
}

/** The chat on a page, as a learner uses it. Finds everything by role and name, as a screen reader would. */
export class Chat {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  get launcher() {
    return this.page.getByRole('button', { name: /^Talk to/ }).first()
  }

  get panel() {
    return this.page.getByRole('dialog')
  }

  get field() {
    return this.panel.getByRole('textbox')
  }

  get log() {
    return this.panel.getByRole('log')
  }

  async open(): Promise<void> {
    await this.launcher.click()
    await this.field.waitFor()
  }

  /** Types a line and sends it with Enter. */
  async type(text: string): Promise<void> {
    await this.field.fill(text)
    await this.field.press('Enter')
  }

  /** Says a line and waits until the reply is whole. */
  async say(text: string): Promise<void> {
    await this.type(text)
    // By where it stands: right after a reload, replies of earlier come in as well.
    const said = this.log.locator('.said').last()
    await said.locator('xpath=following-sibling::*[@aria-busy="false"]').first().waitFor()
  }
}
