import { useEffect, useRef, useState } from 'preact/hooks'
import type { Game } from '../game.ts'
import { isWriting } from '../page-keys.ts'
import type { Route } from '../route.ts'

/** While `onEscape` is given, makes Escape call it instead of what Escape does elsewhere on the page. */
export function useEscape(onEscape: (() => void) | null): void {
  const escape = useRef(onEscape)
  escape.current = onEscape
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.altKey || isWriting(event) || escape.current === null) return
      if (document.querySelector('dialog[open]')) return
      event.preventDefault()
      event.stopPropagation()
      escape.current()
    }
    // The capture phase comes before the page's own keys, which listen on the document too.
    document.addEventListener('keydown', press, { capture: true })
    return () => document.removeEventListener('keydown', press, { capture: true })
  }, [])
}

/**
 * Returns a function that closes a part of a screen with its own address. If the learner opened it from the screen,
 * closing goes back in the history. If a link led to it, closing replaces the address.
 *
 * @param home the screen without that part
 * @param isIn whether that part is open
 */
export function useStepBack(game: Game, home: Route, isIn: boolean): () => void {
  const wasIn = useRef(isIn)
  const cameIn = useRef(false)
  if (isIn !== wasIn.current) cameIn.current = isIn
  wasIn.current = isIn
  return () => {
    if (cameIn.current) history.back()
    else game.go(home, 'replace')
  }
}

/** The longest pause between two letters of one word, in milliseconds. */
const PAUSE_MS = 600

/** Delays a text for a live region until the text stops changing, so that screen readers don't read every letter. */
export function useTold(text: string): string {
  const [told, setTold] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setTold(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return told
}

/** Scrolls to the top and focuses the heading when `shown` changes within a screen. */
export function useHeading(shown: string): void {
  const before = useRef(shown)
  useEffect(() => {
    if (before.current === shown) return
    before.current = shown
    scrollTo({ top: 0, behavior: 'instant' })
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [shown])
}
