import { sign, type Signing, verify } from './credential.ts'
import type { Learner } from './learner.ts'

/** How the chain writes the id of a run. */
export const RUN_ID = /^ctx_[\w-]{1,64}$/

/** A run as its key names it: nothing has to be looked up to know whose it is. */
export interface RunHeld {
  readonly id: string
  readonly scenario: string
  readonly learner: Learner
  /** When its key ends, in seconds since 1970. */
  readonly until: number
}

/** The key of a run, which is kept by its client and brought to begin the next conversation in it ([run-3]). */
export function issueRunKey(signing: Signing, { id, scenario, learner, until }: RunHeld, now: number): Promise<string> {
  const claims = { scn: scenario, lrn: learner.id, knd: learner.kind }
  return sign(signing, 'run', { session: id, claims, now, until })
}

/** The run that a key is for; null when it is not to be believed, for whatever reason. Never throws. */
export async function readRunKey(signing: Signing, text: string, now: number): Promise<RunHeld | null> {
  const key = await verify(signing, 'run', { text, session: null, now })
  if (key === null || !RUN_ID.test(key.session)) return null
  return { id: key.session, scenario: key.scn, learner: { kind: key.knd, id: key.lrn }, until: key.exp }
}
