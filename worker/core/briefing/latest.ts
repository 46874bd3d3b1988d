import { shortened } from '../reply/characters.ts'
import type { HistoryLine, BriefingScene } from './briefing.ts'
import { toldTexts } from './agent-prompt.ts'
import { broughtLines } from './brought.ts'
import type { ActorInput } from '../reply/echoes.ts'
import type { Thought } from '../walk/event.ts'

/**
 * Two limits for a prompt: the number of history lines, and the number of points that the colleague has already made.
 */
const HISTORY_LINES = 20
const SAID_POINTS = 60
/** The maximum number of UTF-16 code units of one point that the colleague has made. */
const POINT = 90

/**
 * The maximum number of UTF-16 code units of history in a prompt, so that long pasted messages cannot make a prompt too
 * long. The limit is above the longest possible message plus the longest possible reply.
 */
const HISTORY_CHARACTERS = 12_000

const LEFT_OUT: HistoryLine = { who: 'marker', text: 'what was said before this is left out' }

/**
 * Returns the latest lines of a transcript, as many as an actor gets. If these lines are too long, whole exchanges are
 * dropped, oldest first, but never the latest exchange. If any line is dropped, a marker says so.
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

/** Returns the latest points that the colleague has made, without duplicates. */
export function latestPoints(said: readonly string[]): readonly string[] {
  return [...new Set(said.map((point) => shortened(point, POINT)))].slice(-SAID_POINTS)
}

/**
 * Returns all texts that an actor gets this turn and may repeat, as the texts were before `neutralise` changed them.
 * `theirs` has the texts of the learner, of the page around the chat and of the memory. `ours` has the texts of the
 * colleague and of the scenario. The author's directions to the colleague (guidelines, actions, intents) are left out.
 * Such directions often have to name a report's fields. If they were included, every honest report would count as
 * copied.
 */
export function outsideOf(
  {
    learner,
    page,
    history,
    said,
    npc,
    scenario,
    brought = null,
    told = null,
    used = [],
  }: Pick<BriefingScene, 'learner' | 'page' | 'history' | 'said' | 'npc' | 'scenario' | 'brought' | 'told' | 'used'>,
  thoughts: readonly Thought[],
): ActorInput {
  const lines = (...who: readonly string[]) => history.flatMap((line) => (who.includes(line.who) ? [line.text] : []))
  return {
    theirs: [
      learner,
      page ?? '',
      ...(told ? toldTexts(told) : []),
      ...used.map(({ result }) => result),
      ...lines('learner'),
      ...thoughts.flatMap(remembered),
      ...(brought?.remembered ?? []),
    ].filter((text) => text !== ''),
    ours: [
      ...lines('npc', 'marker'),
      ...said,
      ...thoughts.flatMap(noted),
      ...(npc.document ? [npc.document.title, ...npc.document.lines] : []),
      ...scenario.npcs.map(({ name }) => name),
      ...(brought ? broughtLines({ ...brought, remembered: [] }, scenario) : []),
    ],
  }
}

function remembered(thought: Thought): readonly string[] {
  return thought.kind === 'recall' ? [thought.query, ...thought.found] : []
}

function noted(thought: Thought): readonly string[] {
  return thought.kind === 'recall' ? [] : [thought.text]
}
