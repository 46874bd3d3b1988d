import { isDash, isSpace } from './characters.ts'
import type { ThinkTags } from './filters.ts'
import { createHeadingStripper } from './heading.ts'
import { KEY_NAMES, KEY_PAIRS, keyInWords } from './report.ts'
import { createLiteralSet, createScanner, pushAll, type NoteIssue, type TextStage } from './stage.ts'

/**
 * Builds the stages that turn text into speech. The stages remove the speaker's name, stage directions, briefing
 * headings, em dashes, spare white space, the fields of a report, and think tags. At most `maxSpeech` UTF-16 code units
 * pass. The learner hears, and the log stores, exactly this output.
 */
export function createSpeechStages({
  out,
  npcName,
  stageDirections,
  maxSpeech,
  thinkTags,
  note,
}: {
  out: (piece: string) => void
  npcName: string | null
  stageDirections: 'drop' | 'keep'
  maxSpeech: number
  thinkTags: readonly ThinkTags[]
  note: NoteIssue
}): TextStage {
  const capped = createSpeechCap(out, { maxSpeech, note })
  // The guard comes after all stages that remove characters, because the characters that remain may join into a field's
  // name.
  const guarded = createSpeechGuard(capped, { thinkTags, note })
  const punctuated = createPunctuator(guarded)
  const headless = createHeadingStripper(punctuated, note)
  const acted = stageDirections === 'drop' ? createStageDirectionStripper(headless) : headless
  return npcName === null ? acted : createNameStripper(acted, npcName)
}

/** Removes the speaker's own name from the beginning of a line: `Maya:`, `Maya Patel:`, `**Maya:**`, `[Maya]:`. */
function createNameStripper(next: TextStage, name: string): TextStage {
  const { progress } = createLiteralSet(prefixes(name))
  let atLineStart = true
  let held = ''

  return {
    push(point) {
      if (atLineStart) pushLineStart(point)
      else pushText(point)
    },
    end() {
      pushAll(next, held)
      next.end()
    },
  }

  function pushLineStart(point: string): void {
    if (held === '' && point === ' ') return next.push(point)
    held += point
    const state = progress(held)
    if (state === 'partial') return
    const taken = held
    held = ''
    if (state === 'whole') return
    atLineStart = false
    for (const each of taken) pushText(each)
  }

  function pushText(point: string): void {
    atLineStart = point === '\n'
    next.push(point)
  }
}

function prefixes(name: string): readonly string[] {
  const full = name.trim()
  const first = full.split(/\s+/)[0] ?? ''
  const names = new Set([full, first].filter((each) => each !== '' && !each.endsWith('.')))
  return [...names].flatMap((each) => [
    `${each}:`,
    `[${each}]:`,
    ...['*', '**', '_', '__'].flatMap((mark) => [`${mark}${each}:${mark}`, `${mark}${each}${mark}:`]),
  ])
}

const LOWER_CASE = /^\p{Ll}$/u
const SENTENCE_END = new Set('.!?…')
const CLOSERS = new Set('"\'”’) ')
const MAX_LENGTH = 120

/**
 * Removes stage directions such as `*sighs*`: words between single asterisks at the beginning of a sentence, with a
 * small first letter. A sentence never begins with a small letter, so emphasis stays (`*Not* my call`, `that is *not*
 * my call`).
 */
function createStageDirectionStripper(next: TextStage): TextStage {
  let held = ''
  let atSentenceStart = true

  return {
    push(point) {
      if (held !== '') pushHeld(point)
      else if (point === '*' && atSentenceStart) held = point
      else pushText(point)
    },
    end() {
      pushAll(next, held)
      next.end()
    },
  }

  function pushHeld(point: string): void {
    if (point === '*' && held !== '*') {
      held = ''
      return
    }
    const isDirection = held === '*' ? LOWER_CASE.test(point) : point !== '\n' && held.length < MAX_LENGTH
    if (isDirection) {
      held += point
      return
    }
    const taken = held
    held = ''
    for (const each of taken) pushText(each)
    pushText(point)
  }

  function pushText(point: string): void {
    atSentenceStart = point === '\n' || SENTENCE_END.has(point) || (atSentenceStart && CLOSERS.has(point))
    next.push(point)
  }
}

const LONG_DASHES = new Set('\u2014\u2015\u2e3a\u2e3b\ufe58')
const HYPHENS = new Set('-\u2010\u2011')
const DIGIT = /^\p{Nd}$/u
const CLOSES = new Set(',;:.!?…)]}')
const PAUSES = new Set(',;:.!?…')
const OPENS = new Set('([{')

interface Dash {
  readonly first: string
  /** True for two or more dashes in a row, which count as one long dash. */
  isRun: boolean
  readonly spaceBefore: boolean
  readonly newlinesBefore: number
  spaceAfter: boolean
}

/**
 * Normalises white space and dashes. A run of spaces becomes one space, and there is at most one blank line. The speech
 * neither begins nor ends with white space. A long dash, or a run of short dashes, becomes a comma, a hyphen between
 * figures, or nothing if a comma would be wrong. So speech never has two dashes in a row, and never a separator, which
 * needs two.
 */
function createPunctuator(next: TextStage): TextStage {
  let last = ''
  let space = false
  let newlines = 0
  let dash: Dash | null = null

  return {
    push(point) {
      if (point === '\n') pushNewline()
      else if (isSpace(point)) pushSpace()
      else if (isDash(point)) pushDash(point)
      else pushVisible(point)
    },
    end() {
      settleDash(null)
      next.end()
    },
  }

  function pushNewline(): void {
    settleDash(null)
    newlines = Math.min(2, newlines + 1)
    space = false
  }

  function pushSpace(): void {
    if (dash !== null) dash.spaceAfter = true
    else space = true
  }

  function pushDash(point: string): void {
    if (dash !== null) {
      dash.isRun = true
      dash.spaceAfter = false
      return
    }
    dash = { first: point, isRun: false, spaceBefore: space, newlinesBefore: newlines, spaceAfter: false }
    space = false
    newlines = 0
  }

  function pushVisible(point: string): void {
    settleDash(point)
    emitSpace()
    emit(point)
  }

  /** @param following the next visible character, or null at the end of a line */
  function settleDash(following: string | null): void {
    if (dash === null) return
    const { first, isRun, spaceBefore, newlinesBefore, spaceAfter } = dash
    dash = null
    space = spaceBefore
    newlines = newlinesBefore
    const isLong = isRun || LONG_DASHES.has(first)
    const atLineStart = last === '' || newlines > 0
    if (following === null && (isLong || atLineStart)) return
    if (atLineStart && isLong) return
    const isLoose = isLong || (spaceBefore && spaceAfter && !HYPHENS.has(first))
    if (following === null || !isLoose || atLineStart) return emitHyphen(spaceAfter)
    const isRange = !isRun && DIGIT.test(last) && DIGIT.test(following)
    if (isRange && !(isLong && (spaceBefore || spaceAfter))) return emitHyphen(spaceAfter)
    space = !CLOSES.has(following) && !OPENS.has(last)
    if (space && !PAUSES.has(last)) emit(',')
  }

  function emitHyphen(spaceAfter: boolean): void {
    emitSpace()
    emit('-')
    space = spaceAfter
  }

  function emitSpace(): void {
    if (last !== '') pushAll(next, newlines > 0 ? '\n'.repeat(newlines) : space ? ' ' : '')
    space = false
    newlines = 0
  }

  function emit(point: string): void {
    last = point
    next.push(point)
  }
}

/**
 * Ends the speech before any field of a report or any think tag that passed the other stages. If a field's name stands
 * in the speech without a colon, splits the name into its words. Later briefings repeat the speech, and must not name a
 * field.
 */
function createSpeechGuard(
  next: TextStage,
  { thinkTags, note }: { thinkTags: readonly ThinkTags[]; note: NoteIssue },
): TextStage {
  let isCut = false
  const names = createScanner({
    pattern: KEY_NAMES,
    found: (name) => pushAll(next, keyInWords(name)),
    text: (point) => next.push(point),
    end: () => next.end(),
  })
  const pairs = createScanner({ pattern: KEY_PAIRS, found: cut, text: speak, end: () => names.end() })
  return createScanner({
    pattern: createLiteralSet(thinkTags.flatMap(({ open, close }) => [open, close])),
    found: cut,
    text: (point) => pairs.push(point),
    end: () => pairs.end(),
  })

  function cut(): void {
    if (!isCut) note('speech-cut')
    isCut = true
  }

  function speak(point: string): void {
    if (!isCut) names.push(point)
  }
}

/**
 * Lets at most `maxSpeech` UTF-16 code units through, and never half a surrogate pair. Holds white space until text
 * follows, so that a cut speech does not end in white space.
 */
function createSpeechCap(
  out: (piece: string) => void,
  { maxSpeech, note }: { maxSpeech: number; note: NoteIssue },
): TextStage {
  let length = 0
  let space = ''
  let isFull = false

  return {
    push(point) {
      if (isFull) return
      if (point === ' ' || point === '\n') {
        space += point
        return
      }
      const piece = space + point
      space = ''
      length += piece.length
      isFull = length > maxSpeech
      if (isFull) note('speech-too-long')
      else out(piece)
    },
    end: () => undefined,
  }
}
