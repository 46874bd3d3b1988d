import { once } from '../once.ts'
import { DASHES } from './characters.ts'
import { pushAll, type NoteIssue, type TextStage } from './stage.ts'

/** The headings of a briefing, as they stand at the beginning of a line. A test checks that the list is complete. */
export const PROMPT_HEADINGS: readonly string[] = [
  'YOUR ROLE',
  'YOUR KNOWLEDGE',
  'YOUR CONCERNS',
  'YOUR GOALS',
  'YOUR OPINION ON THE DECISION',
  'KNOWLEDGE BOUNDARIES',
  'FACT DISCIPLINE',
  'YOUR DOCUMENT',
  'DECISION-DETERMINING FACTS',
  'SITUATION CONTEXT',
  'MAP OF',
  'GUIDED CONVERSATION',
  'CONVERSATIONAL STYLE',
  'OBJECTIVE COMPLETION RULES',
  'EMOTIONAL REACTIVITY',
  'OUTPUT CONTRACT',
  'YOUR EMOTIONAL STATE',
  'CONVERSATION HISTORY',
  'ALREADY SAID',
  'RELATIONSHIP SCORE',
  'PLAYER MOOD',
  'WHAT ELSE BELONGS HERE',
  'WHAT THEY BRING',
  'WHAT THEIR PAGE SAYS',
  'CURRENT NODE',
  'WHAT THIS TURN IS FOR',
  'WHAT YOU DO NOW',
  'HOW YOU DO IT',
  'BOUNDARIES',
  'THE QUESTION TO END ON',
  'THE CONSTRAINT YOU MUST SURFACE',
  'THE CONSTRAINT',
  'THE QUESTION',
  'WHAT GOES WITH IT',
  'WHAT THE TWO OF YOU SHOULD HAVE SETTLED',
  'WHAT YOU HAVE FOR THIS',
  'WHAT YOU CAN TELL THEM NOW',
  'AS YOURSELF',
  'BEHAVIOR IN FORCE',
  'HOW YOU SOUND',
  'DONE HERE ALREADY',
  'STILL TO COME, NOT NOW',
  'WHAT YOU HAVE IN MIND',
  'ADVANCE / STAY',
  'IF THEY ARE TAKING THEIR LEAVE',
  'IF THEY ASK SOMETHING',
  'IF THIS HAS HAPPENED',
  'NEXT',
  'IF NOT',
  'YOU ARE STILL HERE',
  'HOW TO END',
  'FACTS WITH AN ID',
  'IF THE LEARNER GOES OFF-TOPIC',
  'REPORT (IN METADATA)',
  'THE LEARNER SAYS',
  'THE LINE BETWEEN THE TWO PARTS',
]

/**
 * Matches a character that may stand in front of a heading: white space, bars, brackets, and the marks and numbers of
 * lists.
 */
const LEAD = new RegExp(`^[\\s\\d>*_#\`"'“”().\\[•·▪◦‣+\\u2500-\\u259f${DASHES}]$`, 'u')
const LEAD_HELD = 16

const HEADINGS = PROMPT_HEADINGS.flatMap((heading) => [`${heading}:`, `${heading} (`, `${heading}*`])
const WHOLE = new Set(HEADINGS)
const prefixes = once(
  () => new Set(HEADINGS.flatMap((heading) => Array.from(heading).map((_, end) => heading.slice(0, end)))),
)

/**
 * Removes lines that begin with a heading of the briefing in capitals, because an actor that prints its briefing is not
 * speaking. Holds text back only at the beginning of a line: the text that may be a heading, and the marks in front of
 * the heading.
 */
export function createHeadingStripper(next: TextStage, note: NoteIssue): TextStage {
  let phase: 'line-start' | 'text' | 'dropped' = 'line-start'
  let lead = ''
  let held = ''

  return {
    push(point) {
      if (phase === 'text') pushText(point)
      else if (phase === 'line-start') pushLineStart(point)
      else if (point === '\n') phase = 'line-start'
    },
    end() {
      release()
      next.end()
    },
  }

  function pushLineStart(point: string): void {
    if (held === '' && LEAD.test(point)) return pushLead(point)
    held += point
    if (WHOLE.has(held)) return drop()
    if (!prefixes().has(held)) release()
  }

  function pushLead(point: string): void {
    if (lead.length >= LEAD_HELD || point === '\n') {
      pushAll(next, lead)
      lead = ''
    }
    if (point === '\n') next.push(point)
    else lead += point
  }

  function drop(): void {
    note('heading-removed')
    lead = ''
    held = ''
    phase = 'dropped'
  }

  function release(): void {
    const taken = lead + held
    lead = ''
    held = ''
    if (phase !== 'line-start') return
    phase = 'text'
    for (const each of taken) pushText(each)
  }

  function pushText(point: string): void {
    if (point === '\n') phase = 'line-start'
    next.push(point)
  }
}

const LETTER = /\p{L}/gu
const WORD = /[\p{L}\p{M}\p{N}_'’]+/uy
const NO_CAPITALS = /[^\p{Lu}\p{M}\p{N}_'’]/u
const CAPITAL = /\p{Lu}/gu
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}_'’:([{|—–]*/uy
/** Matches a colon directly after a heading. `GOES_ON` matches a bracket or dash, after which a colon may follow. */
const COLON = /[\s*_`"'”]*:/uy
const GOES_ON = /[\s*_`"'”]*[-([{|—–]/uy
/** Matches the text up to the next letter, or up to the end of a sentence before that letter. */
const TO_LETTER = /[^\p{L}.?!]*/uy

/**
 * The minimum number of capital letters in a heading. Words with fewer capital letters count as an abbreviation. A
 * heading without a colon needs `LETTERS_ALONE` capital letters.
 */
const LETTERS = 5
const LETTERS_ALONE = 10

/**
 * Finds a briefing's heading at the beginning of a line: `CURRENT NODE:`, `YOUR DOCUMENT (SOURCE OF RECORD):`, `OUTPUT
 * CONTRACT`, `[PIVOT_1 …`. An abbreviation (`FYI:`) or a shouted sentence (`WHY?!`) is not a heading, but a heading may
 * follow such words if no small letter stands in between.
 *
 * @returns the indices of the heading's capital words, or null
 */
export function headingIn(line: string): { start: number; end: number } | null {
  const bracket = line.indexOf('[')
  const lastColon = line.lastIndexOf(':')
  for (let start = letterFrom(line, 0); start !== null;) {
    const run = capitalWords(line, start)
    if (run.words === 0) return null
    const isMarker = run.hasUnderscore && bracket >= 0 && bracket < start
    if (isMarker || isTitle(line, run, lastColon) || isAlone(line, run)) return { start, end: run.end }
    start = letterFrom(line, run.end)
  }
  return null
}

function isTitle(line: string, { end, letters }: CapitalWords, lastColon: number): boolean {
  if (letters < LETTERS) return false
  const goesOn = endOf(GOES_ON, line, end)
  return endOf(COLON, line, end) !== null || (goesOn !== null && goesOn <= lastColon)
}

function isAlone(line: string, { end, words, letters }: CapitalWords): boolean {
  return letters >= LETTERS_ALONE && words > 1 && endOf(TO_LETTER, line, end) === line.length
}

function letterFrom(line: string, from: number): number | null {
  LETTER.lastIndex = from
  return LETTER.exec(line)?.index ?? null
}

/** Returns the end index of a sticky expression's match at `from`, or null if it does not match. */
function endOf(sticky: RegExp, line: string, from: number): number | null {
  sticky.lastIndex = from
  return sticky.test(line) ? sticky.lastIndex : null
}

interface CapitalWords {
  end: number
  words: number
  letters: number
  hasUnderscore: boolean
}

function capitalWords(line: string, start: number): CapitalWords {
  let end = start
  let words = 0
  let letters = 0
  let hasUnderscore = false
  let at = start
  for (;;) {
    WORD.lastIndex = at
    const word = WORD.exec(line)?.[0]
    if (word === undefined || NO_CAPITALS.test(word)) break
    const capitals = word.match(CAPITAL)?.length ?? 0
    at += word.length
    if (capitals > 0) end = at
    words += capitals > 0 ? 1 : 0
    letters += capitals
    hasUnderscore ||= word.includes('_')
    BETWEEN_WORDS.lastIndex = at
    at += BETWEEN_WORDS.exec(line)?.[0].length ?? 0
  }
  return { end, words, letters, hasUnderscore }
}
