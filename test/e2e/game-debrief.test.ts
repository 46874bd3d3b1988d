import { englishTexts } from '../../widget/texts/en.ts'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { DESKTOP, PHONE } from '../support/browser.ts'
import { decidedRun, launchCard, launchDebrief, launchResult } from '../support/game-debrief.ts'
import { DebriefTab, refuse, UNREACHABLE } from '../support/debrief-tab.ts'
import { serveInBrowser } from '../support/serve.ts'
import { XSS_CORPUS } from '../support/xss-corpus.ts'
import { IS_LONG, variants } from '../support/runs.ts'

const AT = `#/run/${decidedRun().id}/debrief`
const CHOSEN = 'Ship on Thursday, with medical questions going to the nurse line'
/** Timeout of tests in which axe checks a page twice, in milliseconds, for a busy machine. */
const LONG = 180_000
const place = serveInBrowser()

let expected: RegExp | null = null
const opened: DebriefTab[] = []
afterEach(() => {
  for (const { watched } of opened.splice(0))
    expect(watched.complaints.filter((complaint) => !expected?.test(complaint))).toEqual([])
  expected = null
})

type Options = NonNullable<Parameters<typeof DebriefTab.open>[3]>
async function open({ answers = {}, ...options }: Options = {}, hash = AT): Promise<DebriefTab> {
  const tab = await DebriefTab.open(place.browser, place.server, hash, {
    run: decidedRun(),
    answers: { 'GET /api/run/debrief': launchDebrief(), ...answers },
    ...options,
  })
  opened.push(tab)
  place.closeAfterwards(tab.watched.context)
  return tab
}

async function read(options: Options = {}): Promise<DebriefTab> {
  const tab = await open(options)
  await tab.page.locator('#verdict').waitFor()
  return tab
}

/** The library's simulations: the launch decision, and one that this browser has not begun. */
const CARDS = { 'GET /scenarios.json': [launchCard(), { ...launchCard(), id: 'next-one', title: 'The next one' }] }

/** The response to a request that starts a new run. */
const begun = { run: { id: 'ctx_the-second', key: 'the-second-key' } }

describe('the first screen', () => {
  it.each(
    variants([
      ['a phone', PHONE],
      ['a desktop', DESKTOP],
    ]),
  )(
    '[after-1] has the verdict, the fact that mattered and what to do next on %s, without scrolling',
    async (_, viewport) => {
      const tab = await read({ viewport, answers: CARDS })
      expect(await tab.title.innerText()).toBe(CHOSEN)
      const outcome = tab.chapter('It was the right call.')
      const said = await outcome.innerText()
      for (const part of ['The fact that mattered', 'Medical advice fails at 23.4%', 'What to try', 'Hear Marcus out'])
        expect(said).toContain(part)
      for (const name of ['Again from the decision', 'Next: The next one']) {
        const button = await outcome.getByRole('button', { name }).boundingBox()
        expect((button?.y ?? Infinity) + (button?.height ?? 0)).toBeLessThan(viewport.height)
      }
      const screens = await tab.page.evaluate(() => document.documentElement.scrollHeight / innerHeight)
      expect(screens).toBeLessThan(3.5)
      expect(await tab.main.getByText('They use the sixty days.').isVisible()).toBe(false)
    },
  )

  it('[after-1] comes after the story on a phone, if the learner has just decided', async () => {
    const run = decidedRun()
    const just = { ...run, decision: run.decision && { ...run.decision, at: Date.now() } }
    const tab = await open({ viewport: PHONE, run: just })
    const on = tab.main.getByRole('button', { name: 'How it was judged' })
    await on.waitFor()
    expect(await tab.main.getByText('The notice goes out on Wednesday').isVisible()).toBe(true)
    expect(await tab.main.getByText('It was the right call.').count()).toBe(0)
    await on.click()
    expect(await tab.chapter('It was the right call.').isVisible()).toBe(true)
    expect(await tab.page.evaluate(() => document.activeElement?.id)).toBe('verdict')
    // Who comes back finds the verdict as they left it.
    await tab.page.reload()
    await tab.page.locator('#verdict').waitFor()
    expect(await on.count()).toBe(0)
    const below = await tab.main.evaluate((main) => {
      const [story, verdict] = ['.story', '.outcome'].map((part) => main.querySelector(part))
      return story && verdict && story.compareDocumentPosition(verdict) === Node.DOCUMENT_POSITION_FOLLOWING
    })
    expect(below).toBe(true)
  })

  it.runIf(IS_LONG)('[after-1] begins the next simulation, and says what the reason left out', async () => {
    const debrief = launchDebrief()
    const talks = debrief.talks.map((talk) => ({ ...talk, pivots: [] }))
    const facts = debrief.facts.map((fact, at) => ({
      ...fact,
      state: at === 2 ? ('ignored' as const) : ('cited' as const),
    }))
    const answers = { ...CARDS, 'GET /api/run/debrief': { ...debrief, talks, facts }, 'POST /api/runs': begun }
    const tab = await read({ answers })
    await tab.main.getByText(/Your reason leaves out what \w+ told you: /).waitFor()
    await tab.button('Next: The next one').last().click()
    await tab.page.waitForURL(/ctx_the-second\/briefing$/)
    expect(tab.bodies('POST /api/runs')).toEqual([{ scenario: 'next-one' }])
  })

  it.runIf(IS_LONG)('[after-1] can be reloaded after a failure, and the heading stays', async () => {
    expected = /Failed to load resource/
    const tab = await open({ answers: { 'GET /api/run/debrief': UNREACHABLE } })
    await tab.page.getByRole('alert').getByText('Your decision is kept').waitFor()
    expect(await tab.title.innerText()).toBe(CHOSEN)
    tab.answers({ 'GET /api/run/debrief': launchDebrief() })
    await tab.button('Try again').click()
    await tab.main.getByText('The notice goes out on Wednesday').waitFor()
    expect(await tab.title.innerText()).toBe(CHOSEN)
    expect(tab.asked.find(({ what }) => what === 'GET /api/run/debrief')?.key).toBe('the-key-of-the-run')
  })

  it.runIf(IS_LONG)('[after-1] leads to the decision if there is none yet', async () => {
    expected = /Failed to load resource/
    const tab = await open({
      run: { ...decidedRun(), decision: null },
      answers: { 'GET /api/run/debrief': refuse(409, 'undecided', 'give-up') },
    })
    await tab.page.getByRole('alert').getByText('comes after your decision').waitFor()
    expect(await tab.page.getByRole('link', { name: 'Go to the decision' }).getAttribute('href')).toBe(
      `#/run/${decidedRun().id}/decide`,
    )
  })
})

describe('the verdict', () => {
  it.runIf(IS_LONG).each(
    variants([
      ['right', 'cited', 'It was the right call.', 'You had heard every fact that decides it.'],
      [
        'right',
        'missed',
        "It was the right call. Your reason doesn't say why.",
        'You got there without having heard every fact that decides it.',
      ],
      [
        'defensible',
        'missed',
        'It can be defended, only not with what you wrote.',
        'Part of what speaks for a better one never reached you.',
      ],
      [
        'wrong',
        'ignored',
        'It was the wrong call, and nothing you wrote speaks for it.',
        'What speaks against it had all been said to you.',
      ],
    ] as const),
  )('[after-2] "%s" with facts %s says so in words', async (verdict, state, sentence, further) => {
    const debrief = launchDebrief()
    const tab = await read({
      answers: {
        'GET /api/run/debrief': {
          ...debrief,
          ending: { ...debrief.ending, verdict },
          facts: debrief.facts.map((fact) => ({ ...fact, state })),
        },
      },
    })
    const said = await tab.chapter(sentence).innerText()
    expect(said).toContain(further)
  })

  it.runIf(IS_LONG)('[after-2] counts the facts, and quotes the reason exactly', async () => {
    const tab = await read()
    const reason = await tab.chapter('Your reason').innerText()
    expect(reason).toContain('a wrong dose right.\nEverything else')
    expect(reason).toContain('Of 5 facts that decide it you heard 3 and used 1.')
    // A deciding fact is shown once, under its skill.
    expect(await tab.main.getByText('Medical advice fails at 23.4%; the 8.1%').count()).toBe(2)
    expect(await tab.chapter('Your reason').innerText()).not.toContain('Ask it for medical advice')
  })
})

describe('the facts that decide it', () => {
  it.runIf(IS_LONG)(
    '[after-3] stand under the skill that they show, as used, heard or missed, with who knows them',
    async () => {
      const tab = await read()
      const groups = await tab.page.locator('.skill').allInnerTexts()
      expect(groups.map((text) => text.split('\n').slice(0, 2).join(' '))).toEqual([
        expect.stringMatching(/^Reading what an average hides\s+1 of 1 used/),
        expect.stringMatching(/^Weighing a clause against a figure\s+0 of 2 used/),
        expect.stringMatching(/^What else decides it/),
      ])
      expect(groups[0]).toMatch(/\bMaya\b/)
      expect(groups[1]).toContain('In the document from Maya · Heard, not used')
      expect(groups[1]).toContain("Marcus knew something that you didn't hear.")
      expect(groups[2]).toContain('Inês knew something. You two never spoke.')
    },
  )

  it.runIf(IS_LONG)('[after-3] hide what the learner never heard until the learner opens it', async () => {
    const tab = await read()
    const fact = tab.main.getByText('C.4 lets you hold back one category')
    expect(await fact.isVisible()).toBe(false)
    await tab.main.getByText('Show what Marcus knows').click()
    expect(await fact.isVisible()).toBe(true)
  })

  it.runIf(IS_LONG)('[after-3] link to the place where they were said and back, by keyboard', async () => {
    const tab = await read()
    const source = tab.page.locator('#fact-medical-rate').getByRole('button', { name: 'Maya. Turn 3. Read it' })
    await source.focus()
    await source.press('Enter')
    expect(await tab.focused()).toBe('said-maya-reply-3')
    const message = tab.page.locator('#said-maya-reply-3')
    expect(await message.innerText()).toContain('you’re at 23.4%')
    await tab.page.keyboard.press('Tab')
    await tab.page.keyboard.press('Enter')
    expect(await tab.focused()).toBe('fact-medical-rate')
  })

  it.runIf(IS_LONG)('[after-3] that were read link to the document', async () => {
    const tab = await read()
    const link = tab.main.getByRole('link', { name: 'In the document from Maya' }).first()
    expect(await link.getAttribute('href')).toBe(`#/run/${decidedRun().id}/notebook/document/maya`)
  })
})

describe('a conversation', () => {
  it.runIf(IS_LONG)('[after-4] has a chart that can be read by keyboard, and a table of its changes', async () => {
    const tab = await read()
    await tab.unfold()
    const maya = tab.chapter('Maya Patel')
    const slider = maya.getByRole('slider', { name: 'Where you stood with Maya' })
    await slider.focus()
    await slider.press('Home')
    const heard: (string | null)[] = []
    for (let point = 0; point < 10; point += 1) {
      heard.push(await slider.getAttribute('aria-valuetext'))
      expect(await maya.locator('.reading').innerText()).toBe(heard[point])
      await slider.press('ArrowRight')
    }
    expect(heard.slice(3, 6)).toEqual([
      'After turn 4: neutral',
      'After your choice in turn 4: friendly',
      'After turn 5: friendly',
    ])
    const rows = await maya.locator('.relationship tbody tr').allInnerTexts()
    expect(rows.map((row) => row.split(/\s*\t\s*/))).toEqual(
      launchDebrief()
        .talks[1]?.relationship.filter(({ level }, at, all) => level !== all[at - 1]?.level)
        .map(({ turn, by, level }) => [
          by === 'choice' ? `Your choice in turn ${turn}` : `Turn ${turn}`,
          englishTexts.level[level],
        ]),
    )
    // A chart with a single point has no slider.
    expect(await tab.chapter('Otto').getByRole('slider').count()).toBe(0)
  })

  it.runIf(IS_LONG)(
    'shows what the colleague would have accepted and recommends, and which colleagues were never met',
    async () => {
      const tab = await read()
      await tab.unfold()
      const maya = await tab.chapter('Maya Patel').innerText()
      expect(maya).toContain('What Maya would accept')
      expect(maya).toContain('any Thursday where this model doesn’t answer medical questions')
      expect(maya).toContain('a week buys a number we can stand behind')
      expect(await tab.chapter('The conversations').innerText()).toContain("You didn't talk with Inês.")
    },
  )
})

describe('the forks and the other endings', () => {
  it('[after-16] quote what the learner said, and lead to it', async () => {
    const tab = await read()
    await tab.unfold()
    const [picked, typed] = await tab.chapter('Maya Patel').locator('.moment').all()
    const noted = await picked?.getByRole('button', { name: /^Again from here/ }).getAttribute('aria-describedby')
    expect(await tab.page.locator(`#${noted}`).innerText()).toMatch(/^A new run begins at that moment/)
    const words = await typed?.innerText()
    expect(words).toMatch(/You said\s+“?And if medical questions went to people instead\?/)
    expect(words).toContain('That came to “No. Not for answers people act on.”, in your own words.')
    await typed?.getByRole('button', { name: 'Turn 7. Read it in the transcript' }).click()
    expect(await tab.page.locator(':focus').innerText()).toContain('And if medical questions went to people instead?')
    await tab.page.getByRole('button', { name: 'Back to where you were' }).click()
    expect(await tab.page.locator(':focus').getAttribute('class')).toBe('moment')
  })

  it.runIf(IS_LONG)('show the choice, its effect and the other choices, or that the fork was passed', async () => {
    const tab = await read()
    await tab.unfold()
    const first = await tab.chapter('Maya Patel').locator('.moment').first().innerText()
    expect(first).toMatch(/You said\s+“?What you actually think\. The slide can wait\.”?\s+Maya puts the coffee down/)
    expect(first).toMatch(/You could have said\s+“?Just the number/)
    const passed = await tab.chapter('Marcus Oyelaran').locator('.moment').innerText()
    expect(passed).toContain('Nothing that you said came to one of these.')
    expect(passed).toContain('There is no way back to this moment any more.')
  })

  it.runIf(IS_LONG)('show the other endings folded until the learner opens them', async () => {
    const tab = await read()
    const others = tab.chapter('How the other options would have ended')
    await others.getByRole('heading').click()
    expect(await others.getByText('The first week is quiet').isVisible()).toBe(false)
    await others.getByText('Ship on Thursday as it stands').click()
    expect(await others.getByText('The first week is quiet').isVisible()).toBe(true)
    expect(await others.getByText('It would have been the wrong call.').isVisible()).toBe(true)
  })
})

describe('playing again', () => {
  const AGAIN = 'POST /api/run/again'
  const FROM = 'Again from the decision'
  const second = { ...decidedRun(), id: 'ctx_the-second', decision: null }

  it.runIf(IS_LONG)(
    '[after-6] starts the same new run on every retry, stores its link and opens the talk of whoever has more to tell',
    async () => {
      expected = /Failed to load resource/
      const tab = await read({ answers: { [AGAIN]: UNREACHABLE } })
      const button = tab.button(FROM)
      const says = await button.getAttribute('aria-describedby')
      expect(await tab.page.locator(`#${says}`).innerText()).toContain('This run stays as it is')
      await button.click()
      await tab.main.getByText('The new run did not begin').waitFor()
      // After a reload, a retry sends the same request again.
      await tab.page.reload()
      await tab.page.locator('#verdict').waitFor()
      await button.click()
      await tab.main.getByText('The new run did not begin').waitFor()
      tab.answers({ [AGAIN]: begun, 'GET /api/run': second })
      await button.click()
      await tab.page.waitForURL(/#\/run\/ctx_the-second\/talk\/marcus$/)
      const asked = tab.bodies(AGAIN) as { cid: string }[]
      expect(asked).toHaveLength(3)
      expect(asked[0]).toEqual({ cid: expect.stringMatching(/^[\da-f]{32}$/) })
      expect(new Set(asked.map(({ cid }) => cid)).size).toBe(1)
      const kept = await tab.page.evaluate(() => localStorage.getItem('walkon-game|runs'))
      expect(kept).toContain('the-second-key')
      expect(kept).toContain(decidedRun().id)
    },
  )

  it.runIf(IS_LONG)(
    '[page-98] never leaves a screen that the learner opened meanwhile, and still stores the run',
    async () => {
      const tab = await read()
      const held = Promise.withResolvers<void>()
      await tab.page.route('**/api/run/again', async (route) => {
        await held.promise
        await route.fulfill({ json: begun })
      })
      await tab.button(FROM).click()
      await tab.main.getByText('Setting the room as it was').waitFor()
      await tab.page.evaluate((run) => void (location.hash = `#/run/${run}/notebook`), decidedRun().id)
      await tab.page.locator('.notebook').waitFor()
      held.resolve()
      await tab.page.locator('.notes').getByText('Your new run has begun.').waitFor()
      expect(await tab.page.evaluate(() => location.hash)).toBe(`#/run/${decidedRun().id}/notebook`)
      expect(await tab.page.evaluate(() => localStorage.getItem('walkon-game|runs'))).toContain('the-second-key')
    },
  )

  it.runIf(IS_LONG)('[after-6] starts another run with the next request, and shows a final refusal', async () => {
    expected = /Failed to load resource/
    const tab = await read({ answers: { [AGAIN]: begun } })
    await tab.button(FROM).click()
    await tab.page.waitForURL(/ctx_the-second/)
    await tab.page.goBack()
    await tab.page.locator('#verdict').waitFor()
    tab.answers({ [AGAIN]: refuse(404, 'unknown-moment', 'give-up') })
    await tab.button(FROM).click()
    await tab.chapter('It was the right call.').getByText('There is no way back to this moment any more.').waitFor()
    const [first, next] = tab.bodies(AGAIN) as { cid: string }[]
    expect(next?.cid).not.toBe(first?.cid)
  })
})

describe('the transcript', () => {
  it.each([
    ['[after-7]', 'Save as text', 'the-launch-decision-2026-03-09.md', '**Maya Patel:** It isn’t spread evenly'],
    ['[after-8]', 'Save as data (JSON)', 'the-launch-decision-2026-03-09.json', '"schema": "walkon-transcript"'],
  ])('%s is saved with "%s", without the service', async (_, button, name, part) => {
    const tab = await read()
    await tab.unfold()
    const before = tab.asked.length
    const [download] = await Promise.all([tab.page.waitForEvent('download'), tab.button(button).click()])
    expect(download.suggestedFilename()).toBe(name)
    expect(await text(await download.createReadStream())).toContain(part)
    expect(tab.asked).toHaveLength(before)
  })

  it.runIf(IS_LONG)(
    '[after-9] is printed completely: unfolded, without controls, dark on white; then folded again',
    async () => {
      const tab = await read({ colorScheme: 'dark' })
      const folded = await tab.page.locator('.debrief details:not([open])').count()
      expect(folded).toBeGreaterThan(4)
      await tab.page.evaluate(() => {
        addEventListener('beforeprint', () => {
          document.body.dataset['folded'] = String(document.querySelectorAll('.debrief details:not([open])').length)
        })
      })
      await tab.page.pdf()
      expect(await tab.page.evaluate(() => document.body.dataset['folded'])).toBe('0')
      await expect.poll(() => tab.page.locator('.debrief details:not([open])').count()).toBe(folded)
      await tab.page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      for (const hidden of ['banner', 'slider', 'navigation'] as const)
        expect({ [hidden]: await tab.page.getByRole(hidden).count() }).toEqual({ [hidden]: 0 })
      expect(await tab.page.locator('.button:visible').count()).toBe(0)
      expect(await tab.page.getByText('Thursday, group B').isVisible()).toBe(true)
      expect(await tab.page.getByText('By', { exact: true }).isVisible()).toBe(true)
      const lightness = await tab.page.evaluate(() => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
        const pen = canvas.getContext('2d')
        if (!pen) return null
        pen.fillStyle = getComputedStyle(document.body).backgroundColor
        pen.fillRect(0, 0, 1, 1)
        return pen.getImageData(0, 0, 1, 1).data[0] ?? null
      })
      expect(lightness).toBeGreaterThan(240)
    },
  )

  it.runIf(IS_LONG)('[after-9] is printed with the result’s complete link', async () => {
    const debrief = launchDebrief()
    const result = `${debrief.result}${'-and-so-on'.repeat(60)}`
    const tab = await read({ answers: { 'GET /api/run/debrief': { ...debrief, result } } })
    await tab.page.emulateMedia({ media: 'print' })
    await tab.page.setViewportSize({ width: 640, height: 900 })
    const link = tab.main.getByText(new URL(`#/result/${result}`, place.server.url).href, { exact: true })
    expect(await link.isVisible()).toBe(true)
    expect(await link.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    expect(await tab.page.getByRole('textbox').count()).toBe(0)
  })
})

describe('the signed result', () => {
  const RESULT = 'POST /api/results'
  const SIGNED = launchDebrief().result

  it.runIf(IS_LONG)('has a link to copy, which shows the result to anyone who opens it', async () => {
    const tab = await read({
      permissions: ['clipboard-read', 'clipboard-write'],
      answers: { [RESULT]: launchResult() },
    })
    await tab.unfold()
    await tab.button('Copy the link').click()
    await tab.page.getByText('Link copied.').first().waitFor()
    const link = await tab.page.evaluate(() => navigator.clipboard.readText())
    expect(link).toBe(new URL(`#/result/${SIGNED}`, place.server.url).href)
    await tab.page.goto(link)
    await tab.page.getByRole('heading', { name: 'This result is genuine' }).waitFor()
    expect(tab.bodies(RESULT)).toEqual([{ result: SIGNED }])
  })

  it('[after-10] shows its content and its date if it is genuine, without a run in this browser', async () => {
    const tab = await open({ run: null, answers: { [RESULT]: launchResult() } }, `#/result/${SIGNED}`)
    await tab.page.getByRole('heading', { name: 'This result is genuine' }).waitFor()
    const said = await tab.main.innerText()
    for (const part of [CHOSEN, 'the right call', '3 of 5 heard, 1 cited', '1 of 2 met', 'Owl 14', 'Mar 9, 2026'])
      expect(said).toContain(part)
    for (const part of ['ctx_1', 'Anyone can begin a class under any name.']) expect(said).toContain(part)
    expect(said).not.toContain('Played again')
    tab.answers({ [RESULT]: { ...launchResult(), class: null, again: true } })
    await tab.page.reload()
    await tab.page.getByText('from a moment of an earlier run').waitFor()
    expect(await tab.main.innerText()).not.toContain('Anybody can begin')
    expect(await tab.page.evaluate(() => localStorage.length)).toBe(0)
  })

  it.runIf(IS_LONG)('[after-10] says that it is not genuine, or that it could not be checked', async () => {
    expected = /Failed to load resource/
    const tab = await open(
      { run: null, answers: { [RESULT]: refuse(400, 'not-genuine', 'give-up') } },
      `#/result/${SIGNED}`,
    )
    await tab.page.getByRole('heading', { name: 'This result cannot be confirmed' }).waitFor()
    tab.answers({ [RESULT]: UNREACHABLE })
    await tab.page.reload()
    await tab.page.getByRole('heading', { name: 'The result could not be checked' }).waitFor()
    tab.answers({ [RESULT]: launchResult() })
    await tab.button('Try again').click()
    await tab.page.getByRole('heading', { name: 'This result is genuine' }).waitFor()
  })
})

describe('for everybody', { timeout: LONG }, () => {
  it.runIf(IS_LONG).each([
    ['a phone', 'light', PHONE],
    ['a phone', 'dark', PHONE],
    ['a desktop', 'light', DESKTOP],
    ['a desktop', 'dark', DESKTOP],
  ] as const)(
    '[page-25] axe finds no problem on %s in the %s, with everything unfolded',
    async (_, colorScheme, viewport) => {
      const tab = await read({ colorScheme, viewport })
      expect(await violations(tab.page)).toEqual([])
      await tab.unfold()
      expect(await violations(tab.page)).toEqual([])
      expect(await tab.overflow()).toBe(0)
    },
  )

  it.runIf(IS_LONG).each(['light', 'dark'] as const)(
    '[page-25] axe finds no problem on a result in the %s',
    async (colorScheme) => {
      const answers = { 'POST /api/results': launchResult() }
      const tab = await open({ run: null, colorScheme, viewport: PHONE, answers }, '#/result/signed')
      await tab.page.getByRole('heading', { name: 'This result is genuine' }).waitFor()
      expect(await violations(tab.page)).toEqual([])
    },
  )

  it.runIf(IS_LONG)('[page-25] under forced colours the charts are still drawn', async () => {
    const tab = await read({ forcedColors: 'active' })
    await tab.unfold()
    const maya = tab.chapter('Maya Patel')
    const plot = await maya.locator('.plot').evaluate((each) => getComputedStyle(each).backgroundImage)
    expect(plot).toContain('gradient')
  })

  it.runIf(IS_LONG)(
    '[page-25] nothing lies outside the screen at 320 pixels or with text at twice its size',
    async () => {
      const tab = await read({ viewport: { width: 320, height: 640 } })
      await tab.unfold()
      expect(await tab.overflow()).toBe(0)
      await tab.page.setViewportSize(PHONE)
      await tab.page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
      expect(await tab.overflow()).toBe(0)
    },
  )

  it.runIf(IS_LONG)('[page-25] from right to left nothing is cut off, and the chart begins at the right', async () => {
    const tab = await read({ lang: 'ar-XB', viewport: PHONE })
    await tab.unfold()
    expect(await tab.page.evaluate(() => document.documentElement.dir)).toBe('rtl')
    expect(await tab.overflow()).toBe(0)
    expect(await violations(tab.page)).toEqual([])
    const [first, last] = await tab.page
      .locator('#talk-maya')
      .locator('xpath=ancestor::section[1]')
      .locator('.spot')
      .evaluateAll((spots) => [spots[0], spots.at(-1)].map((spot) => spot?.getBoundingClientRect().x ?? 0))
    expect(first).toBeGreaterThan(last ?? Infinity)
    // The test has marked all texts of the page itself. A text without marks comes from an author or a learner.
    const plain = await tab.page
      .locator('h2, h4, button:visible:not(.fact button, #turning button), summary:not(.person > .fold > summary)')
      .allInnerTexts()
    expect(plain.filter((text) => !text.includes('⟦') && text !== 'Walkon')).toEqual(
      launchDebrief().others.map(({ title }) => title),
    )
  })

  it.runIf(IS_LONG)('[page-25] all of it is in Spanish, except the words of authors and colleagues', async () => {
    const tab = await read({ lang: 'es' })
    await tab.unfold()
    const said = await tab.main.innerText()
    for (const words of [
      'Fue la decisión acertada.',
      'Lo que has practicado',
      'Tras el turno 8: con confianza',
      'Otra vez desde aquí',
    ])
      expect(said).toContain(words)
    for (const english of ['Heard, and', 'Turn ', 'You could']) expect(said).not.toContain(english)
    const theirs = tab.main.getByText('The notice goes out on Wednesday').locator('xpath=ancestor-or-self::*[@lang][1]')
    expect(await theirs.getAttribute('lang')).toBe('en')
  })

  it.runIf(IS_LONG)('[page-25] a reload shows the same page, with the focus at the heading', async () => {
    const tab = await read()
    await tab.page.reload()
    await tab.page.locator('#verdict').waitFor()
    expect(await tab.title.innerText()).toBe(CHOSEN)
  })

  it.runIf(IS_LONG)(
    '[page-44] all people’s texts are shown as plain text: the page runs, fetches and draws nothing in them',
    async () => {
      const debrief = launchDebrief()
      const [maya] = debrief.talks.filter(({ npc }) => npc === 'maya')
      const text = XSS_CORPUS.join('\n')
      const tab = await read({
        answers: {
          'GET /api/run/debrief': {
            ...debrief,
            run: { ...debrief.run, nickname: text, decision: { ...debrief.run.decision, reason: text } },
            ending: { ...debrief.ending, title: text, after: XSS_CORPUS },
            facts: debrief.facts.map((fact) => ({ ...fact, text, said: text })),
            talks: maya && [
              {
                ...maya,
                accepts: XSS_CORPUS,
                engagement: [{ turn: 1, score: 1, said: text }],
                transcript: XSS_CORPUS.map((each, index) => ({
                  id: `say-${index}`,
                  who: 'learner',
                  text: each,
                  at: 0,
                })),
              },
            ],
          },
        },
      })
      await tab.unfold()
      expect(await tab.page.evaluate(() => '__ran' in globalThis)).toBe(false)
      expect(await tab.page.locator('main script, main img, main iframe, main style, main object').count()).toBe(0)
      expect(
        tab.watched.requests.filter((path) => !/^\/(game\/|api\/|scenarios\.json|icon\.svg|$)/.test(path)),
      ).toEqual([])
    },
  )
})
