import { isChoice, type Graph, type NodeId, nodeOf } from '../graph/graph.ts'
import type { Npc, Scenario } from '../scenario/scenario.ts'
import type { Request } from '../walk/event.ts'
import type { Walk } from '../walk/walk.ts'
import type { HistoryLine } from './briefing.ts'
import { latestLines, latestPoints } from './latest.ts'
import { lineKeyOf } from './line-key.ts'
import type { AnswerSchema, Task } from './task.ts'
import { behaviorTask, recallTask, reflectionTask, selectionTask } from './task-prompts.ts'
import { type TaskMatter, taskSystem } from './task-sections.ts'
import { inMind } from './prompt-text.ts'

/**
 * Builds the prompts of a task. The function is pure: the same arguments give the same bytes, and every task of a
 * session has the same system prompt. Text that was said, remembered or concluded is quoted, so that a model does not
 * read such text as an instruction.
 *
 * @param input.walk the walk that makes the request, with its turn open
 * @param input.learner the learner's current message, as typed
 * @throws if the request names a node that the graph does not have
 */
export function taskFor(
  request: Request,
  input: {
    scenario: Scenario
    npc: Npc
    graph: Graph
    walk: Walk
    history: readonly HistoryLine[]
    said: readonly string[]
    learner: string
  },
): Task {
  const { scenario, npc, graph, walk, learner } = input
  const node = nodeOf(graph, nodeIn(request) ?? walk.node)
  const module = graph.modules[node.module]
  const scene = {
    scenario,
    npc,
    learner,
    history: latestLines(input.history),
    said: latestPoints(input.said),
    relationship: walk.relationship,
    lineKey: lineKeyOf(graph, node),
    thoughts: inMind(walk.thoughts),
    safetyExits: node.exits.filter(isChoice).flatMap(({ isSafety, description }) => (isSafety ? [description] : [])),
  }
  const active = graph.behaviors.find(({ id }) => id === walk.behavior?.behavior) ?? null
  const { user, answer } = worded(request, { scene, node, active, topology: module?.topology ?? '' })
  return { system: taskSystem(scenario, npc, graph), user, answer, scene, request }
}

function nodeIn(request: Request): NodeId | null {
  if (request.type === 'behavior-request') return null
  return request.type === 'selection-request' ? request.node.id : request.node
}

function worded(request: Request, matter: TaskMatter): { readonly user: string; readonly answer: AnswerSchema } {
  switch (request.type) {
    case 'behavior-request':
      return behaviorTask(request, matter)
    case 'selection-request':
      return selectionTask(request, matter)
    case 'recall-request':
      return recallTask(request, matter)
    case 'reflection-request':
      return reflectionTask(request, matter)
  }
}
