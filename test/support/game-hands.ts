import type { Browser, Locator, Page } from 'playwright-core'
import { DESKTOP, PHONE } from './browser.ts'

/**
 * One way in which a learner operates a page: only by touch, or only with the keyboard. A method fails if the learner
 * could not do the same in this way.
 */
export interface Hands {
  readonly name: 'touch' | 'keyboard'
  readonly options: NonNullable<Parameters<Browser['newContext']>[0]>
  press(target: Locator): Promise<void>
  write(field: Locator, text: string): Promise<void>
  /** Sends the text in a conversation's field. */
  send(panel: Locator): Promise<void>
  /** Picks the card with this number. The numbers count from 1. */
  pick(cards: Locator, number: number): Promise<void>
}

/** A learner with a phone. The learner touches the page, and types only on the on-screen keyboard. */
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

/** A desktop without a mouse. The learner reaches every element with Tab or with a keyboard shortcut of the page. */
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
    // Types only three letters and inserts the rest of the text at once, as a paste does. To type every letter would
    // take too long.
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
 * Waits until a screen is ready for input: the page has scrolled to the screen's top, set the focus and added the
 * listeners for keys. The page does this in the next frame and in a task after this frame. The task may make the page
 * draw again, so the function waits for two frames.
 */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1)
      await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  })
}

/** How often the search for an element presses Tab before it gives up. No screen has this many elements to stop at. */
const MOST_STOPS = 120

/**
 * Moves the focus to a target with Tab or Shift+Tab, whichever way is shorter. @throws when Tab never reaches the
 * target
 */
async function tabTo(target: Locator): Promise<void> {
  await target.waitFor()
  const page = target.page()
  // The page may still have to move the focus to the new screen. A key that is pressed before would reach a wrong
  // element.
  await drawn(page)
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    const way = await target.evaluate(wayTo)
    if (way === 'here') return
    await page.keyboard.press(way === 'before' ? 'Shift+Tab' : 'Tab')
  }
  throw new Error(`Tab does not lead to ${await target.evaluate((element) => element.outerHTML.slice(0, 120))}`)
}

/**
 * Returns whether an element comes before or after the focused element in the page, or is the focused element. Runs in
 * the page.
 */
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
 * Records what kinds of input a page gets, from the start of the page. Pointer moves do not count: Chromium reports a
 * move when an element moves under the pointer, even if there is no mouse.
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

/** Returns the kinds of input that the page got since it was loaded. */
export async function handsUsed(page: Page): Promise<readonly string[]> {
  const used = await page.evaluate(() => (globalThis as unknown as { used: string[] }).used)
  return [...new Set(used)]
}
