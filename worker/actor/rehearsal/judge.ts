import type { BriefingScene, NodeBrief } from '../../core/briefing/briefing.ts'
import { factsIn } from '../../core/run/facts-in.ts'
import { inTerms } from '../../core/run/stated-in.ts'
import type { ScenarioFact } from '../../core/scenario/scenario.ts'
import type { FactGroups } from '../../core/scenario/rehearsal-lines.ts'
import { acknowledges, type FactVerdict, wasTold } from './acknowledge.ts'
import { onSubject, type Heading } from './detour.ts'
import { asks, hearMessage, onlyStates, proposes, wantsNothingMore, type HeardMessage } from './hear.ts'
import { dismisses } from './dismiss.ts'
import { misreads, knownEntries, shareFigure } from './entries.ts'
import { ownLines } from './own-lines.ts'
import { whyNotReady } from './select.ts'
import { lastReplyIn } from './spoken.ts'
import { hearsOne } from './terms.ts'
import { contentStems, type Synonyms } from '../../core/text/stems.ts'
import { firstNamesIn } from './vocabulary.ts'
import { figuresIn, readAuthored, readWords, sameFigure, type Token } from '../../core/text/words.ts'

/**
 * The judgement of one message. `satisfied` is true if the message does what the node waits for. `why` is the reason,
 * for the log.
 */
export interface Judgement {
  readonly satisfied: boolean
  readonly why: string
  /** The verdict on the decisive fact; null if the node is no gate, or the colleague has no such fact. */
  readonly verdict: FactVerdict | null
}

/**
 * Judges a message against its node. A terminal node is satisfied on arrival. No message satisfies a fork, because the
 * choice is an event of its own. A gate is satisfied once the learner, in this message or an earlier one, has
 * registered the decisive fact, which is the first of the colleague's `acknowledgements`. Every other node is judged by
 * its purpose.
 */
export function judge(heard: HeardMessage, heading: Heading, scene: BriefingScene, synonyms: Synonyms): Judgement {
  const { node } = scene
  if (node.isTerminal) {
    const isNew = node.leaving !== null && node.leaving.isSettled !== true && registersNow(scene)
    const verdict = isNew && !hasRegisteredBefore(scene) ? 'registered' : null
    return { satisfied: true, why: 'the conversation comes to its end', verdict }
  }
  if (node.kind === 'pivot') return { satisfied: false, why: 'the answer to a fork is picked, not said', verdict: null }
  if (node.isGate) return judgeGate(heard, scene)
  const why = WHY_NOT[purposeOf(scene)](heard, heading, scene, synonyms)
  return { satisfied: why === null, why: why ?? 'responded on the subject', verdict: null }
}

/** Returns true if the learner registered the decisive fact in any message of the transcript. */
export function everRegistered({ npc, scenario, history, learner }: BriefingScene): boolean {
  const fact = npc.rehearsal.acknowledgements[0]
  if (!fact) return true
  return learnerLines({ history, learner }).some(
    (line) => acknowledges(hearMessage(line, firstNamesIn(scenario)), fact, npc.decisionFacts) === 'registered',
  )
}

/**
 * Returns true if the learner registered the decisive fact, in this message or in an earlier one, after the colleague had
 * told it: also if the conversation has not come to the gate.
 */
export function hasRegistered(scene: BriefingScene): boolean {
  const fact = scene.npc.rehearsal.acknowledgements[0]
  if (!fact || scene.node.leaving?.isSettled === true) return false
  return registersNow(scene) || registeredBefore(fact, scene)
}

/** Returns true if the colleague has told the decisive fact. */
export function hasToldFact(scene: BriefingScene): boolean {
  const fact = scene.npc.rehearsal.acknowledgements[0]
  return fact !== undefined && wasTold(fact, toldLines(scene))
}

/** Returns true if an earlier message registered the decisive fact. */
function hasRegisteredBefore(scene: BriefingScene): boolean {
  const fact = scene.npc.rehearsal.acknowledgements[0]
  return fact !== undefined && registeredBefore(fact, scene)
}

/** Returns true if this very message registers the decisive fact. */
export function registersNow(scene: BriefingScene): boolean {
  const fact = scene.npc.rehearsal.acknowledgements[0]
  const heard = hearMessage(scene.learner, firstNamesIn(scene.scenario))
  return fact !== undefined && verdictOn(heard, fact, scene) === 'registered'
}

/**
 * Judges whether a message registers the decisive fact (`acknowledges`). A learner who was just asked what it comes to
 * registers the fact also in the words with which a reason would state it.
 */
function verdictOn(heard: HeardMessage, fact: FactGroups, scene: BriefingScene): FactVerdict {
  const told = toldLines(scene)
  if (completes(heard, fact, told, scene.history)) return 'registered'
  if (!wasAskedToSumUp(scene)) return acknowledges(heard, fact, told)
  const verdict = acknowledges(heard, fact, told, { isSummary: true })
  if (verdict !== 'not-the-fact' || hearsOne(heard.tokens, fact.not ?? [])) return verdict
  const facts = decidingFactsOf(scene)
  const named = new Set(factsIn(facts, scene.npc.decisionFacts[0] ?? '').map(({ fact: id }) => id))
  return inTerms(scene.learner, facts).some((id) => named.has(id)) ? 'registered' : verdict
}

/**
 * Returns true if a message answers the colleague's question for the part of the fact that a summary lacked (`FactGroups.questions`),
 * and the learner has stated the other parts before.
 */
function completes(
  heard: HeardMessage,
  fact: FactGroups,
  told: readonly string[],
  before: BriefingScene['history'],
): boolean {
  const reply = before.at(-1)
  const asked =
    reply?.who === 'npc' ? (fact.questions ?? []).findIndex((question) => reply.text.includes(question)) : -1
  const part = fact.groups[asked]
  if (part === undefined) return false
  if (acknowledges(heard, { ...fact, groups: [part] }, told, { isSummary: true }) !== 'registered') return false
  const stated = before.filter(({ who, text }) => who === 'learner' && !text.trimEnd().endsWith('?'))
  return fact.groups.every((group) => group === part || stated.some(({ text }) => hearsOne(readWords(text), group)))
}

/**
 * Returns the colleague's question for a part of the decisive fact that the learner's summary lacks, and whether the summary
 * has another part; null if there is no such question, or if the colleague has not told the fact.
 */
export function lackedPart(scene: BriefingScene, line = scene.learner): { question: string; hasOther: boolean } | null {
  const fact = scene.npc.rehearsal.acknowledgements[0]
  if (fact?.questions === undefined || !hasToldFact(scene)) return null
  const { tokens } = hearMessage(line, firstNamesIn(scene.scenario))
  if (hearsOne(tokens, fact.not ?? [])) return null
  const lacks = fact.groups.map((group) => !hearsOne(tokens, group))
  const hasOther = lacks.includes(false)
  if (!hasOther && !wasAskedToSumUp(scene)) return null
  const wasAsked = (question: string) => toldLines(scene).some((told) => told.includes(question))
  const question = fact.questions.find((each, index) => lacks[index] === true && !wasAsked(each))
  return question === undefined ? null : { question, hasOther }
}

/**
 * Returns true if a question may still be named to the learner: it has no figure that nobody has named yet, and the learner
 * has not said all of its words.
 */
export function isOpenQuestion(question: string, scene: BriefingScene): boolean {
  const own = learnerLines(scene)
  const named = [...own, ...toldLines(scene)].flatMap(figuresIn)
  if (figuresIn(question).some((figure) => !named.some((one) => sameFigure(one, figure)))) return false
  const stems = [...contentStems(readAuthored(question))]
  return !own.some((line) => {
    const said = contentStems(readWords(line))
    return stems.length > 1 && stems.every((stem) => said.has(stem))
  })
}

/** Returns true if the colleague has just asked the learner what it comes to, in their own words. */
export function wasAskedToSumUp(scene: BriefingScene): boolean {
  const { lastCall, lastQuestion, notSaidBack } = ownLines(scene)
  const parts = scene.npc.rehearsal.acknowledgements[0]?.questions ?? []
  const reply = lastReplyIn(scene)
  return [...lastCall, ...lastQuestion, ...notSaidBack, ...parts].some((line) => reply.includes(line))
}

/** Judges a message after the end, where the learner may still register the decisive fact. */
export function judgeAfter(heard: HeardMessage, scene: BriefingScene): Judgement {
  const over: Judgement = { satisfied: false, verdict: null, why: 'the conversation is over' }
  const judged = scene.node.satisfyWhen === null ? over : judgeGate(heard, scene)
  return judged.satisfied ? judged : over
}

function judgeGate(heard: HeardMessage, scene: BriefingScene): Judgement {
  if (scene.node.leaving?.isSettled === true) return { satisfied: true, why: 'registered before', verdict: null }
  const fact = scene.npc.rehearsal.acknowledgements[0]
  if (!fact) return { satisfied: false, why: 'no fact to register', verdict: null }
  const verdict = verdictOn(heard, fact, scene)
  const isBefore = verdict !== 'registered' && verdict !== 'waved-away' && registeredBefore(fact, scene)
  const why = isBefore ? 'registered before' : verdict.replaceAll('-', ' ')
  return { satisfied: verdict === 'registered' || isBefore, why: `the decisive fact: ${why}`, verdict }
}

/**
 * Returns true if the learner registered the fact in an earlier message, after one of the colleague's lines had told
 * all of it. In a graph that does not say whose words satisfy a node (`landsOn` is null), earlier messages do not
 * count.
 */
function registeredBefore(fact: FactGroups, { history, scenario, node }: BriefingScene): boolean {
  if (node.landsOn === null) return false
  const teller = history.findIndex(({ who, text }) => who === 'npc' && wasTold(fact, [text]))
  const told = history[teller]
  if (told === undefined) return false
  const people = firstNamesIn(scenario)
  return history.some(({ who, text }, at) => {
    if (at < teller || who !== 'learner') return false
    const heard = hearMessage(text, people)
    return (
      acknowledges(heard, fact, [told.text]) === 'registered' ||
      completes(heard, fact, [told.text], history.slice(0, at))
    )
  })
}

type WhyNot = (heard: HeardMessage, heading: Heading, scene: BriefingScene, synonyms: Synonyms) => string | null

/** For each purpose, a function that returns why a message does not satisfy the node, or null if it does. */
const WHY_NOT: Readonly<Record<Purpose, WhyNot>> = {
  guide: whyNotReady,
  questions: whyStillAsking,
  challenge: whyNoReason,
  confide: () => null,
  teach: whyNoReaction,
  talk: whyNoResponse,
}

/** Returns null if the learner takes part: with a question, a statement about the matter, or a plan. */
function whyNoResponse(heard: HeardMessage, heading: Heading, scene: BriefingScene, synonyms: Synonyms): string | null {
  if (heard.manner !== 'plain') return `only a ${heard.manner === 'grunt' ? 'word or two' : heard.manner + ' message'}`
  if (heading.to === 'small-talk') return 'small talk'
  if (heading.to === 'elsewhere') return 'about something else'
  if (heading.to === 'colleague' && !proposes(heard)) return 'about a colleague’s business'
  const isOrder = heard.sentences.every(({ form }) => form === 'order')
  const takesPart = proposes(heard) || asks(heard) || onSubject(heard, scene.npc, scene.scenario, synonyms) > 0
  return takesPart && !isOrder ? null : 'nothing about the matter'
}

/**
 * Returns null if the learner takes up a fact told in this node: with a conclusion, a plan, or a follow-up question.
 */
function whyNoReaction(heard: HeardMessage, heading: Heading, scene: BriefingScene, synonyms: Synonyms): string | null {
  if (scene.node.turns === 0 || !lastToldFact(scene)) return 'no fact told here yet to respond to'
  if (dismisses(heard)) return 'waved away'
  if (misreads(heard, knownEntries(scene.npc))) return 'got a figure wrong'
  return (
    whyNoResponse(heard, heading, scene, synonyms) ??
    (asks(heard) || heard.tokens.length >= 3 ? null : 'too little to go by')
  )
}

/** Returns null if the learner has said what they take from the answers, or that they have enough. */
function whyStillAsking(
  heard: HeardMessage,
  heading: Heading,
  scene: BriefingScene,
  synonyms: Synonyms,
): string | null {
  if (scene.node.turns === 0) return 'nothing answered here yet'
  if (heard.manner === 'thanks' || wantsNothingMore(heard)) return null
  if (dismisses(heard)) return 'waved away'
  if (misreads(heard, knownEntries(scene.npc))) return 'got a figure wrong'
  const uses = heard.manner === 'plain' && figuresUsed(heard.tokens, scene) > 0
  const why = uses ? null : whyNoResponse(heard, heading, scene, synonyms)
  if (why !== null) return why
  if (!onlyStates(heard)) return 'still asking'
  return heard.tokens.length >= 4 ? null : 'too little to go by'
}

/**
 * Returns null if the learner answered the objection with a reason. A disagreement with a reason does not count as a
 * dismissal.
 */
function whyNoReason(heard: HeardMessage, heading: Heading, scene: BriefingScene, synonyms: Synonyms): string | null {
  if (scene.node.turns === 0) return 'the objection was not put yet'
  if (heard.manner !== 'plain') return whyNoResponse(heard, heading, scene, synonyms)
  if (misreads(heard, knownEntries(scene.npc))) return 'got a figure wrong'
  if (givesReason(heard, heading, scene, synonyms)) return null
  return dismisses(heard) ? 'waved away' : 'an answer without a reason'
}

/**
 * Returns true if the colleague's last line told a fact that the colleague knows, one of their figures, or a point of
 * this node, or answered a question.
 */
function lastToldFact(scene: BriefingScene): boolean {
  const { npc, node, said } = scene
  const last = lastReplyIn(scene)
  if (last === '') return false
  const lines = npc.rehearsal.nodes[node.id]
  const points = [...(lines?.open ?? []), ...(lines?.stay ?? [])].flatMap((line) =>
    typeof line === 'string' ? [] : [line],
  )
  const told = points.some(({ say, point }) => last.includes(say) || said.includes(point))
  const answered = npc.rehearsal.answers.some(({ say }) => say.some((line) => last.includes(line)))
  return (
    told ||
    answered ||
    [...npc.knowledge, ...npc.depth].some((known) => last.includes(known) || shareFigure(last, known))
  )
}

/**
 * The purpose of a node, which decides how the learner satisfies it. `guide`: the learner is ready to go on.
 * `questions`: they ask until they have no question left. `challenge`: they answer an objection. `confide`: they only
 * listen. `teach`: they take in a fact. `talk`: they take part.
 */
export type Purpose = 'guide' | 'questions' | 'challenge' | 'confide' | 'teach' | 'talk'

/**
 * Returns the purpose of this turn's node. The purpose depends on the colleague's kind of walk, the scenario's tier and
 * the sources of the node's content.
 */
export function purposeOf({ scenario, npc, node }: BriefingScene): Purpose {
  if (npc.walk === 'guide') return 'guide'
  if (npc.walk === 'tier' && scenario.tier === 'ACADEMIC' && !isOpening(node)) return 'questions'
  if (isBoundTo(node, 'challenges')) return 'challenge'
  if (npc.walk === 'tier' && isBoundTo(node, 'concerns')) return 'confide'
  const isOfFacts = isBoundTo(node, 'what_they_know') || isBoundTo(node, 'depth')
  return isOfFacts && !isBoundTo(node, 'beat1') ? 'teach' : 'talk'
}

/** Returns true for the greeting node, in which the colleague tells no facts. */
export function isOpening(node: NodeBrief): boolean {
  return isBoundTo(node, 'greeting')
}

/** Returns true if the node has content from the source `key`, with or without the leading `npc.`. */
function isBoundTo(node: NodeBrief, key: string): boolean {
  return node.content.some(({ source }) => source === key || source === `npc.${key}`)
}

/**
 * Returns true if an answer to an objection has a reason: a statement with a connective ("because", "so that",
 * "unless"), or a statement that uses a figure told in this conversation. Without a model, the actor cannot judge how
 * good the reason is.
 */
function givesReason(heard: HeardMessage, heading: Heading, scene: BriefingScene, synonyms: Synonyms): boolean {
  if (heading.to !== 'own' && heading.to !== 'colleague') return false
  const stated = heard.sentences.filter(({ form }) => form === 'statement' || form === 'echo')
  const joins = stated.some(({ plain }) => JOINS.test(plain))
  const uses = stated.some(({ tokens }) => tokens.length >= 5 && figuresUsed(tokens, scene) > 0)
  return (joins && isAboutIt(heard, scene, synonyms)) || uses
}

/** Returns the number of figures told in this conversation that these words use. */
export function figuresUsed(tokens: readonly Token[], scene: BriefingScene): number {
  if (tokens.every(({ figure }) => figure === null)) return 0
  const known = toldLines(scene)
    .flatMap(readWords)
    .flatMap(({ figure }) => figure ?? [])
  const used = tokens.flatMap(({ figure }) => (figure && figure.value !== 1 ? [figure] : []))
  return new Set(used.filter((one) => known.some((other) => sameFigure(one, other))).map(({ value }) => value)).size
}

/** Returns what the learner has said, the current message included. */
export function learnerLines({ history, learner }: Pick<BriefingScene, 'history' | 'learner'>): readonly string[] {
  return [...history.flatMap(({ who, text }) => (who === 'learner' ? [text] : [])), learner]
}

/** Returns the run's facts that are this colleague's to tell. */
export function factsOf({ scenario, npc }: BriefingScene): readonly ScenarioFact[] {
  return (scenario.simulation?.facts ?? []).filter((fact) => fact.npc === npc.id)
}

export function decidingFactsOf(scene: BriefingScene): readonly ScenarioFact[] {
  return factsOf(scene).filter((fact) => fact.deciding)
}

/** Returns what the colleague has said. */
export function toldLines({ history }: BriefingScene): readonly string[] {
  const lines = TOLD.get(history) ?? history.flatMap(({ who, text }) => (who === 'npc' ? [text] : []))
  TOLD.set(history, lines)
  return lines
}

const TOLD = new WeakMap<BriefingScene['history'], readonly string[]>()

/** Returns the ids of those facts that the colleague has told: in the history, or in `also`. */
export function factsTold(
  scene: BriefingScene,
  facts: readonly ScenarioFact[],
  also: readonly string[] = [],
): ReadonlySet<string> {
  return new Set([...toldLines(scene), ...also].flatMap((line) => factsIn(facts, line)).map(({ fact }) => fact))
}

/**
 * Returns true if a message has a word of this colleague's subjects or of the shared ones, or a pronoun that refers
 * back to the previous line.
 */
function isAboutIt(heard: HeardMessage, { npc, scenario }: BriefingScene, synonyms: Synonyms): boolean {
  return onSubject(heard, npc, scenario, synonyms) > 0 || /\b(?:it|that|this|these|those|they|them)\b/.test(heard.plain)
}

/** Matches a connective with at least three words after it. */
const JOINS = new RegExp(
  String.raw`(?:\b(?:because|otherwise|therefore|hence|unless|given (?:that|how)|so that|as long as|even if|even though|although|whereas|while|due to|instead of|rather than|depends on|since (?:the|it|we|they|you|that|there|nobody|no|all|most|each|every|if|what)|which (?:means|makes|is why|leaves|would)|that is why|the reason|(?:it|that|this|these|those|they) (?:only |just )?(?:means?|proves?|shows?|implies|follows?|leaves?|hides?)|if)\b|, (?:so|but)\b)(?:\W+[\w.%']+){3}`,
)
