/**
 * One stage of the splitter. A stage takes one code point at a time and passes its output to the next stage. So the
 * output does not depend on how the reply was cut into chunks.
 */
export interface TextStage {
  /** Takes one code point: a string of one or two UTF-16 code units. */
  push(point: string): void
  /** Ends the text, and passes on the text that was held back. */
  end(): void
}

/** Pushes every code point of `text`. */
export function pushAll(stage: TextStage, text: string): void {
  for (const point of text) stage.push(point)
}

/** How far a text matches a pattern: not at all, as the beginning of a match, or completely. */
export type MatchState = 'none' | 'partial' | 'whole'

/** A pattern to find in a stream. `begins` is a cheap test whether a match may begin with this code point. */
export interface StreamPattern {
  readonly begins: (point: string) => boolean
  readonly progress: (text: string) => MatchState
}

/** Matches any of these literals in any letter case. */
export function createLiteralSet(literals: readonly string[]): StreamPattern {
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
 * Finds matches of a pattern in a stream. Holds back only the longest suffix that may still become a match. The pattern
 * must limit the length of this suffix. Without a limit, the time for a stream could grow faster than the length of the
 * stream.
 */
export function createScanner({
  pattern,
  found,
  text,
  end,
}: {
  pattern: StreamPattern
  found: (held: string) => void
  text: (point: string) => void
  end: () => void
}): TextStage {
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

/** A fault of a reply. Issues contain names only, no text of the model or the learner. */
export interface ReplyIssue {
  readonly kind: ReplyIssueKind
  /** How often the fault occurred, at least 1. */
  readonly count: number
}

export type ReplyIssueKind =
  /** Reasoning was opened and never closed. The reasoning and all text after it stay hidden. */
  | 'reasoning-unclosed'
  /** A closing tag had no opening tag. The text before the closing tag may have been reasoning. */
  | 'reasoning-unopened'
  | 'separator-missing'
  | 'separator-repeated'
  /** The speech had a text in it that looks like a separator. The text was removed. */
  | 'separator-removed'
  /** The separator had no nonce (a word made for one reply) although a nonce was required. */
  | 'separator-plain'
  | 'separator-cut'
  /** A report stood before any speech. */
  | 'metadata-first'
  /** The speech had a report or a part of a report in it, which was removed. */
  | 'metadata-in-speech'
  | 'metadata-missing'
  | 'metadata-too-long'
  /** A line that begins with a heading of the briefing was removed. */
  | 'heading-removed'
  | 'speech-empty'
  | 'speech-too-long'
  /** The speech had a field of a report or a think tag in it, and was ended before this field or tag. */
  | 'speech-cut'

export type NoteIssue = (kind: ReplyIssueKind) => void

/** Counts issues by kind, in the order of their first occurrence. */
export function createIssueLog(): { note: NoteIssue; list(): readonly ReplyIssue[] } {
  const counts = new Map<ReplyIssueKind, number>()
  return {
    note: (kind) => void counts.set(kind, (counts.get(kind) ?? 0) + 1),
    list: () => [...counts].map(([kind, count]) => ({ kind, count })),
  }
}
