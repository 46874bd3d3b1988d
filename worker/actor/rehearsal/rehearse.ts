import type { BriefingScene } from '../../core/briefing/briefing.ts'
import type { Report } from '../../core/reply/report.ts'
import { business, inStateOrder, stateBusiness, type Business } from './business.ts'
import type { Heading } from './detour.ts'
import { headingOf } from './detour.ts'
import { scoreEngagement, isGrave, sayFirst } from './engagement.ts'
import type { HeardMessage } from './hear.ts'
import { dismisses } from './dismiss.ts'
import { asks, hearMessage, isAside } from './hear.ts'
import { judge, isOpening, purposeOf, type Judgement } from './judge.ts'
import { lead } from './lead.ts'
import type { SpokenSoFar, LineToSay } from './spoken.ts'
import { saidIn } from './spoken.ts'
import { synonymsOf } from '../../core/text/stems.ts'
import { firstNamesIn } from './vocabulary.ts'

/** One reply: the speech and its report. */
export interface Rehearsed {
  readonly speech: string
  readonly report: Report
}

/**
 * Makes a colleague's reply from the scene alone: parses and judges the learner's message, answers it (`lead`), and
 * adds the node's own lines (`business`). The function is pure: the same scene gives the same reply.
 */
export function rehearse(scene: BriefingScene): Rehearsed {
  const synonyms = synonymsOf(scene.scenario)
  const said = saidIn(scene)
  const heard = hearMessage(scene.learner, firstNamesIn(scene.scenario))
  const heading = headingOf(heard, scene.npc, scene.scenario, synonyms)
  const judgement = heeded(judge(heard, heading, scene, synonyms), heard, scene)
  const matter = businessOf(scene, judgement, said)
  const grave = isGrave(heard, scene.node) ? sayFirst(said) : null
  const first = grave ?? lead({ scene, heard, heading, judgement, said, synonyms, matter })
  const spoken = grave && leavesRest(scene) ? [grave] : inOrder(first, matter, heard, scene)
  return {
    speech: spoken.map(({ say }) => say).join(' '),
    report: {
      emotional_state: scene.relationship.level,
      information_revealed: spoken.flatMap(({ point }) => point ?? []),
      internal_thought: judgement.why,
      objective_complete: scene.node.isTerminal ? scene.npc.goal.objective : null,
      is_conversation_complete: scene.node.isTerminal,
      hint_given: scene.node.escalated && !judgement.satisfied,
      agreement_signal: agreement(heard, judgement),
      engagement_score: scoreEngagement(heard, heading, judgement, scene, synonyms),
      node_satisfied: judgement.satisfied,
      detour_detected: isDetour(heard, heading, scene),
    },
  }
}

/**
 * Corrects a judgement. A node without `satisfyWhen` is never satisfied. If the learner says that they are in danger,
 * only a terminal node can be satisfied.
 */
function heeded(judgement: Judgement, heard: HeardMessage, { node }: BriefingScene): Judgement {
  if (!node.isTerminal && isGrave(heard, node))
    return { ...judgement, satisfied: false, why: 'something graver was said' }
  return node.satisfyWhen === null ? { ...judgement, satisfied: false, why: 'nothing is judged here' } : judgement
}

/**
 * Returns true if the node's lines can wait after a grave message. The colleague still asks a fork's question and still
 * says goodbye.
 */
function leavesRest({ node }: BriefingScene): boolean {
  return node.kind !== 'pivot' && !node.isTerminal
}

/**
 * Returns the node's lines for this turn. Forks get their lines in the same way in backbones and context graphs; all
 * other nodes of a context graph get them from `stateBusiness`.
 */
function businessOf(scene: BriefingScene, judgement: Judgement, said: SpokenSoFar): Business {
  return (isState(scene.node) ? stateBusiness(scene, said) : null) ?? business(scene, judgement, said)
}

function isState({ kind, state }: BriefingScene['node']): boolean {
  return kind === 'speak' && Boolean(state)
}

/**
 * Orders the answer to the learner (`first`) and the node's lines (`matter`). In the greeting node, the node's lines
 * come first. In every other node, the answer comes first. The answer replaces the lines, except those of an overlay,
 * in three cases: the lines are only filler, the message has no content, or the message is a question in a node for
 * questions. In a gate, a fork or a terminal node, and while the node's point is told, nothing is left out.
 */
function inOrder(
  first: LineToSay | null,
  matter: Business,
  heard: HeardMessage,
  scene: BriefingScene,
): readonly LineToSay[] {
  const { node } = scene
  if (isState(node)) return inStateOrder(first, matter, heard)
  if (first === null) return [...matter.leadIn, ...matter.lines]
  if (isOpening(node)) return [...matter.lines, first]
  const isOpen = node.kind === 'speak' && !node.isGate && !node.isTerminal && !matter.isPoint
  const isAnswer = purposeOf(scene) === 'questions' && asks(heard)
  return isOpen && (matter.isFiller || isAside(heard) || isAnswer)
    ? [first, ...matter.overlay]
    : [first, ...matter.lines]
}

/**
 * Returns true if a message is a detour: it leads away from this colleague's part of the scenario. A courtesy does not.
 * No message at a terminal node is a detour, because there is nothing to come back to.
 */
function isDetour(heard: HeardMessage, heading: Heading, { node }: BriefingScene): boolean {
  if (heard.manner !== 'plain' || node.isTerminal) return false
  if (isGrave(heard, node)) return true
  return heading.to === 'small-talk' ? heading.strays : heading.to !== 'own'
}

function agreement(heard: HeardMessage, judgement: Judgement): string {
  if (judgement.verdict === 'registered') return 'agrees'
  return heard.manner === 'plain' && dismisses(heard) ? 'disagrees' : 'neutral'
}
