import { stateName, type BehaviorSet, type GraphNode } from '../graph/graph.ts'
import { firstName } from '../scenario/scenario.ts'
import { MAP_LEGEND, markedMap } from './map.ts'
import { historyText, inQuotes, list, oneLine, quoted, section } from './prompt-text.ts'
import type { TaskScene } from './task.ts'
import { thoughtText } from './thoughts.ts'

/** All that a task is made of, besides its request. */
export interface TaskMatter {
  readonly scene: TaskScene
  readonly node: GraphNode
  /** The behavior in force. */
  readonly active: BehaviorSet | null
  /** Of the node's own graph. */
  readonly topology: string
}

/** Where everything leads, and where the conversation stands in it; without a map, only the latter. */
export function whereSection({ topology, node }: TaskMatter): string {
  const name = stateName(node)
  if (topology === '') return section('WHERE YOU ARE', name)
  return section('WHERE YOU ARE', `In ${name}, marked >>> on the map.\n${MAP_LEGEND}\n${markedMap(topology, name)}`)
}

export function behaviorSection({ active }: TaskMatter): string {
  const text = active ? `${active.id}, for when it is about: ${active.triggers.map(oneLine).join(' | ')}` : '(none)'
  return section('BEHAVIOR IN FORCE', text)
}

export function historySection({ scene }: TaskMatter): string {
  return section('CONVERSATION HISTORY', historyText(scene.history, firstName(scene.npc.name)))
}

export function saidSection({ scene }: TaskMatter): string {
  return section('POINTS YOU HAVE MADE', list(scene.said.map(quoted), '- (none yet)'))
}

export function mindSection({ scene }: TaskMatter): string {
  return section('WHAT YOU HAVE IN MIND', list(scene.thoughts.map(thoughtText), '- (nothing yet)'))
}

export function standingSection({ scene }: TaskMatter): string {
  return section('HOW YOU STAND TOWARDS THE LEARNER', scene.relationship.level)
}

export function learnerSection({ scene }: TaskMatter): string {
  return section('THE LEARNER SAYS', inQuotes(scene.learner))
}

export function answerSection(form: string): string {
  return section('YOUR ANSWER', form)
}
