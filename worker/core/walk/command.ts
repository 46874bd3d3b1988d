import { type Graph, type NodeId, nodeOf } from '../graph/graph.ts'
import type { CommandEffect, Step } from './event.ts'
import type { End, Walk } from './walk.ts'

/** Asks the front end to put a fork to the learner. Its id is the visit's, and never one that was given out before. */
export function pivotMoment(graph: Graph, walk: Walk): Pick<Step, 'walk' | 'effects'> {
  const node = nodeOf(graph, walk.node)
  if (node.kind !== 'pivot') return { walk, effects: [] }
  const id = momentId(walk, node.id)
  const effect: CommandEffect = {
    type: 'command',
    id,
    command: {
      name: 'AI_PivotMoment',
      pivot: node.id,
      question: node.pivot.question,
      choices: node.pivot.choices.map((choice) => ({ id: choice.id, text: choice.text })),
    },
  }
  return { walk: { ...walk, emitted: [...walk.emitted, id] }, effects: [effect] }
}

/** After a migration a walk may visit a fork for the first time whose name another fork had before. */
function momentId(walk: Walk, node: NodeId): string {
  for (let visit = walk.visits.filter((made) => made.node === node).length; ; visit += 1) {
    const id = visit > 1 ? `AI_PivotMoment:${node}:${visit}` : `AI_PivotMoment:${node}`
    if (!walk.emitted.includes(id)) return id
  }
}

/** The commands at the end: the objective if it was earned, then the end itself. */
export function closingCommands(graph: Graph, completion: End['completion']): readonly CommandEffect[] {
  const { objective, document, next } = graph.closing
  const advance: CommandEffect = {
    type: 'command',
    id: `AI_AdvanceObjective:${objective.id}`,
    command: { name: 'AI_AdvanceObjective', objective: objective.id, title: objective.title },
  }
  const end: CommandEffect = {
    type: 'command',
    id: 'AI_EndConversation',
    command: { name: 'AI_EndConversation', completion, document, next },
  }
  return completion === 'earned' ? [advance, end] : [end]
}
