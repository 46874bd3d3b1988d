import type { Game } from './game.ts'
import type { Route } from './route.ts'

/** What a key that was pressed anywhere on the page means; null for what is not ours. */
export type PageKey = { readonly does: 'keys' } | { readonly does: 'go'; readonly to: Route }

export interface Pressed {
  readonly key: string
  /** Names the place on the keyboard: with Alt, many layouts write something else than the digit. */
  readonly code: string
  readonly alt: boolean
  /** Control or Command, which are the browser's. */
  readonly other: boolean
  /** The reader is writing. */
  readonly writing: boolean
}

/** @param people the ids of the open run's people, in the order of the desk */
export function pageKeyOf(pressed: Pressed, route: Route, people: readonly string[]): PageKey | null {
  const { key, code, alt, other, writing } = pressed
  if (other) return null
  if (key === '?' && !writing && !alt) return { does: 'keys' }
  // In a conversation one is always writing, and the words are kept; elsewhere Escape belongs to the field.
  if (key === 'Escape' && !alt) return writing && !isTalk(route) ? null : backFrom(route)
  if (!alt || !('run' in route)) return null
  const { run } = route
  const place = code.replace(/^(Digit|Key)/, '')
  // On a Mac, Option writes: with 2 the @ of a Spanish layout, with N the tilde of an ñ. While one is writing, such a key is text.
  if (writing && key.toUpperCase() !== place) return null
  if (place === '0') return { does: 'go', to: { screen: 'desk', run } }
  if (place === 'N') return { does: 'go', to: { screen: 'notebook', run } }
  const npc = /^[1-9]$/.test(place) ? people[Number(place) - 1] : undefined
  return npc === undefined ? null : { does: 'go', to: { screen: 'talk', run, npc } }
}

const isTalk = ({ screen }: Route) => screen === 'talk' || screen === 'briefing'

/** One step out: from wherever one is in a run to the desk, from anywhere else to the library. */
function backFrom(route: Route): PageKey | null {
  if (route.screen === 'library') return null
  const to: Route =
    'run' in route && route.screen !== 'desk' ? { screen: 'desk', run: route.run } : { screen: 'library' }
  return { does: 'go', to }
}

/** Listens for them. What a dialog or a field has taken for itself is not looked at. */
export function listenForKeys(game: Game): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || game.store.keysShown.value) return
    const pressed = {
      key: event.key,
      code: event.code,
      alt: event.altKey,
      other: event.ctrlKey || event.metaKey,
      writing: isWriting(event),
    }
    const { route, run } = game.store
    const meant = pageKeyOf(pressed, route.value, run.value?.people.map(({ npc }) => npc) ?? [])
    if (!meant) return
    event.preventDefault()
    if (meant.does === 'keys') game.showKeys(true)
    else game.go(meant.to)
  })
}

/** Whether a key goes into a text, so that it means a letter and nothing else; in a shadow root too. */
export function isWriting(event: KeyboardEvent): boolean {
  if (event.isComposing) return true
  const [target] = event.composedPath()
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true
  if (target instanceof HTMLInputElement) return !/^(radio|checkbox|range)$/.test(target.type)
  return target instanceof HTMLElement && target.isContentEditable
}
