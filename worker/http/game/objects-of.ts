import type { Bindings } from '../bindings.ts'
import type { Objects } from './begin-again.ts'

/** The deployment's own conversations. */
export function objectsOf({ CONVERSATIONS }: Pick<Bindings, 'CONVERSATIONS'>): Objects {
  const objectOf = (session: string) => CONVERSATIONS.get(CONVERSATIONS.idFromString(session))
  return {
    newSession: () => CONVERSATIONS.newUniqueId().toString(),
    copyUntil: (session, moment) => objectOf(session).copyUntil(moment),
    beginAs: (session, copy, opening) => objectOf(session).beginAs(copy, opening),
    flush: (session) => objectOf(session).flush(),
  }
}
