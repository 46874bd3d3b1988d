import type { Line } from './briefing.ts'

/** At most this many lines of history and points already made go into a prompt (S4-11). */
const HISTORY_LINES = 20
const SAID_POINTS = 16

/** The latest lines of a transcript, as many as an actor is told. */
export function latestLines(history: readonly Line[]): readonly Line[] {
  return history.slice(-HISTORY_LINES)
}

/** The latest points that were made, each once. */
export function latestPoints(said: readonly string[]): readonly string[] {
  return [...new Set(said)].slice(-SAID_POINTS)
}
