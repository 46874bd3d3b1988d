import type { Browser, Page, Route } from 'playwright-core'
import type { RunView } from '../../worker/wire/run.ts'
import { openPage } from './browser.ts'
import type { WatchedPage } from './browser.ts'
import { firstScreen } from './first-screen.ts'
import { launchCard } from './game-debrief.ts'
import type { WorkerServer } from './worker-server.ts'

/**
 * How the service answers each request of the page, by the request's method and path. An answer is a value, a refusal,
 * the text of a file, or `UNREACHABLE`.
 */
export type Answers = Readonly<Record<string, unknown>>

/** What a refusal contains: the status, and the fields of the error. */
interface Refused {
  readonly status: number
  readonly code: string
  readonly next: string
}

/** Makes a request fail as on a broken network: the connection is aborted. */
export const UNREACHABLE = Symbol('unreachable')

export const refuse = (status: number, code: string, next: string): Refused => ({ status, code, next })

const KEY = 'the-key-of-the-run'

/** The built page of the game in a browser. The test decides how the service answers the page's requests. */
export class DebriefTab {
  readonly watched: WatchedPage
  /** The requests that the page sent, oldest first, by method and path. */
  readonly asked: { readonly what: string; readonly body: unknown; readonly key: string | null }[] = []
  #answers: Answers

  private constructor(watched: WatchedPage, answers: Answers) {
    this.watched = watched
    this.#answers = answers
  }

  /**
   * Opens the page with these answers. If a run is given, the browser has already stored this run.
   *
   * @param hash the part of the address after its path, such as `#/teach`
   */
  static async open(
    browser: Browser,
    server: Pick<WorkerServer, 'url'>,
    hash: string,
    {
      answers = {},
      run = null,
      lang = 'en',
      ...options
    }: { answers?: Answers; run?: RunView | null; lang?: string } & Parameters<Browser['newContext']>[0] = {},
  ): Promise<DebriefTab> {
    const watched = await openPage(browser, { timezoneId: 'UTC', locale: 'en-GB', ...options })
    const tab = new DebriefTab(watched, {
      'GET /scenarios.json': [launchCard()],
      ...(run && { 'GET /api/run': run }),
      ...answers,
    })
    await watched.page.route(/\/api\/|\/scenarios\.json/, (route) => tab.#answer(route))
    if (run) {
      const kept = JSON.stringify([{ id: run.id, key: KEY, scenario: run.scenario, at: 1 }])
      await watched.page.addInitScript((text) => {
        if (localStorage.getItem('walkon-game|runs') === null) localStorage.setItem('walkon-game|runs', text)
      }, kept)
    }
    await watched.page.goto(new URL(`?lang=${lang}${hash}`, server.url).href)
    await firstScreen(watched)
    return tab
  }

  get page(): Page {
    return this.watched.page
  }

  /** The screen's heading, without the heading of the skeleton that the page shows while it loads. */
  get title() {
    return this.page.locator('main h1:not(.skeleton h1)')
  }

  get main() {
    return this.page.getByRole('main')
  }

  button(name: string | RegExp) {
    return this.main.getByRole('button', { name, exact: typeof name === 'string' })
  }

  chapter(name: string) {
    return this.main.getByRole('region', { name, exact: true })
  }

  answers(more: Answers): void {
    this.#answers = { ...this.#answers, ...more }
  }

  bodies(what: string): unknown[] {
    return this.asked.filter((each) => each.what === what).map(({ body }) => body)
  }

  async unfold(): Promise<void> {
    await this.page.evaluate(() => {
      for (const fold of document.querySelectorAll('details')) fold.open = true
    })
  }

  /** Returns how far the page can be scrolled sideways, in pixels: 0 when nothing overflows. */
  async overflow(): Promise<number> {
    return this.page.evaluate(() => {
      const reached = [-9_999, 9_999].map((by) => {
        scrollBy(by, 0)
        return Math.abs(scrollX)
      })
      return Math.max(...reached)
    })
  }

  /** Returns the id of the element that has the focus, or its text. */
  async focused(): Promise<string> {
    return this.page.evaluate(() => document.activeElement?.id || (document.activeElement?.textContent ?? ''))
  }

  async #answer(route: Route): Promise<void> {
    const request = route.request()
    const what = `${request.method()} ${new URL(request.url()).pathname}`
    this.asked.push({
      what,
      body: request.postDataJSON() as unknown,
      key: request.headers()['authorization']?.replace('Bearer ', '') ?? null,
    })
    const answer = this.#answers[what] ?? refuse(404, 'not-found', 'give-up')
    if (answer === UNREACHABLE) return route.abort()
    if (typeof answer === 'string') return route.fulfill({ contentType: 'text/csv; charset=utf-8', body: answer })
    if (!isRefused(answer)) return route.fulfill({ json: answer })
    const { status, code, next } = answer
    return route.fulfill({ status, json: { error: { code, next, message: 'no' } } })
  }
}

function isRefused(answer: unknown): answer is Refused {
  return typeof answer === 'object' && answer !== null && 'status' in answer && 'next' in answer
}
