import { cap } from '../reply/characters.ts'
import type { Repair } from '../reply/read-report.ts'
import type { ProposedOperation } from './editor-operations.ts'

/** What an agent reports beside its speech. */
export interface AgentWork {
  readonly topics: readonly string[]
  /** The agent that should go on; null if this one goes on. */
  readonly hand_over: string | null
  readonly edits: readonly ProposedOperation[]
}

export const NO_WORK: AgentWork = { topics: [], hand_over: null, edits: [] }

/** The most UTF-16 code units of a report that are read, and of one text in it. */
const LONGEST = 65_536
const LONGEST_TEXT = 8_000
const MOST = 60

/**
 * Reads what an agent reports beside its speech. Whatever is missing or has another form counts as not reported. Never
 * throws.
 *
 * @param repair converts almost valid JSON to JSON; it may throw or return anything
 */
export function readWork(report: string | null, repair: Repair): AgentWork {
  const data = objectIn(report ?? '', repair)
  if (data === null) return NO_WORK
  const { topics, hand_over, edits } = data
  return {
    topics: listIn(topics).flatMap(textIn),
    hand_over: textIn(hand_over)[0] ?? null,
    edits: listIn(edits).flatMap(editIn),
  }
}

function objectIn(report: string, repair: Repair): Readonly<Record<string, unknown>> | null {
  const text = report.slice(0, LONGEST)
  const start = text.indexOf('{')
  const end = text.lastIndexOf('}')
  if (start < 0) return null
  const body = end > start ? text.slice(start, end + 1) : text.slice(start)
  for (const attempt of [() => body, () => repair(body)]) {
    try {
      const read: unknown = JSON.parse(attempt())
      if (isRecord(read)) return read
    } catch {
      // The next attempt repairs the text first.
    }
  }
  return null
}

function editIn(value: unknown): readonly ProposedOperation[] {
  if (!isRecord(value)) return []
  const op = (['replace', 'insert', 'delete'] as const).find((name) => name === value['op'])
  const [quote] = textIn(value['quote'])
  if (op === undefined || quote === undefined) return []
  const [before, after] = [rawText(value['before']), rawText(value['after'])]
  const around = { ...(before !== '' && { before }), ...(after !== '' && { after }) }
  return [{ op, quote, ...around, text: rawText(value['text']), why: cap(rawText(value['why']), 200) }]
}

function rawText(value: unknown): string {
  return typeof value === 'string' ? cap(value, LONGEST_TEXT) : ''
}

function textIn(value: unknown): readonly string[] {
  return typeof value === 'string' && value.trim() !== '' ? [cap(value, LONGEST_TEXT)] : []
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MOST) : []
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
