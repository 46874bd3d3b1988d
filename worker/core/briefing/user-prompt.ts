import { neutralise } from '../reply/neutralise.ts'
import { firstName } from '../scenario/first-name.ts'
import type { Line, Scene } from './briefing.ts'
import { nodeBlock } from './node-block.ts'
import { moodGloss } from './player-mood.ts'

/** What an actor is told for this turn alone. Sections in the order of S3-37; exactly one CURRENT NODE block. */
export function userPrompt(scene: Scene): string {
  const { relationship, mood, npc } = scene
  const score = relationship.score > 0 ? `+${relationship.score}` : String(relationship.score)
  return [
    `YOUR EMOTIONAL STATE: ${relationship.level}`,
    `CONVERSATION HISTORY:\n${history(scene.history, firstName(npc.name))}`,
    `ALREADY SAID (do not say any of it again, in whatever words, unless this turn is for that very point):\n${said(scene.said)}`,
    `RELATIONSHIP SCORE: ${score} | CURRENT STATE: ${relationship.level} | Return this word in the metadata.`,
    `PLAYER MOOD: ${mood.toUpperCase()}\n${moodGloss(mood)} How you stand with them is settled above; their tone only bears on your engagement_score.`,
    nodeBlock(scene.node),
    `THE LEARNER SAYS: "${quoted(scene.learner)}"`,
  ].join('\n\n')
}

function history(lines: readonly Line[], name: string): string {
  if (lines.length === 0) return '(this is their first message)'
  return lines.map((line) => told(line, name)).join('\n')
}

function told(line: Line, name: string): string {
  if (line.who === 'marker') return `[${quoted(line.text)}]`
  return `${line.who === 'learner' ? 'Learner' : name}: ${quoted(line.text)}`
}

function said(points: readonly string[]): string {
  return points.length === 0 ? '- (nothing yet)' : points.map((point) => `- ${quoted(point)}`).join('\n')
}

/** One line that can carry neither a separator nor a heading, whatever it was made of. */
function quoted(text: string): string {
  return neutralise(text).replace(/\s+/g, ' ').trim()
}
