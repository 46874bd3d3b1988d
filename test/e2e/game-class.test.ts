import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ClassView } from '../../worker/wire/run.ts'
import { violations } from '../support/axe.ts'
import { DESKTOP, PHONE } from '../support/browser.ts'
import { DebriefTab, refuse, UNREACHABLE } from '../support/debrief-tab.ts'
import { thursdayClass } from '../support/game-debrief.ts'
import { serveInBrowser } from '../support/serve.ts'
import { XSS_CORPUS } from '../support/xss-corpus.ts'
import { IS_LONG, variants } from '../support/runs.ts'

// The timeouts are long, because a busy machine is slow. A test that passes ends long before its timeout.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

const START = 'POST /api/classes'
const CLASS = 'GET /api/class'
const CSV = 'GET /api/class/export.csv'
const REMOVE = 'POST /api/class/remove'
const CODE = 'POST /api/class/code'
const CLOSE = 'POST /api/class/close'
const REOPEN = 'POST /api/class/reopen'
const INVITATION = 'GET /api/classes/7K3MQ9'
const JOIN = 'POST /api/runs'
const started = { class: { id: 'class_1', code: '7K3MQ9', key: 'the.secret.key' } }
const place = serveInBrowser()

let expected: RegExp | null = null
const opened: DebriefTab[] = []
afterEach(() => {
  for (const { watched } of opened.splice(0))
    expect(watched.complaints.filter((complaint) => !expected?.test(complaint))).toEqual([])
  expected = null
})

type Options = NonNullable<Parameters<typeof DebriefTab.open>[3]>
async function open(hash: string, options: Options = {}): Promise<DebriefTab> {
  const tab = await DebriefTab.open(place.browser, place.server, hash, options)
  opened.push(tab)
  place.closeAfterwards(tab.watched.context)
  return tab
}

/** Opens the page of an existing class, and waits for its table. */
async function look(answers: Options['answers'] = {}, options: Options = {}): Promise<DebriefTab> {
  const tab = await open('#/class/the.secret.key', { answers: { [CLASS]: thursdayClass(), ...answers }, ...options })
  await tab.main.getByRole('table').waitFor()
  await tab.main.locator('.as-of').getByText('The launch decision').waitFor()
  return tab
}

/** Opens the page on which a teacher starts a class, and waits for the list of simulations. */
async function teach(options: Options = {}): Promise<DebriefTab> {
  const tab = await open('#/teach', options)
  await tab.page.getByRole('radio').waitFor()
  return tab
}

const REASONS = ['A nurse knows better.', 'It is in the contract.', 'Twenty minutes is nothing.']

/** A class of which four learners have chosen the last option, and three of them are shown with their reasons. */
function discussed(): ClassView {
  const view = thursdayClass()
  const options = view.options.map((each, at) => (at === 2 ? { ...each, n: 4, reasons: [...REASONS] } : each))
  return { ...view, options }
}

const kept = (tab: DebriefTab) => tab.page.evaluate(() => localStorage.getItem('walkon-game|classes'))
const address = (hash: string) => new URL(hash, place.server.url).href

describe('starting a class', () => {
  it.runIf(IS_LONG)(
    '[after-11] gives a link for learners and one for the teacher, by keyboard alone, and stores neither',
    async () => {
      const tab = await teach({ answers: { [START]: started } })
      await tab.page.getByLabel('Name of the class').focus()
      await tab.page.keyboard.type('  Thursday, group B ')
      await tab.page.keyboard.press('Tab')
      await tab.page.keyboard.press('Space')
      await tab.page.keyboard.press('Enter')
      await tab.page.getByRole('heading', { name: 'Thursday, group B has begun' }).waitFor()
      await expect.poll(() => tab.focused()).toBe('Thursday, group B has begun')
      expect(tab.bodies(START)).toEqual([{ title: 'Thursday, group B', scenario: 'launch-decision' }])
      expect(await tab.page.getByLabel('For the learners').last().inputValue()).toBe(address('#/join/7K3MQ9'))
      expect(await tab.page.getByLabel('For you alone').last().inputValue()).toBe(address('#/class/the.secret.key'))
      // A teacher may put the printed page up on a wall, so it must not contain the class key.
      await tab.page.emulateMedia({ media: 'print' })
      const printed = await tab.page.evaluate(() => document.body.innerText)
      expect(printed).not.toContain('the.secret.key')
      expect(printed).toContain('7K3 MQ9')
      expect(await tab.page.getByRole('img', { name: 'QR code' }).isVisible()).toBe(true)
      expect(printed).toContain('#/join/')
      await tab.page.emulateMedia({ media: 'screen' })
      expect(await tab.page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0])
    },
  )

  it.runIf(IS_LONG)('[after-11] lets both links be copied, and the second stored here and removed again', async () => {
    const tab = await teach({
      answers: { [START]: started, [CLASS]: thursdayClass() },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await tab.page.getByLabel('Name of the class').fill('Thursday, group B')
    await tab.page.getByRole('radio').check()
    await tab.button('Begin the class').click()
    const copied = () => tab.page.evaluate(() => navigator.clipboard.readText())
    await tab.button("Copy the learners' link").click()
    await expect.poll(copied).toBe(address('#/join/7K3MQ9'))
    await tab.button('Copy your link').click()
    await expect.poll(copied).toBe(address('#/class/the.secret.key'))
    await tab.button('Keep your link in this browser').click()
    await tab.main.getByText('Kept in this browser.').waitFor()
    await tab.page.reload()
    const link = tab.main.getByRole('link', { name: 'Thursday, group B' })
    expect(await link.getAttribute('href')).toBe('#/class/the.secret.key')
    await tab.button('Remove the link to Thursday, group B from this browser').click()
    await link.waitFor({ state: 'detached' })
    expect(await kept(tab)).toBeNull()
  })

  it.runIf(IS_LONG)('[after-11] says which field is missing, and moves the focus there', async () => {
    const tab = await teach()
    await tab.button('Begin the class').click()
    await tab.page.getByRole('alert').getByText('Give the class a name').waitFor()
    expect(await tab.focused()).toBe('class-title')
    await tab.page.keyboard.type('Thursday')
    await tab.button('Begin the class').click()
    await tab.page.getByRole('alert').getByText('Pick a simulation.').waitFor()
    expect(await tab.page.getByRole('radio').evaluate((radio) => radio === document.activeElement)).toBe(true)
    expect(tab.bodies(START)).toEqual([])
  })

  it.runIf(IS_LONG).each(
    variants([
      ['there is no answer', UNREACHABLE, 'Check your connection'],
      ['there were too many', refuse(429, 'rate-limited', 'retry-after'), 'Wait a minute'],
      ['something is wrong', refuse(500, 'unavailable', 'retry-after'), 'The class has not begun.'],
    ]),
  )('[after-11] keeps the typed text if %s, and can be retried', async (_, answer, sentence) => {
    expected = /Failed to load resource/
    const tab = await teach({ answers: { [START]: answer } })
    await tab.page.getByLabel('Name of the class').fill('Thursday')
    await tab.page.getByRole('radio').check()
    await tab.button('Begin the class').click()
    await tab.page.getByRole('alert').getByText(sentence).waitFor()
    expect(await tab.page.getByLabel('Name of the class').inputValue()).toBe('Thursday')
    tab.answers({ [START]: started })
    await tab.button('Begin the class').click()
    await tab.page.getByRole('heading', { name: 'Thursday has begun' }).waitFor()
  })
})

describe('a class', () => {
  it('[after-12] shows each learner’s progress, number of facts heard, and decision', async () => {
    const tab = await look()
    expect(await tab.title.innerText()).toBe('Thursday, group B')
    expect(await tab.main.locator('.so-far').innerText()).toBe('5 learners, 3 of 5 decided')
    const rows = await tab.main.getByRole('row').allInnerTexts()
    expect(rows).toHaveLength(6)
    expect(rows[1]).toMatch(/Owl 14\s+talking with Marcus\s+3 of 5\s+Ship on Thursday, with medical.*\s+right/)
    expect(rows[2]).toMatch(/Sparrow\s+talking with Maya and Marcus\s+1 of 5\s+not yet/)
    expect(rows[3]).toMatch(/=1\+1\s+hasn't talked with anybody/)
    expect(rows[4]).toContain('has talked with everybody')
    expect(rows[5]).toContain('1 of 4 conversations done')
    expect(tab.asked.find(({ what }) => what === CLASS)?.key).toBe('the.secret.key')
  })

  it.runIf(IS_LONG)(
    '[after-12] on a phone looks like a list, and is still a table for assistive technology',
    async () => {
      const tab = await look({}, { viewport: PHONE })
      const cells = tab.main.getByRole('row').nth(1).getByRole('cell')
      expect(await cells.count()).toBe(5)
      const [first, second] = [await cells.nth(0).boundingBox(), await cells.nth(2).boundingBox()]
      expect(second?.y).toBeGreaterThan(first?.y ?? Infinity)
      expect(await tab.main.getByRole('columnheader').allTextContents()).toContain('Facts heard')
      expect(await tab.overflow()).toBe(0)
    },
  )

  it.runIf(IS_LONG)('[after-12] shows the number of facts heard only once a learner has decided', async () => {
    const { learners, ...early } = { ...thursdayClass(), missed: [], options: [] }
    const undecided = learners.map((each) => ({ ...each, facts: null, option: null, verdict: null }))
    const tab = await look({ [CLASS]: { ...early, learners: undecided } })
    await tab.main.getByText('Once somebody has decided, this page shows').waitFor()
    expect(await tab.main.getByRole('columnheader').allTextContents()).toEqual([
      'Learner',
      'Where they are',
      'Decision',
      'Last active',
      'Remove',
    ])
    expect(await tab.main.getByRole('row').nth(1).getByRole('cell').count()).toBe(4)
    expect(await tab.chapter('What they missed').count()).toBe(0)
  })

  it.runIf(IS_LONG)('[after-12] without learners explains how they join', async () => {
    const nobody = { ...thursdayClass(), learners: [], missed: [], options: [] }
    const tab = await open('#/class/the.secret.key', { answers: { [CLASS]: nobody } })
    await tab.main.getByText('Nobody has joined yet.').waitFor()
    expect(await tab.page.getByLabel('For the learners').last().inputValue()).toBe(address('#/join/7K3MQ9'))
    expect(await tab.chapter('For the learners').innerText()).toContain('7K3 MQ9')
  })

  it('[after-17] leads a discussion: reasons without names, and what would have brought a fact', async () => {
    const tab = await look({ [CLASS]: discussed() })
    const chosen = tab.chapter('What they chose, and why')
    const options = chosen.locator('.options > li')
    expect(await options.nth(0).innerText()).toMatch(
      /as it stands\s+wrong\s+1 of 5 learners\s+Reasons are shown once three/,
    )
    expect(await options.nth(2).innerText()).toMatch(/nurse line\s+right\s+4 of 5 learners[^]*1 more reason waits/)
    expect(await options.nth(2).getByRole('listitem').allInnerTexts()).toEqual(REASONS)
    const missed = await tab.chapter('What they missed').getByRole('listitem').allInnerTexts()
    expect(missed[0]).toMatch(
      /nurse line.*\s+missed by 2 of 3\s+Inês holds it\. One way to ask: What happens when you press the button\? Also in the paper: Topic gate/,
    )
    expect(missed[1]).toMatch(/missed by 1 of 3\s+Marcus holds it\. Also in the paper: Larkfield order form/)
    expect(missed.at(-1)).toBe('Medical advice fails at 23.4%.')
    // The wall shows no nickname, no verdict until the teacher wants it, and no reason that the teacher has left out.
    await chosen.getByRole('button', { name: 'Leave this reason off the wall' }).first().click()
    await chosen.getByText("2 learners haven't decided yet. The wall would tell them.").waitFor()
    await chosen.getByRole('button', { name: 'Show the choices on the wall' }).click()
    const wall = tab.page.getByRole('dialog', { name: 'What they chose, and why' })
    await wall.getByText('2 reasons').click()
    expect(await wall.locator('blockquote').allInnerTexts()).toEqual(REASONS.slice(1))
    const shown = await wall.innerText()
    for (const hidden of ['Owl 14', 'Sparrow', 'right', 'wrong']) expect(shown).not.toContain(hidden)
    await wall.getByRole('button', { name: 'Show the verdicts' }).click()
    await wall.getByText('right', { exact: true }).waitFor()
    expect(await violations(tab.page)).toEqual([])
    await tab.page.keyboard.press('Escape')
    await wall.waitFor({ state: 'hidden' })
  })

  it.runIf(IS_LONG)('[after-11] is closed and opened again, and shows its code on the wall', async () => {
    const tab = await look()
    const door = tab.chapter('For the learners')
    await door.getByRole('button', { name: 'Show the code on the wall' }).click()
    const wall = tab.page.getByRole('dialog', { name: 'Thursday, group B' })
    await wall.getByText('7K3 MQ9').waitFor()
    expect(await wall.innerText()).toContain('5 have joined')
    await tab.page.waitForFunction(() => document.fullscreenElement?.closest('dialog.wall') != null)
    await wall.getByRole('button', { name: 'Leave the wall' }).click()
    const closed = { ...thursdayClass(), closed: true }
    tab.answers({ [CLOSE]: closed, [CLASS]: closed })
    await tab.button('Close the class').click()
    await door.getByText('Nobody can join.').waitFor()
    expect(await door.getByRole('img').count()).toBe(0)
    await expect.poll(() => tab.focused()).toBe('Open it again')
    tab.answers({ [REOPEN]: thursdayClass(), [CLASS]: thursdayClass() })
    await tab.button('Open it again').click()
    await door.getByText('7K3 MQ9').waitFor()
    expect(tab.asked.findLast(({ what }) => what === REOPEN)?.key).toBe('the.secret.key')
  })

  it.runIf(IS_LONG)(
    '[after-13] is loaded again on focus, on request, and every half minute while it is visible',
    async () => {
      const tab = await open('#/teach', { answers: { [CLASS]: thursdayClass() } })
      await tab.page.clock.install()
      await tab.page.evaluate(() => (location.hash = '#/class/the.secret.key'))
      await tab.main.getByRole('table').waitFor()
      const looks = () => tab.bodies(CLASS).length
      expect(looks()).toBe(1)
      const again = { ...thursdayClass(), title: 'Friday, group C' }
      tab.answers({ [CLASS]: again })
      await tab.page.clock.fastForward(30_000)
      await tab.page.getByRole('heading', { name: 'Friday, group C' }).waitFor()
      expect(looks()).toBe(2)
      tab.answers({ [CLASS]: thursdayClass() })
      await tab.page.evaluate(() => dispatchEvent(new Event('focus')))
      await tab.page.getByRole('heading', { name: 'Thursday, group B' }).waitFor()
      expect(looks()).toBe(3)
      await tab.button('Refresh').click()
      await expect.poll(looks).toBe(4)
      // A hidden page does not reload the class until it is visible again.
      const show = (value: DocumentVisibilityState) =>
        tab.page.evaluate((now) => {
          Object.defineProperty(document, 'visibilityState', { value: now, configurable: true })
        }, value)
      await show('hidden')
      await tab.page.clock.fastForward(300_000)
      await show('visible')
      tab.answers({ [CLASS]: again })
      await tab.page.evaluate(() => dispatchEvent(new Event('focus')))
      await tab.page.getByRole('heading', { name: 'Friday, group C' }).waitFor()
      expect(looks()).toBe(5)
    },
  )

  it.runIf(IS_LONG)('[after-13] stays as it was with its age if a reload fails', async () => {
    expected = /Failed to load resource/
    const tab = await look()
    tab.answers({ [CLASS]: UNREACHABLE })
    await tab.button('Refresh').click()
    await tab.main.getByText('Reloading failed').waitFor()
    expect(await tab.main.getByRole('row').count()).toBe(6)
  })

  it.each(
    variants([
      ['a key that opens nothing', refuse(401, 'not-admitted', 'sign-in'), "This link doesn't lead to a class"],
      ['a class that is gone', refuse(404, 'unknown-class', 'give-up'), "This link doesn't lead to a class"],
      ['no answer', UNREACHABLE, 'There was no answer.'],
      ['a service in trouble', refuse(500, 'unavailable', 'retry-after'), "The class couldn't be loaded."],
    ]),
  )('[after-13] shows advice if there is %s', async (_, answer, sentence) => {
    expected = /Failed to load resource/
    const tab = await open('#/class/the.secret.key', { answers: { [CLASS]: answer } })
    await tab.page.getByRole('alert').getByText(sentence).waitFor()
    expect(await tab.page.getByRole('alert').locator('a, button').count()).toBe(1)
  })

  it.runIf(IS_LONG)('[after-15] removes a learner once the teacher is sure, and gets another code', async () => {
    expected = /Failed to load resource/
    const tab = await look({ [REMOVE]: UNREACHABLE })
    const sure = tab.page.getByRole('dialog')
    await tab.button('Remove Sparrow from the class').click()
    await sure.getByText('Their run stays theirs').waitFor()
    expect(await violations(tab.page)).toEqual([])
    await sure.getByRole('button', { name: 'Cancel' }).click()
    await sure.waitFor({ state: 'hidden' })
    expect(tab.bodies(REMOVE)).toEqual([])
    await tab.button('Remove Sparrow from the class').click()
    await sure.getByRole('button', { name: 'Remove' }).click()
    await tab.page.getByText('Nothing was changed. Try again.').first().waitFor()
    expect(await tab.main.getByRole('row').count()).toBe(6)
    const view = thursdayClass()
    const left = { ...view, learners: view.learners.filter(({ run }) => run !== 'ctx_2') }
    tab.answers({ [REMOVE]: left, [CLASS]: left })
    await tab.button('Remove Sparrow from the class').click()
    await sure.getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => tab.main.getByRole('row').count()).toBe(5)
    await expect.poll(() => tab.focused()).toBe('learners')
    expect(tab.bodies(REMOVE).at(-1)).toEqual({ runs: ['ctx_2'] })
    const renewed = { ...left, code: '9WXN2T' }
    tab.answers({ [CODE]: renewed, [CLASS]: renewed })
    await tab.button('Make a new code').click()
    await sure.getByRole('button', { name: 'Make a new code' }).click()
    const link = () => tab.page.getByLabel('For the learners').last().inputValue()
    await expect.poll(link).toBe(address('#/join/9WXN2T'))
    await sure.waitFor({ state: 'hidden' })
    for (const what of [REMOVE, CODE])
      expect(tab.asked.findLast((each) => each.what === what)?.key).toBe('the.secret.key')
    expect(await violations(tab.page)).toEqual([])
    expect(await tab.overflow()).toBe(0)
  })

  it.runIf(IS_LONG)('[after-15] removes all who have not talked with anybody at once', async () => {
    const view = thursdayClass()
    const idle = view.learners.map((each) => ({ ...each, option: null, people: [] }))
    const tab = await look({ [CLASS]: { ...view, learners: idle }, [REMOVE]: { ...view, learners: [] } })
    await tab.button("Remove the 5 who haven't talked with anybody").click()
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => tab.bodies(REMOVE)).toEqual([{ runs: ['ctx_1', 'ctx_2', 'ctx_3', 'ctx_4', 'ctx_5'] }])
  })

  it.runIf(IS_LONG)(
    '[after-14] is saved as the service’s unchanged CSV, under a file name that every system accepts',
    async () => {
      expected = /Failed to load resource/
      const csv = 'nickname,heard\r\n"\'=1+1",0\r\n'
      const tab = await look({ [CSV]: UNREACHABLE })
      await tab.button('Save as CSV').click()
      await tab.main.getByText("The file couldn't be loaded. Try again.").waitFor()
      tab.answers({ [CSV]: csv })
      const [download] = await Promise.all([tab.page.waitForEvent('download'), tab.button('Save as CSV').click()])
      expect(download.suggestedFilename()).toMatch(/^thursday-group-b-\d{4}-\d\d-\d\d\.csv$/)
      expect(await text(await download.createReadStream())).toBe(csv)
    },
  )
})

describe('joining a class', () => {
  const invitation = { title: 'Thursday, group B', scenario: 'launch-decision', closed: false }

  it.runIf(IS_LONG)(
    '[page-14] says that the class is closed, before and after the learner gives a nickname',
    async () => {
      expected = /Failed to load resource/
      const tab = await open('#/join/7K3MQ9', {
        answers: { [INVITATION]: invitation, [JOIN]: refuse(409, 'class-closed', 'give-up') },
      })
      await tab.page.getByLabel('A nickname or a code').fill('Moth')
      await tab.page.keyboard.press('Enter')
      await tab.page.getByRole('alert').getByText('This class is closed').waitFor()
      tab.answers({ [INVITATION]: { ...invitation, closed: true } })
      await tab.page.reload()
      await tab.main.getByText('Ask your teacher to open it again.').waitFor()
      expect(await tab.page.getByLabel('A nickname or a code').count()).toBe(0)
    },
  )

  it('[page-14] says that the network has tried too many wrong codes', async () => {
    expected = /Failed to load resource/
    const tab = await open('#/join/7K3MQ9', { answers: { [INVITATION]: refuse(429, 'too-many-codes', 'retry-after') } })
    await tab.main.getByText('Wait ten minutes').waitFor()
  })
})

describe('for everybody', () => {
  it.runIf(IS_LONG).each([
    ['a phone', 'light', PHONE],
    ['a phone', 'dark', PHONE],
    ['a desktop', 'light', DESKTOP],
    ['a desktop', 'dark', DESKTOP],
  ] as const)(
    '[page-25] axe finds no problem on any of these pages, on %s in the %s',
    async (_, colorScheme, viewport) => {
      const tab = await look({ [START]: started }, { colorScheme, viewport })
      expect(await violations(tab.page)).toEqual([])
      await tab.page.evaluate(() => (location.hash = '#/teach'))
      await tab.button('Begin the class').click()
      await tab.page.getByRole('alert').first().waitFor()
      expect(await violations(tab.page)).toEqual([])
      await tab.page.getByLabel('Name of the class').fill('Thursday')
      await tab.page.getByRole('radio').check()
      await tab.button('Begin the class').click()
      await tab.main.getByText('For you alone').first().waitFor()
      expect(await violations(tab.page)).toEqual([])
      expect(await tab.overflow()).toBe(0)
    },
  )

  it.runIf(IS_LONG)(
    '[page-25] nothing lies outside the screen at 320 pixels or with text at twice its size',
    async () => {
      const tab = await look({}, { viewport: { width: 320, height: 640 } })
      expect(await tab.overflow()).toBe(0)
      await tab.page.setViewportSize(PHONE)
      await tab.page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
      expect(await tab.overflow()).toBe(0)
    },
  )

  it.runIf(IS_LONG)(
    '[page-25] from right to left nothing is cut off, and every text is from the catalogue',
    async () => {
      const tab = await look({}, { lang: 'ar-XB', viewport: PHONE })
      expect(await tab.overflow()).toBe(0)
      expect(await violations(tab.page)).toEqual([])
      const plain = await tab.main.locator('h2, button, label, th[scope="col"]').allInnerTexts()
      // A text in a closed part of the page is not visible, so its `innerText` is empty.
      expect(plain.filter((text) => text !== '' && !text.includes('⟦'))).toEqual([])
    },
  )

  it.runIf(IS_LONG)('[page-25] all texts are available in Spanish', async () => {
    const tab = await look({}, { lang: 'es' })
    const said = await tab.main.innerText()
    for (const words of ['Por dónde van', 'está hablando con Maya y Marcus', 'acertada', 'Lo sabe Inês'])
      expect(said).toContain(words)
    for (const english of ['learner', 'missed by', 'talking']) expect(said).not.toContain(english)
  })

  it.runIf(IS_LONG)('[page-25] under forced colours the bars are still drawn', async () => {
    const tab = await look({}, { forcedColors: 'active' })
    const drawn = await tab.page.locator('.share').evaluateAll((bars) =>
      bars.map((bar) => {
        const ground = (element: Element | null) => element && getComputedStyle(element).backgroundColor
        return ground(bar.firstElementChild) !== ground(bar) && getComputedStyle(bar).borderTopWidth !== '0px'
      }),
    )
    expect(drawn.length).toBeGreaterThan(1)
    expect(drawn).not.toContain(false)
  })

  it.runIf(IS_LONG)('[page-44] every nickname is shown as plain text', async () => {
    const view = thursdayClass()
    const learners = XSS_CORPUS.map((nickname, index) => ({
      ...view.learners[0],
      run: `ctx_${index}`,
      nickname,
    }))
    const tab = await look({ [CLASS]: { ...view, title: XSS_CORPUS.join(' '), learners } })
    expect(await tab.main.getByRole('row').count()).toBe(XSS_CORPUS.length + 1)
    expect(await tab.page.evaluate(() => '__ran' in globalThis)).toBe(false)
    expect(await tab.page.locator('main script, main img, main iframe, main style').count()).toBe(0)
  })
})
