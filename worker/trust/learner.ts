import { hmacHex } from './hmac.ts'

/**
 * Who a conversation is with, as far as anybody knows. A verified learner has one id in all of them, which tells nobody
 * who it is; an anonymous one has another in each. The two are never alike: one is 64 hexadecimal digits, the other a
 * UUID.
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
 * How a host may call a learner, in up to 200 characters: as the API's addresses can say it, where a dot or two of them mean
 * another address, and where nobody can see a blank at either end. Who could not be said there could be neither exported
 * nor erased ([person-1]).
 */
export const USER_NAME = /^(?!\s|\.{1,2}$)[\s\S]*\S$/
