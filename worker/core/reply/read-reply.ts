import { echoesInput } from './echoes-input.ts'
import type { Repair } from './read-fields.ts'
import { readReport } from './read-report.ts'
import type { ReadReport } from './read-report.ts'
import { EMPTY_REPORT } from './report.ts'
import type { ReplyEnd } from './splitter.ts'

/**
 * The report of a reply that has ended: read from its metadata, refused when it is an echo of an input, and without
 * flags when it did not stand behind a separator.
 *
 * @param inputs what the actor was given this turn that came from outside: the learner's message, the page, the history.
 */
export function readReply(
  end: Pick<ReplyEnd, 'metadata' | 'isDivided'>,
  { repair, inputs }: { repair: Repair; inputs: readonly string[] },
): ReadReport {
  if (end.metadata !== null && echoesInput(end.metadata, inputs)) {
    return { report: EMPTY_REPORT, quality: 'missing', issues: ['echo'] }
  }
  return readReport(end.metadata, { repair, isDivided: end.isDivided })
}
