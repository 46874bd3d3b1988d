import { isDash, isSpace } from './characters.ts'
import type { Stage } from './stage.ts'
import { pushAll } from './stage.ts'

const LONG_DASHES = new Set('\u2014\u2015\u2e3a\u2e3b\ufe58')
const HYPHENS = new Set('-\u2010\u2011')
const DIGIT = /^\p{Nd}$/u
const CLOSES = new Set(',;:.!?…)]}')
const PAUSES = new Set(',;:.!?…')
const OPENS = new Set('([{')

interface Dash {
  readonly first: string
  /** Two dashes or more: the same as a long one. */
  isRun: boolean
  readonly spaceBefore: boolean
  readonly newlinesBefore: number
  spaceAfter: boolean
}

/**
 * Sets white space and dashes to rights. Runs of spaces become one and blank lines at most one; nothing stands at the
 * beginning or the end. A long dash, or a run of short ones, becomes a comma, or a hyphen between figures, or nothing
 * where a comma would be wrong. So speech never holds two dashes in a row, and without two dashes there is no separator.
 */
export function createPunctuator(next: Stage): Stage {
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

  /** `following` is the next visible character, or null at the end of a line. */
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
