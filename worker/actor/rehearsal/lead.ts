import type { BriefingScene } from '../../core/briefing/briefing.ts'
import type { Scenario } from '../../core/scenario/scenario.ts'
import type { Asides } from '../../core/scenario/rehearsal-lines.ts'
import { contentStems, type Synonyms } from '../../core/text/stems.ts'
import { figuresIn, readAuthored, sameFigure } from '../../core/text/words.ts'
import type { Business } from './business.ts'
import { type Heading, isUnfamiliar } from './detour.ts'
import { dismisses } from './dismiss.ts'
import { asks, asksForFigure, asksHowMany, doubted, type HeardMessage, isLost, questionsIn } from './hear.ts'
import { isOpening, purposeOf, type Judgement } from './judge.ts'
import type { Manner } from './manner.ts'
import type { Near, Nearest } from './nearest.ts'
import { countsOut, misreads, type Entry, entriesOf, wordingOf } from './entries.ts'
import { ownLines } from './own-lines.ts'
import { asksWhetherMachine, saysThanks } from './small-talk.ts'
import { fromSpanish, isSpanish } from './spanish.ts'
import { type LineToSay, nextFresh, type SpokenSoFar } from './spoken.ts'

/** The data from which `lead` chooses the line before the node's own lines. */
export interface LeadMatter {
  readonly scene: BriefingScene
  readonly heard: HeardMessage
  readonly heading: Heading
  readonly judgement: Judgement
  readonly said: SpokenSoFar
  readonly synonyms: Synonyms
  readonly matter: Business
  /** The entries whose meaning is closest to the message. */
  readonly near: Nearest
}

/** A colleague's first line, and texts that the learner may want to send next because the line may miss the question. */
export interface Lead extends LineToSay {
  readonly offers?: readonly string[]
  /** The answer to a second question in the same message. */
  readonly also?: LineToSay
}

/** From this closeness on, an entry surely answers the message. */
export const SURE = 0.6
/** From this closeness on, an entry is better than a question back. */
const LIKELY = 0.5
/** From this closeness on, an entry may be what is asked for, so the colleague does not say that they don't know. */
const FAINT = 0.38
/** A statement is answered from this closeness on. */
const CERTAIN = 0.74
/** A message this close is nearly the author's own question. */
const VERBATIM = 0.9
/** A longer message that asks for other words says which words it means. */
const MOST_LOST = 6
/** Another colleague's entry must be closer than the speaker's own by this much. */
const MARGIN = 0.1

/**
 * Returns a colleague's first line, in answer to the learner: a cool reply to an insult, an answer to a question, the
 * right figure after a wrong one, or whom to ask about another colleague's subject. Returns null if the colleague can
 * begin with the node's own lines.
 */
export function lead(all: LeadMatter): Lead | null {
  const { heard, heading, judgement, scene } = all
  const { asides } = scene.npc.rehearsal
  const manners = MANNERS[heard.manner]
  if (manners !== undefined) return isGreeting(all) ? null : nextFresh(asides[manners], all.said)
  if (heard.manner === 'grunt') return null
  if (asksWhetherMachine(heard.plain)) return plainYes(all)
  if (isLost(heard) && heard.tokens.length <= MOST_LOST && !scene.node.isTerminal) {
    return nextFresh(asides.inOtherWords, all.said)
  }
  if (scene.node.isTerminal && heading.to === 'small-talk') return null
  if (isAnswered(all)) return toldBoth(all)
  if (heading.to === 'small-talk') return smallTalk(all)
  if (scene.node.isTerminal) return asks(heard) && heading.to === 'own' ? lastAnswer(all) : null
  const owner = ownerOf(all)
  if (owner !== null) return nextFresh(redirectsTo(owner, scene), all.said)
  if (isOpening(scene.node)) return null
  if (isWavedAway(all)) return nextFresh(asides.pushback, all.said)
  if (heading.to === 'elsewhere') return isFirstWord(scene) ? null : nextFresh(asides.offTopic, all.said)
  const wrong = judgement.verdict === 'registered' ? null : misreads(heard, entriesOf(scene.npc))
  if (wrong !== null) return told({ entry: wrong }, all)
  return asks(heard) || doubted(heard) !== null ? answer(all) : null
}

/**
 * Returns true if a prepared answer surely fits the message, whatever its form. A statement needs a closer fit than a
 * question, and a statement that takes in the point of the node is left to the node's own lines.
 */
function isAnswered(all: LeadMatter): boolean {
  const { near, heard, judgement, scene } = all
  const [first] = near.own
  if (first === undefined || first.fit < SURE || isOpening(scene.node) || isOthers(all)) return false
  if (asksHowMany(heard) && !countsOut(first.entry, heard.tokens)) return false
  if (asks(heard) || doubted(heard) !== null) return true
  if (judgement.verdict === 'registered') return false
  return first.fit >= (isWavedAway(all) ? VERBATIM : CERTAIN)
}

/** Returns the id of the colleague whose subject this is; or null if it is the speaker's own. */
function ownerOf(all: LeadMatter): string | null {
  const { heading, near, heard } = all
  if (!isOthers(all)) return null
  if (heading.to === 'colleague') return heading.npc.id
  return asks(heard) ? (near.other?.npc.id ?? null) : null
}

/**
 * Returns true if the message is about another colleague's part. If its words say so, only an entry of the speaker that
 * surely answers it goes first. If they don't, an entry of another colleague must be much closer.
 */
function isOthers({ near: { own, other }, heading }: LeadMatter): boolean {
  const fit = own[0]?.fit ?? 0
  const others = other?.fit ?? 0
  if (heading.to === 'colleague') return fit < SURE || others > fit + MARGIN / 2
  return others >= SURE && others > fit + MARGIN
}

/** Says plainly that the colleague is no person, in the author's words if the author wrote some. */
function plainYes({ near, said, scene }: LeadMatter): LineToSay {
  const [first] = near.own
  return (
    (first && first.fit >= SURE && wordingOf(first.entry, said)) || {
      say: ownLines(scene.scenario).plainYes,
      point: null,
    }
  )
}

/**
 * Returns the answer to give before a goodbye. Returns null if the answer was given before, or tells nothing more than
 * the goodbye tells.
 */
function lastAnswer(all: LeadMatter): LineToSay | null {
  const found = findAnswer(all)
  if (found === null || all.matter.lines.some((line) => answers(line, found.entry))) return null
  return wordingOf(found.entry, all.said)
}

/**
 * Returns the author's answer to this small talk. If the author wrote no answer, returns one of the colleague's asides,
 * but null in the greeting node. At the terminal node the result is always null, because the goodbye is enough.
 */
function smallTalk({ scene, heard, said, near }: LeadMatter): LineToSay | null {
  if (scene.node.isTerminal) return null
  const { asides } = scene.npc.rehearsal
  const [first] = near.own
  if (first !== undefined && first.fit >= LIKELY) return wordingOf(first.entry, said)
  if (isOpening(scene.node)) return null
  return nextFresh(saysThanks(heard.plain) ? asides.thanks : asides.offTopic, said)
}

/**
 * Returns true if the learner waves away a point that the colleague has already made. A learner who answers an
 * objection with a reason waves nothing away.
 */
function isWavedAway({ scene, heard, judgement }: LeadMatter): boolean {
  if (judgement.satisfied && purposeOf(scene) === 'challenge') return false
  return judgement.verdict !== 'registered' && dismisses(heard) && scene.said.length > 0
}

const MANNERS: Partial<Record<Manner, keyof Asides>> = {
  wordless: 'wordless',
  foreign: 'foreign',
  insult: 'insult',
  hello: 'hello',
  thanks: 'thanks',
}

/**
 * Returns the answer to a question. In a turn in which the node's authored lines tell the node's point (what the node is
 * there to reveal), the point serves as the answer, and the result is null. But a question that an entry surely answers
 * gets its own answer even in such a turn.
 */
function answer(all: LeadMatter): Lead | null {
  const found = findAnswer(all)
  if (found === null) return noAnswer(all)
  const line = told(found, all)
  return line && found.fit < SURE ? { ...line, offers: offersOf(all, found) } : line
}

/**
 * Returns the found answer in words not used before. Returns null if one of the node's own lines already gives the
 * answer. If all wordings of the answer were used, the colleague says that the question comes again and answers it once
 * more; but in a turn that tells the node's point, the result is null.
 */
function told({ entry }: Pick<Near, 'entry'>, { scene, said, matter }: LeadMatter): LineToSay | null {
  if (matter.lines.some((line) => answers(line, entry))) return null
  const fresh = wordingOf(entry, said)
  if (fresh !== null || matter.isPoint) return fresh
  const again = nextFresh(scene.npc.rehearsal.asides.again, said)
  return { say: [again?.say, entry.say[0]].join(' ').trim(), point: null }
}

/** Returns the answers to a message's two questions, or the answer to its only one. */
function toldBoth(all: LeadMatter): Lead | null {
  const [first] = all.near.own
  const { second } = all.near
  const line = first === undefined ? null : told(first, all)
  const also = second === null ? null : wordingOf(second.entry, all.said)
  return line && also ? { ...line, also } : (line ?? also)
}

function noAnswer(all: LeadMatter): Lead | null {
  const { asides } = all.scene.npc.rehearsal
  if (all.judgement.verdict === 'registered' || isFirstWord(all.scene)) return null
  if (isLost(all.heard)) return nextFresh(asides.inOtherWords, all.said)
  if (all.matter.isPoint && !isBeyond(all)) return null
  if ((all.near.own[0]?.fit ?? 0) >= FAINT) return askBack(all)
  if (lacksFigure(all)) return nextFresh(asides.unknown, all.said)
  return !all.matter.isPoint && isBeyond(all) ? nextFresh(asides.noIdea, all.said) : null
}

/** Asks which of the nearest answers the learner is after. */
function askBack(all: LeadMatter): Lead | null {
  const offers = offersOf(all)
  return offers.length === 0 ? null : { say: ownLines(all.scene.scenario).doYouMean(offers), point: null, offers }
}

/** Returns the questions of the nearest entries, as the learner may send them. */
function offersOf({ near, said, scene }: LeadMatter, except?: Near): readonly string[] {
  const unsaid = near.own.filter((each) => each !== except && wordingOf(each.entry, said) !== null)
  return unsaid.flatMap(({ entry }) => questionOf(entry, scene.scenario) ?? []).slice(0, MOST_OFFERS)
}

const MOST_OFFERS = 2

/** Returns the fullest of the author's questions for an entry that reads like a question, as a sentence; or null. */
function questionOf({ asks: questions }: Entry, scenario: Scenario): string | null {
  const read = isSpanish(scenario) ? (text: string) => fromSpanish(`¿${text}`) : (text: string) => text
  const fitting = questions.filter((text) => ASKED.test(read(text)) && text.length <= LONGEST_OFFER)
  const [question] = fitting.toSorted((a, b) => b.length - a.length)
  return question === undefined ? null : ownLines(scenario).question(question)
}

const ASKED =
  /^(?:what|how|why|who|whose|when|where|which|is|are|was|were|do|does|did|can|could|should|would|will|have|has)(?:'s)? \w+ \w+[^?.!]*$/
/** A longer text would fill a phone's line and more. */
const LONGEST_OFFER = 44

/**
 * Returns true if the colleague has not replied yet, in a conversation with a context graph. Such a first reply greets
 * the learner or takes up what they wrote. It never says that the colleague has no answer.
 */
function isFirstWord({ node, history }: BriefingScene): boolean {
  return node.state !== null && !history.some(({ who }) => who === 'npc')
}

/** Returns the closest entry that can answer the question; null if none is close. Only a figure answers "how many". */
function findAnswer({ heard, near }: LeadMatter): Near | null {
  const able = asksHowMany(heard) ? near.own.filter(({ entry }) => countsOut(entry, heard.tokens)) : near.own
  const [first] = able
  return first !== undefined && first.fit >= LIKELY ? first : null
}

/**
 * Returns true if a line makes an answer unnecessary: it has the same point as the answer, or all of the answer's
 * figures.
 */
function answers(line: LineToSay, { point, say }: Entry): boolean {
  if (say.includes(line.say)) return true
  if (point !== null && point === line.point) return true
  const asked = figuresIn(say[0] ?? '')
  const told = figuresIn(line.say)
  return line.point !== null && asked.length > 0 && asked.every((one) => told.some((other) => sameFigure(one, other)))
}

/**
 * Words that only name a measure. A question with no other meaningful word, such as "How much percent?", is about the
 * previous line.
 */
const MEASURES = contentStems(readAuthored('percent percentage number figure rate share'), new Map())

/**
 * Returns true if the learner asks for a figure that the colleague lacks. If the node's point is told in this turn, the
 * point may be the answer, so the question counts only if it contains an unfamiliar word. In any other turn, a question
 * counts unless it only names a measure (`MEASURES`).
 */
function lacksFigure(all: LeadMatter): boolean {
  const { heard, synonyms, matter } = all
  const isOfSomething = [...contentStems(questionsIn(heard), synonyms)].some((stem) => !MEASURES.has(stem))
  return asksForFigure(heard) && (matter.isPoint ? isBeyond(all) : isOfSomething)
}

function isBeyond({ scene, heard, synonyms }: LeadMatter): boolean {
  return isUnfamiliar(questionsIn(heard), scene.npc, scene.scenario, synonyms)
}

function redirectsTo(id: string, { npc }: BriefingScene): readonly string[] {
  return npc.rehearsal.redirects.find((redirect) => redirect.npc === id)?.say ?? []
}

/** Returns true if the message needs no answer of its own: a hello at the greeting, or thanks at the end. */
function isGreeting({ scene, heard }: LeadMatter): boolean {
  return (heard.manner === 'hello' && isOpening(scene.node)) || (heard.manner === 'thanks' && scene.node.isTerminal)
}
