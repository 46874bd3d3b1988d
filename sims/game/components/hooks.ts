import { useEffect, useRef, useState } from 'preact/hooks'
import type { Game } from '../game.ts'
import { isWriting } from '../page-keys.ts'
import type { Route } from '../route.ts'

/** While `onEscape` is not null, makes the Escape key call `onEscape` instead of the page's usual action for Escape. */
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
    // The page's own key handlers listen on the document too. A handler for the capture phase runs before them.
    document.addEventListener('keydown', press, { capture: true })
    return () => document.removeEventListener('keydown', press, { capture: true })
  }, [])
}

/**
 * Returns a function that closes a part of a screen that has its own address, such as an open document. If the learner
 * opened the part from the screen, the function goes back in the browser's history. If a link led directly to the part,
 * the function replaces the address by `home`.
 *
 * @param home the route of the screen without the part
 * @param isIn whether the part is open
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

/** The time without a change after which a text counts as complete, in milliseconds. */
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

/** Returns true if the screen is wide enough to show two things side by side. */
export function useIsWide(): boolean {
  const [isWide, setIsWide] = useState(() => matchMedia(WIDE).matches)
  useEffect(() => {
    const media = matchMedia(WIDE)
    const changed = () => setIsWide(media.matches)
    media.addEventListener('change', changed)
    return () => media.removeEventListener('change', changed)
  }, [])
  return isWide
}

const WIDE = '(min-width: 60em)'
