import type { BriefingScene } from '../../core/briefing/briefing.ts'
import type { SpokenLine } from '../../core/scenario/rehearsal-lines.ts'

/** A line ready for speech. `point` is what the line reveals, as the report lists it; null if it reveals nothing. */
export interface LineToSay {
  readonly say: string
  readonly point: string | null
}

export function speech(line: SpokenLine): LineToSay {
  return typeof line === 'string' ? { say: line, point: null } : line
}

/** Returns what the colleague said last; an empty text if they have said nothing. */
export function lastReplyIn({ history }: Pick<BriefingScene, 'history'>): string {
  return history.findLast(({ who }) => who === 'npc')?.text ?? ''
}

/** The lines said in this conversation, as far back as the actor's history goes. */
export interface SpokenSoFar {
  /** Returns true if these words were spoken before. */
  line(say: string): boolean
  /** Returns the position of the last use of these words in the history; -1 if they were never used. */
  lastAt(say: string): number
  point(point: string): boolean
}

/** Reads a colleague's earlier lines from the transcript, and points from earlier reports. */
export function saidIn(scene: BriefingScene): SpokenSoFar {
  const spoken = scene.history.flatMap(({ who, text }) => (who === 'npc' ? [squeeze(text)] : [])).join('\n')
  const points = new Set(scene.said.map(squeeze))
  return {
    line: (say) => spoken.includes(squeeze(say)),
    lastAt: (say) => spoken.lastIndexOf(squeeze(say)),
    point: (point) => points.has(squeeze(point)),
  }
}

/** Returns the first line that was not said before and whose point was not made before, or null. */
export function firstFresh(lines: readonly SpokenLine[], said: SpokenSoFar): LineToSay | null {
  return lines.map(speech).find((line) => isFresh(line, said)) ?? null
}

/**
 * Returns the next line of a list from which the colleague takes lines throughout the conversation: the first unused
 * line after the line that was used last; null if all lines were used. A search from the start of the list would repeat
 * early lines too soon, because the history does not reach back to the beginning of the conversation.
 */
export function nextFresh(lines: readonly string[], said: SpokenSoFar): LineToSay | null {
  const latest = lines.reduce(
    (top, line, index) => (said.lastAt(line) > said.lastAt(lines[top] ?? '') ? index : top),
    0,
  )
  const after = said.lastAt(lines[latest] ?? '') < 0 ? 0 : latest + 1
  return firstFresh([...lines.slice(after), ...lines.slice(0, after)], said)
}

/** Returns the next line of a list as `nextFresh` does, and the first one again if all lines were used. */
export function freshOrFirst(lines: readonly string[], said: SpokenSoFar): LineToSay {
  return nextFresh(lines, said) ?? { say: lines[0] ?? '', point: null }
}

function isFresh({ say, point }: LineToSay, said: SpokenSoFar): boolean {
  return !said.line(say) && (point === null || !said.point(point))
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase()
}
