import { effect } from '@preact/signals'
import { firstNameOf } from './people-of.ts'
import type { Store } from './store.ts'
import { t } from './texts/texts.ts'

/** Keeps the page's title true: where one is, and in which simulation. */
export function nameThePage({ route, card }: Store): void {
  effect(() => {
    const here = route.value
    const person = here.screen === 'talk' && card.value?.people.find(({ id }) => id === here.npc)
    const screen = person ? t.shell.talkWith(firstNameOf(person)) : t.shell.screen[here.screen]
    document.title = t.shell.title(screen, 'run' in here ? (card.value?.title ?? '') : '')
  })
}
