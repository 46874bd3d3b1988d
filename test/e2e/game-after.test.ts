import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import path from '../fixtures/maya-path.json' with { type: 'json' }
import type { RunStarted, RunView } from '../../worker/wire/run.ts'
import { passStory } from '../support/game-screens.ts'
import { violations } from '../support/axe.ts'
import { openPage, PHONE } from '../support/browser.ts'
import type { WatchedPage } from '../support/browser.ts'
import { askGame, runOf, startGame, talkWith } from '../support/game-client.ts'
import { newCid, type Player } from '../support/player.ts'
import { serveInBrowser } from '../support/serve.ts'
import { IS_LONG } from '../support/runs.ts'

/** The tests show the debrief and the teacher's pages with the real service and the rehearsal actor. */
const place = serveInBrowser()

const players: Player[] = []
const opened: { readonly watched: WatchedPage; readonly expected: RegExp | undefined }[] = []
afterEach(() => {
  for (const player of players.splice(0)) player.leave()
  for (const { watched, expected } of opened.splice(0))
    expect(watched.complaints.filter((complaint) => !expected?.test(complaint))).toEqual([])
})

/** Opens the page at an address. @param options.expected the console messages that the page may log; none by default */
async function open(
  hash: string,
  { kept, expected }: { readonly kept?: RunStarted['run']; readonly expected?: RegExp } = {},
): Promise<Page> {
  const watched = await openPage(place.browser, { viewport: PHONE, timezoneId: 'UTC' })
  opened.push({ watched, expected })
  place.closeAfterwards(watched.context)
  if (kept)
    await watched.page.addInitScript(
      (text) => {
        if (localStorage.getItem('walkon-game|runs') === null) localStorage.setItem('walkon-game|runs', text)
      },
      JSON.stringify([{ ...kept, scenario: 'launch-decision', at: 1 }]),
    )
  await watched.page.goto(new URL(`?lang=en${hash}`, place.server.url).href)
  return watched.page
}

/** Plays all turns of Maya's path, and returns the resulting run. */
async function playMaya(key: string): Promise<RunView> {
  const maya = await talkWith(place.server, key, 'maya')
  players.push(maya)
  for (const { learner, node, choose } of path.turns) {
    await maya.say(learner)
    if (choose) await maya.emit('choose', { cid: newCid(), pivot: node, choice: choose.choice })
  }
  await maya.until(() => maya.commands().find((id) => id === 'AI_EndConversation'))
  const isOver = async () => (await runOf(place.server, key)).people.some(({ status }) => status === 'over')
  await expect.poll(isOver, { timeout: 60_000 }).toBe(true)
  return runOf(place.server, key)
}

async function decide(key: string, option: string, evidence: readonly string[]): Promise<void> {
  const body = { option, reason: 'Medical answers fail at 23.4%, and we signed for 2.0%.', evidence }
  const { status } = await askGame<RunView>(place.server, 'api/run/decision', { key, body })
  expect(status).toBe(200)
}

describe('with the service itself', { timeout: 180_000 }, () => {
  it.runIf(IS_LONG)(
    '[after-1] [after-6] [after-10] a decided run has a debrief and a genuine result, and can be played again from a fork',
    async () => {
      const run = await startGame(place.server)
      const view = await playMaya(run.key)
      const [first] = view.facts
      expect(first).toBeDefined()
      await decide(run.key, 'delay-a-week', [first?.id ?? ''])

      const page = await open(`#/run/${run.id}/debrief`, { kept: run })
      await passStory(page)
      const main = page.getByRole('main')
      expect(await main.getByRole('heading', { level: 1 }).innerText()).toBe(
        'Hold everything back a week and test again',
      )
      expect(await main.locator('.verdict').innerText()).toBe('It can be defended.')
      // One fact is attached, and the reason states another.
      expect(await main.locator('.fact[data-state="cited"]').count()).toBe(2)
      expect(await main.locator('.fact[data-state="missed"]').first().innerText()).toContain('You two never spoke.')
      await page.evaluate(() => document.querySelectorAll('details').forEach((folded) => (folded.open = true)))
      const maya = main.getByRole('region', { name: 'Maya Patel', exact: true })
      expect(await maya.locator('.message[id^="said-maya-say"]').count()).toBe(path.turns.length)
      expect(await violations(page)).toEqual([])

      const source = main.getByRole('button', { name: /^Maya\. Turn \d+\. Read it/ }).first()
      const turn = /Turn (\d+)/.exec((await source.getAttribute('aria-label')) ?? '')?.[1]
      await source.click()
      expect(await page.evaluate(() => document.activeElement?.id)).toBe(`said-maya-reply-${turn}`)

      const link = await page.getByLabel('Link to the result').inputValue()
      const checked = await open(new URL(link).hash)
      await checked.getByRole('heading', { name: 'This result is genuine' }).waitFor()
      expect(await checked.getByRole('main').innerText()).toContain('can be defended')
      const forged = await open(`${new URL(link).hash.slice(0, -4)}AAAA`, { expected: /Failed to load resource/ })
      await forged.getByRole('heading', { name: 'This result cannot be confirmed' }).waitFor()

      await maya
        .getByRole('button', { name: /^Again from here/ })
        .first()
        .click()
      await page.waitForURL((url) => /#\/run\/ctx_[\w-]+\/talk\/maya$/.test(url.hash) && !url.hash.includes(run.id))
      const again = await page.evaluate(() => localStorage.getItem('walkon-game|runs'))
      expect(JSON.parse(again ?? '[]')).toHaveLength(2)
    },
  )

  it('[after-11] [after-12] [after-14] a class is started, joined and exported, with a decision in it', async () => {
    const page = await open('#/teach')
    await page.getByLabel('Name of the class').fill('Thursday, group B')
    await page.getByRole('radio', { name: /The launch decision/ }).check()
    await page.getByRole('button', { name: 'Begin the class' }).click()
    await page.getByRole('heading', { name: 'Thursday, group B has begun' }).waitFor()
    const code = (await page.getByLabel('For the learners').last().inputValue()).split('/').at(-1)
    await page.getByRole('link', { name: 'Open the class' }).click()
    await page.getByText('Nobody has joined yet.').waitFor()

    const owl = await startGame(place.server, { class: code, nickname: '=Owl' })
    await startGame(place.server, { class: code, nickname: 'Sparrow' })
    await decide(owl.key, 'ship-as-is', [])
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText('2 learners, 1 of 2 decided').waitFor()
    const rows = await page.getByRole('row').allInnerTexts()
    expect(rows.find((row) => row.includes('=Owl'))).toContain('Ship on Thursday as it stands')
    expect(rows.find((row) => row.includes('Sparrow'))).toContain('not yet')
    const missed = await page.getByRole('region', { name: 'What they missed', exact: true }).innerText()
    expect(missed).toContain('missed by 1 of 1')
    expect(missed).toContain('What’s the most we’re allowed to get wrong?'.replaceAll('’', "'"))
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ])
    const csv = await text(await download.createReadStream())
    expect(csv).toContain('Sparrow')
    expect(csv).not.toMatch(/(?:^|,|")=Owl/m)
  })
})
