import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { lateEn } from '../../sims/game/texts/late-en.ts'
import { es } from '../../sims/game/texts/es.ts'
import { lateEs } from '../../sims/game/texts/late-es.ts'
import { en } from '../../sims/game/texts/en.ts'
import type { DebriefView } from '../../worker/wire/run.ts'
import { violations } from '../support/axe.ts'
import { DESKTOP, PHONE } from '../support/browser.ts'
import { askGame, runOf, startGame } from '../support/game-client.ts'
import { GamePlayer } from '../support/game-player.ts'
import { gameScreens, keepRuns } from '../support/game-screens.ts'
import type { GamePlaces } from '../support/game-screens.ts'
import { announcements, edges, motions, overflow, unmarked, wordsOn } from '../support/page-facts.ts'
import { decidedRun, openLink, talkThrough } from '../support/played-run.ts'
import { IS_LONG, variants } from '../support/runs.ts'
import { serveInBrowser } from '../support/serve.ts'
import { SharedServer } from '../support/shared.ts'

// The timeouts are long, because a busy machine is slow. A test that passes ends long before its timeout.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const served = serveInBrowser()
const TOUCH = { viewport: PHONE, isMobile: true, hasTouch: true } as const

let places: GamePlaces
beforeAll(async () => {
  const { server } = served
  const class_ = await askGame<{ class: { code: string; key: string } }>(server, 'api/classes', {
    body: { title: '7B', scenario: 'launch-decision' },
  })
  const { code, key: teacher } = class_.body.class
  const open = await startGame(server, { class: code, nickname: 'Heron 7' })
  const talk = (npc: string, until?: string) =>
    talkThrough(server, { key: open.key, scenario: 'launch-decision', npc, ...(until !== undefined && { until }) })
  const [decided] = await Promise.all([
    decidedRun(server),
    (async () => {
      await talk('otto')
      await talk('ines')
      await talk('maya', 'All right.')
      await talk('marcus', 'Hi Marcus, what does the contract say?')
    })(),
  ])
  // The server refuses the debrief until the run has all events ([debrief-15]).
  const { result } = await vi.waitFor(async () => {
    const { status, body } = await askGame<DebriefView>(server, 'api/run/debrief', { key: decided.key })
    expect(status).toBe(200)
    return body
  }, 60_000)
  places = { open, decided, result, code, teacher }
})

const opened: GamePlayer[] = []
afterEach(() => {
  const own = /ERR_INTERNET_DISCONNECTED|status of 40[14]|^WebSocket connection to/
  for (const { watched } of opened.splice(0)) expect(watched.complaints.filter((text) => !own.test(text))).toEqual([])
})
async function open(options: Parameters<typeof GamePlayer.open>[1] = {}, lang = 'en'): Promise<GamePlayer> {
  const player = await GamePlayer.open(served, { reducedMotion: 'reduce', ...options }, `?lang=${lang}`)
  opened.push(player)
  served.closeAfterwards(player.context)
  await keepRuns(player, places)
  return player
}

/** Returns the problems that `look` finds on each screen, by the screen's name. Leaves out screens without problems. */
async function findOnScreens(
  player: GamePlayer,
  look: () => Promise<readonly unknown[]>,
): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const found: Record<string, readonly unknown[]> = {}
  const seen: string[] = []
  for (const screen of gameScreens(player, places)) {
    await screen.go()
    seen.push(screen.name)
    const wrong = await look()
    if (wrong.length > 0) found[screen.name] = wrong
    await screen.leave?.()
  }
  expect(seen).toHaveLength(19)
  return found
}

/** Returns by how many pixels the screen is too wide, or nothing. */
async function outside({ page }: GamePlayer): Promise<readonly number[]> {
  const wide = await overflow(page)
  return wide > 0 ? [wide] : []
}

describe('each screen of the game', () => {
  const LOOKS = [
    ['320 pixels', 'light', { ...TOUCH, viewport: { width: 320, height: 640 } }],
    ['a phone', 'light', TOUCH],
    ['a phone', 'dark', TOUCH],
    ['a desktop', 'light', { viewport: DESKTOP }],
    ['a desktop', 'dark', { viewport: DESKTOP }],
  ] as const
  it.each(variants(LOOKS))(
    '[page-25] has no problem that axe finds, and nothing outside the screen, on %s, %s',
    async (_, colorScheme, size) => {
      const player = await open({ ...size, colorScheme })
      const look = async () => [...(await violations(player.page)), ...(await outside(player))]
      expect(await findOnScreens(player, look)).toEqual({})
    },
  )

  const NARROW = [
    ['at 320 pixels with a mouse', { viewport: { width: 320, height: 640 } }, '100%'],
    ['with letters twice as large on a phone', TOUCH, '200%'],
    ['with letters twice as large on a desktop', { viewport: DESKTOP }, '200%'],
  ] as const
  it.runIf(IS_LONG).each(NARROW)('[page-25] has nothing outside the screen on %s', async (_, size, letters) => {
    const player = await open(size)
    await player.page.evaluate((fontSize) => {
      document.documentElement.style.fontSize = fontSize
      dispatchEvent(new Event('resize'))
    }, letters)
    expect(await findOnScreens(player, () => outside(player))).toEqual({})
  })

  const SIZES = [
    ['a phone', TOUCH],
    ['a desktop', { viewport: DESKTOP }],
  ] as const
  it.runIf(IS_LONG).each(SIZES)(
    '[page-25] under forced colours marks the focused element with an edge, on %s',
    async (_, size) => {
      const player = await open({ ...size, forcedColors: 'active' })
      expect(await findOnScreens(player, () => unmarked(player.page))).toEqual({})
    },
  )

  it.runIf(IS_LONG)('[page-25] under forced colours marks a choice with an edge', async () => {
    const { page } = await open({ viewport: DESKTOP, forcedColors: 'active' })
    const { facts } = await runOf(served.server, places.open.key)
    for (const [at, chosen, other] of [
      ['notebook', '.ways a[aria-current]', '.ways a:not([aria-current])'],
      ['notebook', '.sources :checked + span', '.sources :not(:checked) + span'],
      [`notebook/fact/${facts[0]?.id}`, '.heard-list li[data-pointed]', '.heard-list li:not([data-pointed])'],
      ['talk/marcus', '.people a[aria-current]', '.people a:not([aria-current])'],
      ['decide', '.option-card:has(:checked)', '.option-card:not(:has(:checked))'],
    ] as const) {
      await page.evaluate((hash) => void (location.hash = hash), `#/run/${places.open.id}/${at}`)
      if (at === 'decide') await page.locator('.option-card input').first().check()
      await page.locator(chosen).first().waitFor()
      // Removes the focus, because the focus ring would also count as an edge.
      await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
      expect.soft([chosen, await edges(page, chosen)]).not.toEqual([chosen, await edges(page, other)])
    }
  })

  it.runIf(IS_LONG)('[page-25] under forced colours draws its skeleton', async () => {
    const player = await open({ viewport: DESKTOP, forcedColors: 'active' })
    const { page } = player
    const borderOf = (part: string) =>
      page
        .locator(part)
        .first()
        .evaluate((each) => getComputedStyle(each).borderTopWidth)
    // The test never answers the requests of this page, so the page keeps its skeleton.
    await page.route('**/api/run/talk', () => {})
    await page.evaluate((hash) => void (location.hash = hash), `#/run/${places.open.id}/talk/marcus`)
    expect(await borderOf('.talk-host .block')).toBe('1px')
    await page.route('**/api/run', () => {})
    await page.reload()
    expect(await borderOf('.skeleton .bar')).toBe('1px')
  })

  it.runIf(IS_LONG)('[page-25] under reduced motion neither moves nor fades anything', async () => {
    const player = await open({ viewport: DESKTOP })
    expect(await findOnScreens(player, () => motions(player.page))).toEqual({})
  })
})

describe('each language', () => {
  const english = [...stringsIn(en), ...stringsIn(lateEn)].filter((text) => /[a-z]{3}/i.test(text))

  it.runIf(IS_LONG)(
    '[page-10] [page-11] from right to left has no English text left, and nothing outside the screen',
    async () => {
      const left = new Set(english)
      for (const size of variants([TOUCH, { viewport: DESKTOP }])) {
        const player = await open(size, 'ar-XB')
        expect(await player.page.evaluate(() => document.documentElement.dir)).toBe('rtl')
        const look = async () => {
          const words = (await wordsOn(player.page)).filter((text) => left.has(text))
          return [...words, ...(await outside(player))]
        }
        expect(await findOnScreens(player, look)).toEqual({})
      }
    },
  )

  it.runIf(IS_LONG)('[page-10] in Spanish has no text of the English catalogue left', async () => {
    const spanish = new Set([...stringsIn(es), ...stringsIn(lateEs)])
    const left = new Set(english.filter((text) => !spanish.has(text)))
    const player = await open({ viewport: DESKTOP }, 'es')
    const look = async () => (await wordsOn(player.page)).filter((text) => left.has(text))
    expect(await findOnScreens(player, look)).toEqual({})
  })
})

describe('the announcements', () => {
  it.runIf(IS_LONG)('[page-20] contain a streamed reply once, and the log itself is no live region', async () => {
    const paced = await SharedServer.open('paced')
    const run = await startGame(paced)
    await talkThrough(paced, {
      key: run.key,
      scenario: 'launch-decision',
      npc: 'marcus',
      until: 'Hi Marcus, what does the contract say?',
    })
    const player = await GamePlayer.open({ browser: served.browser, server: paced }, { viewport: DESKTOP }, '?lang=en')
    opened.push(player)
    served.closeAfterwards(player.context)
    await openLink(player, run, '?lang=en')
    await player.goTo(`?lang=en#/run/${run.id}/talk/marcus`)
    await player.field.waitFor()
    expect(await player.log.getAttribute('aria-live')).toBe('off')
    const heard = await announcements(player.page)
    await player.log.locator('.speech[aria-busy="false"]').first().waitFor()
    const before = await player.log.locator('.speech').count()
    await player.log.evaluate((log, index) => {
      const lengths = new Set<number>()
      Object.assign(globalThis, { lengths })
      new MutationObserver(() => {
        const speech = log.querySelectorAll('.speech')[index]
        if (speech) lengths.add(speech.querySelector('.words')?.textContent?.length ?? 0)
      }).observe(log, { attributes: true, childList: true, characterData: true, subtree: true })
    }, before)
    await player.say('So what does it cost if we miss Thursday?')
    const pieces = await player.page.evaluate(() => (globalThis as unknown as { lengths: Set<number> }).lengths.size)
    expect(pieces).toBeGreaterThan(3)
    const ofReply = async () => (await heard()).filter((text) => text.includes('stuck her neck out'))
    await expect.poll(ofReply).toHaveLength(1)
    // The page announces a later message of the conversation without repeating the first reply.
    await player.say('So a slip costs us, and the ceilings are in the contract too.')
    await expect.poll(async () => (await heard()).some((text) => text.includes('There are two ceilings'))).toBe(true)
    expect(await ofReply()).toHaveLength(1)
  })
})

/** Returns every text of a catalogue that takes no parameter. */
function stringsIn(texts: unknown): string[] {
  if (typeof texts === 'string') return [texts]
  if (typeof texts !== 'object' || texts === null) return []
  return Object.values(texts).flatMap(stringsIn)
}
