import { afterEach, describe, expect, it } from 'vitest'
import type { RunView } from '../../worker/wire/run.ts'
import { violations } from '../support/axe.ts'
import { DESKTOP, PHONE, stopClock } from '../support/browser.ts'
import { RunTab } from '../support/run-tab.ts'
import type { TabOptions } from '../support/run-tab.ts'
import { freshRun, runInLarkfield } from '../support/game-views.ts'
import { serveInBrowser } from '../support/serve.ts'
import { IS_LONG, variants } from '../support/runs.ts'

const place = serveInBrowser()
const phone: TabOptions = { context: { viewport: PHONE, hasTouch: true } }

/** Timeout of tests with many screens, in milliseconds, for a busy machine. */
const LONG = 180_000

/**
 * Every page is watched: no page may log a policy violation or another error, except the messages that match
 * `expected`.
 */
let expected: RegExp | null = null
const opened: RunTab[] = []
afterEach(() => {
  for (const { watched } of opened.splice(0))
    expect(watched.complaints.filter((complaint) => !expected?.test(complaint))).toEqual([])
  expected = null
})
async function open(where = 'notebook', options: TabOptions = {}, run: RunView = runInLarkfield()): Promise<RunTab> {
  const tab = await RunTab.open(place, run, where, options)
  opened.push(tab)
  place.closeAfterwards(tab.watched.context)
  return tab
}

const facts = (tab: RunTab) => tab.page.locator('.heard-list li')
const search = (tab: RunTab) => tab.page.getByRole('searchbox')

describe('the notebook', () => {
  it('[page-40] shows objectives, facts by colleague in the order they were heard, and documents', async () => {
    const tab = await open()
    const run = runInLarkfield()
    expect(await tab.page.locator('.goal').allTextContents()).toEqual(run.objectives.map(({ title }) => title))
    const byColleague = [...Map.groupBy(run.facts, ({ npc }) => npc).values()].flat()
    expect(await facts(tab).locator('.known').allTextContents()).toEqual(byColleague.map(({ text }) => text))
    const spoken = byColleague.filter(({ turn }) => turn !== null)
    expect(await facts(tab).locator('blockquote').allTextContents()).toEqual(spoken.map(({ said }) => said))
    expect(await tab.page.locator('.slip a').allTextContents()).toEqual(run.documents.map(({ title }) => title))
  })

  it.runIf(IS_LONG)('links a fact to its talk, or to its document if it is only in writing', async () => {
    const tab = await open()
    expect(await tab.link('Maya Patel').getAttribute('href')).toBe('#/run/ctx_larkfield/talk/maya')
    await tab.link('In writing').click()
    await tab.paper.getByText('Full medical run, not yet booked').waitFor()
    expect(await tab.place()).toBe('notebook/document/maya')
  })

  it.runIf(IS_LONG)('shows each objective’s state, and why one was missed', async () => {
    const tab = await open()
    const lines = tab.page.locator('.goal-list li')
    const words = await lines.evaluateAll((all) =>
      all.map((line) => /Not met yet|Met|Open/.exec(line.textContent ?? '')?.[0]),
    )
    expect(words).toEqual(['Met', 'Met', 'Not met yet', 'Open'])
    expect(await lines.nth(2).textContent()).toContain(
      'The talk with Marcus ended before you had said back the part that decides',
    )
  })

  it.runIf(IS_LONG)('explains itself while it is empty, and links to the next colleague', async () => {
    const tab = await open('notebook', {}, freshRun())
    await tab.page.getByText('Nothing yet. What your colleagues tell you').waitFor()
    await tab.page.getByText('Nothing yet. A colleague hands over').waitFor()
    expect(await search(tab).count()).toBe(0)
    expect(await tab.link('Talk to Otto').getAttribute('href')).toBe('#/run/ctx_larkfield/talk/otto')
  })

  it('[page-44] shows all texts as plain text, in their own language and without hidden characters', async () => {
    const run = runInLarkfield()
    const hostile = '<img src=x onerror=alert(1)> \u202e23.4%\u202c & "so" <b>on</b>'
    const tab = await open(
      'notebook/document/maya',
      {},
      {
        ...run,
        // So many that the notebook can be searched.
        facts: ['', '-b', '-c'].flatMap((more) =>
          run.facts.map((fact) => ({ ...fact, id: fact.id + more, text: hostile, said: hostile })),
        ),
        documents: run.documents.map((paper) => ({ ...paper, title: hostile, kind: hostile, lines: [hostile] })),
      },
    )
    await search(tab).fill('img 23 so')
    await tab.page.locator('mark').first().waitFor()
    const plain = hostile.replace(/[\u202c\u202e]/g, '').replace('"so"', '“so”')
    for (const shown of await tab.page.locator('.known, blockquote, .slip a, .doc h2, .row-name').allTextContents())
      expect(shown).toBe(plain)
    expect(await tab.main.locator('img, b').count()).toBe(0)
    expect(
      await tab.page
        .locator('.known, blockquote, .slip a, .doc h2')
        .evaluateAll((all) => all.map((each) => each.closest('[lang]')?.getAttribute('lang'))),
    ).toSatisfy((languages: unknown[]) => languages.every((lang) => lang === 'en'))
  })
})

describe('a new item', () => {
  it.runIf(IS_LONG)('[page-45] is marked on one visit if the learner has seen others before', async () => {
    const tab = await open()
    const fresh = () => facts(tab).filter({ hasText: 'New' }).count()
    expect(await fresh()).toBe(0)
    const seen = () => tab.page.evaluate(() => localStorage.getItem('walkon-game|notebook|ctx_larkfield'))
    // An item counts as seen only after it was painted, so the test waits for the first items before it scrolls on.
    await expect.poll(seen).toContain(`fact ${at(tab.run.facts, 0).id}`)
    await facts(tab).last().scrollIntoViewIfNeeded()
    for (const { id } of tab.run.facts) await expect.poll(seen).toContain(`fact ${id}`)
    expect(await fresh()).toBe(0)
    tab.run = {
      ...tab.run,
      facts: [...tab.run.facts, { ...at(tab.run.facts, 4), id: 'build-time', text: 'Six days.', said: 'Six.' }],
    }
    await tab.page.reload()
    await facts(tab).filter({ hasText: 'Six days.' }).waitFor()
    expect(await facts(tab).filter({ hasText: 'New' }).locator('.known').allTextContents()).toEqual(['Six days.'])
  })

  it.runIf(IS_LONG)('[page-45] that is a document is new until it is opened', async () => {
    const tab = await open()
    const fresh = tab.page.locator('.slip').filter({ hasText: 'New' })
    await tab.link(/Eval run 47/).click()
    await tab.paper.waitFor()
    await tab.page.reload()
    await tab.paper.waitFor()
    expect(await fresh.count()).toBe(2)
  })
})

describe('the search', () => {
  it.runIf(IS_LONG)(
    '[page-46] is focused with `/`, matches every word, says how many items match, and is cleared with Escape',
    async () => {
      const tab = await open()
      await tab.page.keyboard.press('/')
      await tab.page.keyboard.type('médical maya')
      await expect.poll(() => facts(tab).count()).toBe(3)
      await tab.page.getByRole('status').filter({ hasText: 'Found: 3 things you heard and 1 document' }).waitFor()
      expect(await tab.page.locator('.heard mark').first().textContent()).toBe('medical')
      await tab.page.keyboard.press('Escape')
      await expect.poll(() => facts(tab).count()).toBe(5)
      expect(await search(tab).inputValue()).toBe('')
      expect(await tab.place()).toBe('notebook')
    },
  )

  it.runIf(IS_LONG)('[page-46] announces its matches once, and not letter by letter', async () => {
    const tab = await open()
    // From now on, time passes only when the test advances it. On a slow machine, too much time would pass between two
    // key presses.
    const { clock } = tab.page
    await clock.install()
    await stopClock(tab.page)
    await tab.page.evaluate(() => {
      const told: string[] = []
      Object.assign(globalThis, { told })
      const status = document.querySelector('main [role=status]')
      if (status)
        new MutationObserver(() => told.push(status.textContent ?? '')).observe(status, {
          childList: true,
          characterData: true,
          subtree: true,
        })
    })
    const told = () => tab.page.evaluate(() => (globalThis as unknown as { told: string[] }).told)
    for (const letter of 'medical advice') {
      await search(tab).pressSequentially(letter)
      await clock.runFor(20)
    }
    expect(await told()).toEqual([])
    const later = async () => {
      await clock.runFor(1_000)
      return told()
    }
    await expect.poll(later).toEqual(['Found: 2 things you heard and 2 documents'])
    // Two more blanks in the search change no result. The page draws the results again, but must announce nothing.
    await search(tab).pressSequentially('  ')
    await tab.link(/pilot log/).click()
    await tab.paper.waitFor()
    await clock.runFor(2_000)
    // The link ends the search, so the page empties the live region. A screen reader does not announce an empty text.
    expect((await told()).filter((text) => text !== '')).toHaveLength(1)
  })

  it.runIf(IS_LONG)('[page-46] without a match says so, and shows everything again', async () => {
    const tab = await open()
    await search(tab).fill('dragons')
    await tab.page.getByText('The notebook keeps what bears on the decision.').waitFor()
    expect(await facts(tab).count()).toBe(0)
    await tab.button('Show everything').click()
    await expect.poll(() => facts(tab).count()).toBe(5)
  })

  it.runIf(IS_LONG)('[page-46] highlights matches in the open document too', async () => {
    const tab = await open()
    await search(tab).fill('2500')
    await tab.link(/Eval run 47/).click()
    await tab.paper.waitFor()
    expect(await tab.paper.locator('mark').allTextContents()).toEqual(['2,500'])
  })

  it.runIf(IS_LONG)('[page-48] can be restricted to one colleague, also with the arrow keys', async () => {
    const tab = await open()
    await tab.page.getByRole('radio', { name: 'Everybody' }).focus()
    await tab.page.keyboard.press('ArrowRight')
    await tab.page.keyboard.press('ArrowRight')
    await expect.poll(() => facts(tab).locator('.known').allTextContents()).toEqual([at(tab.run.facts, 3).text])
    expect(await tab.page.locator('.slip a').allTextContents()).toEqual(['Larkfield order form, schedule C'])
    await tab.page.getByRole('radio', { name: 'Everybody' }).check()
    await expect.poll(() => facts(tab).count()).toBe(5)
  })
})

describe('an opened item of the notebook', () => {
  it.runIf(IS_LONG)(
    '[page-49] adds one history entry, is replaced by another document, and closes with Back and Escape',
    async () => {
      const tab = await open()
      const before = await tab.page.evaluate(() => history.length)
      await tab.link(/Eval run 47/).click()
      await tab.keyboardAt('#paper-maya')
      await tab.link(/schedule C/).click()
      await tab.keyboardAt('#paper-marcus')
      expect(await tab.page.evaluate(() => history.length)).toBe(before + 1)
      await tab.page.goBack()
      await tab.keyboardAt('[data-document="marcus"]')
      expect(await tab.paper.count()).toBe(0)
      expect(await tab.place()).toBe('notebook')
      await tab.page.keyboard.press('Enter')
      await tab.keyboardAt('#paper-marcus')
      await tab.page.keyboard.press('Escape')
      await tab.keyboardAt('[data-document="marcus"]')
      expect(await tab.paper.count()).toBe(0)
      expect(await tab.place()).toBe('notebook')
    },
  )

  it.runIf(IS_LONG)('[page-49] can be a document opened by its address, which leads back to the notebook', async () => {
    const tab = await open('notebook/document/ines')
    await tab.paper.getByText('Prompts in the pilot').waitFor()
    await tab.link('Close the document').click()
    await expect.poll(() => tab.place()).toBe('notebook')
    await expect.poll(() => tab.paper.count()).toBe(0)
  })

  it.runIf(IS_LONG)('[page-49] can be a fact opened by its address, after any search', async () => {
    const tab = await open('notebook')
    await search(tab).fill('dragons')
    await tab.page.evaluate(() => void (location.hash = '#/run/ctx_larkfield/notebook/fact/credit'))
    await expect.poll(() => tab.focused()).toContain('$40,000')
    expect(await tab.page.locator('[data-pointed]').count()).toBe(1)
  })

  it.runIf(IS_LONG)('[page-49] with an unknown address is reported as missing', async () => {
    const tab = await open('notebook/document/otto')
    await tab.page.getByRole('alert').filter({ hasText: "isn't in your notebook" }).waitFor()
    const other = await open('notebook/fact/phasing')
    await other.page.getByRole('alert').filter({ hasText: "You haven't heard this yet." }).waitFor()
  })

  it.runIf(IS_LONG)('on a phone replaces the notebook, and closing it restores the position', async () => {
    const tab = await open('notebook', phone)
    await tab.link(/pilot log/).scrollIntoViewIfNeeded()
    const before = await tab.page.evaluate(() => scrollY)
    expect(before).toBeGreaterThan(100)
    await tab.link(/pilot log/).tap()
    await tab.paper.waitFor()
    expect(await search(tab).isVisible()).toBe(false)
    await expect.poll(() => tab.page.evaluate(() => scrollY)).toBe(0)
    await tab.link('Back to the notebook').tap()
    await search(tab).waitFor()
    await expect.poll(async () => Math.abs((await tab.page.evaluate(() => scrollY)) - before)).toBeLessThanOrEqual(1)
  })

  it.each(
    variants([
      ['maya', 'report'],
      ['marcus', 'clause'],
      ['ines', 'log'],
    ]),
  )('that is the document of %s looks like a %s and has every line', async (npc, look) => {
    const tab = await open(`notebook/document/${npc}`)
    expect(await tab.paper.getAttribute('data-look')).toBe(look)
    const given = tab.run.documents.find((document) => document.npc === npc)?.lines ?? []
    const shown = await tab.paper.locator('.doc-lines li').allTextContents()
    const letters = (line: string) => line.replace(/[\s:]/g, '').replaceAll("'", '’')
    expect(shown.map(letters)).toEqual(given.map(letters))
  })

  it.runIf(IS_LONG)(
    '[page-45] lets a figure be marked by key and by tap and unmarked, and keeps the mark over a reload',
    async () => {
      const tab = await open('notebook/document/maya', phone)
      const figure = (name: string) => tab.paper.getByRole('button', { name, exact: true })
      await figure('23.4%').tap()
      // The browser turns the tap into a click a moment later and then sets the focus.
      await tab.paper.getByRole('button', { name: '23.4%', pressed: true }).waitFor()
      await figure('4 working days').focus()
      await tab.page.keyboard.press('Enter')
      await figure('2.0%').focus()
      await tab.page.keyboard.press('Space')
      await tab.page.keyboard.press('Space')
      await tab.page.reload()
      await tab.paper.waitFor()
      const ringed = tab.paper.getByRole('button', { pressed: true })
      expect(await ringed.allTextContents()).toEqual(['23.4%', '4 working days'])
    },
  )

  it.runIf(IS_LONG)('is printed without the rest of the page', async () => {
    const tab = await open('notebook/document/marcus')
    await tab.paper.getByRole('button', { name: '$40,000' }).click()
    await tab.page.emulateMedia({ media: 'print' })
    expect(await tab.paper.getByText('Larkfield order form, schedule C').isVisible()).toBe(true)
    expect(await tab.paper.getByText('$40,000').isVisible()).toBe(true)
    for (const gone of [
      tab.title,
      tab.page.getByRole('banner'),
      tab.page.locator('.doc-tools'),
      tab.page.locator('.hint'),
    ])
      expect(await gone.isVisible()).toBe(false)
  })
})

describe('the notebook beside other screens', () => {
  it.runIf(IS_LONG)('[page-55] is a preview on the desk, which does not mark items as seen', async () => {
    const tab = await open('desk')
    const preview = tab.page.locator('.notebook-panel')
    await preview.getByText('3 more in the notebook').waitFor()
    await tab.page.evaluate(
      ([run, fact]) => localStorage.setItem(`walkon-game|notebook|${run}`, JSON.stringify({ seen: [`fact ${fact}`] })),
      [tab.run.id, tab.run.facts[0]?.id],
    )
    await tab.page.reload()
    await preview.getByText('3 more in the notebook').waitFor()
    expect(await preview.locator('.known').allTextContents()).toEqual(
      tab.run.facts
        .filter(({ turn }) => turn !== null)
        .slice(-2)
        .toReversed()
        .map(({ text }) => text),
    )
    const seen = await tab.page.evaluate((run) => localStorage.getItem(`walkon-game|notebook|${run}`), tab.run.id)
    expect(seen).not.toContain(tab.run.facts[4]?.id)
    await preview.getByRole('link', { name: /Eval run 47/ }).click()
    await tab.paper.waitFor()
    expect(await tab.place()).toBe('notebook/document/maya')
    await tab.link('Close the document').click()
    await expect.poll(() => tab.place()).toBe('notebook')
  })

  it.runIf(IS_LONG)('[page-55] opens a document in its place beside a talk, and the talk stays', async () => {
    const tab = await open('desk', { context: { viewport: { width: 1440, height: 900 } } })
    // The page requests the conversation from the service, but the service does not know this run.
    expected = /Failed to load resource/
    await tab.page.route('**/api/run/talk', (route) => route.abort())
    await tab.page.evaluate(() => void (location.hash = '#/run/ctx_larkfield/talk/ines'))
    // A new screen first moves the focus to its heading.
    await tab.keyboardAt('main h1')
    const panel = tab.page.locator('.notebook-panel:not(.preview)')
    await panel.getByRole('link', { name: /Eval run 47/ }).click()
    await tab.keyboardAt('#paper-maya')
    expect(await tab.place()).toBe('talk/ines')
    await tab.page.keyboard.press('Escape')
    await tab.keyboardAt('[data-document="maya"]')
    expect(await tab.paper.count()).toBe(0)
    expect(await tab.place()).toBe('talk/ines')
  })
})

describe('for everybody', { timeout: LONG }, () => {
  it.runIf(IS_LONG).each([
    ['phone', 'light', PHONE],
    ['phone', 'dark', PHONE],
    ['desktop', 'light', DESKTOP],
    ['desktop', 'dark', DESKTOP],
  ] as const)('[page-25] axe finds no problem on a %s, %s', async (_, colorScheme, viewport) => {
    const tab = await open('notebook', { context: { viewport, colorScheme } })
    expect(await violations(tab.page)).toEqual([])
    await search(tab).fill('medical')
    await tab.page.locator('mark').first().waitFor()
    expect(await violations(tab.page)).toEqual([])
    for (const name of [/Eval run 47/, /pilot log/]) {
      await tab.link(name).first().click()
      await tab.paper.waitFor()
      await tab.paper.getByRole('button').first().click()
      await tab.settled()
      expect(await violations(tab.page)).toEqual([])
      if (viewport === PHONE) await tab.link('Back to the notebook').click()
    }
  })

  it
    .runIf(IS_LONG)
    .each(variants(['notebook', 'notebook/document/maya', 'notebook/document/marcus', 'notebook/document/ines']))(
    '[page-25] nothing of %s is cut off with text at twice its size, also from right to left',
    async (where) => {
      for (const [lang, viewport] of variants([
        ['en', PHONE],
        ['ar-XB', PHONE],
        ['ar-XB', DESKTOP],
        ['es', DESKTOP],
      ] as const)) {
        const tab = await open(where, { lang, context: { viewport } })
        expect(await tab.overflow()).toBe(0)
        await tab.page.evaluate(() => void (document.documentElement.style.fontSize = '200%'))
        const wide = await tab.page.evaluate(() => {
          const edge = document.documentElement.clientWidth
          return [...document.querySelectorAll('.notebook :is(p, a, li, h2, input, button, blockquote)')]
            .filter((element) => element.checkVisibility() && !element.closest('.hidden'))
            .map((element) => element.getBoundingClientRect())
            .filter(({ left, right }) => left < -1 || right > edge + 1).length
        })
        expect(wide).toBe(0)
      }
    },
  )

  it.runIf(IS_LONG)('[page-25] all texts are available in Spanish, except those of colleagues', async () => {
    const tab = await open('notebook', { lang: 'es' })
    expect(await tab.title.textContent()).toBe('Cuaderno')
    await tab.link('Por escrito').waitFor()
    expect(await facts(tab).first().locator('.known').getAttribute('lang')).toBe('en')
  })
})

function at<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new RangeError(`nothing at ${index}`)
  return item
}
