import type { HistoryLine, BriefingScene } from './briefing.ts'
import type { ActorInput } from '../reply/echoes.ts'
import type { Thought } from '../walk/event.ts'

/** At most this many lines of history and points already made go into a prompt. */
const HISTORY_LINES = 20
const SAID_POINTS = 16

/**
 * And at most this many UTF-16 code units of it, so that no prompt grows with what learners paste. More than the longest
 * message and the longest reply there can be.
 */
const HISTORY_CHARACTERS = 12_000

const LEFT_OUT: HistoryLine = { who: 'marker', text: 'what was said before this is left out' }

/**
 * The latest lines of a transcript, as many as an actor is told. Where they are too long, whole exchanges are left out,
 * oldest first, but never the latest one; where anything is, a marker says so.
 */
export function latestLines(history: readonly HistoryLine[]): readonly HistoryLine[] {
  let kept = history.slice(-HISTORY_LINES)
  while (lengthOf(kept) > HISTORY_CHARACTERS) {
    const next = kept.findIndex(({ who }, at) => at > 0 && who === 'learner')
    if (next < 0) break
    kept = kept.slice(next)
  }
  return kept.length === history.length ? kept : [LEFT_OUT, ...kept]
}

function lengthOf(lines: readonly HistoryLine[]): number {
  return lines.reduce((sum, { text }) => sum + text.length, 0)
}

/** The latest points that were made, each once. */
export function latestPoints(said: readonly string[]): readonly string[] {
  return [...new Set(said)].slice(-SAID_POINTS)
}

/**
 * All that an actor is told this turn and may repeat, as it was before it was made plain: what others wrote, and what
 * stands on the colleague's own side. What an author wrote to direct the colleague (guidelines, actions, intents) is not
 * in it: it may name a report's fields, and often has to.
 */
export function outsideOf(
  {
    learner,
    page,
    history,
    said,
    npc,
    scenario,
  }: Pick<BriefingScene, 'learner' | 'page' | 'history' | 'said' | 'npc' | 'scenario'>,
  thoughts: readonly Thought[],
): ActorInput {
  const lines = (...who: readonly string[]) => history.flatMap((line) => (who.includes(line.who) ? [line.text] : []))
  return {
    theirs: [learner, page ?? '', ...lines('learner'), ...thoughts.flatMap(remembered)].filter((text) => text !== ''),
    ours: [
      ...lines('npc', 'marker'),
      ...said,
      ...thoughts.flatMap(noted),
      ...(npc.document ? [npc.document.title, ...npc.document.lines] : []),
      ...scenario.npcs.map(({ name }) => name),
    ],
  }
}

function remembered(thought: Thought): readonly string[] {
  return thought.kind === 'recall' ? [thought.query, ...thought.found] : []
}

function noted(thought: Thought): readonly string[] {
  return thought.kind === 'recall' ? [] : [thought.text]
}
