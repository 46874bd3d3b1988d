import type { Browser, Locator, Page } from 'playwright-core'
import { DESKTOP, PHONE } from './browser.ts'

/** How a learner uses a page: with one thumb, or with the keyboard alone. Each fails where a target can't be got at that way. */
export interface Hands {
  readonly name: 'touch' | 'keyboard'
  readonly options: NonNullable<Parameters<Browser['newContext']>[0]>
  /** Presses a button, follows a link, ticks a box. */
  press(target: Locator): Promise<void>
  /** Writes into a field. */
  write(field: Locator, text: string): Promise<void>
  /** Says what stands in a conversation's field. */
  send(panel: Locator): Promise<void>
  /** Takes the card with this number, counted from one. */
  pick(cards: Locator, number: number): Promise<void>
}

/** A phone, held in one hand. Words come from the keyboard on its screen, and nothing else does. */
export const touch: Hands = {
  name: 'touch',
  options: { viewport: PHONE, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  press: (target) => tap(target),
  write: (field, text) => field.fill(text),
  send: (panel) => panel.getByRole('button', { name: 'Send', exact: true }).tap(),
  pick: (cards, number) => tap(cards.nth(number - 1)),
}

async function tap(target: Locator): Promise<void> {
  await target.waitFor()
  await drawn(target.page())
  await target.tap()
}

/** A desktop without a mouse: everything is gone to with Tab, or by a key of the page. */
export const keyboard: Hands = {
  name: 'keyboard',
  options: { viewport: DESKTOP },
  async press(target) {
    await tabTo(target)
    const isTicked = await target.evaluate((element) => element.matches('input:is([type=checkbox], [type=radio])'))
    await target.page().keyboard.press(isTicked ? 'Space' : 'Enter')
  },
  async write(field, text) {
    await tabTo(field)
    // The rest comes at once, as a paste does: key by key it is most of what a run takes.
    await field.page().keyboard.type(text.slice(0, 3))
    await field.page().keyboard.insertText(text.slice(3))
  },
  send: (panel) => panel.page().keyboard.press('Enter'),
  async pick(cards, number) {
    await cards.nth(number - 1).waitFor()
    await drawn(cards.page())
    await cards.page().keyboard.press(String(number))
  },
}

/**
 * Until a screen that is seen is ready for hands: it is scrolled to its top, the keyboard is put somewhere, and keys are
 * listened for, with the next frame and what follows it. Twice, since what follows may draw anew.
 */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1)
      await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  })
}

/** More than any screen has to go through. */
const MOST_STOPS = 120

/** Goes to a target as somebody does who has no mouse: step by step, the shorter way round. @throws where Tab never gets there */
async function tabTo(target: Locator): Promise<void> {
  await target.waitFor()
  const page = target.page()
  // Whoever presses a key before the page has moved the keyboard presses it somewhere else.
  await drawn(page)
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    const way = await target.evaluate(wayTo)
    if (way === 'here') return
    await page.keyboard.press(way === 'before' ? 'Shift+Tab' : 'Tab')
  }
  throw new Error(`Tab does not lead to ${await target.evaluate((element) => element.outerHTML.slice(0, 120))}`)
}

/** Where an element is, seen from what has the keyboard. Runs in the page. */
function wayTo(element: Element): 'here' | 'before' | 'after' {
  const chain = (inner: Element | null) => {
    const hosts: Element[] = []
    for (let at = inner; at;) {
      hosts.unshift(at)
      const root = at.getRootNode()
      at = root instanceof ShadowRoot ? root.host : null
    }
    return hosts
  }
  let active = document.activeElement
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
  if (active === element) return 'here'
  const from = chain(active)
  const to = chain(element)
  const [here, there] = from
    .map((each, index) => [each, to[index]] as const)
    .find(([each, other]) => each !== other) ?? [active, element]
  if (!here || !there) return 'after'
  const isBefore = (here.compareDocumentPosition(there) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
  return isBefore && !there.contains(here) ? 'before' : 'after'
}

/**
 * Keeps count of what a page is used with, from its first byte on. Moves are none of it: Chromium makes some up for a mouse
 * that isn't there, when something comes to lie under it.
 */
export async function watchHands(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const used: string[] = []
    Object.assign(globalThis, { used })
    addEventListener('pointerdown', ({ pointerType }) => used.push(pointerType), true)
    addEventListener('keydown', () => used.push('keyboard'), true)
    addEventListener('wheel', () => used.push('wheel'), true)
  })
}

/** What the page was used with since it was loaded. */
export async function handsUsed(page: Page): Promise<readonly string[]> {
  const used = await page.evaluate(() => (globalThis as unknown as { used: string[] }).used)
  return [...new Set(used)]
}
