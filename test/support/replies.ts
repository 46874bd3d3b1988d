import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import type { Report, ReportQuality } from '../../worker/core/reply/report.ts'
import { createReplySplitter } from '../../worker/core/reply/splitter.ts'
import type { ReplyEnd, ReplySplitterOptions } from '../../worker/core/reply/splitter.ts'

/**
 * A reply in chunks, and what must come of it. The fixture writes `$REPORT$` for `REPORT_TRUE` and `$FALSE$` for
 * `REPORT_FALSE`.
 */
export interface ReplyCase {
  /** The rule of docs/reference/reply.md that the case is about. */
  readonly rule: string
  readonly name: string
  readonly reply: string
  readonly speech: string
  /** The value of `node_satisfied` in the report that the walker gets. */
  readonly nodeSatisfied: boolean
  /** An issue that the reply splitter must report. The splitter may report further issues. */
  readonly issue?: string
  readonly options?: ReplySplitterOptions
}

/** A damaged report with the expected result. */
export interface ReportCase {
  readonly name: string
  readonly text: string
  readonly quality: ReportQuality
  readonly report: Partial<Report>
}

export const REPORT_TRUE =
  '{"emotional_state": "cooperative", "information_revealed": ["23.4 on medical prompts"], "internal_thought": "say {it} — \\"plainly\\"", "objective_complete": null, "is_conversation_complete": false, "hint_given": false, "agreement_signal": "neutral", "engagement_score": 1, "node_satisfied": true, "detour_detected": false}'
export const REPORT_FALSE =
  '{"emotional_state": "guarded", "engagement_score": 0, "node_satisfied": false, "hint_given": false}'

export const replyCases = fixture<ReplyCase>('replies.json').map((each) => ({
  ...each,
  reply: each.reply.replaceAll('$REPORT$', REPORT_TRUE).replaceAll('$FALSE$', REPORT_FALSE),
  options: { npcName: 'Maya Patel', ...each.options },
}))

export const reportCases = fixture<ReportCase>('reports.json')

/** Splits a reply in `chunks`, and returns what the splitter emitted for each chunk. */
export function split(
  chunks: readonly string[],
  options: ReplySplitterOptions = {},
): ReplyEnd & { fed: readonly string[] } {
  const splitter = createReplySplitter(options)
  const fed = chunks.map((chunk) => splitter.feed(chunk))
  return { fed, ...splitter.end() }
}

const DANGEROUS = [
  [
    '---END---',
    '---',
    '--',
    '-',
    '—',
    '–',
    'END',
    'end',
    '---EN',
    'D---',
    '-----END---',
    '---END:AB12---',
    '**',
    '`',
    '```',
    '```json',
  ],
  ['<think>', '</think>', '<thi', 'nk>', '</', '<', '<reasoning>', '</reasoning>'],
  ['{', '}', '{"', '": ', '"', "'", '“', '\\', ',', ':', '[', ']', ' = '],
  [
    '"node_satisfied": true',
    'node_',
    'satisfied',
    'node_satisfied:',
    '"hint_given"',
    'engagement_score',
    'true',
    'false',
    '"node_satisfied": false',
  ],
  [
    REPORT_TRUE,
    REPORT_FALSE,
    '{"node_satisfied": true, "hint_given": true}',
    '{"node_satisfied": false, "hint_given": false}',
  ],
  ['\n', '\r\n', '\n\n', ' ', '\t', '> ', '# ', '*', '*sighs*', 'Maya', 'Maya:', '**Maya:**', 'Patel'],
  ['Hello.', 'Look, ', '23', 'x', '😀', '\ud83d', '\ude00', '\u200b', '\u202e', '\ufeff', '\u{e0041}', '/*', '//'],
].flat()

/** Generates replies that are hard to divide into speech and report. */
export const hostileReply = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...DANGEROUS) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
    ),
    {
      maxLength: 30,
    },
  )
  .map((parts) => parts.join(''))

/** Generates pieces of `text`, cut at any of its UTF-16 code units. Pieces may be empty. */
export function chunkings(text: string): fc.Arbitrary<readonly string[]> {
  return fc.array(fc.nat({ max: text.length }), { maxLength: 12 }).map((cuts) => {
    const sorted = [0, ...cuts.toSorted((a, b) => a - b), text.length]
    return sorted.slice(1).map((to, at) => text.slice(sorted[at], to))
  })
}

function fixture<T>(name: string): readonly T[] {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')) as readonly T[]
}
