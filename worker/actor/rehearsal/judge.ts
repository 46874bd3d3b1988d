import type { Scene, NodeBrief } from '../../core/briefing/briefing.ts'
import { acknowledges, type FactVerdict } from './acknowledge.ts'
import { onSubject, type Heading } from './detour.ts'
import { asks, hearMessage, onlyStates, proposes, wantsNothingMore, type HeardMessage } from './hear.ts'
import { dismisses } from './dismiss.ts'
import { misreads, searchEntries, shareFigure } from './retrieve.ts'
import { whyNotReady } from './select.ts'
import type { Synonyms } from '../../core/text/stems.ts'
import { firstNamesIn } from './vocabulary.ts'
import { readWords, sameFigure, type Token } from '../../core/text/words.ts'

/** Whether the node's point landed with this message, and why. `why` is for whoever reads the log. */
export interface Judgement {
  readonly satisfied: boolean
  readonly why: string
  /** How the message stands to the decisive fact; null where none is at stake. */
  readonly verdict: FactVerdict | null
}

/**
 * Judges a message against the node it was said in. A terminal node is satisfied by being reached, a fork never by
 * talk (the pick is an event of its own), a gate only by registering the fact, and any other by what it is for.
 */
export function judge(heard: HeardMessage, heading: Heading, scene: Scene, synonyms: Synonyms): Judgement {
  const { node } = scene
  if (node.isTerminal) return { satisfied: true, why: 'the conversation comes to its end', verdict: null }
  if (node.kind === 'pivot') return { satisfied: false, why: 'the answer to a fork is picked, not said', verdict: null }
  if (node.isGate) return judgeGate(heard, scene)
  const why = WHY_NOT[purposeOf(scene)](heard, heading, scene, synonyms)
  return { satisfied: why === null, why: why ?? 'responded on the subject', verdict: null }
}

/** Whether the decisive fact was registered in anything the learner wrote, as far back as the transcript goes. */
export function everRegistered({ npc, scenario, history, learner }: Scene): boolean {
  const fact = npc.rehearsal.acknowledgements[0]
  if (!fact) return true
  const lines = [...history.flatMap(({ who, text }) => (who === 'learner' ? [text] : [])), learner]
  return lines.some(
    (line) => acknowledges(hearMessage(line, firstNamesIn(scenario)), fact, npc.decisionFacts) === 'registered',
  )
}

function judgeGate(heard: HeardMessage, scene: Scene): Judgement {
  const fact = scene.npc.rehearsal.acknowledgements[0]
  if (!fact) return { satisfied: false, why: 'no fact to register', verdict: null }
  const verdict = acknowledges(heard, fact, toldLines(scene))
  return { satisfied: verdict === 'registered', why: `the decisive fact: ${verdict.replaceAll('-', ' ')}`, verdict }
}

type WhyNot = (heard: HeardMessage, heading: Heading, scene: Scene, synonyms: Synonyms) => string | null

/** Why a message does not satisfy a node of each purpose; null when it does. */
const WHY_NOT: Readonly<Record<Purpose, WhyNot>> = {
  guide: whyNotReady,
  questions: whyStillAsking,
  challenge: whyNoReason,
  confide: () => null,
  teach: whyNoReaction,
  talk: whyNoResponse,
}

/** Null when the learner takes part: a question or a statement about the matter, or something they'd do about it. */
function whyNoResponse(heard: HeardMessage, heading: Heading, scene: Scene, synonyms: Synonyms): string | null {
  if (heard.manner !== 'plain') return `only a ${heard.manner === 'grunt' ? 'word or two' : heard.manner + ' message'}`
  if (heading.to === 'small-talk') return 'small talk'
  if (heading.to === 'elsewhere') return 'about something else'
  if (heading.to === 'colleague' && !proposes(heard)) return 'about a colleague’s business'
  const isOrder = heard.sentences.every(({ form }) => form === 'order')
  const takesPart = proposes(heard) || asks(heard) || onSubject(heard, scene.npc, scene.scenario, synonyms) > 0
  return takesPart && !isOrder ? null : 'nothing about the matter'
}

/** Null when a fact told in this node came back: a conclusion, a plan, a follow-up about it. */
function whyNoReaction(heard: HeardMessage, heading: Heading, scene: Scene, synonyms: Synonyms): string | null {
  if (scene.node.turns === 0 || !lastToldFact(scene)) return 'no fact told here yet to respond to'
  if (dismisses(heard)) return 'waved away'
  if (misreads(heard, searchEntries(scene.npc, synonyms))) return 'got a figure wrong'
  return (
    whyNoResponse(heard, heading, scene, synonyms) ??
    (asks(heard) || heard.tokens.length >= 3 ? null : 'too little to go by')
  )
}

/** Null when the learner has said what they take from the answers, or that they have had enough of them. */
function whyStillAsking(heard: HeardMessage, heading: Heading, scene: Scene, synonyms: Synonyms): string | null {
  if (scene.node.turns === 0) return 'nothing answered here yet'
  if (heard.manner === 'thanks' || wantsNothingMore(heard)) return null
  if (dismisses(heard)) return 'waved away'
  if (misreads(heard, searchEntries(scene.npc, synonyms))) return 'got a figure wrong'
  const uses = heard.manner === 'plain' && figuresUsed(heard.tokens, scene) > 0
  const why = uses ? null : whyNoResponse(heard, heading, scene, synonyms)
  if (why !== null) return why
  if (!onlyStates(heard)) return 'still asking'
  return heard.tokens.length >= 4 ? null : 'too little to go by'
}

/** Null when the objection put here was answered with a reason. Disagreeing is no waving away then. */
function whyNoReason(heard: HeardMessage, heading: Heading, scene: Scene, synonyms: Synonyms): string | null {
  if (scene.node.turns === 0) return 'the objection was not put yet'
  if (heard.manner !== 'plain') return whyNoResponse(heard, heading, scene, synonyms)
  if (misreads(heard, searchEntries(scene.npc, synonyms))) return 'got a figure wrong'
  if (givesReason(heard, heading, scene, synonyms)) return null
  return dismisses(heard) ? 'waved away' : 'an answer without a reason'
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
  return told || [...npc.knowledge, ...npc.depth].some((known) => last.includes(known) || shareFigure(last, known))
}

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

/**
 * Whether an answer to an objection has a reason in it: a statement that joins one thing to another ("because", "so
 * that", "unless"), or that puts a figure heard here to use. Whether the reason is a good one is beyond an actor that
 * knows words.
 */
function givesReason(heard: HeardMessage, heading: Heading, scene: Scene, synonyms: Synonyms): boolean {
  if (heading.to !== 'own' && heading.to !== 'colleague') return false
  const stated = heard.sentences.filter(({ form }) => form === 'statement' || form === 'echo')
  const joins = stated.some(({ plain }) => JOINS.test(plain))
  const uses = stated.some(({ tokens }) => tokens.length >= 5 && figuresUsed(tokens, scene) > 0)
  return (joins && isAboutIt(heard, scene, synonyms)) || uses
}

/** How many figures told in this conversation these words put to use. */
export function figuresUsed(tokens: readonly Token[], scene: Scene): number {
  const known = toldLines(scene)
    .flatMap(readWords)
    .flatMap(({ figure }) => figure ?? [])
  const used = tokens.flatMap(({ figure }) => (figure && figure.value !== 1 ? [figure] : []))
  return new Set(used.filter((one) => known.some((other) => sameFigure(one, other))).map(({ value }) => value)).size
}

/** Lines of this colleague that the learner has heard. */
function toldLines({ history }: Scene): readonly string[] {
  return history.flatMap(({ who, text }) => (who === 'npc' ? [text] : []))
}

/** About the matter, or about what was said last. */
function isAboutIt(heard: HeardMessage, { npc, scenario }: Scene, synonyms: Synonyms): boolean {
  return onSubject(heard, npc, scenario, synonyms) > 0 || /\b(?:it|that|this|these|those|they|them)\b/.test(heard.plain)
}

/** A connective, and at least three words of what it joins. */
const JOINS = new RegExp(
  String.raw`(?:\b(?:because|otherwise|therefore|hence|unless|given (?:that|how)|so that|as long as|even if|even though|although|whereas|while|due to|instead of|rather than|depends on|since (?:the|it|we|they|you|that|there|nobody|no|all|most|each|every|if|what)|which (?:means|makes|is why|leaves|would)|that is why|the reason|(?:it|that|this|these|those|they) (?:only |just )?(?:means?|proves?|shows?|implies|follows?|leaves?|hides?)|if)\b|, (?:so|but)\b)(?:\W+[\w.%']+){3}`,
)
