import type { BriefingScene } from '../../core/briefing/briefing.ts'
import type { Asides } from '../../core/scenario/rehearsal-lines.ts'
import type { Business } from './business.ts'
import type { Heading } from './detour.ts'
import { isUnfamiliar } from './detour.ts'
import type { HeardMessage } from './hear.ts'
import { dismisses } from './dismiss.ts'
import { asks, asksForFigure, asksHowMany, doubted, isLost, questionsIn } from './hear.ts'
import { isOpening, purposeOf, type Judgement } from './judge.ts'
import type { Manner } from './manner.ts'
import type { Nearest } from './nearest.ts'
import { misreads, countsOut, searchEntries, retrieve, wordingOf, type FoundAnswer } from './retrieve.ts'
import { saysThanks } from './small-talk.ts'
import type { SpokenSoFar, LineToSay } from './spoken.ts'
import { nextFresh } from './spoken.ts'
import type { Synonyms } from '../../core/text/stems.ts'
import { contentStems } from '../../core/text/stems.ts'
import { wordsForPeople, sharedWords } from './vocabulary.ts'
import { figuresIn, readAuthored, sameFigure } from '../../core/text/words.ts'

/** The data from which `lead` chooses the line before the node's own lines. */
export interface LeadMatter {
  readonly scene: BriefingScene
  readonly heard: HeardMessage
  readonly heading: Heading
  readonly judgement: Judgement
  readonly said: SpokenSoFar
  readonly synonyms: Synonyms
  readonly matter: Business
  /** The entry whose meaning is closest to the message; null without a word table, or if none is close. */
  readonly near: Nearest | null
}

/**
 * Returns a colleague's first line, in answer to the learner: a cool reply to an insult, an answer to a question, the
 * right figure after a wrong one, or whom to ask about another colleague's subject. Returns null if the colleague can
 * begin with the node's own lines.
 */
export function lead(all: LeadMatter): LineToSay | null {
  const { heard, heading, judgement, scene } = all
  const { asides } = scene.npc.rehearsal
  const manners = MANNERS[heard.manner]
  if (manners !== undefined) return isGreeting(all) ? null : nextFresh(asides[manners], all.said)
  if (heard.manner === 'grunt') return null
  if (isAnswered(all)) return told(all.near!, all)
  if (heading.to === 'small-talk') return smallTalk(all)
  if (scene.node.isTerminal) return asks(heard) && heading.to === 'own' ? lastAnswer(all) : null
  if (heading.to === 'colleague') return nextFresh(redirectsTo(heading.npc.id, scene), all.said)
  if (isOpening(scene.node)) return null
  if (isWavedAway(all)) return nextFresh(asides.pushback, all.said)
  if (heading.to === 'elsewhere') return isFirstWord(scene) ? null : nextFresh(asides.offTopic, all.said)
  const wrong = judgement.verdict === 'registered' ? null : misreads(heard, searchEntries(scene.npc, all.synonyms))
  if (wrong !== null) return told({ entry: wrong, fit: 1, isForeseen: true }, all)
  return asks(heard) || doubted(heard) !== null ? answer(all) : null
}

/**
 * Returns true if a prepared answer surely fits the message, whatever its form. A statement needs a closer fit than a
 * question, and a statement that takes in the point of the node is left to the node's own lines.
 */
function isAnswered(all: LeadMatter): boolean {
  const { near, heard, judgement, scene } = all
  if (near === null || !near.isSure || isOpening(scene.node) || isWavedAway(all)) return false
  if (judgement.verdict === 'registered') return false
  return asks(heard) || doubted(heard) !== null || near.fit >= CERTAIN
}

/** A statement is answered from this fit on. */
const CERTAIN = 0.8

/**
 * Returns the answer to give before a goodbye. Returns null if the answer reveals nothing, or nothing more than the
 * goodbye reveals.
 */
function lastAnswer(all: LeadMatter): LineToSay | null {
  const found = findAnswer(all)
  if (found === null || found.entry.point === null) return null
  return all.matter.lines.some((line) => answers(line, found.entry)) ? null : wordingOf(found, all.said)
}

/**
 * Returns the author's answer to this small talk. If the author wrote no answer, returns one of the colleague's asides,
 * but null in the greeting node. At the terminal node the result is always null, because the goodbye is enough.
 */
function smallTalk({ scene, heard, said, synonyms }: LeadMatter): LineToSay | null {
  if (scene.node.isTerminal) return null
  const { asides } = scene.npc.rehearsal
  const found = retrieve(heard.tokens, searchEntries(scene.npc, synonyms), synonyms)
  const foreseen = found?.isForeseen ? wordingOf(found, said) : null
  if (foreseen || found?.isForeseen || isOpening(scene.node)) return foreseen
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
 * Returns the answer to a question. In a turn in which the node's authored lines tell the node's point (what the node
 * is there to reveal), the point serves as the answer, and the result is null. But a question that the author foresaw
 * gets its own answer even in such a turn.
 */
function answer(all: LeadMatter): LineToSay | null {
  const found = findAnswer(all)
  if (found === null) return noAnswer(all)
  const { node, npc } = all.scene
  const isWritten = npc.rehearsal.nodes[node.id] !== undefined
  return all.matter.isPoint && isWritten && !found.isForeseen ? null : told(found, all)
}

/**
 * Returns the found answer in words not used before. Returns null if one of the node's own lines already gives the
 * answer. If all wordings of the answer were used, returns a line for a repeated question (`asides.again`). But in a
 * turn that tells the node's point, it returns null.
 */
function told(found: FoundAnswer, { scene, said, matter }: LeadMatter): LineToSay | null {
  if (matter.lines.some((line) => answers(line, found.entry))) return null
  return wordingOf(found, said) ?? (matter.isPoint ? null : nextFresh(scene.npc.rehearsal.asides.again, said))
}

function noAnswer(all: LeadMatter): LineToSay | null {
  const { asides } = all.scene.npc.rehearsal
  if (all.judgement.verdict === 'registered' || isFirstWord(all.scene)) return null
  if (isLost(all.heard)) return nextFresh(asides.inOtherWords, all.said)
  if (all.near !== null) return told(all.near, all)
  if (lacksFigure(all)) return nextFresh(asides.unknown, all.said)
  return !all.matter.isPoint && isBeyond(all) ? nextFresh(asides.noIdea, all.said) : null
}

/**
 * Returns true if the colleague has not replied yet, in a conversation with a context graph. Such a first reply greets
 * the learner or takes up what they wrote. It never says that the colleague has no answer.
 */
function isFirstWord({ node, history }: BriefingScene): boolean {
  return node.state !== null && !history.some(({ who }) => who === 'npc')
}

/**
 * Finds an answer: first to the subject of a doubt ("Are you sure about the 2%?"), then to the question, then to the
 * whole message if it expresses a doubt. Returns null if no answer fits.
 */
function findAnswer({ scene, heard, synonyms }: LeadMatter): FoundAnswer | null {
  const entries = searchEntries(scene.npc, synonyms)
  const general = new Set([...sharedWords(scene.scenario, synonyms), ...wordsForPeople(scene.scenario, synonyms)])
  const find = (words: ReturnType<typeof questionsIn>) => retrieve(words, entries, synonyms, general)
  const doubt = doubted(heard)
  const found = (doubt && find(doubt)) ?? find(questionsIn(heard)) ?? (doubt && find(heard.tokens))
  const isCount = found === null || !asksHowMany(heard) || countsOut(found.entry, heard.tokens)
  return isCount ? found : null
}

/**
 * Returns true if a line makes an answer unnecessary: it has the same point as the answer, or all of the answer's
 * figures.
 */
function answers(line: LineToSay, { point, say }: FoundAnswer['entry']): boolean {
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
