import type { Graph, PivotNode } from '../graph/graph.ts'
import { OWN_ANSWER } from '../reply/report.ts'
import { offered } from './decide.ts'
import type { EventOf } from './event.ts'
import { moved } from './relationship.ts'
import type { Walk } from './walk.ts'

/** A fork that the walk has left, of which an answer still counts. */
interface LateFork {
  readonly node: PivotNode
  /** The answer that the walk has taken from the learner's typed words; null if the fork has none. */
  readonly taken: string | null
}

/**
 * Returns the last fork that the walk has left, if the learner may still answer it: without an answer, as long as the walk
 * comes to no other fork, and after the end too; with an answer that was typed and may have been misread, for two exchanges
 * in the next node. Otherwise the result is null.
 */
export function lateFork(graph: Graph, walk: Walk): LateFork | null {
  const place = walk.visits.findLastIndex((visit) => graph.nodes[visit.node]?.kind === 'pivot')
  const node = graph.nodes[walk.visits[place]?.node ?? '']
  const later = walk.visits.length - 1 - place
  if (!graph.policy.forks || node?.kind !== 'pivot' || (later === 0 && walk.end === null)) return null
  const state = walk.pivots[node.id]
  if (state?.state === 'passed') return { node, taken: null }
  const exchanges = (walk.visits.at(-1)?.exchanges ?? 0) - (walk.open?.isSpoken ? 1 : 0)
  return state?.state === 'chosen' && state.isTyped && later === 1 && exchanges < 2
    ? { node, taken: state.choice ?? OWN_ANSWER }
    : null
}

/**
 * Applies the report's choice to the fork that the walk has left. If the fork has an answer already, which was read from
 * the learner's words, the new one takes its place, and the mood of the old one is taken back.
 */
export function takeLate(graph: Graph, walk: Walk, { report }: EventOf<'report'>): Walk {
  const fork = lateFork(graph, walk)
  const choice = fork && offered(fork.node.pivot, report.pivot_choice)
  if (!fork || choice === null || choice === fork.taken) return walk
  const mood = fork.node.pivot.choices.find(({ id }) => id === fork.taken)?.mood ?? 0
  const relationship = moved(walk.relationship, -mood, graph.policy.relationship)
  return chosen(graph, { ...walk, relationship }, fork.node, choice, true)
}

/**
 * Stores a fork's answer: the id of a choice, which also changes the relationship, or null for `OWN_ANSWER`.
 *
 * @param isTyped true if the answer was read from the learner's words, and may have been misread
 */
export function chosen(graph: Graph, walk: Walk, { id, pivot }: PivotNode, answer: string, isTyped = false): Walk {
  const choice = pivot.choices.find((each) => each.id === answer)
  return {
    ...walk,
    relationship: moved(walk.relationship, choice?.mood ?? 0, graph.policy.relationship),
    pivots: { ...walk.pivots, [id]: { state: 'chosen', choice: choice?.id ?? null, ...(isTyped && { isTyped }) } },
  }
}
