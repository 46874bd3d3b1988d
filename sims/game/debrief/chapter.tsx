import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** A chapter of the debrief. */
export function Chapter({ id, title, children }: { id: string; title: string; children: ComponentChildren }) {
  return (
    <section class="chapter" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

/** A chapter that is folded until the learner opens it. */
export function FoldedChapter({ id, title, children }: { id: string; title: string; children: ComponentChildren }) {
  return (
    <section class="folded" aria-labelledby={id}>
      <details>
        <summary>
          <h2 id={id}>{title}</h2>
        </summary>
        <div class="inside">{children}</div>
      </details>
    </section>
  )
}

/** Opens the folded parts around an element, scrolls to it and focuses it. */
function jumpTo(id: string): void {
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
