import type { Browser, Locator } from 'playwright-core'
import type { ClassStarted } from '../../worker/wire/run.ts'
import { DESKTOP } from '../support/browser.ts'
import { askGame, runOf, startGame } from '../support/game-client.ts'
import { touch } from '../support/game-hands.ts'
import type { Hands } from '../support/game-hands.ts'
import { GamePlayer } from '../support/game-player.ts'
import { passStory } from '../support/game-screens.ts'
import { decidingIn, Learner, linesOf, PLAYS, simulationFile } from '../support/play-run.ts'
import { tickEvidence } from '../support/tick-evidence.ts'
import type { WorkerServer } from '../support/worker-server.ts'

/** Saves a picture of the page. `name` is the picture's name. */
export type Shoot = (page: GamePlayer['page'], name: string) => Promise<void>

const SCENARIO = 'launch-decision'

const mouse: Pick<Hands, 'options'> & Omit<Hands, 'name' | 'options'> = {
  options: { viewport: DESKTOP },
  press: (target) => target.click(),
  write: (field, text) => field.fill(text),
  send: (panel) => panel.page().keyboard.press('Enter'),
  pick: (cards, number) => cards.nth(number - 1).click(),
}

/**
 * Plays the launch decision from the library to the debrief and opens a class as its teacher. Takes a picture of every
 * screen, light and dark.
 */
export async function takeGame(browser: Browser, server: WorkerServer, size: 'phone' | 'desktop', shoot: Shoot) {
  const hands: Hands = size === 'phone' ? touch : { ...mouse, name: 'keyboard' }
  const look = { reducedMotion: 'reduce', timezoneId: 'UTC', locale: 'en-GB' } as const
  const player = await GamePlayer.open({ browser, server }, { ...hands.options, ...look })
  const shown = new Shown(new Learner(player, hands), server, async (name) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await player.page.emulateMedia({ colorScheme })
      // The pointer rests where it last pressed, and would colour what is there now.
      if (size === 'desktop') await player.page.mouse.move(0, 0)
      await shoot(player.page, `game-${name}-${size}-${colorScheme}.png`)
    }
  })
  await shown.class()
  await shown.beginning()
  await shown.talks()
  await shown.notebook()
  await shown.decision()
  await shown.debrief()
  await shown.missing()
  await player.context.close()
}

/** Goes through one run screen by screen and takes pictures. */
class Shown {
  readonly #learner: Learner
  readonly #server: WorkerServer
  readonly #take: (name: string) => Promise<void>

  constructor(learner: Learner, server: WorkerServer, take: (name: string) => Promise<void>) {
    this.#learner = learner
    this.#server = server
    this.#take = take
  }

  /** Shows a teacher's pages and the page on which a learner joins. */
  async class(): Promise<void> {
    const { player, hands } = this.#learner
    const { main, page } = player
    const asked = { body: { title: 'Thursday, group B', scenario: SCENARIO } }
    const { body } = await askGame<ClassStarted>(this.#server, 'api/classes', asked)
    const { code, key } = body.class
    const begun = await Promise.all(
      ['Owl', 'Sparrow', 'Heron'].map((nickname) => startGame(this.#server, { class: code, nickname })),
    )
    const decision = { option: 'ship-as-is', reason: 'The date is the date.', evidence: [] }
    await askGame(this.#server, 'api/run/decision', { key: begun[0]?.key ?? '', body: decision })
    await player.goTo('#/teach')
    await page.getByLabel('Name of the class').fill('Thursday, group B')
    await hands.press(main.getByRole('radio', { name: /The launch decision/ }))
    await this.#take('teach')
    await player.goTo(`#/class/${key}`)
    await main.getByRole('table').waitFor()
    await this.#take('class')
    await player.goTo(`#/join/${code}`)
    await this.#take('join')
  }

  async beginning(): Promise<void> {
    const { player } = this.#learner
    await player.goTo('#/')
    await player.simulation('The launch decision').waitFor()
    await this.#take('library')
    await this.#learner.begin('The launch decision')
    await player.main
      .getByRole('link', { name: /^Start with|^Go to your desk/ })
      .first()
      .waitFor()
    if (await player.page.locator('.talk-host').count()) await player.page.locator('.talk-host #name').waitFor()
    await this.#take('briefing')
    await player.toDesk()
    await this.#take('desk-first')
  }

  /**
   * Plays every conversation, in the order in which the colleagues refer the learner to each other. Takes pictures
   * during Maya's conversation.
   */
  async talks(): Promise<void> {
    const { player, hands } = this.#learner
    const [first, ...others] = PLAYS[SCENARIO]?.talks ?? []
    if (!first) throw new Error('nobody to talk to')
    await hands.press(player.person('Otto'))
    await this.#learner.talk(first.lines)
    for (const { npc } of others) {
      await this.#learner.goOn(npc)
      if (npc === 'maya') await this.#maya()
      else await this.#learner.talk(linesOf(SCENARIO, npc))
    }
  }

  async #maya(): Promise<void> {
    const { player, cards } = this.#learner
    const lines = linesOf(SCENARIO, 'maya')
    const pivot = lines.indexOf('#1')
    await player.field.waitFor()
    for (const line of lines.slice(0, pivot - 1)) await this.#learner.say(line)
    await this.#take('talk')
    await this.#learner.say(lines[pivot - 1] ?? '')
    await cards.nth(1).waitFor()
    await this.#take('pivot')
    await this.#learner.talk(lines.slice(pivot))
    await this.#take('closing')
    await this.#go('desk')
    await player.page.locator('.desk').waitFor()
    await this.#take('desk-later')
    await player.page.goBack()
    await this.#learner.next.waitFor()
  }

  async notebook(): Promise<void> {
    const { player, hands } = this.#learner
    const { page } = player
    await this.#go('notebook')
    await page.locator('.notebook .known').first().waitFor()
    await this.#take('notebook')
    await hands.press(page.locator('.slip a[data-document="maya"]'))
    await page.getByRole('article').waitFor()
    await this.#quiet()
    await this.#take('document')
  }

  async decision(): Promise<void> {
    const { player, hands } = this.#learner
    const { page, main } = player
    const { options } = simulationFile(SCENARIO).decision
    const { facts } = await runOf(this.#server, await this.#key())
    const deciding = decidingIn(SCENARIO)
    const { option, reason } = PLAYS[SCENARIO]?.decision ?? { option: '', reason: '' }
    await this.#go('decide')
    await page.locator('form.decide').waitFor()
    await this.#take('decide')
    await hands.pick(page.locator('.option-card'), options.findIndex(({ id }) => id === option) + 1)
    await page.getByLabel('Your reason').fill(reason)
    await tickEvidence(page, hands, facts, deciding)
    await hands.press(player.button('Read it over and decide'))
    await main.getByText(reason).waitFor()
    await this.#quiet()
    await this.#take('last-look')
    await hands.press(player.button('Decide'))
    await main.locator('.story p').first().waitFor()
  }

  async debrief(): Promise<void> {
    const { player, hands } = this.#learner
    const { page, main } = player
    // On a phone the story comes first.
    if ((await page.locator('.outcome').count()) === 0) await this.#take('story')
    await passStory(page, (target) => hands.press(target))
    await this.#take('debrief')
    await this.#at('debrief-practised', main.locator('#facts'))
    const maya = main.locator('.details .person', { has: page.locator('#talk-maya') })
    await hands.press(maya.locator('summary').first())
    await this.#at('debrief-conversation', maya)
    await this.#at('debrief-others', main.locator('#others'))
    await hands.press(main.locator('summary', { has: page.locator('#keep') }))
    await this.#at('debrief-keep', main.locator('#keep'))
    await hands.press(player.link('See what it shows'))
    await main.locator('.result [data-stamp="genuine"]').waitFor()
    await this.#take('result')
    await page.goBack()
    await main.locator('.story p').first().waitFor()
    await this.#go('decide')
    await page.locator('.decided').waitFor()
    await this.#take('decided')
  }

  /** Shows the page of an unknown run and the page without a network. */
  async missing(): Promise<void> {
    const { player } = this.#learner
    const { page } = player
    await this.#go('desk')
    await page.locator('.desk').waitFor()
    await player.context.setOffline(true)
    await page.locator('.strip').waitFor()
    await this.#take('offline')
    await player.context.setOffline(false)
    await player.goTo('#/link/not.a.key')
    await page.locator('.missing').waitFor()
    await this.#take('gone')
  }

  /** Opens a screen of the run by its address, because the links that lead to a screen are different on a phone. */
  async #go(screen: string): Promise<void> {
    const { page, run } = this.#learner.player
    await page.evaluate((hash) => (location.hash = hash), `#/run/${run}/${screen}`)
  }

  async #key(): Promise<string> {
    const kept = await this.#learner.player.page.evaluate(() => localStorage.getItem('walkon-game|runs'))
    const runs = JSON.parse(kept ?? '[]') as { id: string; key: string }[]
    return runs.find(({ id }) => id === this.#learner.player.run)?.key ?? ''
  }

  /** Waits until the page shows no note: a note covers the page for four seconds. */
  async #quiet(): Promise<void> {
    const { page } = this.#learner.player
    await page.waitForFunction(() => document.querySelector('.notes .slip') === null)
  }

  async #at(name: string, place: Locator): Promise<void> {
    await place.evaluate((element) => element.scrollIntoView({ block: 'start' }))
    await this.#take(name)
  }
}
