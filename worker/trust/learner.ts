import { hmacHex } from './hmac.ts'

/**
 * The learner of a conversation. A verified learner has the same id in all conversations, which does not tell who they are.
 * An anonymous learner has a new id each time. The two cannot collide: one is 64 hexadecimal digits, the other a UUID.
 */
export interface Learner {
  readonly kind: 'verified' | 'anonymous'
  readonly id: string
}

/** The learner whom the host's server calls `user` ([trust-14]). `secret` names learners and is never rotated. */
export async function verifiedLearner(secret: string, deployment: string, user: string): Promise<Learner> {
  return { kind: 'verified', id: await hmacHex(secret, JSON.stringify(['learner', deployment, user])) }
}

export function anonymousLearner(): Learner {
  return { kind: 'anonymous', id: crypto.randomUUID() }
}

/**
 * A host's name for a learner, in up to 200 characters. It has no blanks at its ends and is not `.` or `..`, because the API
 * uses it in addresses: a learner without an address could be neither exported nor erased ([person-1]).
 */
export const USER_NAME = /^(?!\s|\.{1,2}$)[\s\S]*\S$/
