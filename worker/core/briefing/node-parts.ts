import type { NodeBrief } from './briefing.ts'

/** The head of a CURRENT NODE block. A prompt holds it once. */
export function blockHead(node: NodeBrief): string {
  return `━━━ CURRENT NODE: ${node.id} ━━━`
}

/** What there is to say here. */
export function contentLines(node: NodeBrief): readonly string[] {
  const lines = node.content.flatMap((bound) => bound.lines)
  if (!node.isGate) return listed(contentHeading(node), lines)
  // One constraint decides, the first; an author may have put more beside it.
  const [binding, ...rest] = lines
  return [...listed(contentHeading(node), binding === undefined ? [] : [binding]), ...listed(BESIDE_IT, rest)]
}

const BESIDE_IT = 'WHAT GOES WITH IT (only where it helps; it does not have to be acknowledged)'

/** A heading and its points; nothing without any. */
export function listed(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${heading}:`, ...lines.map((line) => `  • ${line}`)]
}

function contentHeading(node: NodeBrief): string {
  if (node.kind === 'pivot') return 'THE QUESTION TO END ON (yours to phrase, the point stays)'
  if (node.isGate) return 'THE CONSTRAINT YOU MUST SURFACE (in your own words, with its figures)'
  if (node.isTerminal) return 'WHAT THE TWO OF YOU SHOULD HAVE SETTLED'
  return 'WHAT YOU HAVE FOR THIS (pick what is fresh)'
}

/** What has just opened inside the node. */
export function overlayLines(node: NodeBrief): readonly string[] {
  if (!node.overlay) return []
  return [
    'WHAT YOU CAN TELL THEM NOW (they have earned it; say it in this turn):',
    ...node.overlay.lines.map((line) => `  • ${line}`),
  ]
}

/** When the conversation moves on, as far as it is decided by what is said here. */
export function advanceOrStay(node: NodeBrief): string {
  if (node.kind === 'pivot') return node.pivot?.armed ? PIVOT_OPEN : PIVOT_ARRIVAL
  if (node.isGate) return node.escalated ? GATE_ESCALATED : node.turns > 0 ? GATE_AGAIN : GATE_ARRIVAL
  if (node.isTerminal) return 'This is the last turn. Say goodbye; leave nothing hanging.'
  if (node.satisfyWhen === null) return NOT_JUDGED
  return node.turns > 0
    ? 'You are still here because it has not quite landed. Come at it from another side; do not say it again.'
    : `The conversation moves on once this has happened: ${node.satisfyWhen}.`
}

/** Some states are left by a count, or by a guard: nothing that is said in them is judged. */
const NOT_JUDGED =
  'Where this goes next is settled once you have spoken. Neither announce it nor close the subject by yourself.'
const PIVOT_ARRIVAL =
  'End on the question and leave it open. The learner answers by picking from what the page shows them.'
const PIVOT_OPEN =
  'The question stands and has not been answered. Take up what they wrote in a line, then put the question again in other words.'
const GATE_ARRIVAL =
  'You move on once the learner has clearly taken this in and said so. Until then it is the only subject you have.'
const GATE_AGAIN =
  'They have not taken it in yet. Try a shorter way to say it, or show what comes of ignoring it. It stays the subject.'
const GATE_ESCALATED =
  'You have put this politely and it did not land. Be blunt: the figure, the limit it breaks and what follows, in two short sentences. Then ask them straight out whether they have understood.'

/** The detour rule, which every node carries. */
export function offTopic(node: NodeBrief): string {
  const back = node.isGate
    ? 'the constraint above'
    : node.kind === 'pivot'
      ? 'the question above'
      : 'what this turn is for'
  return `Take up their point in one line and answer it briefly, or say whose it is. Then come back to ${back}. Neither ignore it nor follow it.`
}

/** What to return of this turn. Where nothing is judged, nothing is satisfied. */
export function reportRule(node: NodeBrief): string {
  const satisfied =
    node.satisfyWhen === null
      ? '"node_satisfied": false, since nothing is judged here'
      : node.isGate
        ? `"node_satisfied": true ONLY if ${node.satisfyWhen}; asking about it is not enough`
        : `"node_satisfied": true if ${node.satisfyWhen}`
  return `${satisfied}. "detour_detected": true if their message was about something else.`
}
