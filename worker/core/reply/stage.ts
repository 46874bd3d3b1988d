/**
 * One step of the reply's machine. It takes one code point at a time and hands what is decided to the next step,
 * so what has left the machine after any prefix of a reply never depends on how the prefix was cut into chunks.
 */
export interface TextStage {
  /** Takes one code point: a string of one or two UTF-16 code units. */
  push(point: string): void
  /** No more will come: hands on what was held back. */
  end(): void
}

/** Pushes every code point of `text`. */
export function pushAll(stage: TextStage, text: string): void {
  for (const point of text) stage.push(point)
}

/** How far a text has got towards a set of literals. */
export type MatchState = 'none' | 'partial' | 'whole'

/** How far a text has got; `begins` says of a single code point whether anything begins with it, and is cheap. */
export interface StreamPattern {
  readonly begins: (point: string) => boolean
  readonly progress: (text: string) => MatchState
}

/** A set of literals, letter case aside. */
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
 * Finds things in a stream that no single character tells. Holds back only the longest suffix that can still become
 * one, as `pattern` says of it; that suffix must be of bounded length, or the work is no longer linear.
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

/** What was wrong with a reply. Names only: no text of the model or the learner is in an issue. */
export interface ReplyIssue {
  readonly kind: ReplyIssueKind
  /** How often it happened, from 1. */
  readonly count: number
}

export type ReplyIssueKind =
  /** Reasoning was opened and never closed: it stays hidden, and so does all that followed. */
  | 'reasoning-unclosed'
  /** A closing tag with no opening one: what stood before it may have been reasoning. */
  | 'reasoning-unopened'
  /** No separator came. */
  | 'separator-missing'
  /** More separators came after the first. */
  | 'separator-repeated'
  /** Something like a separator stood in the speech and was taken out. */
  | 'separator-removed'
  /** The separator had no nonce, though one was asked for. */
  | 'separator-plain'
  /** The reply ended inside a separator. */
  | 'separator-cut'
  /** A report stood before any speech. */
  | 'metadata-first'
  /** A report, or a part of one, stood in the speech and was taken out. */
  | 'metadata-in-speech'
  | 'metadata-missing'
  | 'metadata-too-long'
  /** A line that begins with a heading of the briefing was taken out. */
  | 'heading-removed'
  | 'speech-empty'
  | 'speech-too-long'
  /** What the report or the reasoning is made of came up in the speech; the speech ends before it. */
  | 'speech-cut'

export type NoteIssue = (kind: ReplyIssueKind) => void

/** Counts issues by kind, in the order they first came up. */
export function createIssueLog(): { note: NoteIssue; list(): readonly ReplyIssue[] } {
  const counts = new Map<ReplyIssueKind, number>()
  return {
    note: (kind) => void counts.set(kind, (counts.get(kind) ?? 0) + 1),
    list: () => [...counts].map(([kind, count]) => ({ kind, count })),
  }
}
