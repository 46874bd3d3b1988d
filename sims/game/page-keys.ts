import type { Game } from './game.ts'
import type { Route } from './route.ts'

/** What a key does on the page. */
export type PageKey = { readonly does: 'keys' } | { readonly does: 'go'; readonly to: Route }

export interface Pressed {
  readonly key: string
  /**
   * The key's position on the keyboard. On many layouts Alt with a digit produces another character, so `key` doesn't
   * tell the digit.
   */
  readonly code: string
  readonly alt: boolean
  /** Whether Control or Command is pressed too. The page then leaves the key to the browser. */
  readonly other: boolean
  /** Whether the learner is typing in a field. */
  readonly writing: boolean
}

/**
 * Returns what a key does; null if the page doesn't handle the key.
 *
 * @param people the ids of the open run's people, in the order of the desk
 */
export function pageKeyOf(pressed: Pressed, route: Route, people: readonly string[]): PageKey | null {
  const { key, code, alt, other, writing } = pressed
  if (other) return null
  if (key === '?' && !writing && !alt) return { does: 'keys' }
  // Escape leaves a conversation even while the learner is typing, because the draft is kept. On other screens, a field
  // handles Escape itself.
  if (key === 'Escape' && !alt) return writing && !isTalk(route) ? null : backFrom(route)
  if (!alt || !('run' in route)) return null
  const { run } = route
  const place = code.replace(/^(Digit|Key)/, '')
  // On a Mac, Option types characters: with 2 the @ of a Spanish layout, with N the tilde of an ñ. So while the learner
  // is typing, Option with a key is no shortcut if the two together type another character than the key alone.
  if (writing && key.toUpperCase() !== place) return null
  if (place === '0') return { does: 'go', to: { screen: 'desk', run } }
  if (place === 'N') return { does: 'go', to: { screen: 'notebook', run } }
  const npc = /^[1-9]$/.test(place) ? people[Number(place) - 1] : undefined
  return npc === undefined ? null : { does: 'go', to: { screen: 'talk', run, npc } }
}

const isTalk = ({ screen }: Route) => screen === 'talk' || screen === 'briefing'

/**
 * Returns where Escape leads: from a screen of a run to the desk (the run's main screen), and from the desk or a screen
 * without a run to the library.
 */
function backFrom(route: Route): PageKey | null {
  if (route.screen === 'library') return null
  const to: Route =
    'run' in route && route.screen !== 'desk' ? { screen: 'desk', run: route.run } : { screen: 'library' }
  return { does: 'go', to }
}

/** Listens for the page's keys. Ignores a key that a dialog or a field has handled. */
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

/**
 * Returns true if a key press goes into a text field, also within a shadow root. The page must not handle such a key
 * press as a shortcut.
 */
export function isWriting(event: KeyboardEvent): boolean {
  if (event.isComposing) return true
  const [target] = event.composedPath()
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true
  if (target instanceof HTMLInputElement) return !/^(radio|checkbox|range)$/.test(target.type)
  return target instanceof HTMLElement && target.isContentEditable
}
