import { cap } from '../core/reply/characters.ts'
import type { ResultView } from '../wire/run.ts'
import { sign, type Signing, verify } from './credential.ts'
import { RUN_ID } from './run-key.ts'

/** It never ends: the last second of the year 9999, in seconds since 1970. What ends it is that its key is taken away. */
const NEVER = 253_402_300_799

/** The characters of a title, so that the whole of it fits into a link. */
const LONGEST_TITLE = 160

/** Signs how a run went, for whoever is shown it ([debrief-17]). It opens nothing. */
export function issueResult(signing: Signing, { run, ...result }: ResultView, now: number): Promise<string> {
  const claims = {
    res: {
      ...result,
      title: cap(result.title, LONGEST_TITLE),
      optionTitle: cap(result.optionTitle, LONGEST_TITLE),
      class: result.class === null ? null : cap(result.class, LONGEST_TITLE),
    },
  }
  return sign(signing, 'result', { session: run, claims, now, until: NEVER })
}

/** What a result says; null when this deployment has not signed it with a key that it still has. Never throws. */
export async function readResult(signing: Signing, text: string, now: number): Promise<ResultView | null> {
  const read = await verify(signing, 'result', { text, session: null, now })
  return read !== null && RUN_ID.test(read.session) ? { run: read.session, ...read.res } : null
}
