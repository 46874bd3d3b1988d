import { type Graph, type NodeId, nodeOf } from '../graph/graph.ts'
import type { CommandEffect, Step } from './event.ts'
import type { End, Walk } from './walk.ts'

/**
 * Returns the command that shows a fork's choices to the learner, and records the command's id in the walk. The id is
 * unique in the conversation.
 */
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

/**
 * Returns an unused command id for a fork. From the second visit of the fork on, the id ends with the number of the
 * visit. Even at the first visit, an id may be in use: a migration to a newer graph can give this fork the name that
 * another fork had before.
 */
function momentId(walk: Walk, node: NodeId): string {
  for (let visit = walk.visits.filter((made) => made.node === node).length; ; visit += 1) {
    const id = visit > 1 ? `AI_PivotMoment:${node}:${visit}` : `AI_PivotMoment:${node}`
    if (!walk.emitted.includes(id)) return id
  }
}

/** The name and the id of the command that hands a document over. */
export const HANDED_OVER = 'AI_HandOverDocument'

/**
 * Returns the command that hands the colleague's document over, once in a conversation; null if the colleague has no
 * document, or has already handed it over.
 */
export function handOver(graph: Graph, walk: Walk): Pick<Step, 'walk' | 'effects'> | null {
  const { document } = graph.closing
  if (!document || walk.emitted.includes(HANDED_OVER)) return null
  const command = { name: HANDED_OVER, document } as const
  return {
    walk: { ...walk, emitted: [...walk.emitted, HANDED_OVER] },
    effects: [{ type: 'command', id: HANDED_OVER, command }],
  }
}

/**
 * The id of the command for the first end of a conversation. A conversation has a second end only if the learner takes
 * a goodbye back.
 */
export const FIRST_END = 'AI_EndConversation'

/** Returns the id of the command for the objective. A conversation gives out this command once. */
export function objectiveCommandId({ closing }: Graph): string {
  return `AI_AdvanceObjective:${closing.objective.id}`
}

/** Returns the command that tells that the learner has met the objective. */
export function advanceCommand(graph: Graph): CommandEffect {
  const { objective } = graph.closing
  return {
    type: 'command',
    id: objectiveCommandId(graph),
    command: { name: 'AI_AdvanceObjective', objective: objective.id, title: objective.title },
  }
}

/**
 * Returns the commands at the end of a conversation: the command for the objective if it was earned, then the command
 * for the end.
 *
 * @param resumed how often the learner has taken a goodbye back; this number makes the id of each end's command unique
 */
export function closingCommands(graph: Graph, { completion, isLeft }: End, resumed = 0): readonly CommandEffect[] {
  const { document, next } = graph.closing
  const advance = advanceCommand(graph)
  const end: CommandEffect = {
    type: 'command',
    id: resumed === 0 ? FIRST_END : `${FIRST_END}:${resumed + 1}`,
    command: { name: 'AI_EndConversation', completion, document, next, ...(isLeft && { left: isLeft }) },
  }
  return completion === 'earned' ? [advance, end] : [end]
}
