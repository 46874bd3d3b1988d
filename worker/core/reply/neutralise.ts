import { JOINED, WIDE_DASH, skeletonOf } from './fold.ts'
import { headingIn } from './heading.ts'
import { clean } from '../text/clean.ts'

const IN_RUN = `-${WIDE_DASH}${JOINED}`
const RUN = `(?:-[${IN_RUN}]+|${WIDE_DASH}[${IN_RUN}]*)`
const GAP = `[\\s${JOINED}]*`
const WORD = Array.from('END').join(`${JOINED}*`)
// Only from the beginning of a run, or a long one would be tried from each of its dashes.
const TOKEN = new RegExp(`(?<![-${WIDE_DASH}])(${RUN})(${GAP}${WORD}(?:${GAP}:${GAP}[A-Z0-9]*)?${GAP})(${RUN})`, 'gi')
const BAR_RUN = /[\u2500-\u259f\u25ac\u23af\u23e4]{2,}/g
const BLANK_LINES = /\n(?:[^\S\n]*\n)+/g

/**
 * Makes plain text of what comes from outside (a learner's message, a page, the history, a memory), so that it can be
 * set into a briefing and be nothing else there: what nobody can see is dropped, whatever is or looks like a separator
 * keeps one dash on each side, a bar becomes a dash, a line that begins like a heading does so in small letters, one that
 * begins like somebody's turn gets a comma, and the marks of chat templates and of reasoning become brackets. Blank lines
 * are closed up. Ordinary prose comes out as it went in. Doing it twice changes nothing.
 */
export function neutralise(text: string): string {
  const plain = clean(text).replaceAll(BLANK_LINES, '\n')
  const lines = withoutSeparators(plain).replaceAll(BAR_RUN, '-').split('\n')
  // Cleaned again, since what a joiner stood beside may have been taken away.
  return clean(lines.map((line) => withoutHeading(withoutRoles(line))).join('\n'))
}

/** Whether a text holds anything that is, or looks like, a separator, with any nonce or none. */
export function holdsSeparator(text: string): boolean {
  return skeletonOf(Array.from(clean(text))).search(TOKEN) >= 0
}

function withoutSeparators(text: string): string {
  const points = Array.from(text)
  const skeleton = skeletonOf(points)
  let safe = ''
  let from = 0
  for (const { index, 0: token, 1: before = '', 3: after = '' } of skeleton.matchAll(TOKEN)) {
    const label = points.slice(index + before.length, index + token.length - after.length)
    safe += `${points.slice(from, index).join('')}-${label.join('')}-`
    from = index + token.length
  }
  return safe + points.slice(from).join('')
}

function withoutHeading(line: string): string {
  const points = Array.from(line)
  const skeleton = skeletonOf(points)
  const heading = headingIn(skeleton)
  if (heading === null) return line
  const small = points
    .slice(heading.start, heading.end)
    .map((point, at) => lowered(point, skeleton.charAt(heading.start + at)))
  return [...points.slice(0, heading.start), ...small, ...points.slice(heading.end)].join('')
}

/** A bold or otherwise dressed-up capital has no small form of its own and becomes the plain small letter. */
function lowered(point: string, look: string): string {
  const lower = point.toLowerCase()
  return lower === point && /^\p{Lu}$/u.test(look) ? look.toLowerCase() : lower
}

function withoutRoles(line: string): string {
  const points = Array.from(line)
  for (const { at, plain } of roleMarksIn(skeletonOf(points))) points[at] = plain
  return points.join('')
}

const ROLE = 'system|assistant|user|human|developer|tool|function|learner|player'
const SECTION = `${ROLE}|instructions?|response|input|output`

/** A line that begins like somebody's turn in a transcript: `system:`, `**User**:`, `### Instruction:`. */
const TURN = new RegExp(`^[\\s>*_"'(\\[-]*(?:(?:${ROLE})|#+\\s*(?:${SECTION}))[\\s*_"')\\]]{0,4}:`, 'i')

/** Marks of chat templates, of tool calls and of reasoning. */
const NAMES = [
  ROLE,
  'sys|inst|instructions?|im_start|im_end',
  '(?:start|end)_of_(?:turn|text)|tool_(?:calls?|response|results?)|function_(?:calls?|results?)|available_tools',
  'system_prompt|context|document|think|thinking|reasoning|reflection|scratchpad|analysis',
].join('|')
/**
 * What opens a tag, whatever stands in it, and what closes it if it does so at once. With room in front of the name it
 * has to close at once, or `a < user` would be one. Nothing between the two is read: tags could stand in tags.
 */
const TAG = new RegExp(
  `<{1,2}/?(?:${NAMES})(?![A-Za-z0-9_])(?:\\s{0,4}/?>{1,2})?|<{1,2}\\s{0,4}/?\\s{0,4}(?:${NAMES}|s)\\s{0,4}/?\\s{0,4}>{1,2}`,
  'gi',
)
const BRACKETED = new RegExp(`\\[{1,2}\\s{0,4}/?\\s{0,4}(?:${NAMES})\\s{0,4}\\]{1,2}`, 'gi')
/** `<|` and `|>`, whatever stands between them. */
const BARS = /<\||\|>/g

const PLAIN: Readonly<Record<string, string>> = { '<': '(', '[': '(', '>': ')', ']': ')' }

/**
 * Where a line (as its skeleton) holds what a model may take for the beginning of somebody's turn, and what to put there
 * instead: round brackets for angled and square ones, a comma for the colon behind a role. The words stay.
 */
function roleMarksIn(skeleton: string): readonly { readonly at: number; readonly plain: string }[] {
  const marks = [TAG, BRACKETED, BARS].flatMap((pattern) => Array.from(skeleton.matchAll(pattern), bracketsIn).flat())
  const points = skeleton.split('')
  for (const { at, plain } of marks) points[at] = plain
  const turn = TURN.exec(points.join(''))?.[0]
  return turn === undefined ? marks : [...marks, { at: turn.length - 1, plain: ',' }]
}

function bracketsIn({ index, 0: found }: RegExpExecArray): { at: number; plain: string }[] {
  return found.split('').flatMap((char, at) => {
    const plain = PLAIN[char]
    return plain === undefined ? [] : [{ at: index + at, plain }]
  })
}
