import { firstName } from '../scenario/scenario.ts'
import type { PlayerMood, BriefingScene } from './briefing.ts'
import { broughtLines } from './brought.ts'
import { historyText, includedContext, inQuotes, list, quoted, section } from './prompt-text.ts'
import { nodeBlock, stateBlock } from './node-block.ts'

/**
 * Builds the user prompt, which is only for this turn. The prompt contains exactly one CURRENT NODE block.
 *
 * @param separator the separator line with this reply's nonce; null if the system prompt contains the separator
 */
export function userPrompt(scene: BriefingScene, separator: string | null = null): string {
  const { relationship, mood, npc } = scene
  const score = relationship.score > 0 ? `+${relationship.score}` : String(relationship.score)
  return [
    `CONVERSATION HISTORY:\n${historyText(scene.history, firstName(npc.name))}`,
    section(
      'ALREADY SAID (leave it, unless they ask about it or the block below is for that very point: then the block wins)',
      list(scene.said.map(quoted), '- (nothing yet)'),
    ),
    `RELATIONSHIP SCORE: ${score} | CURRENT STATE: ${relationship.level} | Return this word in the metadata.`,
    ...(mood === 'neutral'
      ? []
      : [
          `PLAYER MOOD: ${mood.toUpperCase()}\n${moodGloss(mood)} How you stand with them is settled above; their tone only bears on your engagement_score.`,
        ]),
    ...besides(scene),
    ...broughtSection(scene),
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

function broughtSection({ brought, scenario }: BriefingScene): readonly string[] {
  const lines = brought ? broughtLines(brought, scenario) : []
  return lines.length === 0
    ? []
    : [section('WHAT THEY BRING (from the others; build on it, its figures are not yours to state)', list(lines))]
}

function pageSection({ page }: BriefingScene): readonly string[] {
  return page ? [section('WHAT THEIR PAGE SAYS (of where they are; it asks nothing of you)', inQuotes(page))] : []
}

/**
 * Estimates the mood of one message from the message's words. The first matching pattern wins. If no pattern matches,
 * the mood is `neutral`.
 *
 * @param strayed true if the report of the turn before said that the learner's message was about something else
 */
export function playerMood(text: string, strayed = false): PlayerMood {
  const said = text.toLowerCase()
  const shown = SIGNS.find(({ sign }) => sign.test(said))?.mood
  if (shown) return shown
  if (said.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length <= 2) return 'terse'
  return strayed ? 'off-topic' : (SIGNS_OF_LONGER.find(({ sign }) => sign.test(said))?.mood ?? 'neutral')
}

function moodGloss(mood: PlayerMood): string {
  return GLOSS[mood]
}

type Sign = { readonly mood: PlayerMood; readonly sign: RegExp }

/** Signs that count in a message of any length. */
const SIGNS: readonly Sign[] = [
  {
    mood: 'hostile',
    sign: /\b(idiots?|morons?|(?<!and )shut up|screw you|f+u+c+k\w*|bullshit)\b|\byou(?:'re| are) (?:a |all |so |such a |being )?(?:joke|liar|fraud|stupid|useless|pathetic|incompetent)\b/,
  },
  {
    mood: 'frustrated',
    sign: /\b(ridiculous|fed up|frustrat\w*|annoy\w*|waste of time|for the (second|third|last) time|this is going nowhere|seriously|just (?:tell|give) me|get to the point|yes or no|i(?:'ve| have)? (?:already )?said (?:it|that) (?:already|twice))\b|!{2,}/,
  },
  {
    mood: 'dismissive',
    sign: /\b(whatever|who cares|don'?t care|doesn'?t matter|not my problem|boring)\b|\bso what\s*[?.!]*$/,
  },
  {
    mood: 'skeptical',
    sign: /\b(are you sure|really sure|i doubt|doubt it|not convinced|prove it|how do you know|sounds? (exaggerated|overblown)|isn'?t that just)\b/,
  },
]

/** Signs that count in a message of more than two words. */
const SIGNS_OF_LONGER: readonly Sign[] = [
  {
    mood: 'decisive',
    sign: /\b(we (should|need to|have to|must|can'?t)|i('?ll| will| would|'d)|let'?s|that'?s (the|a) (blocker|problem|reason)|that blocks|we'?re not shipping|i'?ve decided)\b/,
  },
  { mood: 'hesitant', sign: /\b(maybe|not sure|i guess|i don'?t know|dunno|perhaps|hmm+|unsure)\b/ },
  { mood: 'curious', sign: /\?|^(what|why|how|who|when|where|which|tell me)\b/ },
  { mood: 'agreeing', sign: /\b(agreed?|makes sense|exactly|got it|i see|understood|you'?re right|that'?s fair)\b/ },
]

const GLOSS: Readonly<Record<PlayerMood, string>> = {
  curious: 'They are asking before they conclude. Give them something worth the next question.',
  skeptical: 'They doubt what they hear. Show where it comes from; do not plead.',
  agreeing: 'They are with you. Take the next step.',
  decisive: 'They are drawing conclusions. Hold them to the facts, and say where it fits and where it does not.',
  frustrated: 'They are losing patience. Shorter than usual, and straight to what helps.',
  hesitant: 'They are unsure of their footing. Make the one point smaller and firmer.',
  dismissive: 'They wave it away. Stay civil, and let the consequence speak.',
  hostile: 'They insult. Answer it in half a sentence, calmly, and go on with the matter.',
  terse: 'Give them something they can answer in a word, or a consequence they can see.',
  'off-topic': 'They were on something else. Take it up if it helps, and lead back with one concrete thing.',
  neutral: 'Nothing in their tone to go by.',
}
