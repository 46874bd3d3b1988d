import { useEffect, useRef } from 'preact/hooks'
import { isWriting } from './is-writing.ts'

/** While there is something to step back from, Escape does that, and not what it does on the page at large. */
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
