import { useState } from 'preact/hooks'
import { jumpTo } from './jump.ts'

/** Leads to a place on the page, and back to what led there. */
export interface Follow {
  /** Where the reader was led to last. */
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
