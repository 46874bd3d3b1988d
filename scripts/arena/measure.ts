import type { ReportQuality } from '../../worker/core/reply/report.ts'
import { factsIn } from '../../worker/core/run/facts-in.ts'
import type { Npc, ScenarioFact } from '../../worker/core/scenario/scenario.ts'
import { figuresIn, readWords } from '../../worker/core/text/words.ts'
import { contentStems } from '../../worker/core/text/stems.ts'
import { dismisses } from '../../worker/actor/rehearsal/dismiss.ts'
import { hearMessage } from '../../worker/actor/rehearsal/hear.ts'
import { plainWords } from '../../worker/core/walk/match-choice.ts'
import { isToldIn, showsTakenIn, takesLeave } from './phrases.ts'
import type { ArenaExchange, ArenaTalk } from './play-talk.ts'

/** What the arena counts in one conversation. */
export interface Measures {
  readonly end: ArenaTalk['end']
  /** The number of the learner's messages. The choice of a card counts as a message. */
  readonly messages: number
  /** The number of replies that came after the reply to the learner's goodbye. */
  readonly afterGoodbye: number
  /**
   * The number of replies that ask again for something that the learner has answered: a fork, a gate's fact, or a
   * question.
   */
  readonly askedAgain: number
  readonly replies: number
  /** The number of facts that the colleague knows and that a reply stated for the first time. */
  readonly freshFacts: number
  /** The number of sentences that repeat an earlier reply in almost the same words or with the same figures. */
  readonly repeated: number
  /**
   * Whether the replies stated every deciding fact, which is a fact that the learner has to take in. Null if the
   * colleague has no deciding fact.
   */
  readonly isDecidingSaid: boolean | null
  /**
   * Whether the learner's words showed that they took in the first deciding fact; null if the colleague has no deciding
   * fact.
   */
  readonly isDecidingTaken: boolean | null
  /** Whether the learner took their leave before the deciding facts were said. */
  readonly isLeftBefore: boolean
  readonly reports: Readonly<Record<ReportQuality, number>>
  readonly failures: number
  readonly tokens: ArenaTalk['tokens']
}

/** Measures one conversation. */
export function measure(talk: ArenaTalk, npc: Npc): Measures {
  const { exchanges } = talk
  const replies = repliesOf(talk)
  const isSaid = decidingSaid(npc, replies)
  const takenAt = decidingTakenAt(talk, npc)
  const goodbye = goodbyeAt(talk)
  const before = goodbye < 0 ? replies : replies.slice(0, goodbye + 1)
  return {
    end: talk.end,
    messages: exchanges.length,
    afterGoodbye: goodbye < 0 ? 0 : exchanges.slice(goodbye + 1).filter(({ reply }) => reply !== null).length,
    askedAgain: askedAgain(talk, takenAt),
    replies: exchanges.filter(({ reply }) => reply !== null).length,
    freshFacts: freshFacts(talk, npc),
    repeated: repeatedPoints(replies),
    isDecidingSaid: isSaid,
    isDecidingTaken: isSaid === null ? null : takenAt !== null,
    isLeftBefore: goodbye >= 0 && decidingSaid(npc, before) === false,
    reports: countQualities(exchanges),
    failures: exchanges.filter(({ reply }) => reply === null).length,
    tokens: talk.tokens,
  }
}

/**
 * Returns true if a conversation passes ([arena-6]): it has ended, no reply came after the reply to the learner's
 * goodbye, and fewer than two replies asked again. Also, the replies stated every deciding fact, or the learner said
 * goodbye before.
 */
export function passes(measures: Measures): boolean {
  const { end, afterGoodbye, askedAgain: again, isDecidingSaid, isLeftBefore } = measures
  return end !== 'open' && afterGoodbye === 0 && again < 2 && (isDecidingSaid !== false || isLeftBefore)
}

/** Returns what the colleague said: the opening and each reply. A missing one is an empty text. */
export function repliesOf({ opening, exchanges }: Pick<ArenaTalk, 'opening' | 'exchanges'>): readonly string[] {
  return [opening ?? '', ...exchanges.map(({ reply }) => reply ?? '')]
}

/** Returns the index of the exchange in which the learner says goodbye; -1 if there is none. */
export function goodbyeAt({ exchanges }: Pick<ArenaTalk, 'exchanges'>): number {
  return exchanges.findIndex(({ learner, isCard }) => !isCard && takesLeave(learner))
}

/** Returns true if these replies state every deciding fact; null if the colleague has no deciding fact. */
export function decidingSaid({ rehearsal }: Npc, replies: readonly string[]): boolean | null {
  const facts = rehearsal.acknowledgements
  return facts.length === 0 ? null : facts.every((fact) => isToldIn(replies, fact))
}

/**
 * Returns the index of the first message that shows that the learner took in the first deciding fact; null if no
 * message shows it.
 */
function decidingTakenAt(talk: ArenaTalk, { rehearsal }: Npc): number | null {
  const [fact] = rehearsal.acknowledgements
  if (!fact) return null
  const told = repliesOf(talk)
  const at = talk.exchanges.findIndex(({ learner }, place) => showsTakenIn(learner, fact, told.slice(0, place + 1)))
  return at < 0 ? null : at
}

/**
 * Counts the replies that ask again for what the learner has answered: a fork that the learner has answered, a gate
 * that stays closed although an earlier message showed that the learner took in its fact (unless the learner waved it
 * away since), or a question of an earlier
 * reply in the same words. A reply may ask again about a fork that the learner has not answered.
 *
 * @param taken the result of `decidingTakenAt`
 */
function askedAgain(talk: ArenaTalk, taken: number | null): number {
  const answered = new Set<string>()
  const asked = new Set<string>()
  let isTaken = false
  let count = 0
  for (const [place, { learner, answers, puts, reply, isGate, to, node }] of talk.exchanges.entries()) {
    if (answers !== null) answered.add(answers)
    const open = puts !== null && !answered.has(puts.fork) ? questionsIn(puts.question) : []
    const questions = questionsIn(reply ?? '')
    const isForkAgain = puts !== null && answered.has(puts.fork)
    if (dismisses(hearMessage(learner, new Set()))) isTaken = false
    const isGateAgain = isGate && to === node && isTaken
    if (place === taken) isTaken = true
    const isSameAgain = questions.some((question) => asked.has(question) && !open.includes(question))
    if (isForkAgain || isGateAgain || isSameAgain) count += 1
    for (const question of questions) asked.add(question)
  }
  return count
}

/** Counts the facts that the colleague knows and that a reply states for the first time. */
function freshFacts({ opening, exchanges }: Pick<ArenaTalk, 'opening' | 'exchanges'>, npc: Npc): number {
  const own = [...new Set([...npc.knowledge, ...npc.depth, ...npc.decisionFacts])].map(asFact)
  const ids = own.map(({ id }) => id)
  const said = new Set(factsIn(own, opening ?? '', ids).map(({ fact }) => fact))
  const before = said.size
  for (const { reply } of exchanges) for (const { fact } of factsIn(own, reply ?? '', ids)) said.add(fact)
  return said.size - before
}

function asFact(text: string): ScenarioFact {
  return { id: text, npc: '', text, heard: [], deciding: false }
}

function repeatedPoints(replies: readonly string[]): number {
  const stated: Statement[] = []
  let count = 0
  for (const reply of replies) {
    const statements = sentencesIn(reply).map(statementOf)
    count += statements.filter((one) => stated.some((other) => isSamePoint(one, other))).length
    stated.push(...statements)
  }
  return count
}

interface Statement {
  readonly stems: ReadonlySet<string>
  readonly figures: string
}

function statementOf(sentence: string): Statement {
  const figures = figuresIn(sentence).map(({ value, unit }) => `${value} ${unit}`)
  return { stems: contentStems(readWords(sentence), new Map()), figures: [...new Set(figures)].toSorted().join(' ') }
}

/**
 * Two sentences say almost the same if they share at least this many meaningful words, and at least this share of them.
 */
const [LEAST_SHARED, SAME_SHARE] = [3, 0.8]

function isSamePoint(one: Statement, other: Statement): boolean {
  if (one.figures !== '' && one.figures === other.figures) return true
  const shared = [...one.stems].filter((stem) => other.stems.has(stem)).length
  return shared >= LEAST_SHARED && shared / Math.max(one.stems.size, other.stems.size) >= SAME_SHARE
}

function sentencesIn(text: string): readonly string[] {
  return text.split(/(?<=[.!?…]["'”’)]?)\s+/).filter((sentence) => sentence.trim() !== '')
}

function questionsIn(text: string): readonly string[] {
  return sentencesIn(text).flatMap((sentence) => (/\?["'”’)]?$/.test(sentence.trim()) ? [plainWords(sentence)] : []))
}

function countQualities(exchanges: readonly ArenaExchange[]): Measures['reports'] {
  const counts = { clean: 0, coerced: 0, repaired: 0, salvaged: 0, missing: 0, echoed: 0 }
  for (const { quality } of exchanges) if (quality !== null) counts[quality] += 1
  return counts
}
