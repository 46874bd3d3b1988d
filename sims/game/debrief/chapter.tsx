import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { late } from '../texts/texts.ts'

/** A chapter of the debrief. The list of contents has a button that leads to the chapter. */
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

/**
 * The list of contents, beside the chapters if there is room. The items are buttons and not links to `#…`, because the
 * part of the address after `#` already names the screen.
 */
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

/** Opens the folded parts around an element, scrolls to it and focuses it. */
export function jumpTo(id: string): void {
  const place = document.getElementById(id)
  if (!place) return
  for (let fold = place.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
    fold.open = true
  place.scrollIntoView({ block: 'start' })
  place.focus({ preventScroll: true })
}

/** Scrolls from a link to an element of the debrief, and back to the link. */
export interface Follow {
  /** The id of the last element to which a link led. */
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
