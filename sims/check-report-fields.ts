import { holdsReportsUp } from '../worker/core/reply/echoes-input.ts'
import type { Problem } from './problem.ts'
import { textsUnder } from './spoken-texts.ts'

/**
 * A text that names a field of the actor's report, as `node_satisfied`. A report whose field stands in what the actor was
 * given counts as copied ([reply-27] of `docs/reference/reply.md`), so nothing would ever be satisfied: the conversation stalls, with a
 * model, whatever the learner says. Takes data of any shape.
 */
export function checkReportFields(raw: unknown): readonly Problem[] {
  return textsUnder(raw).flatMap(({ path, text }) =>
    mayName(text) && holdsReportsUp(text)
      ? [{ path, message: 'names a field of the report, and so no report would count while this is told' }]
      : [],
  )
}

/** Reading a text in all its disguises is dear; an author disguises nothing, and every field has one of these words in it. */
function mayName(text: string): boolean {
  return /satisf|detour|hint|complet|engagement|revealed/i.test(text)
}
