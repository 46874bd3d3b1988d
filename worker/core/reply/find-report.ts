import { createBraceCounter } from './braces.ts'
import { countKeyPairs, isReportKey } from './known-keys.ts'
import { readRawObject } from './report-pairs.ts'
import type { RawPair } from './report-pairs.ts'

/** A report as it was found in a text. */
export interface FoundReport {
  readonly text: string
  readonly status: 'whole' | 'cut' | 'malformed'
  readonly pairs: readonly RawPair[]
  /** Whether anything but white space stood around it. */
  readonly isWrapped: boolean
}

/**
 * Finds the first object that holds a field of a report. What follows it is never looked at, and an object that is
 * not whole ends the search, so a longer text can only ever give the same report or find the first.
 */
export function findReport(text: string): FoundReport | null {
  let start = text.indexOf('{')
  while (start >= 0) {
    const object = readRawObject(text, start)
    if (object.status === 'whole') {
      if (object.pairs.some(({ key }) => isReportKey(key))) return found(text, start, object.end, object)
      start = text.indexOf('{', object.end)
      continue
    }
    const end = object.status === 'cut' ? -1 : closingBrace(text, start)
    const hasKeys = countKeyPairs(text.slice(start, end < 0 ? text.length : end)) > 0
    if (hasKeys) return found(text, start, end, end < 0 ? { ...object, status: 'cut' } : object)
    if (end < 0) return null
    start = text.indexOf('{', end)
  }
  return null
}

function found(
  text: string,
  start: number,
  end: number,
  { status, pairs }: Pick<FoundReport, 'status' | 'pairs'>,
): FoundReport {
  const own = end < 0 ? text.slice(start) : text.slice(start, end)
  return { text: own, status, pairs, isWrapped: own !== text.trim() }
}

/** The index behind the brace that closes the one at `start`, or -1. */
function closingBrace(text: string, start: number): number {
  const braces = createBraceCounter()
  for (let at = start; at < text.length; at += 1) {
    braces.push(text.charAt(at))
    if (braces.isClosed()) return at + 1
  }
  return -1
}
