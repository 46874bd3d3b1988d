import type { Stage } from './stage.ts'

/** How far a text has got towards a set of literals. */
export type Progress = 'none' | 'partial' | 'whole'

/** How far a text has got; `begins` says of a single code point whether anything begins with it, and is cheap. */
export interface Pattern {
  readonly begins: (point: string) => boolean
  readonly progress: (text: string) => Progress
}

/** A set of literals, letter case aside. */
export function createLiteralSet(literals: readonly string[]): Pattern {
  const whole = new Set(literals.map((literal) => literal.toLowerCase()))
  const prefixes = new Set<string>()
  for (const literal of whole) {
    for (let length = 1; length < literal.length; length += 1) prefixes.add(literal.slice(0, length))
  }
  const progress = (text: string) => {
    const folded = text.toLowerCase()
    if (whole.has(folded)) return 'whole'
    return prefixes.has(folded) ? 'partial' : 'none'
  }
  const first = new Set(
    literals.flatMap((literal) => [literal.charAt(0).toLowerCase(), literal.charAt(0).toUpperCase()]),
  )
  return { progress, begins: (point) => first.has(point.charAt(0)) }
}

/**
 * Finds things in a stream that no single character tells. Holds back only the longest suffix that can still become
 * one, as `pattern` says of it; that suffix must be of bounded length, or the work is no longer linear.
 */
export function createScanner({
  pattern,
  found,
  text,
  end,
}: {
  pattern: Pattern
  found: (held: string) => void
  text: (point: string) => void
  end: () => void
}): Stage {
  let held = ''

  return {
    push(point) {
      if (held === '' && !pattern.begins(point)) return text(point)
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
      const state = pattern.progress(held)
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
