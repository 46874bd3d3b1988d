import { JOINED, WIDE_DASH, skeletonOf } from './fold.ts'
import { headingIn } from './heading.ts'
import { clean } from '../text/clean.ts'

const IN_RUN = `-${WIDE_DASH}${JOINED}`
const RUN = `(?:-[${IN_RUN}]+|${WIDE_DASH}[${IN_RUN}]*)`
const GAP = `[\\s${JOINED}]*`
const WORD = Array.from('END').join(`${JOINED}*`)
// Matches only at the beginning of a run; otherwise a long run of dashes would be tried from each of its dashes.
const TOKEN = new RegExp(`(?<![-${WIDE_DASH}])(${RUN})(${GAP}${WORD}(?:${GAP}:${GAP}[A-Z0-9]*)?${GAP})(${RUN})`, 'gi')
const BAR_RUN = /[\u2500-\u259f\u25ac\u23af\u23e4]{2,}/g
const BLANK_LINES = /\n(?:[^\S\n]*\n)+/g

/**
 * Makes text from outside (a message, a page, the history, a memory) safe to put into a briefing, where a model must
 * read it as plain text only. Drops invisible characters and blank lines. Leaves one dash on each side of the word in a
 * separator or a look-alike, and turns a bar (`━━━`) into a dash. Writes a heading in small letters, replaces the colon
 * after a role (`system:`) with a comma, and gives chat template and reasoning tags round brackets. Leaves ordinary
 * prose unchanged. A second pass changes nothing more.
 */
export function neutralise(text: string): string {
  const plain = clean(text).replaceAll(BLANK_LINES, '\n')
  const lines = withoutSeparators(plain).replaceAll(BAR_RUN, '-').split('\n')
  // Cleans again, because an invisible joiner may have lost its neighbour.
  return clean(lines.map((line) => withoutHeading(withoutRoles(line))).join('\n'))
}

/** Tells whether a text contains a separator or a look-alike, with or without a nonce. */
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

/**
 * Returns the small form of a letter. A styled capital (bold, for instance) has no small form, so it becomes the plain
 * small letter.
 */
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

/** Matches a line that begins like a turn in a transcript: `system:`, `**User**:`, `### Instruction:`. */
const TURN = new RegExp(`^[\\s>*_"'(\\[-]*(?:(?:${ROLE})|#+\\s*(?:${SECTION}))[\\s*_"')\\]]{0,4}:`, 'i')

/** Names in the tags of chat templates, tool calls and reasoning. */
const NAMES = [
  ROLE,
  'sys|inst|instructions?|im_start|im_end',
  '(?:start|end)_of_(?:turn|text)|tool_(?:calls?|response|results?)|function_(?:calls?|results?)|available_tools',
  'system_prompt|context|document|think|thinking|reasoning|reflection|scratchpad|analysis',
].join('|')
/**
 * Matches the beginning of a tag (the angle bracket and the name), and also the closing bracket if this bracket follows
 * at once. If there is a space before the name, the closing bracket must follow at once, because `a < user` is not a
 * tag. Text between the name and the closing bracket is not matched, because that text may contain other tags.
 */
const TAG = new RegExp(
  `<{1,2}/?(?:${NAMES})(?![A-Za-z0-9_])(?:\\s{0,4}/?>{1,2})?|<{1,2}\\s{0,4}/?\\s{0,4}(?:${NAMES}|s)\\s{0,4}/?\\s{0,4}>{1,2}`,
  'gi',
)
const BRACKETED = new RegExp(`\\[{1,2}\\s{0,4}/?\\s{0,4}(?:${NAMES})\\s{0,4}\\]{1,2}`, 'gi')
const BARS = /<\||\|>/g

const PLAIN: Readonly<Record<string, string>> = { '<': '(', '[': '(', '>': ')', ']': ')' }

/**
 * Finds the marks in a line's skeleton that a model may read as the beginning of a turn. Returns the position of each
 * mark and its replacement: round brackets for angle and square brackets, a comma for the colon after a role. The words
 * stay.
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
