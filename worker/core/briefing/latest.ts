import type { Line } from './briefing.ts'

/** At most this many lines of history and points already made go into a prompt. */
const HISTORY_LINES = 20
const SAID_POINTS = 16

/**
 * And at most this many UTF-16 code units of it, so that no prompt grows with what learners paste. More than the longest
 * message and the longest reply there can be.
 */
const HISTORY_CHARACTERS = 12_000

const LEFT_OUT: Line = { who: 'marker', text: 'what was said before this is left out' }

/**
 * The latest lines of a transcript, as many as an actor is told. Where they are too long, whole exchanges are left out,
 * oldest first, but never the latest one; where anything is, a marker says so.
 */
export function latestLines(history: readonly Line[]): readonly Line[] {
  let kept = history.slice(-HISTORY_LINES)
  while (lengthOf(kept) > HISTORY_CHARACTERS) {
    const next = kept.findIndex(({ who }, at) => at > 0 && who === 'learner')
    if (next < 0) break
    kept = kept.slice(next)
  }
  return kept.length === history.length ? kept : [LEFT_OUT, ...kept]
}

function lengthOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { text }) => sum + text.length, 0)
}

/** The latest points that were made, each once. */
export function latestPoints(said: readonly string[]): readonly string[] {
  return [...new Set(said)].slice(-SAID_POINTS)
}
