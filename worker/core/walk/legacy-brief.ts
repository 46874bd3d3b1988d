import type { NodeBrief } from '../briefing/briefing.ts'
import type { Graph, SpeakingNode } from '../graph/graph.ts'
import type { Walk } from './walk.ts'

/**
 * What this exchange is for by the count alone. A phase that begins with a fork is about its question in its first
 * exchange; in the second it is an ordinary one, whether the learner has picked or not.
 */
export function legacyBrief(graph: Graph, phase: SpeakingNode, walk: Walk): NodeBrief {
  const question = phase.kind === 'pivot' && walk.turns === 0 ? phase.pivot : null
  const asked = question && { source: `pivots[${question.id}]`, lines: [question.question] }
  return {
    id: phase.id,
    kind: question ? 'pivot' : 'speak',
    intent: phase.intent,
    satisfyWhen: phase.satisfyWhen,
    content: asked ? [asked, ...phase.content] : phase.content,
    isGate: false,
    isTerminal: phase.id === graph.terminal,
    turns: walk.turns,
    escalated: false,
    pivot: question && { content: question, armed: false },
    overlay: null,
    state: null,
  }
}
