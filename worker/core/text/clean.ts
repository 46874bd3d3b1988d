import { createEscapeStripper } from './escapes.ts'
import { fateOf, joins } from './joiners.ts'

const LINE_BREAKS = new Set(['\n', '\u000b', '\u000c', '\u0085', '\u2028', '\u2029'])

// Default_Ignorable_Code_Point holds the soft hyphen, every zero-width and bidirectional control, the Hangul
// fillers, the variation selectors and the whole tag block.
const INVISIBLE = /^[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufff9-\ufffb]$/u

/** Matches plain ASCII text, which needs no cleaning. */
const PLAIN = /^[\t\n -~]*$/

interface Sink {
  push(point: string): void
  end(): void
}

/**
 * Drops invisible characters and everything that is not text: terminal sequences, control characters, bidirectional
 * marks, overrides and isolates, zero-width characters, the tag block, lone surrogates. Every kind of line break
 * becomes `\n`; tabs stay. The invisible characters that real text needs stay too: those that join or style emoji, and
 * those that control how letters join or stack in some scripts. Cleaning a text again changes nothing more.
 * `docs/reference/forgery.md` has the rules.
 *
 * The function does not convert text to a Unicode normal form, such as NFKC. This conversion would change the positions
 * of characters in a reply that is still arriving. Code that compares texts converts them itself.
 */
export function clean(text: string): string {
  if (PLAIN.test(text)) return text
  let cleaned = ''
  const cleaner = createCleaner({ push: (point) => void (cleaned += point), end: () => undefined })
  for (let at = 0; at < text.length; at += 1) cleaner.push(text.charAt(at))
  cleaner.end()
  return cleaned
}

/**
 * Returns a streaming version of `clean`. The cleaner takes UTF-16 code units, because a chunk may end inside a
 * surrogate pair. The cleaner holds back at most one code point.
 */
export function createCleaner(next: Sink): Sink {
  let high = ''
  // The last character that was kept. For a carriage return this is `\r`, although `\n` was passed on.
  let previous = ''
  let waiting = ''
  const take = createEscapeStripper(takeOutside)

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
    end() {
      waiting = ''
      next.end()
    },
  }

  function takeOutside(point: string): void {
    if (point === '\t' || (point >= ' ' && point < '\u007f')) return keep(point, point)
    if (point === '\n' && previous === '\r') {
      previous = '\n'
      return
    }
    if (point === '\r' || LINE_BREAKS.has(point)) return keep('\n', point)
    if (INVISIBLE.test(point)) return takeInvisible(point)
    keep(point, point)
  }

  /** A dropped character leaves `previous` unchanged, so '\r', U+200B, '\n' is still one line break. */
  function takeInvisible(point: string): void {
    if (waiting !== '') return
    const fate = fateOf(point, previous)
    if (fate === 'waits') waiting = point
    if (fate === 'stays') keep(point, point)
  }

  function keep(point: string, as: string): void {
    if (waiting !== '') settle(as)
    previous = as
    next.push(point)
  }

  function settle(after: string): void {
    if (joins(previous, waiting, after)) next.push(waiting)
    waiting = ''
  }
}
