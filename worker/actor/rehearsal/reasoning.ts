import type { Scene } from '../../core/briefing/briefing.ts'
import type { Heading } from './detour.ts'
import { onSubject } from './detour.ts'
import type { HeardMessage } from './hear.ts'
import type { Synonyms } from '../../core/text/stems.ts'
import type { Token } from '../../core/text/words.ts'
import { readWords, sameFigure } from '../../core/text/words.ts'

/**
 * Whether an answer to an objection has a reason in it: a statement that joins one thing to another ("because", "so
 * that", "unless"), or that puts a figure heard here to use. Whether the reason is a good one is beyond an actor that
 * knows words.
 */
export function givesReason(heard: HeardMessage, heading: Heading, scene: Scene, synonyms: Synonyms): boolean {
  if (heading.to !== 'own' && heading.to !== 'colleague') return false
  const stated = heard.sentences.filter(({ form }) => form === 'statement' || form === 'echo')
  const joins = stated.some(({ plain }) => JOINS.test(plain))
  const uses = stated.some(({ tokens }) => tokens.length >= 5 && figuresUsed(tokens, scene) > 0)
  return (joins && isAboutIt(heard, scene, synonyms)) || uses
}

/** How many figures told in this conversation these words put to use. */
export function figuresUsed(tokens: readonly Token[], scene: Scene): number {
  const known = toldLines(scene)
    .flatMap(readWords)
    .flatMap(({ figure }) => figure ?? [])
  const used = tokens.flatMap(({ figure }) => (figure && figure.value !== 1 ? [figure] : []))
  return new Set(used.filter((one) => known.some((other) => sameFigure(one, other))).map(({ value }) => value)).size
}

/** Lines of this colleague that the learner has heard. */
export function toldLines({ history }: Scene): readonly string[] {
  return history.flatMap(({ who, text }) => (who === 'npc' ? [text] : []))
}

/** About the matter, or about what was said last. */
function isAboutIt(heard: HeardMessage, { npc, scenario }: Scene, synonyms: Synonyms): boolean {
  return onSubject(heard, npc, scenario, synonyms) > 0 || /\b(?:it|that|this|these|those|they|them)\b/.test(heard.plain)
}

/** A connective, and at least three words of what it joins. */
const JOINS = new RegExp(
  String.raw`(?:\b(?:because|otherwise|therefore|hence|unless|given (?:that|how)|so that|as long as|even if|even though|although|whereas|while|due to|instead of|rather than|depends on|since (?:the|it|we|they|you|that|there|nobody|no|all|most|each|every|if|what)|which (?:means|makes|is why|leaves|would)|that is why|the reason|(?:it|that|this|these|those|they) (?:only |just )?(?:means?|proves?|shows?|implies|follows?|leaves?|hides?)|if)\b|, (?:so|but)\b)(?:\W+[\w.%']+){3}`,
)
