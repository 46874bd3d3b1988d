import { chromium, type Browser, type BrowserContext, type BrowserServer, type Page } from 'playwright-core'
import { findChromium } from '../../scripts/chromium.ts'
import { askShared } from './shared.ts'

export const PHONE = { width: 390, height: 844 }
export const DESKTOP = { width: 1280, height: 800 }

async function launchOptions() {
  const { path, args, env } = await findChromium()
  return {
    executablePath: path,
    args: [...args],
    env: { ...process.env, ...env } as Record<string, string>,
    timeout: 90_000,
  }
}

/** Starts a Chromium for this process only. The caller must close the browser; otherwise the process does not end. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch(await launchOptions())
}

/** Starts a Chromium that other processes connect to. */
export async function launchBrowserServer(): Promise<BrowserServer> {
  return chromium.launchServer({ ...(await launchOptions()), host: '127.0.0.1' })
}

/**
 * Connects to the Chromium that all test processes share. Closing the connection also closes the pages that were opened
 * through it.
 */
export async function connectBrowser(): Promise<Browser> {
  return chromium.connect(await askShared<string>('browser'))
}

/** A page with its requests, its WebSockets and its errors and warnings, recorded from the start. */
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

/**
 * Stops the page's clock. The test must have installed Playwright's clock before. From now on, time passes on the page
 * only when the test advances the clock.
 */
export async function stopClock(page: Page): Promise<void> {
  const soon = () => page.evaluate(() => Date.now() + 1_000)
  try {
    await page.clock.pauseAt(await soon())
  } catch {
    // On a busy machine, the call may reach the page only after the second that `soon` adds. The call then fails, but
    // has stopped the clock, so a second call succeeds.
    await page.clock.pauseAt(await soon())
  }
}

/** Returns the address at which a server shows the widget on an ordinary page. */
export function demoOf(server: string | URL): string {
  return new URL('embed/', server).href
}

/** The chat on a page as a learner uses it. The class finds every element by role and name, as a screen reader does. */
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

  /** Opens the panel, or focuses it if it stays open over a page load. */
  async open(): Promise<void> {
    await this.launcher.or(this.field).first().waitFor()
    // A panel that stays open replaces its launcher as soon as it is loaded, maybe in the middle of a click.
    const staysOpen = await this.page.evaluate(() => {
      try {
        return Object.keys(sessionStorage).some((key) => key.startsWith('walkon|') && key.endsWith('|open'))
      } catch {
        return false
      }
    })
    if (staysOpen || (await this.field.isVisible())) await this.page.evaluate('Walkon.open()')
    else await this.launcher.click()
    await this.field.waitFor()
  }

  async type(text: string): Promise<void> {
    await this.field.fill(text)
    await this.field.press('Enter')
  }

  /** Sends a message and waits until the reply is complete. */
  async say(text: string): Promise<void> {
    await this.type(text)
    // Finds the reply by its position below the last message. After a reload, the page may still be drawing earlier
    // replies too.
    const said = this.log.locator('.said').last()
    await said.locator('xpath=following-sibling::*[@aria-busy="false"]').first().waitFor()
  }

  /** Records all announcements from now on, because a live region holds each announcement only for a moment. */
  async listen(): Promise<() => Promise<string>> {
    await this.panel.evaluate((panel) => {
      const heard: string[] = []
      Object.assign(globalThis, { heard })
      const note = new MutationObserver((changes) => {
        for (const { target } of changes) if (target.textContent) heard.push(target.textContent)
      })
      for (const region of panel.querySelectorAll(':scope > [aria-live]')) note.observe(region, { childList: true })
    })
    return () => this.page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard.join('\n'))
  }
}
