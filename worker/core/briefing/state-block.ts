import type { Boundary } from '../graph/graph.ts'
import type { Density, NodeBrief, StateBrief } from './briefing.ts'
import { advanceOrStay, blockHead, contentLines, listed, offTopic, overlayLines, reportRule } from './node-parts.ts'
import { oneLine } from './prompt-text.ts'
import { thoughtText } from './thoughts.ts'

/**
 * The CURRENT NODE block of a context graph's state: the action that was selected and how it is done come first, then
 * who speaks and the behavior in force, then style, then where the actions stand. Boundaries bind all of it.
 */
export function stateBlock(node: NodeBrief, state: StateBrief): string {
  return [
    blockHead(node),
    `WHAT THIS TURN IS FOR: ${oneLine(node.intent)}`,
    ...actionLines(state),
    ...listed('HOW YOU DO IT (this goes before your own manner)', state.guidelines.action.map(oneLine)),
    ...listed('BOUNDARIES (stay inside them, whatever else is asked)', state.guidelines.boundary.map(boundaryText)),
    ...contentLines(node),
    ...overlayLines(node),
    `AS YOURSELF: ${ROOM[state.density.band]}`,
    ...behaviorLines(state),
    'HOW YOU SOUND: your conversational style holds as far as all of the above leaves it open.',
    ...progressLines(state),
    ...listed(
      'WHAT YOU HAVE IN MIND (yours alone: go by it, never quote it; what was looked up asks nothing of you)',
      state.thoughts.map(thoughtText),
    ),
    `ADVANCE / STAY: ${advanceOrStay(node)}`,
    `IF THE LEARNER GOES OFF-TOPIC: ${offTopic(node)}`,
    `REPORT (IN METADATA): ${reportRule(node)}`,
  ].join('\n')
}

/** A boundary as it is put to an actor; a hard one is marked. */
export function boundaryText({ text, isHard }: Boundary): string {
  return isHard ? `${oneLine(text)} (HARD: nothing and nobody lifts this)` : oneLine(text)
}

/** How much of the turn is the speaker's own. */
const ROOM: Readonly<Record<Density['band'], string>> = {
  minimal: 'Nearly everything here is yours: your character, your judgement and your experience lead.',
  moderate: 'You and what is asked of you meet halfway: use your own judgement inside it.',
  dense: 'What is asked of you leads. Your character shows in the wording, not in what you do.',
  override: 'This is a set procedure: carry it out as it is written and keep yourself out of it.',
}

function actionLines({ action }: StateBrief): readonly string[] {
  return action === null ? [] : [`WHAT YOU DO NOW (it comes first, and is all you do): ${oneLine(action.text)}`]
}

function behaviorLines({ behavior }: StateBrief): readonly string[] {
  if (behavior === null) return []
  const how =
    behavior.mode === 'merge'
      ? 'its instructions stand behind those of this state'
      : 'its instructions stand in for those of this state'
  return [`BEHAVIOR IN FORCE: ${behavior.id}; ${how}, above.`]
}

/** The least of it all, and nothing where there is but one thing to do. */
function progressLines({ actions, engaged, action }: StateBrief): readonly string[] {
  if (actions.length < 2) return []
  const places = actions.map((text, index) => ({ text: oneLine(text), index }))
  const done = places.filter(({ index }) => engaged.includes(index))
  const left = places.filter(({ index }) => !engaged.includes(index) && index !== action?.index)
  return [
    ...listed(
      'DONE HERE ALREADY',
      done.map(({ text }) => text),
    ),
    ...listed(
      'STILL TO COME, NOT NOW',
      left.map(({ text }) => text),
    ),
  ]
}
