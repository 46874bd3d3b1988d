import { useEffect } from 'preact/hooks'

/** While the debrief is shown, paper gets all of it: whatever is folded is unfolded for printing, and folded again after. */
export function usePaper(): void {
  useEffect(() => {
    let unfolded: HTMLDetailsElement[] = []
    const before = () => {
      unfolded = [...document.querySelectorAll<HTMLDetailsElement>('.debrief details:not([open])')]
      for (const fold of unfolded) fold.open = true
    }
    const after = () => {
      for (const fold of unfolded) fold.open = false
    }
    addEventListener('beforeprint', before)
    addEventListener('afterprint', after)
    return () => {
      removeEventListener('beforeprint', before)
      removeEventListener('afterprint', after)
    }
  }, [])
}
