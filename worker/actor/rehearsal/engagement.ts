import type { Scene } from '../../core/briefing/briefing.ts'
import type { Heading } from './detour.ts'
import { onSubject } from './detour.ts'
import type { HeardMessage } from './hear.ts'
import { dismisses } from './dismiss.ts'
import { isGrave } from './distress.ts'
import { probes, proposes } from './hear.ts'
import type { Judgement } from './judge.ts'
import { misreads } from './misread.ts'
import { purposeOf } from './node-purpose.ts'
import { figuresUsed } from './reasoning.ts'
import { searchEntries } from './retrieve.ts'
import type { Synonyms } from '../../core/text/stems.ts'

/**
 * How much a message added, -2 to 2. Reasoning counts, politeness does not: the fact registered is 2, so are
 * two figures held against each other; one figure used, a probing question or a consequence drawn is 1; a fact waved
 * away is -1, or -2 with a plan to go ahead; an insult is -2. What was written before counts once, a figure given the
 * wrong meaning not at all, and the answer to a fork is worth what its card is worth. An objection answered with a
 * reason is a consequence drawn, though it contradicts.
 */
export function scoreEngagement(
  heard: HeardMessage,
  heading: Heading,
  judgement: Judgement,
  scene: Scene,
  synonyms: Synonyms,
): number {
  if (heard.manner === 'insult') return -2
  if (heard.manner !== 'plain') return 0
  if (heading.to === 'small-talk' || isGrave(heard, scene.node) || isRepeated(scene)) return 0
  if (judgement.satisfied && purposeOf(scene) === 'challenge') return figuresUsed(heard.tokens, scene) > 0 ? 2 : 1
  if (dismisses(heard)) return goesAhead(heard) ? -2 : -1
  if (heading.to === 'elsewhere') return 0
  if (judgement.verdict === 'registered') return 2
  if (misreads(heard, searchEntries(scene.npc, synonyms))) return 0
  const figures = figuresUsed(heard.tokens, scene)
  if (figures >= 2) return 2
  if (figures === 1) return 1
  if (heading.to === 'colleague') return 0
  const aboutIt = onSubject(heard, scene.npc, scene.scenario, synonyms) > 0
  const isPlan = proposes(heard) && told(scene) && scene.node.kind !== 'pivot'
  return aboutIt && (isProbing(heard) || isPlan) ? 1 : 0
}

/** Word for word what they wrote before: once was enough. */
function isRepeated({ history, learner }: Scene): boolean {
  const bare = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  return history.some(({ who, text }) => who === 'learner' && bare(text) === bare(learner))
}

/** A question with some substance to it, not "what's going on?". */
function isProbing(heard: HeardMessage): boolean {
  return probes(heard) && heard.tokens.length >= 8
}

function told(scene: Scene): boolean {
  return scene.history.some(({ who }) => who === 'npc')
}

function goesAhead(heard: HeardMessage): boolean {
  return /\b(?:ship|launch|sign|send|release|go ahead|go live)\b/.test(heard.plain)
}
