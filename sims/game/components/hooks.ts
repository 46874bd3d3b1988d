import { useEffect, useRef, useState } from 'preact/hooks'
import type { Game } from '../game.ts'
import { isWriting } from '../page-keys.ts'
import type { Route } from '../route.ts'

/** While `onEscape` is given, Escape calls it, and does not do what it does elsewhere on the page. */
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
    // Before the page's own keys, which listen on the document too.
    document.addEventListener('keydown', press, { capture: true })
    return () => document.removeEventListener('keydown', press, { capture: true })
  }, [])
}

/**
 * Closes something that has an address of its own within a screen. If the learner opened it from the screen, closing takes
 * that step of history back. If a link led straight in, closing replaces the address.
 *
 * @param home the screen without it
 * @param isIn whether it is open
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

/** The longest pause between two letters of one word. */
const PAUSE_MS = 600

/** Delays a text for a live region until it stops changing, so that nothing is read out letter by letter. */
export function useTold(text: string): string {
  const [told, setTold] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setTold(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return told
}

/** When `shown` changes within a screen, scrolls to the top and puts the keyboard on the heading. */
export function useHeading(shown: string): void {
  const before = useRef(shown)
  useEffect(() => {
    if (before.current === shown) return
    before.current = shown
    scrollTo({ top: 0, behavior: 'instant' })
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [shown])
}
