import type { Stage } from './stage.ts'

/** Hyphens, dashes and minus signs: what can be taken for a hyphen. */
export const DASHES =
  '-\u058a\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u207b\u208b\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d'

const DASH_SET = new Set(DASHES)
const LINE_BREAKS = new Set(['\n', '\u000b', '\u000c', '\u0085', '\u2028', '\u2029'])
const VARIATION_SELECTORS = new Set(['\ufe0e', '\ufe0f'])

// Default_Ignorable_Code_Point holds the soft hyphen, every zero-width and bidirectional control, the Hangul
// fillers, the variation selectors and the whole tag block.
const INVISIBLE = /^[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufff9-\ufffb]$/u
const PICTOGRAPH = /^\p{Extended_Pictographic}$/u
const SPACE = /^[\t\p{Zs}]$/u

export function isDash(point: string): boolean {
  return DASH_SET.has(point)
}

/** White space that does not end a line. */
export function isSpace(point: string): boolean {
  return point === ' ' || point === '\t' || (point > '\u007f' && SPACE.test(point))
}

/**
 * Drops what nobody can see: control characters, bidirectional overrides, zero-width characters, the tag block, lone
 * surrogates. Every kind of line break becomes `\n`. A variation selector stays behind a pictograph; a zero-width
 * joiner does not, so a joined emoji falls apart into its parts.
 */
export function clean(text: string): string {
  let cleaned = ''
  const cleaner = createCleaner({ push: (point) => void (cleaned += point), end: () => undefined })
  for (let at = 0; at < text.length; at += 1) cleaner.push(text.charAt(at))
  cleaner.end()
  return cleaned
}

/** `clean` as a stage. Alone among the stages it takes UTF-16 code units, since a chunk may end inside a pair. */
export function createCleaner(next: Stage): Stage {
  let high = ''
  let previous = ''

  return {
    push(unit) {
      const code = unit.charCodeAt(0)
      if (code >= 0xd800 && code <= 0xdbff) {
        high = unit
        return
      }
      const isLow = code >= 0xdc00 && code <= 0xdfff
      take(isLow ? high + unit : unit)
      high = ''
    },
    end: () => next.end(),
  }

  function take(point: string): void {
    const before = previous
    previous = point
    if (point === '\t' || (point >= ' ' && point < '\u007f')) return next.push(point)
    if (point === '\n' && before === '\r') return
    if (point === '\r' || LINE_BREAKS.has(point)) return next.push('\n')
    if (VARIATION_SELECTORS.has(point) && PICTOGRAPH.test(before)) return next.push(point)
    if (!INVISIBLE.test(point)) return next.push(point)
    // What was dropped was never there: '\r', U+200B, '\n' is still one line break.
    previous = before
  }
}

/** The first `limit` UTF-16 code units of `text`, or one fewer where that would cut a surrogate pair. */
export function cap(text: string, limit: number): string {
  if (text.length <= limit) return text
  const last = text.charCodeAt(limit - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit)
}
