import type { NodeBrief } from '../../core/briefing/briefing.ts'
import type { HeardMessage } from './hear.ts'
import type { SpokenSoFar, LineToSay } from './spoken.ts'
import { nextFresh } from './spoken.ts'

/**
 * Whether a message says of its writer that they are harassed or in danger, which comes before any simulation. Not in a
 * context graph, whose author has states of their own for it. "What if a member is suicidal?" is about somebody else.
 */
export function isGrave({ sentences }: HeardMessage, { state }: NodeBrief): boolean {
  if (state !== null) return false
  return sentences.some(
    ({ form, plain }) => form === 'statement' && !OF_OTHERS.test(plain) && SIGNS.some((sign) => sign.test(plain)),
  )
}

/** What anybody says to it: that it comes first, and who can act on it. */
export function sayFirst(said: SpokenSoFar): LineToSay | null {
  return nextFresh(COMES_FIRST, said)
}

const OF_OTHERS = /\b(?:if|when|someone|somebody|members?|patients?|users?|asks?|asked|types?|writes?)\b/

const SIGNS: readonly RegExp[] = [
  /\b(?:kill|hurt|harm|cut)(?:ing|ting)? myself\b|\bend my life\b|\bi (?:am|feel) suicidal\b/,
  /\bi (?:just |only |really )?(?:want|would like) to die\b|\bi do not (?:really )?want to (?:live|be alive)\b/,
  /\bi (?:have|get|had|got|am having) (?:a )?panic attacks?\b/,
  /\bi (?:am|was|have been|get|got|feel) (?:\w+ly )?(?:being |getting )?(?:sexually )?(?:harassed|bullied|groped|assaulted|stalked)\b(?! into)/,
  /\b(?:harass|bull[yi]|grop|assault|stalk)(?:e?s|ed|ing)? me\b(?! into)|\btouch(?:es|ing) me\b/,
  /\bi (?:do not feel |am not |feel un)safe (?:here|at work|around|with (?:him|her|them))\b/,
]

const COMES_FIRST: readonly string[] = [
  "Stop, that comes before any of this. Go to somebody outside this team who can act on it today, and if it can't wait, ring the emergency number. I'll come with you if you like.",
  "I believe you, and the rest can wait. Who could you ring right now? I'll stay here while you do.",
  "It still comes first. You don't have to sort it out with me, but please don't carry it home alone.",
]
