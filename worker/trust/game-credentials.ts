import { sign, type Signing, verify, secondsOf } from './credential.ts'
import type { Learner } from './learner.ts'
import { cap } from '../core/reply/characters.ts'
import type { ResultView } from '../wire/run.ts'

/** The form of a run's id in the chain. */
const RUN_ID = /^ctx_[\w-]{1,64}$/

/** A run as its key describes it. The key contains the run's learner, so that the server need not read the database. */
export interface RunHeld {
  readonly id: string
  readonly scenario: string
  /** The scenario's version with which the run began; undefined in a key that names none. */
  readonly version?: number | undefined
  readonly learner: Learner
  /** When the key expires, in seconds since 1970. */
  readonly until: number
}

/** Issues the key of a run, which the client stores and sends with each request about the run ([run-3]). */
export function issueRunKey(
  signing: Signing,
  { id, scenario, version, learner, until }: RunHeld,
  now: number,
): Promise<string> {
  const claims = { scn: scenario, ver: version, lrn: learner.id, knd: learner.kind }
  return sign(signing, 'run', { session: id, claims, now, until })
}

/** Returns the run that a key is for; null if the key is invalid for any reason. Never throws. */
export async function readRunKey(signing: Signing, text: string, now: number): Promise<RunHeld | null> {
  const key = await verify(signing, 'run', { text, session: null, now })
  if (key === null || !RUN_ID.test(key.session)) return null
  return {
    id: key.session,
    scenario: key.scn,
    version: key.ver,
    learner: { kind: key.knd, id: key.lrn },
    until: key.exp,
  }
}

/** The last second of the year 9999, in seconds since 1970, because results do not expire. */
const NEVER = 253_402_300_799

/** The most characters of a title in a result. A result must fit into a link. */
const LONGEST_TITLE = 160

/** Signs a run's result, so that anyone to whom the learner shows it can check it ([debrief-17]). */
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

/**
 * Returns the content of a signed result; null unless this deployment signed it with a key that it still has. Never
 * throws.
 */
export async function readResult(signing: Signing, text: string, now: number): Promise<ResultView | null> {
  const read = await verify(signing, 'result', { text, session: null, now })
  return read !== null && RUN_ID.test(read.session) ? { run: read.session, ...read.res } : null
}

/** The form of a class's id in the chain. */
const CLASS_ID = /^cls_[\w-]{1,64}$/

/** How long a teacher's link is valid, in seconds: longer than any school year. */
const CLASS_SECONDS = 400 * 86_400

/** A class as the class's key describes it. */
export interface ClassHeld {
  readonly id: string
  readonly scenario: string
}

/**
 * Issues the key of a class, which is its teacher's secret ([class-3]).
 *
 * @param now milliseconds since 1970
 */
export function issueClassKey(signing: Signing, { id, scenario }: ClassHeld, now: number): Promise<string> {
  return sign(signing, 'class', { session: id, claims: { scn: scenario }, now, until: secondsOf(now) + CLASS_SECONDS })
}

/** Returns the class that a key is for; null if the key is invalid for any reason. Never throws. */
export async function readClassKey(signing: Signing, text: string, now: number): Promise<ClassHeld | null> {
  const key = await verify(signing, 'class', { text, session: null, now })
  return key !== null && CLASS_ID.test(key.session) ? { id: key.session, scenario: key.scn } : null
}
