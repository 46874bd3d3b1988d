import type { Locator, Page } from 'playwright-core'
import type { RunStarted } from '../../worker/wire/run.ts'
import type { GamePlayer } from './game-player.ts'
import { unfoldEvidence } from './tick-evidence.ts'

/**
 * What the screens are about: a run of the launch decision that is still open, a run with a decision, a result, and a
 * class.
 */
export interface GamePlaces {
  readonly open: RunStarted['run']
  readonly decided: RunStarted['run']
  readonly result: string
  readonly code: string
  readonly teacher: string
}

export interface GameScreen {
  readonly name: string
  /** Opens the screen and waits until the page shows it. */
  go(): Promise<void>
  leave?(): Promise<void>
}

/** Goes on to the verdict, which on a phone comes after the story if the decision has just been made. */
export async function passStory(page: Page, press = (target: Locator) => target.click()): Promise<void> {
  await page.locator('.story p').first().waitFor()
  const on = page.locator('.after .doings .button')
  if ((await on.count()) > 0) await press(on)
  await page.locator('.chapters .leave').first().waitFor()
}

/** Stores the links of the runs in the browser, as the page does, and reloads the page. */
export async function keepRuns({ page, title }: GamePlayer, { open, decided }: GamePlaces): Promise<void> {
  const runs = [open, decided].map(({ id, key }) => ({ id, key, scenario: 'launch-decision', at: 1 }))
  await page.evaluate((kept) => localStorage.setItem('walkon-game|runs', kept), JSON.stringify(runs))
  await page.reload()
  await title.waitFor()
}

/**
 * Returns every screen, in the language and the size that the page has now. Only the hash changes from screen to
 * screen, so the page is not reloaded.
 */
export function gameScreens(player: GamePlayer, places: GamePlaces): readonly GameScreen[] {
  const { page, context } = player
  const to = (name: string, hash: string, ready: string, more?: () => Promise<void>): GameScreen => ({
    name,
    async go() {
      await page.evaluate((address) => void (location.hash = address), hash)
      await page.locator(ready).first().waitFor()
      await more?.()
    },
  })
  const inRun = (name: string, screen: string, ready: string, more?: () => Promise<void>) =>
    to(name, `#/run/${places.open.id}/${screen}`, ready, more)
  const unfold = () =>
    page.evaluate(() => {
      for (const fold of document.querySelectorAll('details')) fold.open = true
    })
  return [
    to('library', '#/', '.run[data-stand="decided"]', unfold),
    to('join', `#/join/${places.code}`, '.join form'),
    inRun('briefing', 'briefing', '.brief'),
    inRun('desk', 'desk', '.desk .next-card'),
    {
      ...inRun('keys', 'desk', '.desk .next-card', async () => {
        await page.keyboard.press('?')
        await page.locator('dialog[open]').waitFor()
      }),
      async leave() {
        await page.keyboard.press('Escape')
        await page.locator('dialog[open]').waitFor({ state: 'detached' })
      },
    },
    inRun('talk', 'talk/marcus', '.talk-host .speech[aria-busy="false"]'),
    inRun('pivot', 'talk/maya', '.talk-host .card'),
    inRun('closing', 'talk/ines', '.talk-host .foot'),
    inRun('notebook', 'notebook', '.notebook .known'),
    inRun('document', 'notebook/document/ines', '.opened .doc-lines'),
    inRun('decide', 'decide', 'form.decide .evidence-of'),
    inRun('last look', 'decide', 'form.decide .evidence-of', async () => {
      await page.locator('.option-card input').nth(1).check()
      await page.locator('#decide-reason').fill('1.')
      await unfoldEvidence(page)
      await page.locator('.ticked input').first().check()
      await page.locator('#decide-reason').press('Tab')
      await page.locator('form.decide .button.main').click()
      await page.locator('.decide.look').waitFor()
    }),
    to('story', `#/run/${places.decided.id}/debrief`, '.story p'),
    to('debrief', `#/run/${places.decided.id}/debrief`, '.story p', async () => {
      await passStory(page)
      await unfold()
    }),
    to('result', `#/result/${places.result}`, '.result [data-stamp="genuine"]'),
    to('teach', '#/teach', '.class-form'),
    to('class', `#/class/${places.teacher}`, 'main [role="table"], main table'),
    to('gone', '#/link/not-a-key', '.missing .doings'),
    {
      ...inRun('offline', 'desk', '.desk .next-card', async () => {
        await context.setOffline(true)
        await page.locator('.strip').waitFor()
      }),
      leave: () => context.setOffline(false),
    },
  ]
}
