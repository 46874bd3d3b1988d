import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RunView, SimulationCard } from '../../worker/wire/run.ts'
import { runOf } from '../support/game-client.ts'
import { handsUsed, keyboard, touch, watchHands } from '../support/game-hands.ts'
import type { Hands } from '../support/game-hands.ts'
import { GamePlayer } from '../support/game-player.ts'
import { passStory } from '../support/game-screens.ts'
import { decidingIn, Learner, PLAYS, simulationFile } from '../support/play-run.ts'
import type { Play } from '../support/play-run.ts'
import { talkThrough } from '../support/played-run.ts'
import { serveInBrowser } from '../support/serve.ts'
import { IS_LONG } from '../support/runs.ts'
import { tickEvidence } from '../support/tick-evidence.ts'

// The timeouts are long, because a busy machine is slow. A test that passes ends long before its timeout.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 })

const served = serveInBrowser()

const opened: GamePlayer[] = []
afterEach(() => {
  for (const { watched } of opened.splice(0)) expect(watched.complaints).toEqual([])
})

const BOTH_HANDS: readonly Hands[] = [touch, keyboard]
const RUNS = Object.keys(PLAYS).flatMap((scenario) => BOTH_HANDS.map((hands) => [scenario, hands.name, hands] as const))

describe('a whole run', () => {
  it.runIf(IS_LONG).each(RUNS)(
    '[page-15] [page-17] [page-18] [game-5] [game-11] [debrief-7] [again-4] of %s works from the library to the debrief and again from a fork, by %s alone',
    async (scenario, _, hands) => {
      const card = await cardOf(scenario)
      const play = playOf(scenario)
      const learner = await open(hands)
      await learner.begin(card.title)
      await talkToEverybody(learner, card, play)
      await lookIntoNotebook(learner, card)
      await decide(learner, card, play)
      await readDebrief(learner, card)
      expect(await handsUsed(learner.player.page)).toEqual([hands.name])
      const forks = play.talks.find(({ lines }) => lines.includes('#1'))
      if (forks) await goBackTo(learner, card, forks.npc)
      else expect(await learner.player.button(/^Again from here/).count()).toBe(0)
      await findInLibrary(learner, card, forks ? 2 : 1)
      expect(await handsUsed(learner.player.page)).toEqual([hands.name])
    },
  )
})

async function open(hands: Hands): Promise<Learner> {
  const player = await GamePlayer.open(served, { ...hands.options, reducedMotion: 'reduce' }, '')
  opened.push(player)
  served.closeAfterwards(player.context)
  await watchHands(player.page)
  await player.goTo('')
  return new Learner(player, hands)
}

/**
 * Talks to Otto first, and then to each colleague whom the previous colleague names. After the last conversation, opens
 * the decision. In `npm test` the learner talks by hand only with Otto and the first colleague. The other lines come from
 * the learner's second device, and the page shows them.
 */
async function talkToEverybody(
  learner: Learner,
  { id, guide, people }: SimulationCard,
  { talks }: Play,
): Promise<void> {
  const { player, hands } = learner
  const nameOf = (npc: string) => people.find(({ id }) => id === npc)?.name.replace(/ .*/, '') ?? ''
  if (hands.name === 'touch') await hands.press(player.link(`Start with ${nameOf(guide)}`))
  for (const [index, { npc, lines }] of talks.entries()) {
    if (IS_LONG || index < 2) await learner.talk(lines)
    else {
      await player.joined()
      await talkThrough(served.server, { key: await keyOf(player), scenario: id, npc })
      await learner.next.waitFor()
    }
    const after = talks[index + 1]
    if (after === undefined) continue
    await expect.poll(async () => [npc, await learner.next.innerText()]).toEqual([npc, `Talk to ${nameOf(after.npc)}`])
    await learner.goOn(after.npc)
  }
  // The last colleague names the guide again. Everybody has talked, so the page suggests to tell the guide.
  await expect.poll(() => learner.next.innerText()).toBe('Make your decision')
  await hands.press(learner.next)
  await player.page.locator('form.decide').waitFor()
}

/** Checks that the notebook has every fact, and opens every document once. */
async function lookIntoNotebook({ player, hands }: Learner, { people, guide }: SimulationCard): Promise<void> {
  const { page } = player
  // The run gets the last colleague's statements a moment later, and the page requests the run when the screen changes.
  await expect
    .poll(async () => (await view(player)).people.map(({ status }) => status), { interval: 250, timeout: 60_000 })
    .toEqual(people.map(() => 'over'))
  if (hands.name === 'touch') await hands.press(page.getByRole('banner').getByRole('link', { name: 'Notebook' }))
  else await page.keyboard.press('Alt+n')
  await page.locator('.notebook').waitFor()
  const { facts, documents, objectives } = await view(player)
  await expect.poll(() => page.locator('.notebook .known').allTextContents()).toHaveLength(facts.length)
  expect(objectives.map(({ state }) => state)).toEqual(objectives.map(() => 'met'))
  expect(documents.map(({ npc }) => npc)).toEqual(people.map(({ id }) => id).filter((id) => id !== guide))
  for (const { npc, lines } of documents) {
    await hands.press(page.locator(`.slip a[data-document="${npc}"]`))
    const paper = page.getByRole('article')
    await paper.waitFor()
    expect(await paper.locator('.doc-lines li').count()).toBe(lines.length)
    await hands.press(page.locator('.opened .way-back'))
    await paper.waitFor({ state: 'detached' })
  }
}

async function decide({ player, hands }: Learner, { options, deciding }: Readied, play: Play): Promise<void> {
  const { page } = player
  await hands.press(page.getByRole('banner').getByRole('link', { name: 'Decide' }))
  await page.locator('form.decide').waitFor()
  const number = options.findIndex(({ id }) => id === play.decision.option) + 1
  await hands.pick(page.locator('.option-card'), number)
  await hands.write(page.getByLabel('Your reason'), play.decision.reason)
  const { facts } = await view(player)
  expect(facts.map(({ id }) => id)).toEqual(expect.arrayContaining([...deciding]))
  const ticked = await tickEvidence(page, hands, facts, deciding)
  await hands.press(player.button('Read it over and decide'))
  await player.main.getByText(play.decision.reason).waitFor()
  // What the reason names is ticked too.
  expect(await page.locator('.rests-on li').count()).toBeGreaterThanOrEqual(ticked.length)
  await hands.press(player.button('Decide'))
}

async function readDebrief(
  { player, hands }: Learner,
  { title, people, options, skills, deciding }: Readied,
): Promise<void> {
  const { page, main } = player
  await main.locator('.story p').first().waitFor()
  await expect.poll(() => player.place).toBe(`#/run/${player.run}/debrief`)
  await passStory(page, (target) => hands.press(target))
  expect(await main.locator('.outcome').innerText()).toContain('It was the right call')
  const all = deciding.length
  const practised = await main.locator('.chapter', { hasText: 'What you practised' }).innerText()
  const reason = await main.locator('.chapter', { hasText: 'Your reason' }).innerText()
  expect(reason).toContain(`Of ${all} facts that decide it you heard ${all} and used ${all}.`)
  expect(practised.match(/(\d+) of \1 used/g)).toHaveLength(skills.length)
  const talks = main.locator('.details .person')
  expect(await talks.getByRole('heading', { level: 3 }).allTextContents()).toEqual(
    expect.arrayContaining(people.map(({ name }) => name)),
  )
  expect(await talks.filter({ hasText: /without its objective|Left open/ }).count()).toBe(0)
  expect(await main.locator('.chapter:has(#others) .fold').count()).toBe(options.length - 1)
  for (const each of await talks.all()) {
    await hands.press(each.locator('summary').first())
    await hands.press(each.locator('.transcript > summary'))
  }
  expect(await main.locator('.message:visible').count()).toBeGreaterThan(people.length * 4)
  await hands.press(main.locator('summary', { has: page.locator('#keep') }))
  await hands.press(player.link('See what it shows'))
  await page.waitForURL(/#\/result\//)
  await main.locator('.result [data-stamp="genuine"]').waitFor()
  await main.getByText(title).first().waitFor()
  await page.goBack()
  await main.locator('.outcome').waitFor()
}

/**
 * Plays again from the first fork with a colleague, and picks another card. Checks that everything before the fork is
 * unchanged.
 */
async function goBackTo(learner: Learner, { people }: SimulationCard, npc: string): Promise<void> {
  const { player, hands } = learner
  const before = player.run
  const old = await view(player)
  const name = people.find(({ id }) => id === npc)?.name.replace(/ .*/, '') ?? ''
  const talk = player.main.getByRole('region', { name: new RegExp(`^${name}`) })
  await hands.press(talk.locator('summary').first())
  await hands.press(talk.getByRole('button', { name: /^Again from here/ }).first())
  await player.page.waitForURL((url) => url.hash.endsWith(`/talk/${npc}`) && !url.hash.includes(before))
  await learner.cards.nth(1).waitFor()
  const fresh = await view(player)
  expect(fresh.again).toMatchObject({ npc })
  expect(fresh.decision).toBeNull()
  // The old run may have a fact in better words, which came after the fork.
  expect(old.facts.map(({ id }) => id)).toEqual(expect.arrayContaining(fresh.facts.map(({ id }) => id)))
  await learner.pick(2)
  await learner.say('Go on.')
  expect(await view(player, before)).toEqual(old)
  if (hands.name === 'touch') await hands.press(learner.panel.getByRole('button', { name: 'Back to the desk' }))
  else await player.page.keyboard.press('Escape')
  await player.page.locator('.desk').waitFor()
}

/**
 * Checks that the library lists both runs: the run in which the learner decided, and the run that they started again
 * from a fork.
 */
async function findInLibrary({ player, hands }: Learner, { title }: SimulationCard, runs: number): Promise<void> {
  const { page } = player
  await hands.press(page.getByRole('banner').getByRole('link', { name: 'Walkon, to the library' }))
  await page.locator('.library').waitFor()
  await expect.poll(() => player.runs.count()).toBe(runs)
  expect(await player.runs.last().innerText()).toContain(title)
  await expect.poll(() => player.runs.last().innerText()).toContain('Decided')
  if (runs > 1) await expect.poll(() => player.runs.first().innerText()).toContain('Again from a moment with')
}

/** A simulation as the library lists it, and the ids of its deciding facts. */
type Readied = SimulationCard & { readonly deciding: readonly string[] }

async function cardOf(scenario: string): Promise<Readied> {
  const response = await served.server.fetch('scenarios.json')
  const card = ((await response.json()) as SimulationCard[]).find(({ id }) => id === scenario)
  if (!card) throw new Error(`no simulation ${scenario}`)
  // A learner who has listened to everybody has earned every option.
  return { ...card, options: [...simulationFile(scenario).decision.options], deciding: decidingIn(scenario) }
}

function playOf(scenario: string): Play {
  const play = PLAYS[scenario]
  if (!play) throw new Error(`nobody plays ${scenario}`)
  return play
}

async function view(player: GamePlayer, run = player.run): Promise<RunView> {
  return runOf(served.server, await keyOf(player, run))
}

async function keyOf(player: GamePlayer, run = player.run): Promise<string> {
  const kept = await player.page.evaluate(() => localStorage.getItem('walkon-game|runs') ?? '[]')
  return (JSON.parse(kept) as { id: string; key: string }[]).find(({ id }) => id === run)?.key ?? ''
}
