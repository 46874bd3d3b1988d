import type { Scene } from '../../core/briefing/briefing.ts'
import type { SpokenLine } from '../../core/scenario/rehearsal-lines.ts'

/** A line ready to be said. `point` is what it gets across, or null. */
export interface LineToSay {
  readonly say: string
  readonly point: string | null
}

export function speech(line: SpokenLine): LineToSay {
  return typeof line === 'string' ? { say: line, point: null } : line
}

/** What was said in this conversation, as far back as the actor is told, asked line by line. */
export interface SpokenSoFar {
  /** Whether these words were spoken before. */
  line(say: string): boolean
  /** Where they were spoken last; later is higher, -1 is never. */
  lastAt(say: string): number
  point(point: string): boolean
}

/** Reads what a colleague has said so far from the transcript and the points of earlier reports. */
export function saidIn(scene: Scene): SpokenSoFar {
  const spoken = scene.history.flatMap(({ who, text }) => (who === 'npc' ? [squeeze(text)] : [])).join('\n')
  const points = new Set(scene.said.map(squeeze))
  return {
    line: (say) => spoken.includes(squeeze(say)),
    lastAt: (say) => spoken.lastIndexOf(squeeze(say)),
    point: (point) => points.has(squeeze(point)),
  }
}

/** The first line not said yet whose point was not made yet either, or null. */
export function firstFresh(lines: readonly SpokenLine[], said: SpokenSoFar): LineToSay | null {
  return lines.map(speech).find((line) => isFresh(line, said)) ?? null
}

/**
 * The next line of a supply that serves the whole conversation: the one after the line of it heard last. A transcript
 * forgets its beginning, and the first line would come up again long before the last one had its turn.
 */
export function nextFresh(lines: readonly string[], said: SpokenSoFar): LineToSay | null {
  const latest = lines.reduce(
    (top, line, index) => (said.lastAt(line) > said.lastAt(lines[top] ?? '') ? index : top),
    0,
  )
  const after = said.lastAt(lines[latest] ?? '') < 0 ? 0 : latest + 1
  return firstFresh([...lines.slice(after), ...lines.slice(0, after)], said)
}

function isFresh({ say, point }: LineToSay, said: SpokenSoFar): boolean {
  return !said.line(say) && (point === null || !said.point(point))
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase()
}
