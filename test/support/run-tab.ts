import type { Browser, Page, Route } from 'playwright-core'
import type { RunView } from '../../worker/wire/run.ts'
import { openPage } from './browser.ts'
import type { WatchedPage } from './browser.ts'
import { firstScreen } from './first-screen.ts'
import { cardOfLarkfield } from './game-views.ts'
import type { WorkerServer } from './worker-server.ts'

interface Place {
  readonly browser: Browser
  readonly server: Pick<WorkerServer, 'url'>
}

export interface TabOptions {
  readonly context?: Parameters<Browser['newContext']>[0]
  readonly lang?: 'en' | 'es' | 'ar-XB'
  /** The facts that the learner's reason names. */
  readonly named?: readonly string[]
  /** Answers the request with which the page sends a decision. By default, the answer is the run after the decision. */
  readonly onDecision?: (route: Route, tab: RunTab) => Promise<void>
}

/**
 * The real page of the game with an invented run. This class takes the service's place and answers the page's requests.
 */
export class RunTab {
  readonly watched: WatchedPage
  run: RunView
  /** Every decision that the page has sent, oldest first. */
  readonly decisions: { option: string; reason: string; evidence: string[]; unticked?: string[] }[] = []
  readonly #start: string

  private constructor(watched: WatchedPage, run: RunView, start: string) {
    this.watched = watched
    this.run = run
    this.#start = start
  }

  /** Opens the page at a screen of the run. @param place the screen: `notebook`, `decide/look` */
  static async open(
    { browser, server }: Place,
    run: RunView,
    place: string,
    { context = {}, lang = 'en', named = [], onDecision = takeDecision }: TabOptions = {},
  ): Promise<RunTab> {
    const watched = await openPage(browser, { timezoneId: 'UTC', ...context })
    const { page } = watched
    const tab = new RunTab(watched, run, new URL(`?lang=${lang}#/run/${run.id}/`, server.url).href)
    const kept = [{ id: run.id, key: 'a-key', scenario: run.scenario, at: run.startedAt }]
    await watched.context.addInitScript((runs) => {
      localStorage.setItem('walkon-game|runs', runs)
    }, JSON.stringify(kept))
    await page.route('**/scenarios.json', (route) => route.fulfill({ json: [cardOfLarkfield()] }))
    await page.route('**/api/run', (route) => route.fulfill({ json: tab.run }))
    await page.route('**/api/run/named', (route) => route.fulfill({ json: { facts: named } }))
    await page.route('**/api/run/decision', async (route) => {
      tab.decisions.push(JSON.parse(route.request().postData() ?? '') as (typeof tab.decisions)[number])
      await onDecision(route, tab)
    })
    await page.goto(tab.#start + place)
    await firstScreen(watched)
    await tab.settled()
    return tab
  }

  get page(): Page {
    return this.watched.page
  }

  get main() {
    return this.page.getByRole('main')
  }

  get title() {
    return this.main.getByRole('heading', { level: 1 })
  }

  /**
   * Returns the screen that the page's address names. Asks the page itself, because Playwright learns of a new address
   * with a delay.
   */
  async place(): Promise<string> {
    const hash = await this.page.evaluate(() => location.hash)
    return hash.replace(`#/run/${this.run.id}/`, '')
  }

  button(name: string | RegExp) {
    return this.page.getByRole('button', { name, exact: typeof name === 'string' })
  }

  link(name: string | RegExp) {
    return this.main.getByRole('link', { name, exact: typeof name === 'string' })
  }

  get paper() {
    return this.page.getByRole('article')
  }

  /**
   * Waits until the page has finished drawing. A screen adds its key listeners and sets the focus only after the page
   * has been painted. Its animations take another moment.
   */
  settled(): Promise<void> {
    return this.page.evaluate(async () => {
      await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
    })
  }

  /**
   * Waits until the element that matches the selector has the focus. It would not be enough to look at the text of the
   * focused element, because the elements around it contain the same text.
   */
  keyboardAt(selector: string): Promise<void> {
    return this.page.locator(`${selector}:focus`).waitFor()
  }

  focused(): Promise<string> {
    return this.page.evaluate(() => document.activeElement?.textContent ?? '')
  }

  /** Returns by how many pixels the page is wider than the screen. */
  overflow(): Promise<number> {
    return this.page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return Math.max(0, scrollWidth - clientWidth)
    })
  }
}

async function takeDecision(route: Route, tab: RunTab): Promise<void> {
  const decision = tab.decisions.at(-1)
  if (decision) tab.run = { ...tab.run, decision: { ...decision, at: tab.run.startedAt } }
  await route.fulfill({ json: tab.run })
}
