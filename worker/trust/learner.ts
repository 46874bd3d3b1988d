import { hmacHex } from './hmac.ts'

/**
 * The learner of a conversation. A verified learner has the same id in all conversations; the id does not reveal who
 * the learner is. An anonymous learner has a random id. Ids of both kinds cannot collide, because a verified learner's
 * id is 64 hexadecimal digits, and an anonymous learner's id is a UUID.
 */
export interface Learner {
  readonly kind: 'verified' | 'anonymous'
  readonly id: string
}

/**
 * Returns the learner whom the host's server calls `user` ([trust-14]). `secret` is the key of the hash that makes the
 * ids, and must never change.
 */
export async function verifiedLearner(secret: string, deployment: string, user: string): Promise<Learner> {
  return { kind: 'verified', id: await hmacHex(secret, JSON.stringify(['learner', deployment, user])) }
}

export function anonymousLearner(): Learner {
  return { kind: 'anonymous', id: crypto.randomUUID() }
}

/**
 * Matches a host's name for a learner. The name has no blanks at its ends and is not `.` or `..`, because the API uses
 * the name in URLs. A learner whose name does not fit into a URL could be neither exported nor erased ([person-1]). The
 * schemas that use this pattern also limit the name to 200 characters.
 */
export const USER_NAME = /^(?!\s|\.{1,2}$)[\s\S]*\S$/
