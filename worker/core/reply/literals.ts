import type { Stage } from './stage.ts'

/** How far a text has got towards a set of literals. */
export type Progress = 'none' | 'partial' | 'whole'

/** Compares texts with a set of literals from their beginning, letter case aside. */
export function createLiteralSet(literals: readonly string[]): (text: string) => Progress {
  const whole = new Set(literals.map((literal) => literal.toLowerCase()))
  const prefixes = new Set<string>()
  for (const literal of whole) {
    for (let length = 1; length < literal.length; length += 1) prefixes.add(literal.slice(0, length))
  }
  return (text) => {
    const folded = text.toLowerCase()
    if (whole.has(folded)) return 'whole'
    return prefixes.has(folded) ? 'partial' : 'none'
  }
}

/**
 * Finds things in a stream that no single character tells. Holds back only the longest suffix that can still become
 * one, as `progress` says of it; that suffix must be of bounded length, or the work is no longer linear.
 */
export function createScanner({
  progress,
  found,
  text,
  end,
}: {
  progress: (held: string) => Progress
  found: (held: string) => void
  text: (point: string) => void
  end: () => void
}): Stage {
  let held = ''

  return {
    push(point) {
      held += point
      settle()
    },
    end() {
      const rest = held
      held = ''
      for (const point of rest) text(point)
      end()
    },
  }

  function settle(): void {
    while (held !== '') {
      const state = progress(held)
      if (state === 'partial') return
      const taken = held
      if (state === 'whole') {
        held = ''
        found(taken)
        return
      }
      const first = String.fromCodePoint(taken.codePointAt(0) ?? 0)
      held = taken.slice(first.length)
      text(first)
    }
  }
}
