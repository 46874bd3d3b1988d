import { hmacHex } from './hmac.ts'

/**
 * The learner of a conversation. A verified learner has the same id in all conversations, which does not tell who they
 * are. An anonymous learner has a random id, which is not used again. The two cannot collide: one is 64 hexadecimal
 * digits, the other a UUID.
 */
export interface Learner {
  readonly kind: 'verified' | 'anonymous'
  readonly id: string
}

/**
 * Returns the learner whom the host's server calls `user` ([trust-14]). `secret` makes the ids and is never rotated.
 */
export async function verifiedLearner(secret: string, deployment: string, user: string): Promise<Learner> {
  return { kind: 'verified', id: await hmacHex(secret, JSON.stringify(['learner', deployment, user])) }
}

export function anonymousLearner(): Learner {
  return { kind: 'anonymous', id: crypto.randomUUID() }
}

/**
 * Matches a host's name for a learner, of up to 200 characters. It has no blanks at its ends and is not `.` or `..`,
 * because the API uses it in URLs: a learner without a URL could be neither exported nor erased ([person-1]).
 */
export const USER_NAME = /^(?!\s|\.{1,2}$)[\s\S]*\S$/
