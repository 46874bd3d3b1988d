import { type Graph, type NodeId, nodeOf } from '../graph/graph.ts'
import type { PivotContent } from '../scenario/scenario.ts'
import type { Walk } from './walk.ts'

/**
 * Returns the id of the choice that a typed message picks, or null. A message picks a choice only if it is the number
 * of the choice's card, or the choice's words; letter case and punctuation do not matter. The walker does not guess,
 * because a guess could pick a choice that the learner did not mean.
 */
export function matchChoice(text: string, pivot: PivotContent): string | null {
  const said = plainWords(text)
  if (said === '') return null
  const byNumber = /^[1-9]$/.test(said) ? pivot.choices[Number(said) - 1] : undefined
  const choice = byNumber ?? pivot.choices.find((candidate) => plainWords(candidate.text) === said)
  return choice?.id ?? null
}

/**
 * Returns the fork and the choice that a message picks at the current node. Returns null if the message picks no
 * choice, or if the current node is not an armed fork.
 */
export function pickedBy(text: string, graph: Graph, walk: Walk): { pivot: NodeId; choice: string } | null {
  const node = nodeOf(graph, walk.node)
  if (node.kind !== 'pivot' || walk.pivots[node.id]?.state !== 'armed') return null
  const choice = matchChoice(text, node.pivot)
  return choice === null ? null : { pivot: node.id, choice }
}

/** Returns the words of a text in small letters, each after one blank, without punctuation. */
export function plainWords(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
