import { cap } from './characters.ts'
import { echoedFields, echoesInput, type ActorInput } from './echoes.ts'
import { findReport, readQuoted, type FoundReport } from './find-report.ts'
import {
  EMPTY_REPORT,
  OPTIONAL_KEYS,
  REPORT_KEYS,
  isReportKey,
  withoutKeyNames,
  type Report,
  type ReportKey,
  type ReportQuality,
} from './report.ts'
import type { ReplyEnd } from './splitter.ts'
import { clean } from '../text/clean.ts'

/**
 * Reads the report of a reply that has ended. Refuses a report if the report, or a field that the report sets, was
 * copied from the actor's input. If no separator stood before the report, all flags (the fields that are true or false)
 * are false.
 *
 * @param outside the texts that the actor was given this turn and may have repeated
 */
export function readReply(
  end: Pick<ReplyEnd, 'metadata' | 'isDivided'>,
  { repair, outside }: { repair: Repair; outside: ActorInput },
): ReadReport {
  if (end.metadata !== null && echoesInput(end.metadata, outside)) return refused(['echo'])
  const read = readReport(end.metadata, { repair, isDivided: end.isDivided })
  const echoed = echoedFields(read.report, outside)
  return echoed.length === 0 ? read : refused(echoed.map((key) => `echo:${key}`))
}

function refused(issues: readonly string[]): ReadReport {
  return { report: EMPTY_REPORT, quality: 'echoed', issues }
}

const MAX_TEXT = 65_536

export interface ReadReport {
  readonly report: Report
  readonly quality: ReportQuality
  /**
   * The corrections that were needed to read the report, as `kind` or `kind:field`. No issue contains text of the model
   * or the learner.
   */
  readonly issues: readonly string[]
}

/**
 * Reads as much of a report as is readable, and never throws. A flag is true only under two conditions, even if the
 * report had to be repaired: the object is complete, and the model wrote a word for true (`TRUE_WORDS`) every time that
 * it gave the flag at the object's top level.
 *
 * @param options.repair converts almost valid JSON to JSON; it may throw or return anything
 * @param options.isDivided whether a separator stood before the text; if not, every flag is false
 */
export function readReport(
  text: string | null,
  { repair, isDivided = true }: { repair: Repair; isDivided?: boolean },
): ReadReport {
  const found = text === null ? null : findReport(text.slice(0, MAX_TEXT))
  if (found === null) return { report: EMPTY_REPORT, quality: 'missing', issues: ['report-missing'] }

  const issues = new Set<string>()
  if (found.isWrapped) issues.add('wrapped')
  if (found.status !== 'whole') issues.add(found.status)
  if (!isDivided) issues.add('not-divided')

  const { fields, means } = readFields(found, repair)
  if (found.pairs.some(({ key }) => !isReportKey(key))) issues.add('unknown-field')
  const report = readAll(fields, mentions(found), found.status === 'whole' && isDivided, issues)
  return { report, quality: qualityOf(means, issues), issues: [...issues] }
}

type Mentions = Readonly<Record<ReportKey, readonly string[]>>

/** Returns for each field every value that the model gave it, as written. */
function mentions({ pairs }: FoundReport): Mentions {
  const byKey = Object.fromEntries(REPORT_KEYS.map((key): [ReportKey, string[]] => [key, []]))
  for (const { key, raw } of pairs) if (isReportKey(key)) byKey[key]?.push(raw)
  return byKey as Record<ReportKey, string[]>
}

function readAll(
  fields: ReadonlyMap<ReportKey, unknown>,
  written: Mentions,
  mayFlag: boolean,
  issues: Set<string>,
): Report {
  for (const key of REPORT_KEYS) {
    if (!fields.has(key) && written[key].length === 0 && !OPTIONAL_KEYS.has(key)) issues.add(`absent:${key}`)
    if (written[key].length > 1) issues.add(`repeated:${key}`)
    if (isContradicted(written[key])) issues.add(`contradicted:${key}`)
  }
  return {
    emotional_state: text('emotional_state', 64),
    information_revealed: texts('information_revealed', 300),
    internal_thought: text('internal_thought', 1000),
    objective_complete: named('objective_complete'),
    is_conversation_complete: flag('is_conversation_complete'),
    hint_given: flag('hint_given'),
    agreement_signal: text('agreement_signal', 64) || EMPTY_REPORT.agreement_signal,
    engagement_score: score(),
    node_satisfied: flag('node_satisfied'),
    detour_detected: flag('detour_detected'),
    went_on: flag('went_on'),
    pivot_choice: named('pivot_choice'),
    learner_leaving: flag('learner_leaving'),
    document_given: flag('document_given'),
    fact_registered: flag('fact_registered'),
  }

  function text(key: ReportKey, limit: number): string {
    return settled(key, coerceText(fields.get(key), limit)) ?? ''
  }

  function texts(key: ReportKey, limit: number): readonly string[] {
    return settled(key, coerceTexts(fields.get(key), limit)) ?? []
  }

  function score(): number {
    if (isContradicted(written.engagement_score)) return 0
    return settled('engagement_score', coerceScore(fields.get('engagement_score'))) ?? 0
  }

  /** Reads a flag from every value that the model wrote for it. A parsed object has only the last of them. */
  function flag(key: ReportKey): boolean {
    const said = written[key].map(readFlag)
    if (said.some((each) => each === null)) issues.add(`unreadable:${key}`)
    else if (written[key].some((raw) => raw !== 'true' && raw !== 'false')) issues.add(`coerced:${key}`)
    return mayFlag && said.length > 0 && said.every((each) => each === true)
  }

  /**
   * Returns the id in a field that names something. Reads the id under the same conditions as a flag, because the id
   * has the same effect as a flag that is true.
   */
  function named(key: ReportKey): string | null {
    const said = new Set(written[key].map(readId))
    if (said.has(undefined)) issues.add(`unreadable:${key}`)
    const [id = null] = said
    if (id === null && written[key].some((raw) => raw !== 'null')) issues.add(`coerced:${key}`)
    return mayFlag && said.size === 1 ? id : null
  }

  function settled<T>(key: ReportKey, value: T | null): T | null {
    const given = fields.get(key)
    if (value === null && given !== undefined) issues.add(`unreadable:${key}`)
    else if (value !== null && JSON.stringify(value) !== JSON.stringify(given)) issues.add(`coerced:${key}`)
    return value
  }
}

/** Returns an id as written, null if the model means none, and undefined if the value is unreadable. */
function readId(raw: string): string | null | undefined {
  const id = coerceText(readQuoted(raw), 100)
  if (id === null) return readFlag(raw) === false ? null : undefined
  return /^(?:null|none|false|true|)$/i.test(id) ? null : id
}

function isContradicted(written: readonly string[]): boolean {
  return new Set(written).size > 1
}

function qualityOf(means: 'parsed' | 'repaired' | 'salvaged', issues: ReadonlySet<string>): ReportQuality {
  if (means !== 'parsed') return means
  return issues.size === 0 ? 'clean' : 'coerced'
}

/** Converts almost valid JSON to JSON. May throw. */
export type Repair = (json: string) => string

/** A report's fields with values of any type, and how they were obtained. */
interface ReadFields {
  readonly fields: ReadonlyMap<ReportKey, unknown>
  readonly means: 'parsed' | 'repaired' | 'salvaged'
}

const MAX_REPAIRED = 16_384

/**
 * Reads a report's fields in the first of these ways that works: as JSON; field by field as written; through `repair`;
 * or only the readable fields. Never repairs an object that was cut off, because a repair would complete the object.
 */
function readFields(found: FoundReport, repair: Repair): ReadFields {
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

/** Copies the known fields into a map, so that nothing reads from or writes to an object that came from outside. */
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

/** Reads a value in the forms that models write. Returns undefined for anything else. */
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

const MAX_ITEMS = 24

/** Returns one line of plain text of at most `limit` UTF-16 code units, or null if the value is not a text. */
function coerceText(value: unknown, limit: number): string | null {
  if (typeof value !== 'string') return null
  return cap(clean(value).replaceAll(/\s+/g, ' ').trim(), limit).trimEnd()
}

/**
 * Returns a list of texts: a single text becomes a list of one, and other values are left out. Removes field names,
 * because later briefings repeat these texts, and every later report that sets such a field would then count as copied.
 */
function coerceTexts(value: unknown, limit: number): readonly string[] | null {
  const items = typeof value === 'string' ? [value] : value
  if (!Array.isArray(items)) return null
  const texts = items
    .slice(0, MAX_ITEMS)
    // A field's name may have an invisible character in it, so the text is cleaned first.
    .map((item) => coerceText(typeof item === 'string' ? withoutKeyNames(clean(item)) : item, limit))
  return texts.filter((text) => text !== null && text !== '') as string[]
}

/** Returns a whole number from -2 to 2, or null if the value is not a number. */
function coerceScore(value: unknown): number | null {
  const number = typeof value === 'string' && /^\s*[+-]?\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return null
  // Adding 0 turns -0 into 0, because JSON writes both as 0.
  return Math.max(-2, Math.min(2, Math.round(number))) + 0
}

/** Returns the meaning of a flag's value as the model wrote it, or null if the value means neither true nor false. */
function readFlag(raw: string): boolean | null {
  const word = (readQuoted(raw) ?? raw).trim().toLowerCase()
  if (TRUE_WORDS.has(word)) return true
  return FALSE_WORDS.has(word) ? false : null
}

const TRUE_WORDS = new Set(['true', 'yes', '1'])
const FALSE_WORDS = new Set(['false', 'no', '0', 'null', 'none', ''])
