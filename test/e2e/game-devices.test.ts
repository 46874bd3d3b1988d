import type { Request } from 'playwright-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { PHONE } from '../support/browser.ts'
import { runOf, startGame } from '../support/game-client.ts'
import { drawn } from '../support/game-hands.ts'
import { GamePlayer } from '../support/game-player.ts'
import { decidedRun, openLink, playedRun, talkThrough } from '../support/played-run.ts'
import { PLAYS } from '../support/play-run.ts'
import { serveInBrowser } from '../support/serve.ts'
import { IS_LONG } from '../support/runs.ts'
import { unfoldEvidence } from '../support/tick-evidence.ts'

// The timeouts are long, because a busy machine is slow. A test that passes ends long before its timeout.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const served = serveInBrowser()
const TOUCH = { viewport: PHONE, isMobile: true, hasTouch: true } as const
const SCENARIO = 'launch-decision'
const REASON = PLAYS[SCENARIO]?.decision.reason ?? ''

const opened: GamePlayer[] = []
afterEach(() => {
  // Messages that the browser itself logs: for a request without a network, for a refused request, and for a socket
  // that is closed before it is open.
  const own = /ERR_INTERNET_DISCONNECTED|status of 409|WebSocket is closed before the connection is established/
  for (const { watched } of opened.splice(0)) expect(watched.complaints.filter((text) => !own.test(text))).toEqual([])
})
async function device(options: Parameters<typeof GamePlayer.open>[1] = {}): Promise<GamePlayer> {
  const player = await GamePlayer.open(served, { reducedMotion: 'reduce', ...options })
  opened.push(player)
  served.closeAfterwards(player.context)
  return player
}

const comeBack = ({ page }: GamePlayer) => page.evaluate(() => dispatchEvent(new Event('focus')))
const cards = ({ page }: GamePlayer) => page.locator('.talk-host .card')
const reason = ({ page }: GamePlayer) => page.getByLabel('Your reason')
const screenOf = ({ place }: GamePlayer) => place.replace(/^#\/run\/[^/]+\//, '')

/** Returns a function that counts the pending requests for a run. Only requests from now on count. */
function waiting({ page }: GamePlayer): () => number {
  const open = new Set<Request>()
  page.on('request', (request) => request.url().endsWith('/api/run') && open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  return () => open.size
}

async function fillDecision(player: GamePlayer, option = 3, words = REASON): Promise<void> {
  await player.page
    .locator('.option-card')
    .nth(option - 1)
    .click()
  await reason(player).fill(words)
  await unfoldEvidence(player.page)
  await player.page.locator('.ticked input').first().check()
  await player.button('Read it over and decide').click()
  await player.page.getByRole('heading', { name: 'A last look' }).waitFor()
}

describe('a reload', () => {
  it.runIf(IS_LONG)('[page-6] restores every screen of a run, with its draft', async () => {
    const run = await playedRun(served.server)
    const player = await device()
    await openLink(player, run)
    const expectSame = async (where: string) => {
      // Only in their first view, the page labels new items and puts them first.
      const words = async () => {
        const lines = (await player.main.innerText()).replaceAll(/\s*\bNew\b/g, '').split('\n')
        return lines.flatMap((line) => line.replaceAll(/\s+/g, ' ').trim() || []).toSorted()
      }
      const [title, text] = [await player.title.textContent(), await words()]
      await player.page.reload()
      await expect.poll(() => player.title.textContent()).toBe(title)
      await expect.poll(words).toEqual(text)
      await expect.poll(() => player.place).toBe(where)
    }
    const at = (screen: string) => `#/run/${run.id}/${screen}`
    for (const screen of ['desk', 'notebook', 'notebook/document/marcus', 'decide']) {
      await player.goTo(at(screen))
      await expectSame(at(screen))
    }
    await fillDecision(player)
    await expectSame(at('decide/look'))
    await player.page.goBack()
    await expect.poll(() => reason(player).inputValue()).toBe(REASON)
    expect(await player.page.locator('.option-card input').nth(2).isChecked()).toBe(true)
    await player.page.goForward()
    await player.button('Decide').click()
    await player.main.locator('.story p').first().waitFor()
    await player.page.locator('#verdict').waitFor()
    await expectSame(at('debrief'))
    await player.goTo(at('talk/ines'))
    await player.log.getByText('pilot log, all of it').waitFor()
    await player.page.reload()
    await player.log.getByText('pilot log, all of it').waitFor()
    for (const address of ['#/', '#/teach']) {
      await player.goTo(address)
      const title = await player.title.textContent()
      await player.page.reload()
      await expect.poll(() => player.title.textContent()).toBe(title)
    }
  })

  it.runIf(IS_LONG)('[page-6] [page-18] restores an open fork and the draft', async () => {
    const run = await startGame(served.server)
    await talkThrough(served.server, { key: run.key, scenario: SCENARIO, npc: 'maya', until: 'All right.' })
    const player = await device()
    await openLink(player, run)
    await player.person('Maya').click()
    await cards(player).nth(2).waitFor()
    await player.field.fill('Half a thought')
    await player.page.reload()
    await cards(player).nth(2).waitFor()
    await expect.poll(() => player.field.inputValue()).toBe('Half a thought')
  })
})

describe('two devices on one run', () => {
  it.runIf(IS_LONG)('[page-7] [page-24] answer a fork on either device, and it disappears on both', async () => {
    const run = await startGame(served.server)
    await talkThrough(served.server, { key: run.key, scenario: SCENARIO, npc: 'maya', until: 'All right.' })
    const desktop = await device()
    const phone = await device(TOUCH)
    for (const each of [desktop, phone]) {
      await openLink(each, run)
      expect(each.place).not.toContain(run.key)
      await each.person('Maya').click()
      await cards(each).nth(2).waitFor()
    }
    await cards(phone).nth(1).tap()
    for (const each of [phone, desktop]) {
      await each.log.getByText('Just the number. I’ll do the thinking.').waitFor()
      await cards(each).first().waitFor({ state: 'detached' })
    }
  })

  it.runIf(IS_LONG)(
    '[page-97] [page-24] [game-12] show each other’s progress automatically and on return, and share one decision',
    async () => {
      const run = await startGame(served.server)
      const desktop = await device()
      const phone = await device(TOUCH)
      for (const each of [desktop, phone]) {
        const asked = waiting(each)
        await openLink(each, run)
        await expect.poll(asked).toBe(0)
      }
      await talkThrough(served.server, { key: run.key, scenario: SCENARIO, npc: 'maya' })
      for (const each of [desktop, phone]) {
        if (each === phone) await comeBack(each)
        await expect.poll(() => each.person('Maya').innerText()).toContain('Talked to')
        await expect.poll(() => each.page.locator('.next-card').innerText()).toContain('Maya sent you to Marcus')
      }
      // The learner fills in the decision on both devices. The phone sends its decision first.
      for (const each of [desktop, phone])
        await each.page.getByRole('banner').getByRole('link', { name: 'Decide' }).click()
      await fillDecision(phone, 1, 'It is what I wrote on the phone.')
      await fillDecision(desktop, 2, 'It is what I wrote at the desk.')
      await phone.button('Decide').tap()
      await phone.main.locator('.story p').first().waitFor()
      await desktop.button('Decide').click()
      await expect.poll(() => desktop.title.textContent()).toBe('You decided')
      await desktop.main.getByText('It is what I wrote on the phone.').waitFor()
      await desktop.main.getByText('This run was decided with other words').waitFor()
      expect((await runOf(served.server, run.key)).decision?.option).toBe('ship-as-is')
      await desktop.link('See what came of it').click()
      await desktop.main.locator('.story p').first().waitFor()
      expect(await desktop.title.textContent()).toBe(await phone.title.textContent())
    },
  )
})

describe('the back button', () => {
  it.runIf(IS_LONG)(
    '[page-6] [page-22] goes back through all screens of a run and forward again, including a document and a review',
    async () => {
      const player = await device(TOUCH)
      const { page } = player
      const seen: string[] = []
      /**
       * Waits until the page has the expected address, shows the expected screen, and has set the focus. Each of the
       * three can happen before the others.
       */
      const shown = async (place: string) => {
        await expect.poll(() => screenOf(player)).toBe(place)
        await page.locator(`.page[data-screen="${place.replace(/\/.*/, '')}"]`).waitFor()
        if (place.startsWith('decide'))
          await page.locator(place === 'decide' ? 'form.decide' : '.decide.look').waitFor()
        if (place === 'talk/maya') await player.joined()
        await player.title.waitFor()
        await drawn(page)
      }
      const stepped = async (place: string) => {
        await shown(place)
        seen.push(place)
      }
      await player.begin()
      await stepped('briefing')
      await player.toDesk()
      await stepped('desk')
      await player.person('Maya').tap()
      await stepped('talk/maya')
      await player.say('Hi, what’s going on?')
      await talkThrough(served.server, { key: await keyOf(player), scenario: SCENARIO, npc: 'otto' })
      await page.locator('.talk-host').getByRole('button', { name: 'Back to the desk' }).tap()
      await stepped('desk')
      await page.getByRole('banner').getByRole('link', { name: 'Notebook' }).tap()
      await stepped('notebook')
      await page.getByRole('banner').getByRole('link', { name: 'Decide' }).tap()
      await stepped('decide')
      await page.locator('.option-card').nth(1).tap()
      await reason(player).fill(REASON)
      await player.button('Read it over and decide').tap()
      await stepped('decide/look')
      for (const place of seen.slice(0, -1).toReversed()) {
        await page.goBack()
        await shown(place)
      }
      await page.goBack()
      await page.locator('.library').waitFor()
      for (const place of seen) {
        await page.goForward()
        await shown(place)
      }
      await player.button('Decide').tap()
      await player.main.locator('.story p').first().waitFor()
      // In the browser's history, the entry of the review now shows the debrief, and the entry before shows the
      // decision that the learner made.
      await page.goBack()
      await expect.poll(() => player.title.textContent()).toBe('You decided')
      await expect.poll(() => screenOf(player)).toBe('decide')
      await page.goForward()
      await player.main.locator('.story p').first().waitFor()
    },
  )
})

describe('without a network', () => {
  it('[page-23] a message in the middle of a talk waits, and is sent once later', async () => {
    const player = await device(TOUCH)
    await player.begin()
    await player.toDesk()
    await player.person('Maya').tap()
    await player.say('Hi, what’s going on?')
    await player.context.setOffline(true)
    await player.page.getByText("You're offline").first().waitFor()
    await player.field.fill('So what did run 47 show?')
    await player.field.press('Enter')
    await player.log.getByText('Not sent yet').waitFor()
    await player.context.setOffline(false)
    await player.log.getByText('23.4% on medical').waitFor()
    await player.page.reload()
    await player.log.getByText('23.4% on medical').waitFor()
    expect(await player.log.getByText('So what did run 47 show?').count()).toBe(1)
  })

  it.runIf(IS_LONG)('[page-23] a drafted decision is kept, and can be sent when the network is back', async () => {
    const run = await startGame(served.server)
    await talkThrough(served.server, { key: run.key, scenario: SCENARIO, npc: 'maya' })
    const player = await device()
    await openLink(player, run)
    await player.page.getByRole('banner').getByRole('link', { name: 'Decide' }).click()
    await fillDecision(player, 2)
    await player.context.setOffline(true)
    await player.main.getByText("You're offline").waitFor()
    await player.button('Decide').click()
    await player.page.getByRole('alert').filter({ hasText: 'There was no answer' }).waitFor()
    // The page knows that the network is back as soon as a request for the run has succeeded.
    const answered = player.page.waitForResponse((response) => response.url().endsWith('/api/run'))
    await player.context.setOffline(false)
    await answered
    await player.button('Decide').click()
    await player.main.locator('.story p').first().waitFor()
    expect((await runOf(served.server, run.key)).decision?.reason).toBe(REASON)
  })

  it.runIf(IS_LONG)('[page-23] an open debrief stays, and says that the page is offline', async () => {
    const run = await decidedRun(served.server, 'third-figure')
    const player = await device()
    await openLink(player, run)
    await player.goTo(`#/run/${run.id}/debrief`)
    await player.page.locator('#verdict').waitFor()
    await player.context.setOffline(true)
    await player.page.locator('.strip').waitFor()
    expect(await player.main.locator('.story p').count()).toBeGreaterThan(0)
    await player.context.setOffline(false)
    await player.page.locator('.strip').waitFor({ state: 'detached' })
    expect(await player.main.locator('.story p').count()).toBeGreaterThan(0)
  })
})

async function keyOf({ page, run }: GamePlayer): Promise<string> {
  const kept = await page.evaluate(() => localStorage.getItem('walkon-game|runs') ?? '[]')
  return (JSON.parse(kept) as { id: string; key: string }[]).find(({ id }) => id === run)?.key ?? ''
}
