import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openPage } from './browser.ts'
import type { WatchedPage } from './browser.ts'
import { firstScreen } from './first-screen.ts'
import type { WorkerServer } from './worker-server.ts'

/**
 * The game as a learner plays it, from the library on. The class finds every element by role and name, as a screen
 * reader does.
 */
export class GamePlayer {
  readonly page: Page
  readonly watched: WatchedPage
  readonly server: Pick<WorkerServer, 'url'>

  private constructor(watched: WatchedPage, server: Pick<WorkerServer, 'url'>) {
    this.page = watched.page
    this.watched = watched
    this.server = server
  }

  /** Opens the page at an address: `?lang=es`, `#/teach`, or both. */
  static async open(
    { browser, server }: { readonly browser: Browser; readonly server: Pick<WorkerServer, 'url'> },
    options: Parameters<Browser['newContext']>[0] = {},
    address = '',
  ): Promise<GamePlayer> {
    const watched = await openPage(browser, options)
    const player = new GamePlayer(watched, server)
    await player.goTo(address)
    return player
  }

  /** Loads the page from the start, at an address. */
  async goTo(address: string): Promise<void> {
    await this.page.goto('about:blank')
    await this.page.goto(new URL(address, this.server.url).href)
    await firstScreen(this.watched)
  }

  get context(): BrowserContext {
    return this.watched.context
  }

  get main() {
    return this.page.getByRole('main')
  }

  /** The screen's heading, without the heading of the skeleton that the page shows while it loads. */
  get title() {
    return this.page.locator('main h1:not(.skeleton h1)')
  }

  /**
   * The hash of the page's address, which says what screen is open. Playwright learns of a new hash with a delay;
   * `arrived` waits for this.
   */
  get place(): string {
    return new URL(this.page.url()).hash
  }

  get run(): string {
    return /ctx_[\w-]+/.exec(this.place)?.[0] ?? ''
  }

  /**
   * Waits until Playwright knows the address that the page has now. Playwright learns of a new address with a delay.
   */
  async arrived(): Promise<void> {
    const here = await this.page.evaluate(() => location.href)
    await this.page.waitForURL((url) => url.href === here)
  }

  button(name: string | RegExp) {
    return this.page.getByRole('button', { name, exact: typeof name === 'string' })
  }

  link(name: string | RegExp) {
    return this.page.getByRole('link', { name, exact: typeof name === 'string' })
  }

  /** Returns one of the links at the top of the page. The page shows these links during the whole run. */
  way(name: string) {
    return this.page.locator('.ways').getByRole('link', { name, exact: true })
  }

  simulation(title: string) {
    return this.page.locator('.sim', { has: this.page.getByRole('heading', { name: title }) })
  }

  get runs() {
    return this.page.locator('.run')
  }

  /** Returns the link to a colleague in the list of people, by first name. */
  person(name: string) {
    return this.page.locator('.people').getByRole('link', { name: new RegExp(`^${name}`) })
  }

  get field() {
    return this.page.locator('.talk-host').getByRole('textbox')
  }

  get log() {
    return this.page.getByRole('log')
  }

  /** Starts a simulation and waits for its briefing. */
  async begin(title = 'The launch decision'): Promise<string> {
    await this.simulation(title).getByRole('button').click()
    await this.page.locator('.brief').waitFor()
    await this.arrived()
    return this.run
  }

  async toDesk(): Promise<void> {
    await this.page.locator('.brief').getByRole('link', { name: 'Go to your desk' }).click()
    await this.page.locator('.desk').waitFor()
    await this.arrived()
  }

  /** Waits until the open conversation shows its messages. The page shows the message field earlier. */
  async joined(): Promise<void> {
    await this.log.locator('.scene:not([aria-busy])').waitFor({ state: 'attached' })
  }

  /** Sends a message and waits until the reply is complete. */
  async say(text: string): Promise<void> {
    await this.joined()
    const whole = this.log.locator('.speech[aria-busy="false"]')
    const before = await whole.count()
    await this.field.fill(text)
    await this.field.press('Enter')
    await whole.nth(before).waitFor()
  }
}
