import { useCallback, useEffect, useRef } from 'preact/hooks'
import { keptNotebook, markSeen } from './kept-notebook.ts'

/** One visit to a notebook. An entry that is new when the visit begins stays marked until the visit ends. */
export interface NotebookVisit {
  isNew(mark: string): boolean
  /**
   * Watches the element that shows an entry. Once enough of the element has been visible, the entry counts as seen.
   * `mark` is the entry's id (`marksOf`).
   */
  watch(mark: string): (element: Element | null) => void
}

/** The fraction of an entry that must be visible before the entry counts as seen. */
const ENOUGH = 0.4

export function useVisit(run: string): NotebookVisit {
  const before = useRef<ReadonlySet<string> | null>(null)
  before.current ??= keptNotebook(run).seen
  const marks = useRef(new WeakMap<Element, string>())
  const observer = useRef<IntersectionObserver | null>(null)
  observer.current ??= new IntersectionObserver(
    (entries) => {
      const shown = entries.filter(({ isIntersecting }) => isIntersecting)
      markSeen(
        run,
        shown.flatMap(({ target }) => marks.current.get(target) ?? []),
      )
      for (const { target } of shown) observer.current?.unobserve(target)
    },
    { threshold: ENOUGH },
  )
  useEffect(() => () => observer.current?.disconnect(), [])
  const watch = useCallback(
    (mark: string) => (element: Element | null) => {
      if (element === null || marks.current.get(element) === mark) return
      marks.current.set(element, mark)
      observer.current?.observe(element)
    },
    [],
  )
  return { isNew: (mark) => before.current?.has(mark) === false, watch }
}
