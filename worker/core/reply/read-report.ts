import { coerceScore, coerceText, coerceTexts, readFlag } from './coerce-field.ts'
import { findReport } from './find-report.ts'
import type { FoundReport } from './find-report.ts'
import { isReportKey, REPORT_KEYS } from './known-keys.ts'
import type { ReportKey } from './known-keys.ts'
import { EMPTY_REPORT } from './report.ts'
import type { Report, ReportQuality } from './report.ts'
import { readFields } from './read-fields.ts'
import type { Repair } from './read-fields.ts'
import { readQuoted } from './report-pairs.ts'

const MAX_TEXT = 65_536

export interface ReadReport {
  readonly report: Report
  readonly quality: ReportQuality
  /** What had to be done, as `kind` or `kind:field`. Holds no text of the model or the learner. */
  readonly issues: readonly string[]
}

/**
 * Reads a report (S3-41) as far as it can be read, and no further: never throws, and no damage, truncation, wrapping,
 * repair or second mention of a field makes a flag true. A flag is true only where the object is whole and every mention
 * of the flag at its top level is a true token, to the letter, in the text the model gave.
 *
 * @param options.repair makes JSON of something close to it; whatever it throws or returns is survived.
 * @param options.isDivided whether the text stood behind a separator. One that did not sets no flag.
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

/** Every value the model gave each field, as written. */
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
    if (!fields.has(key) && written[key].length === 0) issues.add(`absent:${key}`)
    if (written[key].length > 1) issues.add(`repeated:${key}`)
    if (isContradicted(written[key])) issues.add(`contradicted:${key}`)
  }
  return {
    emotional_state: text('emotional_state', 64),
    information_revealed: texts('information_revealed', 300),
    internal_thought: text('internal_thought', 1000),
    objective_complete: objective(),
    is_conversation_complete: flag('is_conversation_complete'),
    hint_given: flag('hint_given'),
    agreement_signal: text('agreement_signal', 64) || EMPTY_REPORT.agreement_signal,
    engagement_score: score(),
    node_satisfied: flag('node_satisfied'),
    detour_detected: flag('detour_detected'),
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

  /** A flag that may be set: what was parsed is not asked, only what was written. */
  function flag(key: ReportKey): boolean {
    const said = written[key].map(readFlag)
    if (said.some((each) => each === null)) issues.add(`unreadable:${key}`)
    else if (written[key].some((raw) => raw !== 'true' && raw !== 'false')) issues.add(`coerced:${key}`)
    return mayFlag && said.length > 0 && said.every((each) => each === true)
  }

  /** A completed objective is as good as a flag. */
  function objective(): string | null {
    const said = new Set(written.objective_complete.map(readObjective))
    if (said.has(undefined)) issues.add('unreadable:objective_complete')
    const [id = null] = said
    if (id === null && written.objective_complete.some((raw) => raw !== 'null'))
      issues.add('coerced:objective_complete')
    return mayFlag && said.size === 1 ? id : null
  }

  function settled<T>(key: ReportKey, value: T | null): T | null {
    const given = fields.get(key)
    if (value === null && given !== undefined) issues.add(`unreadable:${key}`)
    else if (value !== null && JSON.stringify(value) !== JSON.stringify(given)) issues.add(`coerced:${key}`)
    return value
  }
}

/** An objective's id as written, null where none is meant, undefined for what is neither. */
function readObjective(raw: string): string | null | undefined {
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
