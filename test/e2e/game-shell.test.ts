import type { WebSocket } from 'playwright-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import maya from '../fixtures/maya-path.json' with { type: 'json' }
import { violations } from '../support/axe.ts'
import { DESKTOP, PHONE } from '../support/browser.ts'
import { askGame, startGame } from '../support/game-client.ts'
import { drawn } from '../support/game-hands.ts'
import { GamePlayer } from '../support/game-player.ts'
import { notes } from '../support/page-facts.ts'
import { serveInBrowser } from '../support/serve.ts'
import { IS_LONG, variants } from '../support/runs.ts'

// The timeouts are long, because a busy machine is slow. A test that passes ends long before its timeout.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

const served = serveInBrowser()
const QUESTION = 'Larkfield goes live on Thursday at nine. What do you ship?'
const TOUCH = { viewport: PHONE, isMobile: true, hasTouch: true } as const

/** The message that a browser logs when a learner leaves a conversation before its socket is open. */
const LEFT = /WebSocket is closed before the connection is established/

/** Every page is watched: no page may log a policy violation or another error. */
const opened: GamePlayer[] = []
afterEach(() => {
  for (const { watched } of opened.splice(0)) expect(watched.complaints.filter((text) => !LEFT.test(text))).toEqual([])
})
async function open(options: Parameters<typeof GamePlayer.open>[1] = {}, address = ''): Promise<GamePlayer> {
  const player = await GamePlayer.open(served, options, address)
  opened.push(player)
  served.closeAfterwards(player.context)
  return player
}
/** Accepts messages that the browser itself logs about failed requests. */
function expectFailures({ watched }: GamePlayer, ...said: RegExp[]): void {
  const complaints = watched.complaints.splice(0)
  expect(complaints.filter((complaint) => ![LEFT, ...said].some((rule) => rule.test(complaint)))).toEqual([])
}

describe('the library', () => {
  it('[page-2] stores nothing and connects to nothing before a run begins', async () => {
    const { page, watched } = await open()
    await page.locator('.sim').nth(2).waitFor()
    expect(watched.sockets).toEqual([])
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie])).toEqual([0, 0, ''])
    expect(watched.requests.filter((path) => path.startsWith('/api/'))).toEqual([])
    expect(watched.requests).not.toEqual(expect.arrayContaining([expect.stringMatching(/mount-talk.*js$/)]))
  })

  it.runIf(IS_LONG)('[page-13] shows each simulation with its demands, and each run with its state', async () => {
    const player = await open()
    const card = player.simulation('The launch decision')
    const begin = await card.getByRole('button', { name: 'Begin' }).boundingBox()
    expect((begin?.y ?? Infinity) + (begin?.height ?? 0)).toBeLessThan(DESKTOP.height)
    await card.getByText('About this simulation').click()
    expect(await card.innerText()).toMatch(
      /Start here[^]*Easy[^]*About 25 minutes[^]*heard about this launch from me[^]*Maya Patel[^]*machine learning engineer[^]*3 colleagues and a guide[^]*Looking behind a figure/,
    )
    await player.begin()
    await player.toDesk()
    await player.person('Maya').click()
    await player.say('Hi, what is going on?')
    await player.goTo('')
    await expect.poll(() => player.runs.first().innerText()).toContain('With Maya')
    // Starts a second run. The library lists both runs, with the newer run first.
    await player.button('Start again').click()
    await player.page.locator('.brief').waitFor()
    await player.goTo('')
    await expect.poll(() => player.runs.count()).toBe(2)
    await expect.poll(() => player.runs.nth(1).innerText()).toContain('With Maya')
    await player.runs.nth(1).getByRole('link', { name: 'Continue' }).click()
    await expect.poll(() => player.title.textContent()).toBe(QUESTION)
  })

  it.runIf(IS_LONG)('[page-13] requests each stored run once, a few at a time, down to the oldest', async () => {
    const begun: { id: string; key: string }[] = [{ id: 'ctx_gone', key: 'not-a-key' }]
    for (let count = 0; count < 13; count += 1) begun.push(await startGame(served.server))
    const oldest = begun[1]
    const decision = { option: 'ship-as-is', reason: 'The date is the date.', evidence: [] }
    await askGame(served.server, 'api/run/decision', { key: oldest?.key ?? '', body: decision })
    const player = await open()
    const kept = begun.toReversed().map(({ id, key }) => ({ id, key, scenario: 'launch-decision', at: 1 }))
    await player.page.evaluate((runs) => localStorage.setItem('walkon-game|runs', runs), JSON.stringify(kept))
    const asked: string[] = []
    const atOnce: number[] = []
    let waiting = 0
    await player.page.route('**/api/run', async (route) => {
      asked.push(route.request().headers()['authorization'] ?? '')
      waiting += 1
      atOnce.push(waiting)
      const response = await route.fetch()
      waiting -= 1
      await route.fulfill({ response })
    })
    await player.goTo('')
    await expect.poll(() => player.runs.nth(12).innerText()).toContain('This run is no longer here')
    await expect.poll(() => player.runs.nth(13).innerText()).toContain('Decided')
    await player.runs.nth(13).getByRole('link', { name: 'See the debrief' }).waitFor()
    await expect.poll(() => player.page.locator('.run[data-stand="begun"]').count()).toBe(12)
    expect(asked).toEqual(kept.map(({ key }) => `Bearer ${key}`))
    expect(Math.max(...atOnce)).toBeLessThanOrEqual(4)
    expectFailures(player, /401/)
  })

  it.runIf(IS_LONG)('[page-98] stays on the screen that the learner opened when a run begins late', async () => {
    const player = await open()
    const { page } = player
    await player.begin()
    await player.toDesk()
    const asked = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    await page.route('**/api/runs', async (route) => {
      asked.resolve()
      await held.promise
      await route.continue()
    })
    await page.keyboard.press('Escape')
    await player.button('Start again').click()
    await asked.promise
    await player.runs.first().getByRole('link', { name: 'Continue' }).click()
    await page.locator('.desk').waitFor()
    await player.person('Maya').click()
    await player.field.fill('Half a thought')
    await player.arrived()
    const { place } = player
    held.resolve()
    await page.locator('.talk-host').getByText('Your new run has begun.').waitFor()
    expect(await page.evaluate(() => location.hash)).toBe(place)
    expect(await player.field.inputValue()).toBe('Half a thought')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect.poll(() => player.runs.count()).toBe(2)
  })

  it.runIf(IS_LONG)('[page-8] forgets a run with all its stored data after a confirmation', async () => {
    const player = await open()
    const run = await player.begin()
    await player.toDesk()
    await player.person('Maya').click()
    await player.field.fill('Unsent words')
    await player.goTo('')
    await player.runs.getByText('More', { exact: true }).click()
    await player.button('Forget it here').click()
    await player.button('Forget').click()
    await expect.poll(() => player.runs.count()).toBe(0)
    const kept = await player.page.evaluate(() =>
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
    )
    expect(kept).not.toContain(run)
    await player.goTo(`#/run/${run}/desk`)
    expect(await player.title.textContent()).toBe('This run belongs to another browser')
  })

  it.runIf(IS_LONG)('[page-14] joins a class with its code and a nickname', async () => {
    const started = await served.server.fetch('/api/classes', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Tuesday group', scenario: 'launch-decision' }),
    })
    const { class: group } = (await started.json()) as { class: { code: string } }
    const player = await open()
    await player.button('Join').click()
    await expect.poll(() => player.page.getByRole('alert').first().textContent()).toContain('Enter the code')
    await player.page.getByRole('textbox', { name: 'Class code' }).fill(` ${group.code} `)
    await player.page.getByRole('textbox', { name: 'Class code' }).press('Enter')
    await expect.poll(() => player.title.textContent()).toBe('Join “Tuesday group”')
    await player.button('Begin').click()
    await expect.poll(() => player.page.getByRole('alert').textContent()).toContain('Pick a nickname')
    await player.page.getByRole('textbox', { name: 'A nickname or a code' }).fill('Heron 7')
    await player.button('Begin').click()
    await player.page.locator('.brief').waitFor()
    await player.toDesk()
    expect(await player.main.innerText()).toContain('In the class “Tuesday group”')
    // In the history, another page has replaced the join page, so going back does not join the class twice.
    await player.goTo('#/join/no-such-class')
    expect(await player.main.innerText()).toContain('no class with this code')
    expectFailures(player, /404/)
  })
})

describe('a run', () => {
  it.each(
    variants([
      ['a desktop, by keyboard alone', { viewport: DESKTOP }],
      ['a phone, by touch', TOUCH],
    ] as const),
  )(
    '[page-15] [page-16] [page-17] [page-18] [page-19] [page-97] leads from the library to the next colleague on %s',
    async (_, options) => {
      const player = await open(options)
      const { page } = player
      const isTouch = 'hasTouch' in options
      const press = async (target: ReturnType<GamePlayer['link']>) => {
        if (isTouch) return target.tap()
        await target.waitFor()
        await drawn(page)
        await target.focus()
        await page.keyboard.press('Enter')
      }
      await press(player.simulation('The launch decision').getByRole('button'))
      await page.locator('.brief').waitFor()
      expect(await player.title.textContent()).toBe(QUESTION)
      expect(await player.main.innerText()).toMatch(
        /health insurer[^]*Hold everything back[^]*Decide by tonight[^]*Marcus Bell/,
      )
      await press(player.link('Go to your desk'))
      // On a desktop, the guide's conversation is already open next to the briefing; on a phone, no conversation is
      // open.
      await expect.poll(() => page.locator('.next-card').innerText()).toMatch(isTouch ? /Otto/ : /Otto|Maya/)
      const noted = await notes(page)
      if (isTouch) await player.person('Maya').tap()
      else await page.keyboard.press('Alt+1')
      await player.joined()
      // In a dark talk too, the lines of a face are dark: they don't take the colour of the text.
      const face = page.locator('.talk-host .head .portrait')
      const colourOf = (part: string, of: 'fill' | 'stroke') =>
        face
          .locator(part)
          .first()
          .evaluate((element, name) => getComputedStyle(element)[name], of)
      expect(await colourOf('.drawn', 'stroke')).toBe(await colourOf('.eye', 'fill'))
      const questions: string[] = []
      page.on('request', (request) => request.url().endsWith('/api/run') && questions.push(request.url()))
      for (const turn of maya.turns) {
        await player.say(turn.learner)
        if (!turn.choose) continue
        const cards = page.locator('.talk-host .card')
        await cards.first().waitFor()
        if (isTouch) await cards.first().tap()
        else {
          // The key `1` works anywhere on the page except in a text field.
          await player.link('Skip to the content').focus()
          await page.keyboard.press('1')
        }
        await cards.first().waitFor({ state: 'detached' })
      }
      // The page learns from the events of the conversation that the learner has met the objective, and sends no
      // request. The conversation shows the objective, so no note repeats it, and its head shows the notes, so that they
      // cover nothing. One tap leads to the next colleague.
      await player.log.locator('.note').getByText('Learn what the test run really says').waitFor()
      await page.locator('.talk-host .byline').getByText('in your notebook').waitFor()
      expect(await page.locator('.notes').isVisible()).toBe(false)
      expect((await noted()).filter((note) => note.startsWith('Objective'))).toEqual([])
      if (!isTouch) {
        await page.locator('.notebook-panel .goal-list [data-state="met"]').waitFor()
        expect(await page.locator('.notebook-panel .heard-list .known').count()).toBeGreaterThan(1)
        await page.locator('.notebook-panel [data-document="maya"]').waitFor()
        // Beside a talk each entry has its mark and the author’s sentence.
        expect(await page.locator('.notebook-panel :is(ul, ol) .new').count()).toBeGreaterThan(1)
        expect(await page.locator('.notebook-panel .known').allTextContents()).toContain(
          'Medical answers are wrong 23.4% of the time, nearly one in four.',
        )
      }
      expect(questions).toEqual([])
      await press(player.page.locator('.talk-host').getByRole('button', { name: 'Talk to Marcus' }))
      await expect.poll(() => player.place).toContain('/talk/marcus')
      await player.say('Hi Marcus, Maya sent me. What does the contract say?')
      if (isTouch) await page.locator('.talk-host').getByRole('button', { name: 'Back to the desk' }).tap()
      else await page.keyboard.press('Escape')
      await page.locator('.desk').waitFor()
      await expect.poll(() => player.person('Maya').innerText(), { timeout: 60_000 }).toContain('Talked to')
      await expect.poll(() => page.locator('.next-card').innerText()).toContain('Marcus is waiting')
      expect(await page.locator('.goals [data-state="met"]').innerText()).toContain(
        'Learn what the test run really says',
      )
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    },
  )

  it.runIf(IS_LONG).each(
    variants([
      ['a phone', TOUCH, ''],
      ['a desktop in Spanish', { viewport: DESKTOP }, '?lang=es'],
    ] as const),
  )('an opener is sent at one press, and then the openers are gone, on %s', async (_, options, language) => {
    const player = await open(options, language)
    const { page } = player
    await player.simulation('The launch decision').getByRole('button').click()
    await page.locator('.brief').waitFor()
    if (language === '') await page.locator('.brief .button.main').tap()
    const openers = page.locator('.chips').getByRole('button')
    await openers.nth(1).waitFor()
    // They are the author's, in the simulation's language.
    expect(await openers.allTextContents()).toEqual(['What is this all about?', 'Who should I talk to first?'])
    if (language === '') await openers.nth(1).tap()
    else {
      // The field has the focus. The openers stand before the field, so Shift+Tab leads to the second opener.
      await expect.poll(() => player.field.evaluate((field) => field.matches(':focus'))).toBe(true)
      for (const key of ['Shift+Tab', 'Enter']) await page.keyboard.press(key)
    }
    await player.log.locator('.said ~ .speech[aria-busy="false"]').waitFor()
    expect(await player.log.locator('.said').innerText()).toContain('Who should I talk to first?')
    expect(await openers.count()).toBe(0)
    await expect
      .poll(() => page.locator('.talk-host').evaluate((host) => host.shadowRoot?.activeElement?.localName))
      .toBe(language === '' ? 'div' : 'textarea')
  })

  it.runIf(IS_LONG)('[page-17] reopens a talk where it was left, and closes its connection meanwhile', async () => {
    const player = await open()
    const lines = new Set<WebSocket>()
    player.page.on('websocket', (socket) => {
      lines.add(socket)
      socket.on('close', () => lines.delete(socket))
    })
    await player.begin()
    // The learner leaves the guide's conversation, which is open next to the briefing, for another conversation.
    await player.joined()
    await player.toDesk()
    await player.person('Maya').click()
    await player.say('Hi, what is going on?')
    await expect.poll(() => lines.size).toBe(1)
    await player.field.fill('Half a thought')
    await player.page.keyboard.press('Escape')
    await expect.poll(() => lines.size).toBe(0)
    await player.person('Marcus').click()
    await player.field.waitFor()
    await player.person('Maya').click()
    await player.log.getByText('Hi, what is going on?').waitFor()
    expect(await player.field.inputValue()).toBe('Half a thought')
    expect(player.watched.requests.filter((path) => path === '/api/run/talk')).toHaveLength(3)
  })

  it.runIf(IS_LONG)(
    '[page-6] shows the same screen after a reload, and its screens are steps for the back button',
    async () => {
      const player = await open()
      await player.begin()
      await player.toDesk()
      await player.person('Maya').click()
      await player.say('Hi, what is going on?')
      for (const screen of ['briefing', 'desk', 'notebook', 'decide', 'talk/maya']) {
        await player.goTo(`#/run/${player.run}/${screen}`)
        const title = await player.title.textContent()
        await player.page.reload()
        await expect.poll(() => player.title.textContent()).toBe(title)
        await expect.poll(() => player.place).toContain(screen)
      }
      await player.log.getByText('Hi, what is going on?').waitFor()
      await player.way('The desk').click()
      await player.page.locator('.desk').waitFor()
      await player.way('Notebook').click()
      await player.page.locator('.notebook').waitFor()
      await player.page.goBack()
      await player.page.locator('.desk').waitFor()
      await player.page.goBack()
      await player.log.getByText('Hi, what is going on?').waitFor()
      await player.page.goForward()
      await player.page.locator('.desk').waitFor()
    },
  )

  it.runIf(IS_LONG)(
    '[page-7] [page-20] [page-24] continues from its link on another device, and its key is removed from the address',
    async () => {
      const player = await open({ permissions: ['clipboard-read', 'clipboard-write'] })
      await player.begin()
      await player.toDesk()
      await player.person('Maya').click()
      await player.say('Hi, what is going on?')
      const run = player.run
      await player.goTo('')
      await player.runs.getByText('More', { exact: true }).click()
      await player.button('Copy its link').click()
      await player.page.getByText('The link is copied').first().waitFor()
      const link = await player.page.evaluate(() => navigator.clipboard.readText())
      const other = await open(TOUCH, new URL(link).hash)
      await expect.poll(() => other.place).toBe(`#/run/${run}/desk`)
      const announced = other.page.evaluate(
        () =>
          new Promise<string>((resolve) => {
            const texts: string[] = []
            for (const region of document.querySelectorAll('[aria-live="polite"]'))
              new MutationObserver(() => {
                if (region.textContent === '') return
                texts.push(region.textContent ?? '')
                if (/one and the other/.test(texts.join(' '))) resolve(texts.join(' | '))
              }).observe(region, { childList: true, characterData: true, subtree: true })
          }),
      )
      await other.person('Maya').tap()
      await other.log.getByText('Hi, what is going on?').waitFor()
      // A message that is sent on one device appears on the other device.
      await player.goTo(`#/run/${run}/talk/maya`)
      await player.log.getByText('Hi, what is going on?').waitFor()
      await player.say('Do you mean one and the other?')
      await other.log.getByText('Do you mean one and the other?').waitFor()
      await other.page.evaluate(() => {
        const region = document.querySelector('[aria-live="polite"]')
        if (region) region.textContent = 'one and the other'
      })
      // The page does not announce messages that were sent before the page was opened.
      expect(await announced).not.toContain("who they've asked")
      expect(await announced).not.toContain("So you're who they've asked")
      await other.goTo('#/link/not-a-key')
      expect(await other.title.textContent()).toBe("This link doesn't work")
      expectFailures(other, /401/)
    },
  )
})

describe('the keyboard', () => {
  it.runIf(IS_LONG)('[page-21] reopens the list of keys even immediately after it was closed', async () => {
    const { page } = await open()
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.waitFor()
    const isOpen = await list.evaluate(async (dialog: HTMLDialogElement) => {
      const frame = () => new Promise(requestAnimationFrame)
      const told = new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }))
      // Presses the key before the dialog fires `close`: the browser fires `close` in a separate task.
      new MutationObserver((_, observer) => {
        observer.disconnect()
        document.dispatchEvent(new KeyboardEvent('keydown', { key: '?' }))
      }).observe(dialog, { attributeFilter: ['open'] })
      dialog.querySelector('button')?.click()
      await told
      for (let frames = 0; frames < 5; frames += 1) await frame()
      return dialog.open
    })
    expect(isOpen).toBe(true)
    await list.getByRole('button', { name: 'Close' }).click()
    await list.waitFor({ state: 'hidden' })
  })

  it.runIf(IS_LONG)(
    '[page-21] [page-22] has the focus at the heading after a change of screen, and Escape goes back',
    async () => {
      const player = await open()
      const { page } = player
      const here = () => page.evaluate(() => document.activeElement?.tagName)
      await player.begin()
      await player.link('Go to your desk').waitFor()
      await drawn(page)
      await player.link('Go to your desk').press('Enter')
      await page.locator('.desk').waitFor()
      await expect.poll(here).toBe('H1')
      await page.keyboard.press('Alt+n')
      await expect.poll(() => player.place).toContain('notebook')
      await expect.poll(here).toBe('H1')
      await page.keyboard.press('Escape')
      await page.locator('.desk').waitFor()
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      // The dialog fires `close` shortly after it is hidden, and until then other keys have no effect.
      await page.evaluate(() => {
        const told = Promise.withResolvers<void>()
        document.querySelector('dialog')?.addEventListener('close', () => told.resolve())
        Object.assign(globalThis, { told: told.promise })
      })
      await page.keyboard.press('Escape')
      await page.evaluate(() => (globalThis as unknown as { told: Promise<void> }).told)
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'hidden' })
      await page.locator('.desk').waitFor()
      expect(await page.evaluate(() => location.hash)).toContain('/desk')
      await page.keyboard.press('Alt+2')
      await expect.poll(() => player.place).toContain('/talk/marcus')
      // On a device with a keyboard the field has the focus at once.
      await expect.poll(() => player.field.evaluate((field) => field.matches(':focus'))).toBe(true)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await page.locator('.library').waitFor()
      await page.reload()
      await player.title.waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect.poll(here).toBe('H1')
    },
  )
})

describe('an open fork', () => {
  it.runIf(IS_LONG)('[page-18] cannot be answered with a key while the list of keys is open', async () => {
    const player = await open({ viewport: DESKTOP })
    const { page } = player
    await player.begin()
    await player.toDesk()
    await player.person('Maya').click()
    const cards = page.locator('.talk-host .card')
    for (const { learner, choose } of maya.turns) {
      await player.say(learner)
      if (choose) break
    }
    const [, second] = /“(.+)”/.exec(await cards.nth(1).innerText()) ?? []
    expect(second).toBeDefined()
    await player.link('Skip to the content').focus()
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.waitFor()
    await page.keyboard.press('1')
    await list.getByRole('button', { name: 'Close' }).click()
    await list.waitFor({ state: 'hidden' })
    await page.keyboard.press('Escape')
    await page.locator('.next-card').waitFor()
    await player.person('Maya').click()
    await cards.nth(1).waitFor()
    await page.keyboard.press('2')
    await cards.first().waitFor({ state: 'detached' })
    expect(await player.log.locator('.said').last().innerText()).toContain(second)
  })
})

describe('when something is missing', () => {
  it.runIf(IS_LONG)('[page-23] a run that no longer exists is shown as gone and can be forgotten', async () => {
    const player = await open()
    const run = await player.begin()
    await player.page.route('**/api/run', (route) =>
      route.fulfill({ status: 404, json: { error: { code: 'unknown-run', next: 'start-over', message: '' } } }),
    )
    await player.goTo(`#/run/${run}/desk`)
    expect(await player.title.textContent()).toBe('This run is no longer here')
    await player.button('Forget it here').click()
    await player.page.locator('.library').waitFor()
    expect(await player.runs.count()).toBe(0)
    expectFailures(player, /404/)
  })

  it.runIf(IS_LONG)(
    '[page-23] a failed request can be retried with a button, and the page keeps its content',
    async () => {
      const player = await open()
      await player.begin()
      await player.toDesk()
      let fails = true
      await player.page.route('**/api/run', (route) =>
        fails ? route.fulfill({ status: 503, json: {} }) : route.continue(),
      )
      await player.way('Notebook').click()
      await player.page.getByText('This may be out of date').waitFor()
      expect(await player.title.count()).toBe(1)
      await player.page.reload()
      await player.page.getByText("This couldn't be loaded").waitFor()
      fails = false
      await player.button('Try again').click()
      await player.title.waitFor()
      expect(await player.page.getByText('This may be out of date').count()).toBe(0)
      expectFailures(player, /503/)
    },
  )

  it.runIf(IS_LONG)(
    '[page-23] without a network the page says so, keeps its content, and retries when the network is back',
    async () => {
      const player = await open()
      await player.begin()
      await player.toDesk()
      await player.context.setOffline(true)
      await player.page.getByText("You're offline").first().waitFor()
      expect(await player.title.textContent()).toBe(QUESTION)
      const asked = () => player.watched.requests.filter((path) => path === '/api/run').length
      const before = asked()
      await player.context.setOffline(false)
      await expect.poll(asked).toBeGreaterThan(before)
      await expect.poll(() => player.page.locator('.strip').count()).toBe(0)
      expectFailures(player, /ERR_INTERNET_DISCONNECTED|Failed to load resource/)
    },
  )
})

describe('for everybody', () => {
  it.runIf(IS_LONG).each([
    ['phone', 'light', 'en'],
    ['phone', 'dark', 'es'],
    ['desktop', 'light', 'ar-XB'],
    ['desktop', 'dark', 'en'],
  ] as const)(
    '[page-25] axe finds no problem, and nothing is wider than the screen: %s, %s, %s',
    async (size, colorScheme, lang) => {
      const options = size === 'phone' ? TOUCH : { viewport: DESKTOP }
      const player = await open({ ...options, colorScheme, bypassCSP: true, reducedMotion: 'reduce' }, `?lang=${lang}`)
      const { page } = player
      const look = async (where: string) => {
        expect([where, await violations(page)]).toEqual([where, []])
        expect([where, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)]).toEqual([
          where,
          true,
        ])
      }
      await player.simulation('The launch decision').waitFor()
      await look('library')
      expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual([
        lang,
        lang === 'ar-XB' ? 'rtl' : 'ltr',
      ])
      const run = await player.begin()
      if (size === 'desktop') await player.field.waitFor()
      await look('briefing')
      await player.goTo(`?lang=${lang}#/run/${run}/desk`)
      await look('desk')
      await player.goTo(`?lang=${lang}#/run/${run}/talk/maya`)
      await player.say('Hi, what is going on?')
      await look('talk')
      if (lang === 'es') {
        expect(await page.locator('.talk-host .panel').innerText()).toMatch(/Respuestas ya escritas, sin IA/)
        expect(await player.log.locator('.speech .words').first().getAttribute('lang')).toBe('en')
      }
      await player.goTo(`?lang=${lang}#/run/ctx_elsewhere/desk`)
      await look('missing')
    },
  )

  it.runIf(IS_LONG)(
    '[page-10] a page in Spanish offers the translation, whose talk is Spanish, and an English page does not',
    async () => {
      const player = await open({}, '?lang=es')
      await player.simulation('El turno de noche').waitFor()
      expect(await player.simulation('The night shift').count()).toBe(0)
      const run = await player.begin('El turno de noche')
      await player.goTo(`?lang=es#/run/${run}/talk/emyr`)
      await player.say('¿Cuánto tarda en cerrarse la válvula 7?')
      const reply = player.log.locator('.speech .words').last()
      expect(await reply.innerText()).toContain('12 minutos')
      expect(await reply.getAttribute('lang')).toBe('es')
      expect(await player.page.locator('.ways .of').getAttribute('lang')).toBe('es')
      await player.goTo('?lang=en')
      await player.simulation('The night shift').waitFor()
      expect(await player.simulation('El turno de noche').count()).toBe(0)
    },
  )

  it.runIf(IS_LONG)(
    '[page-10] authors’ texts stay English where nobody has translated them, and the page says so',
    async () => {
      const player = await open({}, '?lang=es')
      await player.simulation('The launch decision').waitFor()
      expect(await player.simulation('The launch decision').innerText()).toContain('en inglés')
      expect(await player.simulation('The launch decision').getByRole('heading').getAttribute('lang')).toBe('en')
      expect(await player.main.getByRole('heading', { level: 1 }).getAttribute('lang')).toBeNull()
      await player.link('English').click()
      await player.page.waitForURL(/[?]lang=en$/)
      await player.goTo('')
      expect(await player.title.textContent()).toContain('Somebody has to decide')
      await player.link('Español').click()
      await player.page.waitForURL(/[?]lang=es$/)
      await player.goTo('')
      expect(await player.title.textContent()).toContain('Alguien tiene que decidir')
    },
  )

  it.runIf(IS_LONG)('[page-25] text at twice its size fits, also in the conversation', async () => {
    const player = await open({ ...TOUCH, reducedMotion: 'reduce' })
    const { page } = player
    const run = await player.begin()
    for (const screen of ['', `#/run/${run}/briefing`, `#/run/${run}/desk`, `#/run/${run}/talk/maya`]) {
      await player.goTo(screen)
      await page.evaluate(() => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync('html { font-size: 200% }')
        document.adoptedStyleSheets.push(sheet)
        dispatchEvent(new Event('resize'))
      })
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    }
    await player.field.waitFor()
    expect(await player.field.evaluate((field) => field.getBoundingClientRect().right <= innerWidth)).toBe(true)
    expect(await page.locator('.panel').evaluate((panel) => getComputedStyle(panel).zoom)).toBe('2')
  })

  it.runIf(IS_LONG)('[page-5] nothing shifts while the page loads', async () => {
    const player = await open({ viewport: DESKTOP })
    const { page } = player
    await page.addInitScript(() => {
      const moved: number[] = []
      Object.assign(globalThis, { moved })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) moved.push((entry as PerformanceEntry & { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await player.goTo('')
    await page.locator('.sim').first().waitFor()
    await page.evaluate(() => document.fonts.ready)
    const moved = await page.evaluate(() => (globalThis as unknown as { moved: number[] }).moved)
    expect(moved.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.02)
  })
})
