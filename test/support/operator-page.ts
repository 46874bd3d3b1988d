import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openPage } from './browser.ts'
import type { WatchedPage } from './browser.ts'
import type { WorkerServer } from './worker-server.ts'

/** The operator's page as its user sees it. The class finds every element by role and name, as a screen reader does. */
export class Operator {
  readonly page: Page
  readonly watched: WatchedPage

  constructor(watched: WatchedPage) {
    this.page = watched.page
    this.watched = watched
  }

  /** Opens the page at an address (`#run=…`) without signing in. */
  static async open(
    browser: Browser,
    server: Pick<WorkerServer, 'url'>,
    address = '',
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<Operator> {
    const watched = await openPage(browser, options)
    const operator = new Operator(watched)
    await watched.page.goto(new URL(`operator/${address}`, server.url).href)
    await operator.main.waitFor()
    return operator
  }

  /** Opens the page and signs in with the development token. */
  static async enter(...given: Parameters<typeof Operator.open>): Promise<Operator> {
    const operator = await Operator.open(...given)
    await operator.page.getByRole('button', { name: 'Use the development token' }).click()
    await operator.page.getByRole('button', { name: 'Sign out' }).waitFor()
    // The page moves the focus to the heading in its next frame. If the test set the focus before that, the page would
    // move it away again.
    await operator.page.locator('h1:focus').waitFor()
    return operator
  }

  get context(): BrowserContext {
    return this.watched.context
  }

  get main() {
    return this.page.getByRole('main')
  }

  get title() {
    return this.main.getByRole('heading', { level: 1 })
  }

  get tree() {
    return this.page.getByRole('tree')
  }

  get lines() {
    return this.tree.getByRole('treeitem')
  }

  line(purpose: string) {
    return this.lines.filter({ has: this.page.locator('.purpose', { hasText: purpose }) }).first()
  }

  get details() {
    return this.page.getByRole('article')
  }

  get slider() {
    return this.page.getByRole('slider', { name: 'Moment' })
  }

  button(name: string | RegExp) {
    return this.page.getByRole('button', { name, exact: typeof name === 'string' })
  }

  /**
   * Returns the hash of the page's address. Asks the page itself, because `page.url()` learns of a new hash with a
   * delay.
   */
  hash(): Promise<string> {
    return this.page.evaluate(() => location.hash)
  }

  /**
   * Returns the time in the page's address. Null means that the address has no time, and the page shows the present.
   */
  async time(): Promise<string | null> {
    return new URLSearchParams((await this.hash()).slice(1)).get('time')
  }

  here(): Promise<string | undefined> {
    return this.page.evaluate(() => document.activeElement?.id)
  }

  /**
   * Returns what the page shows at one moment: the time in its address, and the rows of the tree. A row has a context,
   * the text of its status, and its version. The version is null if the context had not begun at that time.
   */
  async shown(): Promise<{ readonly time: string | null; readonly lines: readonly ShownLine[] }> {
    const { hash, lines } = await this.lines.evaluateAll((all) => ({
      hash: location.hash,
      lines: all.map((line) => ({
        id: line.id,
        status: line.querySelector('.status')?.textContent ?? '',
        version: Number(/version (\d+)/.exec(line.textContent ?? '')?.[1] ?? 0) || null,
      })),
    }))
    return { time: new URLSearchParams(hash.slice(1)).get('time'), lines }
  }
}

interface ShownLine {
  readonly id: string
  readonly status: string
  readonly version: number | null
}
