import { createBraceCounter } from './braces.ts'
import { countKeyPairs } from './known-keys.ts'
import type { NoteIssue } from './reply-issue.ts'
import type { Stage } from './stage.ts'
import { pushAll } from './stage.ts'

/** An object that has shown no field of a report by then is taken for speech. */
const UNDECIDED = 512

/** What is kept of a report that stands where speech should be. */
const KEPT = 16_384

/**
 * Keeps a report out of the speech when it stands where speech should be: before it, inside it, or behind it with no
 * separator. Every `{` is held until its object is whole. One that names a field of a report is never let through;
 * with two fields it is a report, kept in case none comes behind a separator.
 */
export function createObjectHolder(next: Stage, note: NoteIssue): Stage & { report(): string | null } {
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
