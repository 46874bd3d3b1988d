import { afterEach, describe, expect, it } from 'vitest'
import { factsIn } from '../../worker/core/run/facts-in.ts'
import type { RunView } from '../../worker/wire/run.ts'
import { violations } from '../support/axe.ts'
import { DESKTOP, openPage, PHONE } from '../support/browser.ts'
import { askGame, runOf, startGame, talkWith } from '../support/game-client.ts'
import { simulationFile } from '../support/play-run.ts'
import { RunTab } from '../support/run-tab.ts'
import type { TabOptions } from '../support/run-tab.ts'
import { freshRun, runInLarkfield } from '../support/game-views.ts'
import { serveInBrowser } from '../support/serve.ts'
import { IS_LONG, variants } from '../support/runs.ts'

const place = serveInBrowser()
/** Timeout of tests with many screens, in milliseconds, for a busy machine. */
const LONG = 180_000
const REASON = 'The average hides where it goes wrong, and C.4 lets us hold exactly that back.'

/**
 * Every page is watched: no page may log a policy violation or another error, except for responses that the test makes
 * fail.
 */
const opened: RunTab[] = []
afterEach(() => {
  const own = /Failed to load resource/
  for (const { watched } of opened.splice(0)) expect(watched.complaints.filter((text) => !own.test(text))).toEqual([])
})
async function open(where = 'decide', options: TabOptions = {}, run: RunView = runInLarkfield()): Promise<RunTab> {
  const tab = await RunTab.open(place, run, where, options)
  opened.push(tab)
  place.closeAfterwards(tab.watched.context)
  return tab
}

const option = (tab: RunTab, name: string) => tab.page.getByRole('radio', { name })
const reason = (tab: RunTab) => tab.page.getByRole('textbox')
const evidence = (tab: RunTab) => tab.page.getByRole('checkbox')

async function fill(tab: RunTab): Promise<void> {
  await option(tab, 'nurse line').check()
  await reason(tab).fill(REASON)
  await evidence(tab).nth(0).check()
  await evidence(tab).nth(3).check()
  await tab.button('Read it over and decide').click()
  await tab.page.getByRole('heading', { name: 'A last look' }).waitFor()
}

/** Sends the decision and opens the notebook before the response arrives. */
async function decideAndGo(tab: RunTab): Promise<void> {
  await fill(tab)
  await tab.button('Decide').click()
  await tab.button('Sending your decision').waitFor()
  await tab.page.evaluate((run) => void (location.hash = `#/run/${run}/notebook`), tab.run.id)
  await tab.page.locator('.notebook').waitFor()
}

describe('the decision form', () => {
  it('[page-99] asks the question, names the deadline as every screen does, and shows the options without endings', async () => {
    const tab = await open()
    expect(await tab.title.textContent()).toBe('Larkfield goes live on Thursday at nine. What do you ship?')
    const deadline = `Decide ${simulationFile('launch-decision').simulation?.deadline}`
    for (const screen of ['decide', 'desk', 'briefing']) {
      await tab.page.evaluate((hash) => void (location.hash = hash), `#/run/${tab.run.id}/${screen}`)
      await tab.main.getByText(deadline, { exact: true }).waitFor()
    }
    await tab.page.goBack()
    await tab.page.goBack()
    const cards = await tab.page.locator('.option-card').allTextContents()
    expect(cards).toEqual([
      '1Ship on Thursday as it stands',
      '2Hold everything back a week and test again',
      '3Ship on Thursday, with medical questions going to the nurse line Opened by what Ines told you',
    ])
    expect(await tab.page.locator('body').innerText()).not.toMatch(/wrong|right answer|defensible|kitchen table/i)
  })

  it('[page-60] lets the reason begin with what the learner wrote in the notebook', async () => {
    const tab = await open('notebook')
    await tab.page.getByLabel('What you make of it').fill(REASON)
    await tab.page.evaluate((run) => void (location.hash = `#/run/${run}/decide`), tab.run.id)
    await tab.page.getByLabel('Your reason').waitFor()
    expect(await tab.page.getByLabel('Your reason').inputValue()).toBe('')
    const useNote = tab.button('Begin with what you wrote in the notebook')
    await useNote.click()
    expect(await tab.page.getByLabel('Your reason').inputValue()).toBe(REASON)
    expect(await tab.page.evaluate(() => document.activeElement?.id)).toBe('decide-reason')
    expect(await useNote.count()).toBe(0)
  })

  it.runIf(IS_LONG)(
    '[game-17] shows an option once it is earned, and before that only says that there may be more',
    async () => {
      const { options = [], ...run } = runInLarkfield()
      const tab = await open('decide', {}, { ...run, options: options.slice(0, 2), more: true })
      await tab.page.getByText('There may be another way.').waitFor()
      expect(await tab.page.getByRole('radio').count()).toBe(2)
      expect(await tab.page.locator('body').innerText()).not.toContain('medical questions going')
      tab.run = { ...run, options }
      await tab.page.reload()
      await option(tab, 'nurse line').waitFor()
      expect(await tab.page.getByText('There may be another way.').count()).toBe(0)
    },
  )

  it.runIf(IS_LONG)('picks an option with the keys 1 to 9, unless the learner is writing', async () => {
    const tab = await open()
    await tab.page.keyboard.press('2')
    await expect.poll(() => option(tab, 'a week').isChecked()).toBe(true)
    await tab.page.keyboard.press('7')
    await reason(tab).press('3')
    expect(await reason(tab).inputValue()).toBe('3')
    expect(await option(tab, 'a week').isChecked()).toBe(true)
    await evidence(tab).first().focus()
    await tab.page.keyboard.press('3')
    await expect.poll(() => option(tab, 'nurse line').isChecked()).toBe(true)
  })

  it.runIf(IS_LONG)(
    '[page-21] lists the keys on a question mark at an option or a fact, and Escape leads back',
    async () => {
      const tab = await open()
      const list = tab.page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      for (const put of [() => tab.page.keyboard.press('1'), () => evidence(tab).first().focus()]) {
        await put()
        await tab.page.keyboard.press('?')
        await list.waitFor()
        await list.getByRole('button', { name: 'Close' }).click()
        await list.waitFor({ state: 'hidden' })
      }
      await tab.page.keyboard.press('Escape')
      await expect.poll(() => tab.place()).toBe('desk')
    },
  )

  it.runIf(IS_LONG)(
    '[page-57] counts the characters of the reason, cuts nothing off, and says by how much it is too long',
    async () => {
      const tab = await open()
      await reason(tab).fill('x'.repeat(2_012))
      await tab.page.getByText('Too long by 12 characters.').first().waitFor()
      expect(await reason(tab).inputValue()).toHaveLength(2_012)
      await option(tab, 'a week').check()
      await tab.button('Read it over and decide').click()
      expect(await reason(tab).evaluate((field) => field === document.activeElement)).toBe(true)
      await reason(tab).fill('x'.repeat(2_000))
      await tab.page.getByText('2,000 of 2,000 characters').first().waitFor()
      expect(await tab.place()).toBe('decide')
    },
  )

  it.runIf(IS_LONG)(
    '[page-57] keeps a draft over a reload, for this run only, and tells who may read the reason',
    async () => {
      const tab = await open()
      await option(tab, 'a week').check()
      await reason(tab).fill(REASON)
      await evidence(tab).nth(1).check()
      await tab.page.reload()
      await expect.poll(() => reason(tab).inputValue()).toBe(REASON)
      expect(await option(tab, 'a week').isChecked()).toBe(true)
      expect(await evidence(tab).nth(1).isChecked()).toBe(true)
      expect(await evidence(tab).nth(0).isChecked()).toBe(false)
      const inClass = { ...runInLarkfield('ctx_other'), class: { id: 'cls_1', title: 'Thursday' } }
      const other = await open('decide', {}, inClass)
      expect(await reason(other).inputValue()).toBe('')
      // Only a learner in a class has a teacher who may show the reason.
      expect(await other.page.getByText('without your name').isVisible()).toBe(true)
      expect(await tab.page.getByText('without your name').count()).toBe(0)
    },
  )

  it.runIf(IS_LONG)('[page-57] has a field that grows with the text', async () => {
    const tab = await open()
    const height = () => reason(tab).evaluate((field) => field.getBoundingClientRect().height)
    const before = await height()
    await reason(tab).fill('One line.\n'.repeat(12))
    await expect.poll(height).toBeGreaterThan(before + 60)
  })

  it.runIf(IS_LONG)('[page-61] says which part is missing, and links to it', async () => {
    const tab = await open()
    await tab.button('Read it over and decide').click()
    await tab.page.getByRole('alert').filter({ hasText: 'Pick one of the options first.' }).waitFor()
    expect(await tab.page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('radio')
    await tab.page.keyboard.press('1')
    await tab.button('Read it over and decide').click()
    await tab.page.getByRole('alert').filter({ hasText: 'Write your reason first.' }).waitFor()
    expect(await reason(tab).evaluate((field) => field === document.activeElement)).toBe(true)
    expect(tab.decisions).toEqual([])
  })

  it.runIf(IS_LONG)('[page-59] offers only the facts heard, with who said them', async () => {
    const tab = await open()
    expect(await tab.page.locator('.ticked .known').allTextContents()).toEqual(tab.run.facts.map(({ text }) => text))
    const names = await tab.page.locator('.evidence-of .who').allTextContents()
    expect(names.map((name) => name.split(' ')[0])).toEqual(['Maya', 'Marcus', 'Ines'])
    expect(await tab.page.locator('.ticked .small').allTextContents()).toEqual([' Maya, in writing'])
  })

  it.runIf(IS_LONG)('[page-59] explains the lack of facts, and still lets the learner decide', async () => {
    const tab = await open('decide', {}, freshRun())
    await tab.page.getByText('there is no evidence to tick').waitFor()
    await tab.page.getByText("You haven't talked with Maya, Marcus, or Ines.").waitFor()
    expect(await tab.link('Talk to Marcus').getAttribute('href')).toBe('#/run/ctx_larkfield/talk/marcus')
    await option(tab, 'as it stands').check()
    await reason(tab).fill('Somebody has to.')
    await tab.button('Read it over and decide').click()
    await tab.page.getByText('nothing you heard.').waitFor()
    await tab.button('Decide').click()
    await expect.poll(() => tab.place()).toBe('debrief')
    expect(tab.decisions).toEqual([{ option: 'ship-as-is', reason: 'Somebody has to.', evidence: [] }])
    tab.watched.complaints.length = 0
  })

  it.runIf(IS_LONG)('[page-59] names the colleagues whose talk is still open', async () => {
    const tab = await open()
    await tab.page.getByText("You're not done talking with Ines.").waitFor()
  })
})

describe('the review of the decision', () => {
  it.runIf(IS_LONG)('[page-61] shows the whole decision, and leads back to the filled form', async () => {
    const tab = await open()
    await fill(tab)
    const sentence = (await tab.page.locator('.signed').innerText()).replace(/\s+/g, ' ')
    expect(sentence).toMatch(
      /^You decide: Ship on Thursday, .* because The average .* on the strength of .*23\.4%.*\$40,000/,
    )
    expect(await tab.place()).toBe('decide/look')
    await expect.poll(() => tab.focused()).toBe('A last look')
    for (const back of [
      () => tab.page.goBack(),
      () => tab.page.keyboard.press('Escape'),
      () => tab.link('Change something').click(),
    ]) {
      await back()
      await expect.poll(() => reason(tab).inputValue()).toBe(REASON)
      expect(await tab.place()).toBe('decide')
      await tab.button('Read it over and decide').click()
      await tab.page.getByRole('heading', { name: 'A last look' }).waitFor()
    }
    await tab.page.reload()
    await tab.page.getByRole('heading', { name: 'A last look' }).waitFor()
    expect(tab.decisions).toEqual([])
  })

  it.runIf(IS_LONG)('[page-61] of an incomplete decision shows the form', async () => {
    const tab = await open('decide/look')
    await tab.button('Read it over and decide').waitFor()
    await expect.poll(() => tab.place()).toBe('decide')
  })

  it('[page-61] says how much the reason names and ticks it, and unticks what the learner did not mean', async () => {
    const tab = await open('decide', { named: ['medical-rate', 'gate', 'ceiling'] })
    await reason(tab).fill(REASON)
    await tab.page.getByRole('status').getByText('It names 3 things that you heard, ticked below.').waitFor()
    for (const isTicked of [false, true, false]) {
      await evidence(tab).nth(1).setChecked(isTicked)
      await tab.page.getByText(`It names ${isTicked ? 3 : 2} things that you heard`).waitFor()
    }
    await fill(tab)
    await expect
      .poll(() => tab.page.locator('.rests-on .known').allTextContents())
      .toEqual(['medical-rate', 'credit', 'gate'].map((id) => tab.run.facts.find((fact) => fact.id === id)?.text))
    await tab.button('Decide').click()
    await expect.poll(() => tab.decisions[0]?.evidence.toSorted()).toEqual(['credit', 'gate', 'medical-rate'])
    expect(tab.decisions[0]?.unticked).toEqual(['ceiling'])
    tab.watched.complaints.length = 0
  })

  it('[page-62] sends the decision once, however often the button is pressed, and removes the draft', async () => {
    const asked = Promise.withResolvers<void>()
    const tab = await open('decide', {
      onDecision: async (route, given) => {
        await asked.promise
        const decision = { ...given.decisions[0], at: 1 } as RunView['decision']
        given.run = { ...given.run, decision }
        await route.fulfill({ json: given.run })
      },
    })
    await fill(tab)
    await tab.button('Decide').click()
    await tab.button('Sending your decision').click({ force: true })
    await tab.button('Sending your decision').press('Enter')
    asked.resolve()
    await expect.poll(() => tab.place()).toBe('debrief')
    expect(tab.decisions).toEqual([
      { option: 'hold-back-medical', reason: REASON, evidence: ['medical-rate', 'credit'] },
    ])
    expect(await tab.page.evaluate(() => localStorage.getItem('walkon-game|decision|ctx_larkfield'))).toBeNull()
    await tab.page.goBack()
    await tab.page.getByRole('heading', { name: 'You decided' }).waitFor()
    tab.watched.complaints.length = 0
  })

  it.runIf(IS_LONG)(
    '[page-98] with a late response does not leave a screen that the learner opened meanwhile',
    async () => {
      const answered = Promise.withResolvers<void>()
      const tab = await open('decide', {
        onDecision: async (route, given) => {
          await answered.promise
          given.run = { ...given.run, decision: { ...given.decisions[0], at: 1 } as RunView['decision'] }
          await route.fulfill({ json: given.run })
        },
      })
      await decideAndGo(tab)
      answered.resolve()
      await tab.page.locator('.notes').getByText('Your decision has arrived.').waitFor()
      expect(await tab.place()).toBe('notebook')
      await tab.page.goBack()
      await tab.page.getByRole('heading', { name: 'You decided' }).waitFor()
    },
  )

  it.runIf(IS_LONG)(
    '[page-63] [page-98] tells a learner on another screen that the decision was not made',
    async () => {
      const answered = Promise.withResolvers<void>()
      const tab = await open('decide', {
        onDecision: async (route) => {
          await answered.promise
          await route.fulfill({ status: 503, json: { error: { code: 'unavailable', next: 'retry-after' } } })
        },
      })
      await decideAndGo(tab)
      answered.resolve()
      await tab.page.locator('.notes').getByText('nobody knows whether it was decided').waitFor()
      expect(await tab.place()).toBe('notebook')
      tab.watched.complaints.length = 0
    },
  )

  it.each(
    variants([
      ['rate-limited', 429, 'retry-after', 'Too many requests.'],
      ['not-heard', 400, 'give-up', "isn't in your notebook any more"],
      ['unavailable', 503, 'retry-after', 'nobody knows whether it was decided'],
      ['internal', 500, 'retry-after', 'nobody knows whether it was decided'],
    ]),
  )('[page-63] after %s says what happened, and keeps the draft', async (code, status, next, says) => {
    let times = 0
    const tab = await open('decide', {
      onDecision: async (route, given) => {
        times += 1
        if (times === 1) return route.fulfill({ status, json: { error: { code, next, message: 'No.' } } })
        given.run = { ...given.run, decision: { ...given.decisions[0], at: 1 } as RunView['decision'] }
        await route.fulfill({ json: given.run })
      },
    })
    await fill(tab)
    await tab.button('Decide').click()
    await tab.page.getByRole('alert').filter({ hasText: says }).waitFor()
    await tab.page.reload()
    await tab.button('Decide').click()
    await expect.poll(() => tab.place()).toBe('debrief')
    expect(tab.decisions[1]).toEqual(tab.decisions[0])
    tab.watched.complaints.length = 0
  })

  it.runIf(IS_LONG)('[page-63] without a response, also offline, keeps the draft', async () => {
    const tab = await open('decide', { onDecision: (route) => route.abort() })
    await fill(tab)
    await tab.button('Decide').click()
    await tab.page.getByRole('alert').filter({ hasText: 'nobody knows whether it arrived' }).waitFor()
    await tab.watched.context.setOffline(true)
    await tab.page.getByText("Decide when you're back.").waitFor()
    await tab.watched.context.setOffline(false)
    await expect.poll(() => tab.page.getByText("Decide when you're back.").count()).toBe(0)
  })

  it.runIf(IS_LONG).each(
    variants([
      ['cut off', { status: 200, contentType: 'application/json', body: '{"id":"ctx_lark' }, 'whether it arrived'],
      ['a page', { status: 200, contentType: 'text/html', body: '<h1>Welcome</h1>' }, 'whether it arrived'],
      ["a gateway's", { status: 504, contentType: 'text/html', body: '<h1>504</h1>' }, 'whether it was decided'],
    ]),
  )('[page-63] after an unreadable response, %s, says that the decision may have arrived', async (_, answer, says) => {
    const tab = await open('decide', { onDecision: (route) => route.fulfill(answer) })
    await fill(tab)
    await tab.button('Decide').click()
    const alert = tab.page.getByRole('alert').filter({ hasText: `nobody knows ${says}` })
    await alert.waitFor()
    expect(await alert.innerText()).toMatch(/kept here.*counts once/)
    expect(await alert.innerText()).not.toContain('Nothing was decided')
  })

  it.runIf(IS_LONG)(
    '[page-63] requires a new choice if the option is no longer offered, and keeps the reason',
    async () => {
      const error = { code: 'unknown-option', next: 'give-up', message: 'No.' }
      const tab = await open('decide', { onDecision: (route) => route.fulfill({ status: 400, json: { error } }) })
      await fill(tab)
      await tab.button('Decide').click()
      await tab.page.getByRole('alert').filter({ hasText: 'Pick another one.' }).waitFor()
      await expect.poll(() => tab.place()).toBe('decide')
      expect(await reason(tab).inputValue()).toBe(REASON)
      expect(await tab.page.getByRole('radio', { checked: true }).count()).toBe(0)
    },
  )

  it.runIf(IS_LONG)(
    '[page-64] shows the decision of another device that was first, and keeps this one’s draft',
    async () => {
      const tab = await open('decide', {
        onDecision: async (route, given) => {
          const decision = { option: 'ship-as-is', reason: 'On the other device.', evidence: [], at: 1 }
          given.run = { ...given.run, decision }
          await route.fulfill({
            status: 409,
            json: { error: { code: 'decided', next: 'give-up', message: 'No.' }, run: given.run },
          })
        },
      })
      await fill(tab)
      await tab.button('Decide').click()
      await tab.page.getByRole('heading', { name: 'You decided' }).waitFor()
      await expect.poll(() => tab.focused()).toBe('You decided')
      await tab.page.getByText('On the other device.').waitFor()
      await tab.page.getByText('What you had written here, not sent').click()
      await tab.page.getByText(REASON).waitFor()
      await tab.page.reload()
      await tab.button('Throw it away').click()
      await expect.poll(() => tab.page.getByText(REASON).count()).toBe(0)
      await tab.page.reload()
      await tab.page.getByText('On the other device.').waitFor()
      expect(await tab.button('Throw it away').count()).toBe(0)
    },
  )
})

describe('a decided run', () => {
  const decided: RunView = {
    ...runInLarkfield(),
    decision: { option: 'delay-a-week', reason: REASON, evidence: ['credit'], at: 1 },
  }

  it.runIf(IS_LONG)('[page-64] shows the decision and links to the debrief', async () => {
    for (const where of ['decide', 'decide/look']) {
      const tab = await open(where, {}, decided)
      const words = (await tab.main.innerText()).replace(/\s+/g, ' ')
      expect(words).toContain('Hold everything back a week and test again')
      expect(words).toContain(REASON)
      expect(await tab.link('See what came of it').getAttribute('href')).toBe('#/run/ctx_larkfield/debrief')
      expect(await tab.page.getByRole('radio').count()).toBe(0)
    }
  })
})

describe('for everybody', { timeout: LONG }, () => {
  it.runIf(IS_LONG)('[page-25] the decision can be made by keyboard alone', async () => {
    const tab = await open()
    await tab.page.keyboard.press('3')
    await tab.page.keyboard.press('Tab')
    await tab.page.keyboard.type(REASON)
    // The first stop folds and unfolds what Maya told.
    await tab.page.keyboard.press('Tab')
    await tab.page.keyboard.press('Tab')
    await tab.page.keyboard.press('Space')
    for (let tabs = 0; tabs < 20 && !/Read it over and decide/.test(await tab.focused()); tabs++)
      await tab.page.keyboard.press('Tab')
    await tab.page.keyboard.press('Enter')
    await expect.poll(() => tab.focused()).toBe('A last look')
    for (let tabs = 0; tabs < 10 && (await tab.focused()) !== 'Decide'; tabs++) await tab.page.keyboard.press('Tab')
    await tab.page.keyboard.press('Enter')
    await expect.poll(() => tab.place()).toBe('debrief')
    expect(tab.decisions).toEqual([{ option: 'hold-back-medical', reason: REASON, evidence: ['medical-rate'] }])
    tab.watched.complaints.length = 0
  })

  it.runIf(IS_LONG).each([
    ['phone', 'light', PHONE],
    ['phone', 'dark', PHONE],
    ['desktop', 'light', DESKTOP],
    ['desktop', 'dark', DESKTOP],
  ] as const)('[page-25] axe finds no problem on a %s, %s', async (_, colorScheme, viewport) => {
    const tab = await open('decide', { context: { viewport, colorScheme } })
    expect(await violations(tab.page)).toEqual([])
    await tab.button('Read it over and decide').click()
    expect(await violations(tab.page)).toEqual([])
    await fill(tab)
    expect(await violations(tab.page)).toEqual([])
    tab.run = { ...tab.run, decision: { option: 'delay-a-week', reason: REASON, evidence: ['credit'], at: 1 } }
    await tab.page.reload()
    await tab.page.getByRole('heading', { name: 'You decided' }).waitFor()
    expect(await violations(tab.page)).toEqual([])
  })

  it.runIf(IS_LONG)('[page-25] nothing is cut off with text at twice its size, also from right to left', async () => {
    for (const [lang, viewport] of [
      ['en', PHONE],
      ['ar-XB', PHONE],
      ['ar-XB', DESKTOP],
      ['es', DESKTOP],
    ] as const) {
      const tab = await open('decide', { lang, context: { viewport } })
      expect(await tab.overflow()).toBe(0)
      await tab.page.evaluate(() => void (document.documentElement.style.fontSize = '200%'))
      const wide = await tab.page.evaluate(() => {
        const edge = document.documentElement.clientWidth
        return [...document.querySelectorAll('.decide :is(p, a, label, h1, button, textarea, q)')]
          .map((element) => element.getBoundingClientRect())
          .filter(({ left, right }) => left < -1 || right > edge + 1)
          .map(({ left, right }) => `${Math.round(left)} ${Math.round(right)} of ${edge}`)
      })
      expect(wide).toEqual([])
    }
  })

  it.runIf(IS_LONG)('[page-25] all texts are available in Spanish', async () => {
    const tab = await open('decide', { lang: 'es' })
    await tab.button('Repasarlo y decidir').click()
    await tab.page.getByRole('alert').filter({ hasText: 'Elige primero' }).waitFor()
  })
})

describe('with the service', { timeout: LONG }, () => {
  it.runIf(IS_LONG)(
    '[page-59] [page-62] Maya’s fact is in the notebook and can be cited, and every device shows the decision',
    async () => {
      const { server } = place
      const { id, key } = await startGame(server)
      const maya = await talkWith(server, key, 'maya')
      for (const line of ['What does the test run say?', 'Which kind of question is it?', 'And the contract?'])
        await maya.say(line)
      maya.leave()
      // The run gets the facts one after the other, a moment after the colleague stated them.
      const theirs = simulationFile('launch-decision').simulation.facts.filter(({ npc }) => npc === 'maya')
      const told = maya.events.flatMap((event) => (event.type === 'turn' ? factsIn(theirs, event.text) : []))
      const ids = [...new Set(told.map(({ fact }) => fact))]
      expect(ids).not.toEqual([])
      const heard = async () => (await runOf(server, key)).facts
      await expect.poll(async () => (await heard()).map((fact) => fact.id), { timeout: 60_000 }).toEqual(ids)
      const facts = await heard()

      const watched = await openPage(place.browser, { viewport: PHONE, hasTouch: true })
      place.closeAfterwards(watched.context)
      const { page } = watched
      await page.goto(new URL(`?lang=en#/link/${key}`, server.url).href)
      await page.waitForURL(/#\/run\//)
      await page.evaluate((run) => void (location.hash = `#/run/${run}/notebook`), id)
      await expect
        .poll(() => page.locator('.heard-list .known').allTextContents())
        .toEqual(facts.map(({ text }) => text))
      await page.evaluate((run) => void (location.hash = `#/run/${run}/decide`), id)
      await page.getByRole('radio', { name: 'a week' }).check()
      await page.getByRole('textbox').fill(REASON)
      await page.getByRole('checkbox').first().check()
      await page.getByRole('button', { name: 'Read it over and decide' }).tap()
      await page.getByRole('button', { name: 'Decide', exact: true }).tap()
      await page.waitForURL(/debrief$/)

      const { decision } = await runOf(server, key)
      expect(decision).toMatchObject({ option: 'delay-a-week', reason: REASON, evidence: [facts[0]?.id] })
      const second = await askGame(server, 'api/run/decision', {
        key,
        body: { option: 'ship-as-is', reason: 'No.', evidence: [] },
      })
      expect([second.status, second.body.error?.code]).toEqual([409, 'decided'])
      expect(watched.complaints).toEqual([])
    },
  )
})
