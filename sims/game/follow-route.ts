import { effect } from '@preact/signals'
import { calledName } from './people.ts'
import type { Route } from './route.ts'
import type { GameStore } from './store.ts'
import { t } from './texts/texts.ts'

/**
 * Scrolls to the top of each new screen and focuses the screen's heading. A change within a screen, such as a document
 * that opens in the notebook, doesn't count as a new screen.
 */
export function focusEachScreen({ route }: GameStore): void {
  let before = ''
  let waiting: MutationObserver | null = null
  effect(() => {
    const now = placeOf(route.value)
    const isFirst = before === ''
    if (now === before) return
    before = now
    waiting?.disconnect()
    if (isFirst) return
    scrollTo(0, 0)
    // Preact renders the new screen in the next frame at the earliest, and the screen's code may still have to load.
    requestAnimationFrame(() => {
      if (now !== before || focusHeading()) return
      waiting = new MutationObserver((_, observer) => focusHeading() && observer.disconnect())
      waiting.observe(document.querySelector('main') ?? document.body, { childList: true, subtree: true })
    })
  })
}

function placeOf(route: Route): string {
  return [route.screen, 'run' in route && route.run, route.screen === 'talk' && route.npc].join(' ')
}

/**
 * Focuses the heading of the screen. Ignores the heading of the placeholder that is shown while a screen loads
 * (`.skeleton`).
 *
 * @returns true if there was a heading to focus
 */
function focusHeading(): boolean {
  const heading = document.querySelector<HTMLElement>('main h1')
  if (!heading || heading.closest('.skeleton')) return false
  heading.focus({ preventScroll: true })
  return true
}

/** Keeps the page's title up to date with the screen and the simulation. */
export function nameThePage({ route, card }: GameStore): void {
  effect(() => {
    const here = route.value
    const person = here.screen === 'talk' && card.value?.people.find(({ id }) => id === here.npc)
    const screen = person ? t.shell.talkWith(calledName(person)) : t.shell.screen[here.screen]
    document.title = t.shell.title(screen, 'run' in here ? (card.value?.title ?? '') : '')
  })
}
