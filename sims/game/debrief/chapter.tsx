import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { late } from '../texts/texts.ts'

/** A part of the debrief that the list of contents leads to. */
export function Chapter({ id, title, children }: { id: string; title: string; children: ComponentChildren }) {
  return (
    <section class="chapter" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  )
}

/** The list of contents, beside the chapters if there is room. It has buttons, because the address after # is the route. */
export function Contents({ hasOthers }: { hasOthers: boolean }) {
  const { debrief } = late
  const chapters = [
    ['verdict', debrief.verdictTitle],
    ['facts', debrief.factsTitle],
    ['people', debrief.peopleTitle],
    ...(hasOthers ? ([['others', debrief.othersTitle]] as const) : []),
    ['transcript', debrief.transcriptTitle],
    ['result', debrief.resultTitle],
  ] as const
  return (
    <nav class="contents" aria-label={debrief.contents}>
      <ol>
        {chapters.map(([id, title]) => (
          <li key={id}>
            <button type="button" onClick={() => jumpTo(id)}>
              {title}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** Unfolds the parts an element is in, scrolls to it, and puts the keyboard there. */
export function jumpTo(id: string): void {
  const place = document.getElementById(id)
  if (!place) return
  for (let fold = place.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
    fold.open = true
  place.scrollIntoView({ block: 'start' })
  place.focus({ preventScroll: true })
}

/** Leads to an element of the page, and back to the one that led there. */
export interface Follow {
  /** The id of the element that the reader was led to last. */
  readonly at: string | null
  readonly to: (anchor: string, from: string) => void
  readonly back: () => void
}

export function useFollow(): Follow {
  const [trail, setTrail] = useState<{ anchor: string; from: string } | null>(null)
  return {
    at: trail?.anchor ?? null,
    to(anchor, from) {
      setTrail({ anchor, from })
      jumpTo(anchor)
    },
    back() {
      if (trail === null) return
      jumpTo(trail.from)
      setTrail(null)
    },
  }
}
