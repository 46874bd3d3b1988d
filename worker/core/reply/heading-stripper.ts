import { DASHES } from './characters.ts'
import { PROMPT_HEADINGS } from './prompt-headings.ts'
import type { NoteIssue } from './reply-issue.ts'
import type { Stage } from './stage.ts'
import { pushAll } from './stage.ts'

/** What may stand in front of a heading: white space, bars, brackets, and the marks and numbers of lists. */
const LEAD = new RegExp(`^[\\s\\d>*_#\`"'“”().\\[•·▪◦‣+\\u2500-\\u259f${DASHES}]$`, 'u')
const LEAD_HELD = 16

const HEADINGS = PROMPT_HEADINGS.flatMap((heading) => [`${heading}:`, `${heading} (`, `${heading}*`])
const WHOLE = new Set(HEADINGS)
const PREFIXES = new Set(HEADINGS.flatMap((heading) => Array.from(heading).map((_, end) => heading.slice(0, end))))

/**
 * Takes out lines that begin with a heading of a briefing, to the letter and in capitals: who prints what they were told
 * is not speaking. Holds back what stands in front of a heading and the heading, at the beginning of a line only.
 */
export function createHeadingStripper(next: Stage, note: NoteIssue): Stage {
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
    if (!PREFIXES.has(held)) release()
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
