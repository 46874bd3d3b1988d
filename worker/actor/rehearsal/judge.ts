import type { Scene } from '../../core/briefing/briefing.ts'
import type { Verdict } from './acknowledge.ts'
import { acknowledges } from './acknowledge.ts'
import type { Heading } from './detour.ts'
import { onSubject } from './detour.ts'
import type { Heard } from './hear.ts'
import { dismisses } from './dismiss.ts'
import { asks, hear, proposes } from './hear.ts'
import { misreads } from './misread.ts'
import { entriesOf, shareFigure } from './retrieve.ts'
import { teaches } from './node-purpose.ts'
import type { Synonyms } from './vocabulary.ts'

/** Whether the node's point landed with this message, and why. `why` is for whoever reads the log. */
export interface Judgement {
  readonly satisfied: boolean
  readonly why: string
  /** How the message stands to the decisive fact; null where none is at stake. */
  readonly verdict: Verdict | null
}

/**
 * Judges a message against the node it was said in. A terminal node is satisfied by being reached, a fork never by
 * talk (the pick is an event of its own), a gate only by registering the fact, and a node that teaches what the
 * colleague knows only by a response to something told in that node.
 */
export function judge(heard: Heard, heading: Heading, scene: Scene, synonyms: Synonyms): Judgement {
  const { node } = scene
  if (node.isTerminal) return { satisfied: true, why: 'the conversation comes to its end', verdict: null }
  if (node.kind === 'pivot') return { satisfied: false, why: 'the answer to a fork is picked, not said', verdict: null }
  if (node.isGate) return judgeGate(heard, scene)
  const why = teaches(scene.node)
    ? whyNoReaction(heard, heading, scene, synonyms)
    : whyNoResponse(heard, heading, scene, synonyms)
  return { satisfied: why === null, why: why ?? 'responded on the subject', verdict: null }
}

/** Whether the decisive fact was registered in anything the learner wrote, as far back as the transcript goes. */
export function everRegistered({ npc, history, learner }: Scene): boolean {
  const fact = npc.rehearsal.acknowledgements[0]
  if (!fact) return true
  const lines = [...history.flatMap(({ who, text }) => (who === 'learner' ? [text] : [])), learner]
  return lines.some((line) => acknowledges(hear(line), fact, npc.decisionFacts) === 'registered')
}

/** Lines of this colleague that the learner has heard. */
export function toldLines(scene: Scene): readonly string[] {
  return scene.history.flatMap(({ who, text }) => (who === 'npc' ? [text] : []))
}

function judgeGate(heard: Heard, scene: Scene): Judgement {
  const fact = scene.npc.rehearsal.acknowledgements[0]
  if (!fact) return { satisfied: false, why: 'no fact to register', verdict: null }
  const verdict = acknowledges(heard, fact, toldLines(scene))
  return { satisfied: verdict === 'registered', why: `the decisive fact: ${verdict.replaceAll('-', ' ')}`, verdict }
}

/** Null when the learner takes part: a question or a statement about the matter, or something they'd do about it. */
function whyNoResponse(heard: Heard, heading: Heading, scene: Scene, synonyms: Synonyms): string | null {
  if (heard.manner !== 'plain') return `only a ${heard.manner === 'grunt' ? 'word or two' : heard.manner + ' message'}`
  if (heading.to === 'small-talk') return 'small talk'
  if (heading.to === 'elsewhere') return 'about something else'
  if (heading.to === 'colleague' && !proposes(heard)) return 'about a colleague’s business'
  const isOrder = heard.sentences.every(({ form }) => form === 'order')
  const takesPart = proposes(heard) || asks(heard) || onSubject(heard, scene.npc, scene.scenario, synonyms) > 0
  return takesPart && !isOrder ? null : 'nothing about the matter'
}

/** Null when a fact told in this node came back: a conclusion, a plan, a follow-up about it. */
function whyNoReaction(heard: Heard, heading: Heading, scene: Scene, synonyms: Synonyms): string | null {
  if (scene.node.turns === 0 || !lastToldFact(scene)) return 'no fact told here yet to respond to'
  if (dismisses(heard)) return 'waved away'
  if (misreads(heard, entriesOf(scene.npc, synonyms))) return 'got a figure wrong'
  return (
    whyNoResponse(heard, heading, scene, synonyms) ??
    (asks(heard) || heard.tokens.length >= 3 ? null : 'too little to go by')
  )
}

/** Whether the last thing said was something this colleague knows: a figure of theirs, or a point of this node. */
function lastToldFact({ history, npc, node, said }: Scene): boolean {
  const last = history.findLast(({ who }) => who === 'npc')?.text
  if (last === undefined) return false
  const lines = npc.rehearsal.nodes[node.id]
  const points = [...(lines?.open ?? []), ...(lines?.stay ?? [])].flatMap((line) =>
    typeof line === 'string' ? [] : [line],
  )
  const told = points.some(({ say, point }) => last.includes(say) || said.includes(point))
  return told || npc.knowledge.some((known) => last.includes(known) || shareFigure(last, known))
}
