import { hmacHex } from './hmac.ts'

/**
 * The learner of a conversation. A verified learner, whose identity a host has proved, has the same id in all
 * conversations: 64 hexadecimal digits that do not reveal who the learner is. An anonymous learner's id is a random
 * UUID.
 */
export interface Learner {
  readonly kind: 'verified' | 'anonymous'
  readonly id: string
}

/**
 * Returns the learner whom the host's server calls `user` ([trust-14]). The learner's id is computed with `secret`, so
 * the deployment's `secret` must never change.
 */
export async function verifiedLearner(secret: string, deployment: string, user: string): Promise<Learner> {
  return { kind: 'verified', id: await hmacHex(secret, JSON.stringify(['learner', deployment, user])) }
}

export function anonymousLearner(): Learner {
  return { kind: 'anonymous', id: crypto.randomUUID() }
}

/**
 * Matches a host's name for a learner: without blanks at its ends, and not `.` or `..`. Otherwise the name could not be
 * part of a URL, and the API could neither export nor erase the learner's data ([person-1]).
 */
export const USER_NAME = /^(?!\s|\.{1,2}$)[\s\S]*\S$/
