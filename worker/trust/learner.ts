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
