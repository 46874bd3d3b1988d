import type { NodeBrief } from './briefing.ts'
import { advanceOrStay, blockHead, contentLines, offTopic, overlayLines, reportRule } from './node-parts.ts'

/**
 * The CURRENT NODE block: what this one turn is for. A gate that has not been passed in its turns gets the
 * blunter, escalated wording; every node carries the detour rule.
 */
export function nodeBlock(node: NodeBrief): string {
  return [
    blockHead(node),
    `WHAT THIS TURN IS FOR: ${node.intent}`,
    ...contentLines(node),
    ...overlayLines(node),
    `ADVANCE / STAY: ${advanceOrStay(node)}`,
    `IF THE LEARNER GOES OFF-TOPIC: ${offTopic(node)}`,
    `REPORT (IN METADATA): ${reportRule(node)}`,
  ].join('\n')
}
