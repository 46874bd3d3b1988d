import { DASHES, isDash, isSpace } from './characters.ts'
import { pushAll, type NoteIssue, type TextStage } from './stage.ts'

/**
 * The line that divides a reply into speech and report. A deployment may require a nonce in it: a word made for one
 * reply.
 */
export const SEPARATOR = '---END---'

const LITERAL = /^-{2,}(END(?::[A-Za-z0-9]{1,32})?)-{2,}$/i
const LABEL = /^END(?::[A-Z0-9]{1,32})?$/i
const LABEL_PREFIX = /^(?:E|EN|END|END:[A-Z0-9]{0,32})$/i
const LINE = new RegExp(`^[ \\t>*_\`#]*[${DASHES}]{2,}\\s*END(?::[A-Z0-9]{1,32})?\\s*[${DASHES}]{2,}[ \\t*_\`]*$`, 'iu')
const DECORATION = new Set(' \t>*_`#')
const TRAIL = new Set('*_`')

/**
 * The maximum number of characters kept of a run of decoration, dashes or white space while the run may still belong to
 * a separator.
 */
const HELD = 16

/**
 * Returns the word between a separator's dashes: `END`, or `END:` and a nonce.
 *
 * @throws TypeError if the literal is not such a word between two or more hyphens on each side
 */
export function separatorLabel(literal: string): string {
  const label = LITERAL.exec(literal)?.[1]
  if (label === undefined)
    throw new TypeError('A separator is ---END--- or ---END:nonce---, nonce up to 32 letters or digits')
  return label.toUpperCase()
}

/** Tells whether a whole line is a separator, with any nonce. */
export function isSeparatorLine(line: string): boolean {
  return LINE.test(line)
}

interface Token {
  /** True if only white space and marks (`DECORATION`) stand before the token on its line. */
  readonly anchored: boolean
  part: 'dashes' | 'gap' | 'label' | 'gap-after' | 'dashes-after'
  dashes: number
  dashesAfter: number
  label: string
  /**
   * The text read so far, with long runs shortened. If the text turns out not to be a separator and not to look like
   * one, the text becomes speech.
   */
  raw: string
}

interface Trail {
  readonly token: Token
  readonly isSeparator: boolean
  /** True for a separator without a nonce where a separator with a nonce is required. */
  readonly isPlain: boolean
  raw: string
  ticks: number
}

/**
 * Divides a reply at its first separator. Pushes the text before the separator to `text`, ends `text`, and pushes the
 * rest to `metadata`. From the text, removes everything else that looks like a separator.
 *
 * @param takesPlain whether a separator without a nonce divides the reply too, although `label` has a nonce (the issue
 * `separator-plain`)
 */
export function createDivider({
  label,
  takesPlain,
  text,
  metadata,
  note,
}: {
  label: string
  takesPlain: boolean
  text: TextStage
  metadata: (point: string) => void
  note: NoteIssue
}): TextStage {
  let phase: 'line-start' | 'open' | 'token' | 'trail' | 'divided' = 'line-start'
  let lead = ''
  let token: Token | null = null
  let trail: Trail | null = null

  return { push, end }

  function push(point: string): void {
    if (phase === 'divided') metadata(point)
    else if (phase === 'open') pushOpen(point)
    else if (phase === 'line-start') pushLineStart(point)
    else if (phase === 'token' && token !== null) pushToken(token, point)
    else if (trail !== null) pushTrail(trail, point)
  }

  function pushLineStart(point: string): void {
    if (isDash(point)) return startToken(point, true)
    if (DECORATION.has(point) && lead.length < HELD) {
      lead += point
      return
    }
    releaseLead()
    pushOpen(point)
  }

  function pushOpen(point: string): void {
    if (isDash(point)) return startToken(point, false)
    text.push(point)
    phase = point === '\n' ? 'line-start' : 'open'
  }

  function startToken(point: string, anchored: boolean): void {
    phase = 'token'
    token = { anchored, part: 'dashes', dashes: 1, dashesAfter: 0, label: '', raw: point }
  }

  function pushToken(at: Token, point: string): void {
    if (!advance(at, point)) {
      releaseToken(at)
      push(point)
      return
    }
    if (at.raw.length < 4 * HELD) at.raw += point
    if (at.dashesAfter < 2) return
    phase = 'trail'
    const written = at.label.toUpperCase()
    const isPlain = takesPlain && written !== label && written === 'END'
    trail = { token: at, isSeparator: isPlain || written === label, isPlain, raw: '', ticks: 0 }
  }

  function pushTrail(at: Trail, point: string): void {
    // Skips the rest of the closing dashes.
    if (at.raw === '' && isDash(point)) return
    if (at.isSeparator && point === '{') return divide(at, point)
    if (point === '`' && at.isSeparator && at.ticks === 2) return divide(at, '```')
    if (point === '\n' && at.token.anchored) return at.isSeparator ? divide(at, '') : removeToken(at, point)
    if (point !== '\n' && !isSpace(point) && !TRAIL.has(point)) return removeToken(at, point)
    at.ticks = point === '`' ? at.ticks + 1 : 0
    if (at.raw.length < HELD || (point === '\n' && !at.raw.endsWith('\n'))) at.raw += point
  }

  function divide({ isPlain }: Trail, first: string): void {
    if (isPlain) note('separator-plain')
    phase = 'divided'
    text.end()
    for (const point of first) metadata(point)
  }

  /** Removes a token that looks like a separator, with the marks on both sides: `**---END---**`. */
  function removeToken(at: Trail, point: string): void {
    note('separator-removed')
    const marks = lead.replaceAll(/[ \t>#]/g, '')
    const rest = marks !== '' && at.raw.startsWith(marks) ? at.raw.slice(marks.length) : at.raw
    lead = ''
    phase = 'open'
    push(' ')
    for (const kept of rest) push(kept)
    push(point)
  }

  function releaseToken(at: Token): void {
    releaseLead()
    pushAll(text, at.raw)
    phase = 'open'
  }

  function releaseLead(): void {
    pushAll(text, lead)
    lead = ''
  }

  function end(): void {
    if (phase === 'divided') return
    if (phase === 'line-start') releaseLead()
    if (phase === 'token' && token !== null) endToken(token)
    if (phase === 'trail' && trail !== null && !trail.isSeparator) note('separator-removed')
    if (phase !== 'trail' || trail === null || !trail.isSeparator) note('separator-missing')
    phase = 'divided'
    text.end()
  }

  function endToken(at: Token): void {
    const isCut = at.label !== '' && (at.anchored || at.dashes > 2)
    if (isCut) note('separator-cut')
    else releaseToken(at)
  }
}

/** Reads one more code point into `token`. Returns false if the text read so far turns out not to be a token. */
function advance(token: Token, point: string): boolean {
  const dash = isDash(point)
  const space = isSpace(point)

  if (token.part === 'dashes' && dash) {
    token.dashes += 1
    return true
  }
  if (token.part === 'dashes' || token.part === 'gap') {
    if (token.dashes < 2) return false
    token.part = space ? 'gap' : 'label'
    token.label = space ? '' : point
    return space || LABEL_PREFIX.test(point)
  }
  if (token.part === 'label' && !dash && !space) {
    token.label += point
    return LABEL_PREFIX.test(token.label)
  }
  if (token.part === 'label' && !LABEL.test(token.label)) return false
  if (dash) {
    token.part = 'dashes-after'
    token.dashesAfter += 1
    return true
  }
  token.part = 'gap-after'
  return space && token.dashesAfter === 0
}
