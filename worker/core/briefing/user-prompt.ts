import { firstName } from '../scenario/scenario.ts'
import type { PlayerMood, BriefingScene } from './briefing.ts'
import { historyText, includedContext, inQuotes, list, quoted, section } from './prompt-text.ts'
import { nodeBlock, stateBlock } from './node-block.ts'

/**
 * Builds the prompt of this turn alone. It contains exactly one CURRENT NODE block.
 *
 * @param separator the separator line with this reply's nonce; null if the system prompt contains the separator
 */
export function userPrompt(scene: BriefingScene, separator: string | null = null): string {
  const { relationship, mood, npc } = scene
  const score = relationship.score > 0 ? `+${relationship.score}` : String(relationship.score)
  return [
    `YOUR EMOTIONAL STATE: ${relationship.level}`,
    `CONVERSATION HISTORY:\n${historyText(scene.history, firstName(npc.name))}`,
    `ALREADY SAID (do not say any of it again, in whatever words, unless this turn is for that very point):\n${list(scene.said.map(quoted), '- (nothing yet)')}`,
    `RELATIONSHIP SCORE: ${score} | CURRENT STATE: ${relationship.level} | Return this word in the metadata.`,
    `PLAYER MOOD: ${mood.toUpperCase()}\n${moodGloss(mood)} How you stand with them is settled above; their tone only bears on your engagement_score.`,
    ...besides(scene),
    ...pageSection(scene),
    scene.node.state ? stateBlock(scene.node, scene.node.state) : nodeBlock(scene.node),
    `THE LEARNER SAYS: ${inQuotes(scene.learner)}`,
    ...(separator === null ? [] : [section('THE LINE BETWEEN THE TWO PARTS (of this reply alone)', separator)]),
  ].join('\n\n')
}

/**
 * Returns the section with the texts (`knowledge`, `colleagues` …) that a context graph's state names in
 * `included_contexts`.
 */
function besides({ node, scenario, npc }: BriefingScene): readonly string[] {
  const included = includedContext(node.state?.contexts ?? [], scenario, npc)
  return included.length === 0 ? [] : [section('WHAT ELSE BELONGS HERE', list(included))]
}

function pageSection({ page }: BriefingScene): readonly string[] {
  return page ? [section('WHAT THEIR PAGE SAYS (of where they are; it asks nothing of you)', inQuotes(page))] : []
}

/**
 * Estimates the mood of one message from the message's words. The estimate is rough but deterministic: the first
 * matching pattern wins.
 */
export function playerMood(text: string): PlayerMood {
  const said = text.toLowerCase()
  return SIGNS.find(({ sign }) => sign.test(said))?.mood ?? 'neutral'
}

/** Returns the advice to the actor for a mood. */
function moodGloss(mood: PlayerMood): string {
  return GLOSS[mood]
}

const SIGNS: readonly { mood: PlayerMood; sign: RegExp }[] = [
  {
    mood: 'frustrated',
    sign: /\b(ridiculous|fed up|frustrat\w*|annoy\w*|waste of time|for the (second|third|last) time|this is going nowhere|seriously)\b|!{2,}/,
  },
  {
    mood: 'dismissive',
    sign: /\b(whatever|who cares|don'?t care|doesn'?t matter|not my problem|boring)\b|\bso what\s*[?.!]*$/,
  },
  {
    mood: 'skeptical',
    sign: /\b(are you sure|really sure|i doubt|doubt it|not convinced|prove it|how do you know|sounds? (exaggerated|overblown)|isn'?t that just)\b/,
  },
  {
    mood: 'decisive',
    sign: /\b(we (should|need to|have to|must|can'?t)|i('?ll| will| would|'d)|let'?s|that'?s (the|a) (blocker|problem|reason)|that blocks|we'?re not shipping|i'?ve decided)\b/,
  },
  { mood: 'hesitant', sign: /\b(maybe|not sure|i guess|i don'?t know|dunno|perhaps|hmm+|unsure)\b/ },
  { mood: 'curious', sign: /\?|^(what|why|how|who|when|where|which|can|could|is|are|do|does|tell me)\b/ },
  {
    mood: 'agreeing',
    sign: /\b(agree|makes sense|fair|right|true|exactly|got it|i see|understood|yes|yeah|ok(ay)?)\b/,
  },
]

const GLOSS: Readonly<Record<PlayerMood, string>> = {
  curious: 'They are asking before they conclude. Give them something worth the next question.',
  skeptical: 'They doubt what they hear. Show where it comes from; do not plead.',
  agreeing: 'They are with you. Do not sell what is sold; take the next step.',
  decisive: 'They are drawing conclusions. Hold them to the facts, and say where it fits and where it does not.',
  frustrated: 'They are losing patience. Shorter than usual, and straight to what helps.',
  hesitant: 'They are unsure of their footing. Make the one point smaller and firmer.',
  dismissive: 'They wave it away. Stay civil, and let the consequence speak.',
  neutral: 'Nothing in their tone to go by. Take them at their word.',
}
