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
  /** What the service answers to a decision; by default the run with it. */
  readonly onDecision?: (route: Route, tab: RunTab) => Promise<void>
}

/**
 * The game's page on a run that a test has made up: the page is the real one, and what it would ask the service about this
 * run is answered here.
 */
export class RunTab {
  readonly watched: WatchedPage
  /** What the service says of the run from now on. */
  run: RunView
  /** Every decision that was sent, oldest first. */
  readonly decisions: { option: string; reason: string; evidence: string[] }[] = []
  readonly #start: string

  private constructor(watched: WatchedPage, run: RunView, start: string) {
    this.watched = watched
    this.run = run
    this.#start = start
  }

  /** @param place where in the run: `notebook`, `decide/look` */
  static async open(
    { browser, server }: Place,
    run: RunView,
    place: string,
    { context = {}, lang = 'en', onDecision = takeDecision }: TabOptions = {},
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

  /** Where in the run the address says one is. Asked of the page itself: Playwright hears of it late. */
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

  /** The document that lies open. */
  get paper() {
    return this.page.getByRole('article')
  }

  /**
   * Until what follows a drawing has followed it: only once it was painted does a screen listen to its keys and put the keyboard
   * in its place, and what comes in takes a moment.
   */
  settled(): Promise<void> {
    return this.page.evaluate(async () => {
      await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
    })
  }

  /** Until the keyboard is on the element of a selector, which its text alone would not tell: the page around it has it too. */
  keyboardAt(selector: string): Promise<void> {
    return this.page.locator(`${selector}:focus`).waitFor()
  }

  /** What the keyboard is on, in the words of its text. */
  focused(): Promise<string> {
    return this.page.evaluate(() => document.activeElement?.textContent ?? '')
  }

  /** By how much the page is wider than the screen. */
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
