import type { NodeBrief, Scene } from '../../core/briefing/briefing.ts'

/**
 * What a node wants of the learner: to be ready to go on, to ask until there is nothing left to ask, to answer an
 * objection, nothing at all while somebody confides in them, to take in what is taught, or just to take part.
 */
export type Purpose = 'guide' | 'questions' | 'challenge' | 'confide' | 'teach' | 'talk'

/** What this turn's node is for, read from who speaks, the tier and what the node is bound to. */
export function purposeOf({ scenario, npc, node }: Scene): Purpose {
  if (npc.walk === 'guide') return 'guide'
  if (npc.walk === 'tier' && scenario.tier === 'ACADEMIC' && !isOpening(node)) return 'questions'
  if (isBoundTo(node, 'challenges')) return 'challenge'
  if (npc.walk === 'tier' && isBoundTo(node, 'concerns')) return 'confide'
  return isBoundTo(node, 'what_they_know') || isBoundTo(node, 'depth') ? 'teach' : 'talk'
}

/** Whether the node greets. It gives no facts then. */
export function isOpening(node: NodeBrief): boolean {
  return isBoundTo(node, 'greeting')
}

/** A binding may be written with or without its leading `npc.`. */
function isBoundTo(node: NodeBrief, key: string): boolean {
  return node.content.some(({ source }) => source === key || source === `npc.${key}`)
}
