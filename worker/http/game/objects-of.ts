import { inTime } from '../../in-time.ts'
import type { Bindings } from '../bindings.ts'
import type { Objects } from './begin-again.ts'

/** How long one has to bring what it has, in milliseconds. */
const FLUSH_MS = 3_000

/** The deployment's own conversations. */
export function objectsOf({ CONVERSATIONS }: Pick<Bindings, 'CONVERSATIONS'>): Objects {
  const objectOf = (session: string) => CONVERSATIONS.get(CONVERSATIONS.idFromString(session))
  return {
    newSession: () => CONVERSATIONS.newUniqueId().toString(),
    copyUntil: (session, moment) => objectOf(session).copyUntil(moment),
    beginAs: (session, copy, opening) => objectOf(session).beginAs(copy, opening),
    flush: (session) => inTime(objectOf(session).flush(), FLUSH_MS, () => {}).catch(() => {}),
  }
}
