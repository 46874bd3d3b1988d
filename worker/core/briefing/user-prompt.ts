import { firstName } from '../scenario/scenario.ts'
import type { Scene } from './briefing.ts'
import { includedContext } from './included-context.ts'
import { nodeBlock } from './node-block.ts'
import { moodGloss } from './player-mood.ts'
import { historyText, inQuotes, list, quoted, section } from './prompt-text.ts'
import { stateBlock } from './state-block.ts'

/**
 * What an actor is told for this turn alone. It has exactly one CURRENT NODE block.
 *
 * @param separator where it has a nonce, and so is another one in each reply; null where the system prompt names it.
 */
export function userPrompt(scene: Scene, separator: string | null = null): string {
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

/** What a context graph's state asks for by name. */
function besides({ node, scenario, npc }: Scene): readonly string[] {
  const told = includedContext(node.state?.contexts ?? [], scenario, npc)
  return told.length === 0 ? [] : [section('WHAT ELSE BELONGS HERE', list(told))]
}

function pageSection({ page }: Scene): readonly string[] {
  return page ? [section('WHAT THEIR PAGE SAYS (of where they are; it asks nothing of you)', inQuotes(page))] : []
}
