import type { BriefingScene, NodeBrief } from '../../core/briefing/briefing.ts'
import { onSubject, type Heading } from './detour.ts'
import { probes, proposes, type HeardMessage } from './hear.ts'
import { dismisses } from './dismiss.ts'
import { purposeOf, figuresUsed, type Judgement } from './judge.ts'
import { misreads, knownEntries } from './entries.ts'
import type { Synonyms } from '../../core/text/stems.ts'
import { ownLines } from './own-lines.ts'
import { nextFresh, type SpokenSoFar, type LineToSay } from './spoken.ts'

/**
 * Scores a message from -2 to 2. The score rewards reasoning, not politeness. 2: the learner registers the decisive
 * fact, uses two figures, or answers an objection with a reason and a figure. 1: they use a figure, ask a probing
 * question, draw a consequence, or answer an objection with a reason. -1: they wave a fact away. -2: they wave a fact
 * away and plan to go ahead, or insult the colleague. A message that the learner repeats scores 0, and so does a figure
 * with the wrong meaning. A plan that answers a fork's question scores 0 too, because the choice at a fork has a score
 * of its own.
 */
export function scoreEngagement(
  heard: HeardMessage,
  heading: Heading,
  judgement: Judgement,
  scene: BriefingScene,
  synonyms: Synonyms,
): number {
  if (heard.manner === 'insult') return -2
  if (heard.manner !== 'plain') return 0
  if (heading.to === 'small-talk' || isGrave(heard, scene.node) || isRepeated(scene)) return 0
  if (judgement.satisfied && purposeOf(scene) === 'challenge') return figuresUsed(heard.tokens, scene) > 0 ? 2 : 1
  if (dismisses(heard)) return goesAhead(heard) ? -2 : -1
  if (heading.to === 'elsewhere') return 0
  if (judgement.verdict === 'registered') return 2
  if (misreads(heard, knownEntries(scene.npc))) return 0
  const figures = figuresUsed(heard.tokens, scene)
  if (figures >= 2) return 2
  if (figures === 1) return 1
  if (heading.to === 'colleague') return 0
  const aboutIt = onSubject(heard, scene.npc, scene.scenario, synonyms) > 0
  const isPlan = proposes(heard) && told(scene) && scene.node.kind !== 'pivot'
  return aboutIt && (isProbing(heard) || isPlan) ? 1 : 0
}

function isRepeated({ history, learner }: BriefingScene): boolean {
  const bare = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  return history.some(({ who, text }) => who === 'learner' && bare(text) === bare(learner))
}

/** Returns true for a probing question with at least eight words. "What's going on?" is too short. */
function isProbing(heard: HeardMessage): boolean {
  return probes(heard) && heard.tokens.length >= 8
}

function told(scene: BriefingScene): boolean {
  return scene.history.some(({ who }) => who === 'npc')
}

function goesAhead(heard: HeardMessage): boolean {
  return /\b(?:ship|launch|sign|send|release|go ahead|go live)\b/.test(heard.plain)
}

/**
 * Returns true if the learner says that they are harassed or in danger, which is more important than the simulation.
 * Returns false in a context graph, whose author writes states for such messages. "What if a member is suicidal?" is
 * about another person.
 */
export function isGrave({ sentences }: HeardMessage, { state }: NodeBrief): boolean {
  if (state !== null) return false
  return sentences.some(
    ({ form, plain }) => form === 'statement' && !OF_OTHERS.test(plain) && SIGNS.some((sign) => sign.test(plain)),
  )
}

/**
 * Returns a colleague's reply to a grave message, which says that the learner's safety comes first. Returns null if the
 * colleague has said all such replies already.
 */
export function sayFirst(scene: BriefingScene, said: SpokenSoFar): LineToSay | null {
  return nextFresh(ownLines(scene).comesFirst, said)
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
