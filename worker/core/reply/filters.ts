import { createBraceCounter } from './find-report.ts'
import { countKeyPairs } from './report.ts'
import { createLiteralSet, createScanner, pushAll, type NoteIssue, type TextStage } from './stage.ts'

/** The tags around a model's reasoning, in any letter case. */
export interface ThinkTags {
  readonly open: string
  readonly close: string
}

export const THINK_TAGS: readonly ThinkTags[] = [
  { open: '<think>', close: '</think>' },
  { open: '<thinking>', close: '</thinking>' },
  { open: '<reasoning>', close: '</reasoning>' },
]

/**
 * Removes reasoning and its tags. Puts a line break in place of the reasoning, so that the texts before and after the
 * reasoning cannot join into a tag or a separator. Tags of one kind nest. Reasoning that is never closed is never
 * shown.
 */
export function createThinkFilter(
  next: TextStage,
  { tags, startsInThink, note }: { tags: readonly ThinkTags[]; startsInThink: boolean; note: NoteIssue },
): TextStage {
  let inside: ThinkTags | null = startsInThink ? (tags[0] ?? null) : null
  let depth = inside === null ? 0 : 1

  return createScanner({
    pattern: createLiteralSet(tags.flatMap(({ open, close }) => [open, close])),
    found(held) {
      const tag = held.toLowerCase()
      if (inside === null) enter(tag)
      else if (tag === inside.open.toLowerCase()) depth += 1
      else if (tag === inside.close.toLowerCase()) leave()
    },
    text(point) {
      if (inside === null) next.push(point)
    },
    end() {
      if (inside !== null) note('reasoning-unclosed')
      next.end()
    },
  })

  function enter(tag: string): void {
    inside = tags.find(({ open }) => open.toLowerCase() === tag) ?? null
    depth = 1
    if (inside !== null) return
    note('reasoning-unopened')
    next.push('\n')
  }

  function leave(): void {
    depth -= 1
    if (depth > 0) return
    inside = null
    next.push('\n')
  }
}

const INFO = /^[A-Za-z0-9+_.-]$/
const MAX_INFO = 20

/**
 * Removes the marks of code fences: three or more backticks, and the language's name if it stands alone on the line.
 * The content of the fence stays.
 */
export function createFenceStripper(next: TextStage): TextStage {
  let ticks = 0
  let atLineStart = true
  let info: string | null = null

  return {
    push(point) {
      if (info !== null) pushInfo(info, point)
      else if (point === '`') ticks += 1
      else pushText(point)
    },
    end() {
      if (ticks < 3) pushAll(next, '`'.repeat(ticks))
      next.end()
    },
  }

  function pushText(point: string): void {
    if (ticks >= 3) return openFence(point)
    pushAll(next, '`'.repeat(ticks))
    atLineStart = point === '\n' || (atLineStart && ticks === 0 && point === ' ')
    ticks = 0
    next.push(point)
  }

  function openFence(point: string): void {
    ticks = 0
    if (!atLineStart) return pushText(point)
    pushInfo('', point)
  }

  function pushInfo(held: string, point: string): void {
    if (INFO.test(point) && held.length < MAX_INFO) {
      info = held + point
      return
    }
    info = null
    atLineStart = atLineStart && held === ''
    if (point !== '\n') pushAll(next, held)
    if (point === '`') ticks = 1
    else pushText(point)
  }
}

/** After this many UTF-16 code units without a report's field, an object counts as speech. */
const UNDECIDED = 512

/** The maximum number of UTF-16 code units that `createObjectHolder` keeps of a report in the speech. */
const KEPT = 16_384

/**
 * Keeps a report out of the speech if the report stands before the speech, inside the speech, or after the speech
 * without a separator. Holds back every object (a text in braces) until the object is complete, or until its first
 * `UNDECIDED` code units have named no field of a report. Drops an object that names a field of a report. A dropped
 * object that has at least two fields of a report is kept as the report, in case no report follows a separator.
 */
export function createObjectHolder(next: TextStage, note: NoteIssue): TextStage & { report(): string | null } {
  let held = ''
  let isReport = false
  let braces = createBraceCounter()
  let hasSpoken = false
  let kept: string | null = null

  return {
    push(point) {
      if (held !== '') hold(point)
      else if (point === '{') start()
      else speak(point)
    },
    end() {
      if (held !== '') settle()
      next.end()
    },
    report: () => kept,
  }

  function start(): void {
    held = '{'
    isReport = false
    braces = createBraceCounter()
    braces.push('{')
  }

  function hold(point: string): void {
    if (held.length < KEPT) held += point
    braces.push(point)
    if (braces.isClosed()) return settle()
    if (isReport || held.length < UNDECIDED) return
    isReport = countKeyPairs(held) > 0
    if (!isReport) release()
  }

  function settle(): void {
    const pairs = countKeyPairs(held)
    if (pairs === 0) return release()
    note(hasSpoken ? 'metadata-in-speech' : 'metadata-first')
    if (pairs > 1) kept = held
    held = ''
    next.push(' ')
  }

  function release(): void {
    const text = held
    held = ''
    hasSpoken = true
    pushAll(next, text)
  }

  function speak(point: string): void {
    hasSpoken ||= point.trim() !== '' && point !== '`'
    next.push(point)
  }
}
