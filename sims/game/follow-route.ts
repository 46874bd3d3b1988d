import { effect } from '@preact/signals'
import { calledName } from './people.ts'
import type { Route } from './route.ts'
import type { GameStore } from './store.ts'
import { t } from './texts/texts.ts'

/**
 * Puts the keyboard at the heading of a screen that has just come, and the reader at its top. A screen may stand in parts of
 * the address that are none of it: a document in the notebook is no other screen.
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
    // What is drawn for the new screen is not there before the next frame, and may have to be fetched.
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

/** @returns whether there was a heading. A skeleton's heading does not count */
function focusHeading(): boolean {
  const heading = document.querySelector<HTMLElement>('main h1')
  if (!heading || heading.closest('.skeleton')) return false
  heading.focus({ preventScroll: true })
  return true
}

/** Keeps the page's title true: where one is, and in which simulation. */
export function nameThePage({ route, card }: GameStore): void {
  effect(() => {
    const here = route.value
    const person = here.screen === 'talk' && card.value?.people.find(({ id }) => id === here.npc)
    const screen = person ? t.shell.talkWith(calledName(person)) : t.shell.screen[here.screen]
    document.title = t.shell.title(screen, 'run' in here ? (card.value?.title ?? '') : '')
  })
}
