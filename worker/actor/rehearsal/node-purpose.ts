import type { NodeBrief } from '../../core/briefing/briefing.ts'

/** Whether the node greets. It gives no facts then (S3-18). */
export function isOpening(node: NodeBrief): boolean {
  return isBoundTo(node, 'greeting')
}

/** Whether the node passes on what the colleague knows, one fact at a time (S3-6). */
export function teaches(node: NodeBrief): boolean {
  return isBoundTo(node, 'what_they_know')
}

/** A binding may be written with or without its leading `npc.` (S3-10). */
function isBoundTo(node: NodeBrief, key: string): boolean {
  return node.content.some(({ source }) => source === key || source === `npc.${key}`)
}
