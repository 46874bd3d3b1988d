import type { FoundReport } from './find-report.ts'
import { isReportKey } from './known-keys.ts'
import type { ReportKey } from './known-keys.ts'
import { readQuoted } from './report-pairs.ts'

/** Makes JSON of a text that is nearly JSON. May throw. */
export type Repair = (json: string) => string

/** The fields of a report, whatever their values, and what it took to get them. */
export interface ReadFields {
  readonly fields: ReadonlyMap<ReportKey, unknown>
  readonly means: 'parsed' | 'repaired' | 'salvaged'
}

const MAX_REPAIRED = 16_384

/**
 * Gets at a report's fields by the gentlest means that works: as JSON; field by field, each in the form it was written;
 * through `repair`; or only those fields that can be read. An object that was cut off is never repaired, since a repair
 * would finish it.
 */
export function readFields(found: FoundReport, repair: Repair): ReadFields {
  if (found.status === 'cut') return { fields: fromPairs(found).fields, means: 'salvaged' }
  const parsed = found.status === 'whole' ? parseObject(found.text) : null
  if (parsed !== null) return { fields: parsed, means: 'parsed' }

  const mended = fromPairs(found)
  if (found.status === 'whole' && mended.isComplete) return { fields: mended.fields, means: 'repaired' }

  const repaired = repairObject(found.text, repair)
  if (repaired !== null) return { fields: repaired, means: 'repaired' }
  return { fields: mended.fields, means: 'salvaged' }
}

function parseObject(text: string): ReadonlyMap<ReportKey, unknown> | null {
  try {
    return knownFields(JSON.parse(text))
  } catch {
    return null
  }
}

function repairObject(text: string, repair: Repair): ReadonlyMap<ReportKey, unknown> | null {
  if (text.length > MAX_REPAIRED) return null
  try {
    return knownFields(JSON.parse(repair(text)))
  } catch {
    return null
  }
}

/** A map of the known fields: nothing is ever looked up on, or assigned to, an object that came from outside. */
function knownFields(value: unknown): ReadonlyMap<ReportKey, unknown> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const fields = new Map<ReportKey, unknown>()
  for (const [key, field] of Object.entries(value)) if (isReportKey(key)) fields.set(key, field)
  return fields
}

function fromPairs({ pairs }: FoundReport): { fields: ReadonlyMap<ReportKey, unknown>; isComplete: boolean } {
  const fields = new Map<ReportKey, unknown>()
  let isComplete = true
  for (const { key, raw } of pairs) {
    if (!isReportKey(key)) continue
    const value = readValue(raw)
    if (value === undefined) isComplete = false
    else fields.set(key, value)
  }
  return { fields, isComplete }
}

/** A value as a model may write it, or undefined for what is none. */
function readValue(raw: string): unknown {
  if (/^[+-]?\d+(?:\.\d+)?$/.test(raw)) return Number(raw)
  if (LITERALS.has(raw)) return LITERALS.get(raw)
  return readQuoted(raw) ?? parseJson(raw)
}

const LITERALS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
  ['NaN', Number.NaN],
])

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
