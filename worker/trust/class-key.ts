import { secondsOf, sign, type Signing, verify } from './credential.ts'

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

/** The class that a key is for; null when it is not to be believed, for whatever reason. Never throws. */
export async function readClassKey(signing: Signing, text: string, now: number): Promise<ClassHeld | null> {
  const key = await verify(signing, 'class', { text, session: null, now })
  return key !== null && CLASS_ID.test(key.session) ? { id: key.session, scenario: key.scn } : null
}
