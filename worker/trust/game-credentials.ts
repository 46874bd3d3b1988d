import { sign, type Signing, verify, secondsOf } from './credential.ts'
import type { Learner } from './learner.ts'
import { cap } from '../core/reply/characters.ts'
import type { ResultView } from '../wire/run.ts'

/** How the chain writes the id of a run. */
const RUN_ID = /^ctx_[\w-]{1,64}$/

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

/** The run that a key is for; null when the key is not valid, for any reason. Never throws. */
export async function readRunKey(signing: Signing, text: string, now: number): Promise<RunHeld | null> {
  const key = await verify(signing, 'run', { text, session: null, now })
  if (key === null || !RUN_ID.test(key.session)) return null
  return { id: key.session, scenario: key.scn, learner: { kind: key.knd, id: key.lrn }, until: key.exp }
}

/** The last second of the year 9999, in seconds since 1970: a result ends only when the key that signed it is removed. */
const NEVER = 253_402_300_799

/** The characters of a title, so that the whole of it fits into a link. */
const LONGEST_TITLE = 160

/** Signs a run's result, for anyone the learner shows it to ([debrief-17]). It opens nothing. */
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

/** Reads a signed result. Null unless this deployment signed it with a key it still has. Never throws. */
export async function readResult(signing: Signing, text: string, now: number): Promise<ResultView | null> {
  const read = await verify(signing, 'result', { text, session: null, now })
  return read !== null && RUN_ID.test(read.session) ? { run: read.session, ...read.res } : null
}

/** How the chain writes the id of a class. */
const CLASS_ID = /^cls_[\w-]{1,64}$/

/** How long a teacher's link lasts: longer than any school year. */
const CLASS_SECONDS = 400 * 86_400

/** A class as its key names it. */
export interface ClassHeld {
  readonly id: string
  readonly scenario: string
}

/**
 * The key of a class, which is its teacher's secret ([class-3]).
 *
 * @param now milliseconds since 1970
 */
export function issueClassKey(signing: Signing, { id, scenario }: ClassHeld, now: number): Promise<string> {
  return sign(signing, 'class', { session: id, claims: { scn: scenario }, now, until: secondsOf(now) + CLASS_SECONDS })
}

/** The class that a key is for; null when the key is not valid, for any reason. Never throws. */
export async function readClassKey(signing: Signing, text: string, now: number): Promise<ClassHeld | null> {
  const key = await verify(signing, 'class', { text, session: null, now })
  return key !== null && CLASS_ID.test(key.session) ? { id: key.session, scenario: key.scn } : null
}
