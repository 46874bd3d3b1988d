import { useEffect, useRef } from 'preact/hooks'

/**
 * Where the keyboard lands when the address changes within the notebook: on the heading of the document that was opened,
 * on its slip when it is closed again, and on the fact a link has led to.
 */
export function useLanding({
  open,
  pointed,
  isShown,
}: {
  open: string | null
  pointed: string | null
  /** Whether the fact a link has led to is among those that are shown. */
  isShown: boolean
}): void {
  const before = useRef(open)
  const scrolled = useRef(0)
  if (before.current === null && open !== null) scrolled.current = scrollY
  useEffect(() => {
    const [was, now] = [before.current, open]
    before.current = now
    if (now !== null) {
      const heading = document.getElementById(`paper-${now}`)
      // As a sheet it stands in place of what was scrolled; beside the notebook it is in sight already.
      if (!document.querySelector('.notebook .columns')?.checkVisibility()) scrollTo({ top: 0, behavior: 'instant' })
      heading?.focus({ preventScroll: true })
    } else if (was !== null) {
      document.querySelector<HTMLElement>(`[data-document="${CSS.escape(was)}"]`)?.focus({ preventScroll: true })
      scrollTo({ top: scrolled.current, behavior: 'instant' })
    }
  }, [open])
  const landed = useRef<string | null>(null)
  useEffect(() => {
    if (pointed === null) landed.current = null
    if (!isShown || landed.current === pointed) return
    landed.current = pointed
    const fact = document.getElementById(`fact-${pointed}`)
    fact?.scrollIntoView({ block: 'center' })
    fact?.focus({ preventScroll: true })
  }, [pointed, isShown])
}
