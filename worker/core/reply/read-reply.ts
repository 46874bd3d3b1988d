import { echoedFields, echoesInput } from './echoes-input.ts'
import type { Outside } from './outside.ts'
import type { Repair } from './read-fields.ts'
import { readReport } from './read-report.ts'
import type { ReadReport } from './read-report.ts'
import { EMPTY_REPORT } from './report.ts'
import type { ReplyEnd } from './splitter.ts'

/**
 * The report of a reply that has ended: read from its metadata, refused when it or a field it sets was copied from what
 * the actor was given, and without flags when it did not stand behind a separator.
 *
 * @param outside what the actor was given this turn and may have repeated.
 */
export function readReply(
  end: Pick<ReplyEnd, 'metadata' | 'isDivided'>,
  { repair, outside }: { repair: Repair; outside: Outside },
): ReadReport {
  if (end.metadata !== null && echoesInput(end.metadata, outside)) return refused(['echo'])
  const read = readReport(end.metadata, { repair, isDivided: end.isDivided })
  const echoed = echoedFields(read.report, outside)
  return echoed.length === 0 ? read : refused(echoed.map((key) => `echo:${key}`))
}

function refused(issues: readonly string[]): ReadReport {
  return { report: EMPTY_REPORT, quality: 'echoed', issues }
}
