import { useEffect, useRef } from 'preact/hooks'

/** Begins at the top, with the keyboard on the heading, whenever what is shown within a screen becomes something else. */
export function useHeading(shown: string): void {
  const before = useRef(shown)
  useEffect(() => {
    if (before.current === shown) return
    before.current = shown
    scrollTo({ top: 0, behavior: 'instant' })
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [shown])
}
