import type { BriefingScene } from '../../core/briefing/briefing.ts'
import type { Npc, Scenario, ScenarioFact } from '../../core/scenario/scenario.ts'
import type { Asides } from '../../core/scenario/rehearsal-lines.ts'
import { firstName, languageOf } from '../../core/scenario/scenario.ts'
import { asQuestion, broughtBy, isCoarse } from '../../core/run/brought-by.ts'
import { factsIn } from '../../core/run/facts-in.ts'
import { inTerms } from '../../core/run/stated-in.ts'
import { readHints } from '../../core/text/hints.ts'
import { contentStems, isAmong, type Synonyms } from '../../core/text/stems.ts'
import { type Figure, figuresAmong, readAuthored, readWords, sameFigure } from '../../core/text/words.ts'
import { type Business, whomElse } from './business.ts'
import { isGeneral } from './closeness.ts'
import { type Heading, isUnfamiliar } from './detour.ts'
import { dismisses } from './dismiss.ts'
import {
  asks,
  asksForFigure,
  asksForView,
  asksWhatIsLeft,
  asksWhoIsLeft,
  asksWhetherRight,
  asksWhoNext,
  doubted,
  type HeardMessage,
  isCheck,
  isLost,
  onlyChecks,
  onlyStates,
  proposes,
  questionsIn,
  suggests,
} from './hear.ts'
import {
  factsOf,
  factsTold,
  hasRegistered,
  hasToldFact,
  isOpening,
  isOpenQuestion,
  lackedPart,
  learnerLines,
  purposeOf,
  wasAskedToSumUp,
  type Judgement,
} from './judge.ts'
import type { Manner } from './manner.ts'
import { askedIn, isSure, LIKELY, type Near, type Nearest, SURE, VERBATIM } from './nearest.ts'
import { CLAUSE, misreads, type Entry, knownEntries, wordingOf } from './entries.ts'
import { type AskedKind, openingOf } from './opener.ts'
import { naming, ownLines, quoting, withinSentence } from './own-lines.ts'
import { asksWhetherMachine, saysThanks, withoutSmallTalk } from './small-talk.ts'
import { readerOf } from './spanish.ts'
import { type LineToSay, nextFresh, freshOrFirst, lastReplyIn, type SpokenSoFar } from './spoken.ts'
import { firstNamesIn, ownWords, plainFirstName } from './vocabulary.ts'

/** The data from which `lead` chooses the line before the node's own lines. */
export interface LeadMatter {
  readonly scene: BriefingScene
  readonly heard: HeardMessage
  /** True if the message has no known word. */
  readonly isGarbled: boolean
  readonly heading: Heading
  readonly judgement: Judgement
  readonly said: SpokenSoFar
  readonly synonyms: Synonyms
  readonly matter: Business
  /** The entries whose meaning is closest to the message. */
  readonly near: Nearest
  /** How close the message is to the node's point, if this turn tells it; otherwise 0. */
  readonly toPoint: number
  /** Returns how close the message is to each of these questions. */
  readonly alike: (questions: readonly string[]) => ArrayLike<number>
  /** True if the learner says that the last reply answered another question. */
  readonly insists: boolean
  /** True if the learner says only that. */
  readonly isBare?: boolean
}

/** A colleague's first line, and texts that the learner may want to send next because the line may miss the question. */
export interface Lead extends LineToSay {
  readonly offers?: readonly string[]
  /** The answer to a second question in the same message. */
  readonly also?: LineToSay
  /** True if the node's own lines would be too much after this line. */
  readonly isEnough?: true
  /** True if the message asked for `also` first. */
  readonly isAlsoBefore?: true
  /** True if the node's own lines answer the first question of the message, and this line the second. */
  readonly isAfterNode?: true
  /** If the answer comes again, the answer without the words that say so. */
  readonly repeats?: string
}

/** From this closeness on, an entry may be what is asked for, so the colleague does not say that they don't know. */
const FAINT = 0.38
/** If the node's point, told in this turn, may be what is asked for, only an entry this close is said before it. */
const POINTED = 0.72
/** Or that is closer than the point by this much. */
const POINTED_MARGIN = 0.25
/** From this closeness on, an entry is said before a point that is no answer. */
const BESIDE_POINT = 0.5
/** A question for a figure of something unfamiliar is answered from here on: a wrong figure is worse than none. */
const FIGURED = 0.76
/** Below this closeness about half of the answers are to another question. */
const DOUBTED = 0.56
/** A statement is answered from this closeness on. */
const CERTAIN = 0.56
/** A learner who asks whether a statement is right gets a plain yes below this closeness, if it is right. */
const CONFIRMED = 0.62
/** The same for a statement that satisfies the node, which the node's own line takes up. */
const SATISFIED = 0.66
/** A question in answer to the greeting is answered from this closeness on. */
const ASKED_AT_ONCE = 0.52
/** The same for a statement, because a request may look like one: "read me the clause". */
const TOLD_AT_ONCE = 0.68
const LEAST_COMPARED = 4
/** A longer message that asks for other words says which words it means, or asks something else too. */
const MOST_LOST = 6
/** A longer message has a reason in it, which a line that insists would pass over. */
const MOST_DISMISSED = 12

/**
 * Returns a colleague's first line, in answer to the learner: a cool reply to an insult, an answer to a question, the
 * right figure after a wrong one, or whom to ask about another colleague's subject. Returns null if the colleague can
 * begin with the node's own lines.
 */
export function lead(all: LeadMatter): Lead | null {
  const { heard, heading, judgement, scene } = all
  const { asides } = scene.npc.rehearsal
  if (all.isGarbled) {
    const caught = nextFresh(ownLines(scene).notCaught, all.said)
    if (caught !== null) return caught
  }
  const manners = MANNERS[heard.manner]
  if (manners !== undefined) return isGreeting(all) ? null : nextFresh(asides[manners], all.said)
  if (all.near.own[0]?.isPicked) return toldBoth(all)
  if (heard.manner === 'grunt') return null
  if (asksWhetherMachine(heard.plain)) return plainYes(all)
  if (isOnlyLost(heard) && !saysWhichWords(all) && !scene.node.isTerminal) return inOtherWords(all)
  if (onlyChecks(heard) && !scene.node.isTerminal) {
    const guess = scene.npc.walk === 'guide' ? 'shape' : 'soFar'
    const yes = nextFresh(
      ownLines(scene)[hasRegistered(scene) || scene.node.leaving?.isSettled === true ? 'confirmed' : guess],
      all.said,
    )
    if (yes !== null) return { ...yes, isEnough: true }
  }
  const onward = followsUp(all) ? lastAnswerAgain(all) : null
  if (onward !== null) return onward
  // A last question gets its answer, whatever it is about.
  if (scene.node.isTerminal && heading.to === 'small-talk') {
    if (isSaidAlone(all) && isSure(all.near.own[0])) return toldBoth(all)
    const joke = mayStay(scene) && LAUGHS.test(scene.learner) ? nextFresh(asides.offTopic, all.said) : null
    return joke && { ...joke, isEnough: true }
  }
  // Who has met the others tells a guide what they would do, and asks in the same breath.
  const isFromOthers = scene.npc.walk === 'guide' && Boolean(scene.brought)
  const asksForMore = asksWhatIsLeft(heard) && (!sumsUp(heard) || isFromOthers)
  if (asksForMore && !isFromOthers && isWithPoint(all)) return null
  const left = asksForMore || (isFromOthers && asksWhoIsLeft(heard)) ? whatIsLeft(all) : null
  if (left !== null) return left
  const wrong = judgement.verdict === 'registered' ? null : misreads(heard, knownEntries(scene.npc))
  const isChecked = wrong === null && asksWhetherRight(heard)
  // A question beside the statement wants its answer first.
  const isAllStated = !heard.sentences.some((sentence) => sentence.form === 'question' && !isCheck(sentence))
  const confirmed = isChecked && isAllStated && (all.near.own[0]?.fit ?? 0) < CONFIRMED ? confirm(all) : null
  if (confirmed !== null) return confirmed
  if (wrong !== null && asksWhetherRight(heard)) return told({ entry: wrong }, all)
  const weighed = wrong === null && SUMS_UP.test(heard.plain) ? weighUp(all) : null
  if (weighed !== null) return weighed
  if (isKindness(all)) {
    const kind = nextFresh(asides.thanks, all.said)
    return kind && { ...kind, isEnough: true }
  }
  if (isSympathy(all)) {
    const soothed = isSure(all.near.own[0]) ? toldBoth(all) : nextFresh(ownLines(scene).sympathy, all.said)
    if (soothed !== null) return { ...soothed, isEnough: true }
  }
  const recap = (scene.node.isAfter && scene.node.satisfyWhen !== null && onlyStates(heard)) || statesMuch(all)
  const taken = recap && wrong === null ? confirm(all) : null
  if (taken !== null) return taken
  if (isAnswered(all)) return toldBoth(all)
  if (heading.to === 'small-talk') return smallTalk(all)
  const person = askedAbout(heard, scene)
  if (person !== null)
    return isSure(all.near.own[0])
      ? toldBoth(all)
      : { say: ownLines(scene).whoIs(person, person.id === scene.npc.id), point: null }
  if (isChecked) return checked(all)
  if (heading.to === 'colleague' && asks(heard) && !asksForView(heard))
    return nextFresh(redirectsTo(heading.npc.id, scene), all.said)
  if (scene.node.isTerminal) return asks(heard) && heading.to !== 'elsewhere' ? lastAnswer(all) : takenIn(all)
  if (isOpening(scene.node)) return null
  if (isWavedAway(all)) return nextFresh(asides.pushback, all.said)
  if (heading.to === 'elsewhere') return isFirstWord(scene) ? null : nextFresh(asides.offTopic, all.said)
  if (wrong !== null) return told({ entry: wrong }, all)
  if (asks(heard) || doubted(heard) !== null) return answer(all)
  const answered = suggests(heard) && findAnswer(all) !== null ? answer(all) : null
  return answered ?? takenIn(all)
}

/** Returns true for a long statement of several facts of this colleague, which is nearly no question of the author's. */
function statesMuch({ heard, scene, near }: LeadMatter): boolean {
  const isForeseen = (near.own[0]?.fit ?? 0) >= CONFIRMED
  if (!onlyStates(heard) || heard.tokens.length < LEAST_TAKING_STOCK || isForeseen) return false
  return new Set(inTerms(scene.learner, factsOf(scene))).size > 1
}

/** Returns true if the learner says thanks for something, without a figure or anything else to take up. */
function isKindness({ heard, judgement, scene }: LeadMatter): boolean {
  const isStated = onlyStates(heard) && heard.tokens.every(({ figure }) => figure === null)
  return THANKS_FIRST.test(heard.plain) && isStated && judgement.verdict !== 'registered' && !scene.node.isTerminal
}

/** Returns true if the learner only says something kind about the colleague's own troubles. */
function isSympathy({ heard, judgement }: LeadMatter): boolean {
  const isAlone = onlyStates(heard) && !asks(heard) && heard.tokens.length <= MOST_KIND
  return isAlone && SYMPATHY.test(heard.plain) && judgement.verdict !== 'registered'
}

const MOST_KIND = 24
const SYMPATHY = new RegExp(
  `\\b(?:${[
    'i am (?:so |very |really )?sorry (?:to hear|about|for (?:you|your)|that you)',
    '(?:that|it|this) (?:must (?:be|have been)|sounds?) (?:so |really |pretty |very |quite )?(?:hard|tough|rough|awful|horrible|sad|stressful|scary|exhausting|lonely|tiring)',
    'poor (?:you|thing)',
    'sorry (?:that )?(?:nobody|no one|everybody|everyone) \\w+ (?:to )?you',
    'do not (?:beat yourself up|blame yourself|be so hard on yourself|worry about it)',
    'not your fault',
    'hope (?:she|he|they|you|your \\w+) (?:is|are|gets?|will be|feels?) (?:all right|alright|okay|ok|well|better|safe|fine|some)',
    'give (?:your|her|him) \\w+ my (?:best|love|regards)',
    'any(?:one|body) would have (?:done|thought|missed)',
    'you (?:look|sound|seem) (?:a (?:bit|little) |so |really |very )?(?:tired|stressed|exhausted|sad|cross|upset|worried|lonely)',
    'i feel for you',
  ].join('|')})\\b`,
)

const THANKS_FIRST = /^(?:ok(?:ay)?,? |well,? |and |oh,? )?(?:thanks|thank you|cheers)\b/

/** Returns true if the node's point, told in this turn, is what the learner has not heard yet. */
function isWithPoint({ matter, scene: { node } }: LeadMatter): boolean {
  return matter.isPoint && !node.isTerminal && !node.isAfter
}

/**
 * Answers a learner who asks what they have not asked: with questions about facts that the colleague has not told yet,
 * the deciding ones first. If all is told, the colleague says so.
 */
function whatIsLeft({ scene, said, heard }: LeadMatter): Lead | null {
  const { scenario } = scene
  const own = ownLines(scene)
  if (factsOf(scene).length === 0) return whatOthersHold(scene, sumsUp(heard))
  const offers = openQuestions(scene)
  if (offers.length > 0) return { ...freshOrFirst(naming(own.notAsked, offers, scenario), said), offers }
  const isOpen = scene.node.leaving?.isSettled === false && hasToldFact(scene) && !hasRegistered(scene)
  if (!isOpen) return freshOrFirst(own.allTold, said)
  const parts = learnerLines(scene).map((line) => lackedPart(scene, line))
  const lacked = parts.findLast((part) => part?.hasOther) ?? parts.at(-1)
  return { say: lacked?.question ?? own.onlyYours, point: null }
}

/**
 * Returns one or two questions about facts that the colleague has not told yet, the deciding ones first.
 *
 * @param also what they say in this reply
 */
export function openQuestions(scene: BriefingScene, also: readonly string[] = []): readonly string[] {
  const facts = factsOf(scene)
  const told = factsTold(scene, facts, [...scene.said, ...also])
  const open = facts.filter(({ id }) => !told.has(id)).toSorted((a, b) => Number(b.deciding) - Number(a.deciding))
  const questions = new Set<string>()
  // The search for a question takes milliseconds, once in an isolate, so it stops at the last one wanted.
  for (const fact of open) {
    const { question } = broughtBy(fact, scene.scenario)
    if (question !== null && isOpenQuestion(question, scene)) questions.add(question)
    if (questions.size === MOST_OFFERS) break
  }
  return [...questions]
}

/**
 * Returns what a colleague who holds no facts says to a learner who asks what they have missed: whom else there is to meet,
 * or what to ask one of the others, by what the learner brings. Null to a learner who has met nobody, and to a plan
 * (`isPlan`) of one who has heard everything.
 */
function whatOthersHold(scene: BriefingScene, isPlan: boolean): Lead | null {
  const { scenario, brought } = scene
  if (!brought) return null
  const isMet = (id: string) => id === scene.npc.id || brought.talked.includes(id)
  const hasMetAll = scenario.npcs.every(({ id, walk }) => walk === 'guide' || isMet(id))
  const unheard = (scenario.simulation?.facts ?? []).filter(
    ({ id, deciding }) => deciding && !brought.facts.includes(id),
  )
  const [open] = unheard.flatMap((fact) => {
    const { question } = broughtBy(fact, scenario)
    const holder = scenario.npcs.find(({ id }) => id === fact.npc)
    return question === null || holder === undefined ? [] : { question, name: firstName(holder.name) }
  })
  if (hasMetAll && open !== undefined)
    return { say: ownLines(scene).notHeard(open.name, withinSentence(open.question)), point: null, isEnough: true }
  return hasMetAll && isPlan ? null : { say: whomElse(scene), point: null, isEnough: true }
}

/** Returns a line that begins anew, and another wording of the answer that the colleague gave last, if there is one. */
function inOtherWords(all: LeadMatter): LineToSay | null {
  const begins = nextFresh(all.scene.npc.rehearsal.asides.inOtherWords, all.said)
  const [nearest] = all.near.own
  // Without other words, what is asked is answered: a promise of simpler words alone leads nowhere.
  const isAsked = nearest !== undefined && nearest.fit >= LIKELY && !isOnlyLost(all.heard)
  const again = lastAnswerAgain(all) ?? (isAsked ? told(nearest, all) : null)
  return again === null ? begins : { ...again, say: joined(begins, again.say) }
}

/** Returns a line with another before it, if there is another. */
function joined(before: LineToSay | null, say = ''): string {
  return `${before?.say ?? ''} ${say}`.trim()
}

/** Returns another wording of the answer that the colleague gave last; null if there is none. */
function lastAnswerAgain({ scene, said }: LeadMatter): LineToSay | null {
  const { npc } = scene
  const last = lastReplyIn(scene)
  const entry = npc.rehearsal.answers.find(({ say }) => say.some((line) => last.includes(line)))
  return entry === undefined ? null : wordingOf(entry, said)
}

/** Returns true if the learner asks for other words and for nothing else. */
export function isOnlyLost(heard: HeardMessage): boolean {
  return isLost(heard) && heard.tokens.length <= MOST_LOST
}

/** Returns true if the learner names the thing that they do not understand: "what do you mean, the doors?" */
function saysWhichWords({ heard, near }: LeadMatter): boolean {
  return isSure(near.own[0]) && heard.tokens.length >= LEAST_NAMED
}

/** "What do you mean?" names nothing. */
const LEAST_NAMED = 5

/** Returns true for a question that has only general words, such as "why?", and is about the last answer. */
function followsUp({ heard, near, scene }: LeadMatter): boolean {
  const isBare = heard.manner === 'plain' && heard.tokens.every(({ word }) => isGeneral(word))
  return isBare && asks(heard) && !scene.node.isTerminal && (near.own[0]?.fit ?? 0) < VERBATIM
}

/**
 * Returns a few words that show that a statement was heard, before the colleague goes on; null if the message is too
 * short, or if the node's own lines take it up. The words neither agree nor disagree, because the actor cannot judge
 * what it does not know.
 */
function takenIn(all: LeadMatter): Lead | null {
  const { scene, heard, judgement, said, matter } = all
  const confirmed = confirm(all) ?? (misreads(heard, knownEntries(scene.npc)) === null ? weighUp(all) : null)
  if (confirmed !== null) return confirmed
  if (judgement.verdict === 'registered' || !onlyStates(heard) || heard.tokens.length < LEAST_STATED) return null
  const { takenIn, takenAlone } = ownLines(scene)
  if (matter.lines.length === 0) return nextFresh([...takenAlone, ...takenIn], said)
  return matter.isPoint || judgement.verdict !== null || scene.node.isTerminal ? nextFresh(takenIn, said) : null
}

/**
 * Returns a few words that say that a statement is right: the learner states one of the run's facts as the colleagues
 * tell it, or asks whether what this colleague waits for is right. Null if they do neither, or if the node's own lines
 * take the statement up.
 */
function confirm(all: LeadMatter): Lead | null {
  const { scene, heard, judgement, said } = all
  const { scenario, npc } = scene
  if (dismisses(heard)) return null
  // Whoever says what a gate waits for gets a plain yes, unless its lines begin with one. Elsewhere the learner who asks
  // gets it, and so does a summary that ends the conversation.
  if (judgement.verdict === 'registered') {
    const { isGate, isTerminal } = scene.node
    const isSaid = isGate && all.matter.lines.some(({ say }) => AGREES.test(say))
    const isDue = isGate || isTerminal || asksWhetherRight(heard)
    return isDue && !isSaid ? nextFresh(ownLines(scene)[isGate ? 'confirmed' : yesTo(all)], said) : null
  }
  const facts = scenario.simulation?.facts ?? []
  const part = checkedPart(all)
  // A figure alone is no fact: "so 31% of the noodles were cold?"
  const stems = contentStems(readWords(part).filter(({ figure }) => figure === null))
  const isAbout = ({ text }: ScenarioFact) => [...stemsIn(text)].some((stem) => stems.has(stem))
  const stated = new Set(factsIn(facts.filter(isAbout), part).map(({ fact }) => fact))
  const holders = new Set(facts.flatMap(({ id, npc: holder }) => (stated.has(id) ? [holder] : [])))
  if (holders.has(npc.id)) return saysYes(all)
  const names = scenario.npcs.flatMap(({ id, name }) => (holders.has(id) ? [firstName(name)] : []))
  return names.length === 0 ? null : { say: ownLines(scene).fits(names), point: null }
}

/**
 * Returns what of a message is to be confirmed: of one that asks whether it is right, the sentence that asks it. "There's a
 * second set that never thawed? So we run it by Friday, no?" asks about Friday.
 */
function checkedPart({ scene: { learner }, heard }: LeadMatter): string {
  const [first = '', ...rest] = learner.split(/(?<=[.!?])\s+/)
  if (!asksWhetherRight(heard) || !first.endsWith('?')) return learner
  return rest.findLast((sentence) => sentence.trimEnd().endsWith('?')) ?? learner
}

/**
 * Returns what a colleague says to a summary, as long as the objective is open: yes to one that has the decisive fact, and
 * that something is missing to one that only has figures or facts of the conversation. Null to any other message, and if
 * the node's own lines take the summary up.
 */
function weighUp(all: LeadMatter): Lead | null {
  const { scene, heard, judgement } = all
  const isOpen = scene.node.leaving?.isSettled === false && !scene.node.isTerminal
  if (!isOpen || judgement.verdict === 'registered' || !onlyStates(heard) || dismisses(heard)) return null
  if (scene.npc.rehearsal.acknowledgements.length === 0) return null
  const isDue = wasAskedToSumUp(scene) && heard.tokens.length >= LEAST_STATED
  return SUMS_UP.test(heard.plain) || isDue || (hasRegistered(scene) && sumsUp(heard)) ? saysYes(all) : null
}

/** Says yes to a statement, and asks for the part of the decisive fact that a summary lacks. */
function saysYes(all: LeadMatter): Lead | null {
  const { scene, said } = all
  const own = ownLines(scene)
  const yes = yesTo(all)
  const lacked = yes === 'halfOfIt' || yes === 'whyOfIt' ? lackedPart(scene) : null
  if (lacked === null) return nextFresh(own[yes], said)
  const before = lacked.hasOther ? freshOrFirst(own.partOfIt, said) : null
  // A confession comes now or never, and a question before it would be lost.
  if (purposeOf(scene) === 'confide') return before
  return { say: joined(before, lacked.question), point: null, isEnough: true }
}

/**
 * Returns how a colleague says yes to a statement. A summary gets a plain yes only if the learner has said all that they
 * have to say here; otherwise the colleague says that something is missing.
 */
function yesTo({ scene, heard }: LeadMatter): 'confirmed' | 'soFar' | 'halfOfIt' | 'whyOfIt' {
  const { node, npc } = scene
  const fact = npc.rehearsal.acknowledgements[0]
  const isOpen = node.isAfter ? node.satisfyWhen !== null : node.leaving?.isSettled === false
  // A long message sums nothing up by its length alone: "41% boiled, does that mean that fewer will boil again?"
  const isSummary = SUMS_UP.test(heard.plain) || wasAskedToSumUp(scene)
  if (!isOpen || fact === undefined || !isSummary || hasRegistered(scene)) return 'confirmed'
  if (!hasToldFact(scene)) return 'soFar'
  return proposes(heard) && !asks(heard) ? 'whyOfIt' : 'halfOfIt'
}

/** Returns true if a message says what the learner takes from the conversation: in so many words, or at some length. */
function sumsUp({ plain, tokens }: HeardMessage): boolean {
  return tokens.length >= LEAST_TAKING_STOCK || SUMS_UP.test(plain)
}

const LEAST_TAKING_STOCK = 14
const SUMS_UP =
  /\b(?:in my (?:own )?words|(?:to|let me|i will|if i) (?:just )?sum (?:it |this |that )?up|let me get (?:this|that|it) straight|in (?:short|summary|a nutshell)|what i take|i take (?:it|away)|it (?:all )?comes to|comes down to|the upshot)\b/

/**
 * Answers a learner who asks whether a statement is right that has none of the facts: with the nearest thing that this
 * colleague knows, and that they speak for no more than that.
 */
function checked(all: LeadMatter): LineToSay | null {
  const { near, scene, heard, heading, judgement, said } = all
  if (judgement.verdict === 'registered') return confirm(all)
  const [first] = near.own
  // Whoever asks something else beside it does not sum up.
  const isSummary = heard.tokens.length >= LEAST_SUMMED_UP && scene.learner.split('?').length <= 2
  if (scene.npc.walk === 'guide' && isSummary && !isSure(first)) return nextFresh(ownLines(scene).shape, said)
  if (heading.to === 'colleague' && (first?.fit ?? 0) < LIKELY)
    return nextFresh(redirectsTo(heading.npc.id, scene), said)
  if (first === undefined || first.fit < FAINT || first.entry.point === null) return takenIn(all) ?? answeredOr(all)
  const line = wordingOf(first.entry, said)
  if (line === null) return nextFresh(ownLines(scene).unchecked, said) ?? takenIn(all)
  const before = first.fit < SURE && !YES.test(line.say) ? nextFresh(ownLines(scene).myPart, said) : null
  return { ...line, say: joined(before, line.say) }
}

/** Answers a summary at the end that asks for a yes which the colleague can't give: as far as they can, or plainly. */
function answeredOr(all: LeadMatter): LineToSay | null {
  const { near, scene, heard, said } = all
  if (!scene.node.isTerminal) return null
  if (near.own[0] !== undefined && near.own[0].fit >= LIKELY) return toldBoth(all)
  return heard.tokens.length >= LEAST_TAKING_STOCK ? nextFresh(ownLines(scene).unchecked, said) : null
}

/** A shorter statement sums nothing up. */
const LEAST_SUMMED_UP = 8

/** Returns the colleague about whom the learner asks who they are or what they do; null if they ask neither. */
function askedAbout({ plain }: HeardMessage, { scenario, npc }: BriefingScene): Npc | null {
  if (ABOUT_YOU.test(plain) && !IN_A_CASE.test(plain)) return npc
  const asked = ABOUT_SOMEBODY.exec(plain)?.[1]
  if (asked === undefined) return null
  return scenario.npcs.find((each) => plainFirstName(each) === asked) ?? null
}

const ABOUT_YOU =
  /\b(?:who are you|what (?:is|was) your (?:job|role)|what do you do(?= ?(?:[?.!,]|$| here\b| again\b)))/
/** Matches a question about a case: "if the tank reads low, what do you do?" */
const IN_A_CASE = /\b(?:if|when|once|suppose|supposing)\b.*\bwhat do you do\b/
const ABOUT_SOMEBODY =
  /\b(?:who (?:is|was)|what (?:is|does)) (\p{L}+)(?: (?:like|do|doing))?(?= ?(?:[?.!,]|$| (?:here|again|anyway|then|and|do)\b))/u

/** A shorter statement gets no words of its own. */
const LEAST_STATED = 6

/**
 * Returns true if a prepared answer surely fits the message, whatever its form. As long as the node has lines of its own,
 * a statement needs a closer fit than a question, and a statement that takes in the node's point is left to them.
 */
function isAnswered(all: LeadMatter): boolean {
  const { near, heard, heading, judgement, scene } = all
  const [first] = near.own
  if (first === undefined || heading.to === 'colleague') return false
  if (isOpening(scene.node) && !isAskedAtOnce(all)) return false
  if (first.fit < SURE || yieldsToPoint(first, all)) return false
  if (EXCLAIMS.test(heard.plain) && isWavedAway(all)) return false
  if (first.fit < FIGURED && asksUnknownFigure(all)) return false
  if (asks(heard) || doubted(heard) !== null) return true
  if (judgement.verdict === 'registered') return false
  return scene.node.isAfter || first.fit >= leastForStatement(all)
}

/** Matches what only looks like a question: "what a waste of time". */
const EXCLAIMS = /^what an? [^?]*$/

/** Returns true if a learner who was greeted asks right away what the colleague surely can answer. */
function isAskedAtOnce({ scene: { history }, near, heard }: LeadMatter): boolean {
  const fit = near.own[0]?.fit ?? 0
  return fit >= (asks(heard) ? ASKED_AT_ONCE : TOLD_AT_ONCE) && history.some(({ who }) => who === 'npc')
}

/** Returns the closeness from which on a statement is answered. A word or two match many things. */
function leastForStatement(all: LeadMatter): number {
  if (isWavedAway(all) || all.heard.tokens.length < LEAST_COMPARED) return VERBATIM
  return (all.judgement.satisfied && !all.scene.node.isTerminal) || isRough(all) ? SATISFIED : CERTAIN
}

/** Returns true if words are compared and not what they mean, because the table of words is English. */
function isRough({ scene }: LeadMatter): boolean {
  return languageOf(scene.scenario) !== 'en'
}

/** Says plainly that the colleague is no person, in the author's words if the author wrote some. */
function plainYes({ near, said, scene }: LeadMatter): LineToSay {
  const [first] = near.own
  return (
    (first && isSure(first) && wordingOf(first.entry, said)) || {
      say: ownLines(scene).plainYes,
      point: null,
    }
  )
}

/**
 * Returns the answer to give before a goodbye. Returns null if the answer was given before, or tells nothing more than
 * the goodbye tells.
 */
function lastAnswer(all: LeadMatter): Lead | null {
  const found = findAnswer(all)
  // A goodbye is no answer to a question.
  if (found === null)
    return isSaidAlone(all) ? (askBack(all) ?? nextFresh(all.scene.npc.rehearsal.asides.noIdea, all.said)) : null
  if (!isSaidAlone(all) && isTold(found.entry, all)) return null
  const fresh = wordingOf(found.entry, all.said, openingAsked(all))
  return fresh === null && isSaidAlone(all) ? saidAgain(found.entry, all) : fresh
}

/**
 * Returns the author's answer to this small talk: for small talk that leads away, only one that the author wrote for
 * small talk. If there is none, returns one of the colleague's asides, but null in the greeting node.
 */
function smallTalk({ scene, heard, heading, said, near }: LeadMatter): LineToSay | null {
  if (scene.node.isAfter && readHints(scene.learner).goodbye) return nextFresh(ownLines(scene).bye, said)
  const { asides } = scene.npc.rehearsal
  const [first] = near.own
  const strays = heading.to === 'small-talk' && heading.strays
  if (first !== undefined && first.fit >= LIKELY && (!strays || foreseesSmallTalk(first.entry, scene.scenario)))
    return wordingOf(first.entry, said)
  if (isOpening(scene.node)) return null
  return nextFresh(saysThanks(heard.plain) ? asides.thanks : asides.offTopic, said)
}

/** Returns true if one of the author's questions for an entry is itself small talk that leads away. */
function foreseesSmallTalk({ asks: questions }: Entry, scenario: Scenario): boolean {
  const { plain } = readerOf(scenario)
  return questions.some((text) => withoutSmallTalk(plain(text)).strays)
}

/**
 * Returns true if the learner waves away a point that the colleague has already made. A learner who answers an
 * objection with a reason waves nothing away.
 */
function isWavedAway({ scene, heard, judgement }: LeadMatter): boolean {
  if (judgement.verdict === 'registered' || scene.said.length === 0) return false
  if (judgement.verdict === null && heard.tokens.length > MOST_DISMISSED) return false
  if (judgement.satisfied && purposeOf(scene) === 'challenge') return false
  return dismisses(heard) && !asksForView(heard) && !reports(heard, scene)
}

/** Returns true if the message says what a colleague says or thinks: "Emyr thinks it is nothing". */
function reports({ plain }: HeardMessage, { scenario }: BriefingScene): boolean {
  const names = firstNamesIn(scenario)
  return [...plain.matchAll(REPORTED)].some(([, name = '']) => names.has(name))
}

const REPORTED =
  /(?<!\p{L})(\p{L}[\p{L}'-]*) (?:also )?(?:says?|said|thinks?|thought|believes?|reckons?|told|tells)\b/gu

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
  // A second answer beside the question is worse than none.
  if (all.insists && found.fit < SURE) return noAnswer(all)
  if (found.fit < DOUBTED && isBeyond(all) && !sharesWord(all)) return noAnswer(all)
  return toldBoth(all)
}

/**
 * Returns the found answer in words not used before. Returns null if one of the node's own lines already gives the
 * answer. If all wordings of the answer were used, the colleague says that the question comes again and answers it once
 * more; but in a turn that tells the node's point, the result is null.
 */
function told({ entry, fit = 0 }: Pick<Near, 'entry'> & Partial<Near>, all: LeadMatter): Lead | null {
  const { scene, said, matter, heard, toPoint } = all
  // What the author wrote for these very words goes before a line that happens to say much of it.
  const isForeseen = fit >= VERBATIM && entry.point === null
  if (isTold(entry, all) && !isSaidAlone(all) && !isForeseen) return null
  // The goodbye names the next colleague, but to a learner who names them ("who can see that, Dorota?").
  if (scene.node.isTerminal && asksWhoNext(heard) && namesNext(entry.say, scene) && !namesNext([scene.learner], scene))
    return null
  const fresh = wordingOf(entry, said, openingAsked(all))
  if (fresh !== null && YES.test(fresh.say) && namesStrangeFigure(all)) {
    const rest = fresh.say.replace(YES, '')
    return { ...fresh, say: `${ownLines(scene).notThatFigure} ${rest}`.trim() }
  }
  if (fresh !== null || (matter.isPoint && toPoint >= FAINT)) return fresh
  return all.isBare ? nextFresh(ownLines(scene).notFollowed, said) : saidAgain(entry, all)
}

/** Says that the question comes again, and answers it once more. */
function saidAgain({ say }: Entry, { scene, said }: LeadMatter): Lead {
  const again = nextFresh(scene.npc.rehearsal.asides.again, said)
  return { say: joined(again, say[0]), point: null, repeats: say[0] ?? '' }
}

function openingAsked({ scene: { scenario, learner } }: LeadMatter): AskedKind | null {
  return openingOf(askedIn(readerOf(scenario).heard(learner)))
}

/** A first sentence that says yes. */
const YES =
  /^(?:yes|yeah|yep|aye|that['’]s (?:it|right|so|true)|right|exactly|correct|true|sí|exacto|eso es)[^.?!]{0,12}[.!]\s*/i

/** Matches a line that agrees in words of its own. */
const AGREES = /^(?:yes|yeah|yep|aye|right|exactly|correct|true|that|then|you['’]ve|you have|now|so)\b/i

/** Returns true if the message has a percentage that no colleague holds. */
function namesStrangeFigure({ heard, scene }: LeadMatter): boolean {
  const named = figuresAmong(heard.tokens).filter(({ unit }) => unit === 'percent')
  if (named.length === 0) return false
  const held = scene.scenario.npcs
    .flatMap(({ knowledge, depth, decisionFacts, document }) => [
      ...knowledge,
      ...depth,
      ...decisionFacts,
      ...(document?.lines ?? []),
    ])
    .flatMap((line) => figuresAmong(readAuthored(line)))
  const facts = (scene.scenario.simulation?.facts ?? []).flatMap(({ text }) => figuresAmong(readAuthored(text)))
  return named.some(
    (figure) => ![...held, ...facts].some((meant) => meant.unit === figure.unit && sameFigure(figure, meant)),
  )
}

/** Returns true if one of the texts names the colleague whom the goodbye names too. */
function namesNext(texts: readonly string[], { npc, scenario }: BriefingScene): boolean {
  const next = scenario.npcs.find(({ id }) => id === npc.next?.npc)
  return next !== undefined && texts.some((text) => text.includes(firstName(next.name)))
}

/** Returns the closest answer, and the answer of `Nearest.second` if there is one that says something else. */
function toldBoth(all: LeadMatter): Lead | null {
  const first = freshOf(all)
  const { second } = all.near
  const line = first === undefined ? null : told(first, all)
  const isLeftToNode = first !== undefined && line === null && isTold(first.entry, all)
  const isGiven = line !== null && second !== null && answers(line, second.entry)
  const wasGiven = second !== null && second.entry.say.some((each) => all.said.line(each))
  const isNew =
    second !== null &&
    second.entry !== first?.entry &&
    !isGiven &&
    !wasGiven &&
    !all.matter.lines.some((each) => answers(each, second.entry))
  const other = isNew ? wordingOf(second.entry, all.said, openingAsked(all)) : null
  const isDouble =
    other !== null && line !== null && (saysMuchOf(line.say, other.say) || sharesFigures(line.say, other.say))
  // Of two answers that say much the same, the one to the author's own question is said.
  if (isDouble && second !== null && second.fit >= VERBATIM && (first?.fit ?? 0) < FIGURED) return other
  const also = isDouble ? null : other
  if (isLeftToNode && also !== null) return { ...also, isAfterNode: true }
  if (line && also) return { ...line, also, ...(second?.isBefore && { isAlsoBefore: true }) }
  return line === null ? also : { ...line, ...offersBeside(first, line, all) }
}

/**
 * Returns the closest entry; if the colleague has said it in all its wordings, or much of it in the last reply, one behind it
 * of which that is not so.
 */
function freshOf({ near: { own }, said, scene }: LeadMatter): Near | undefined {
  const [first] = own
  const last = lastReplyIn(scene).split('\n\n')
  const isFresh = ({ entry, fit }: Near): boolean => {
    const line = wordingOf(entry, said)
    return line !== null && (fit >= FIGURED || !last.some((before) => saysMuchOf(before, line.say)))
  }
  if (first === undefined || first.fit >= VERBATIM || isFresh(first)) return first
  return own.find((near) => near.fit >= LIKELY && near.fit > first.fit - REPEATED && isFresh(near)) ?? first
}

/** Rather than say the closest entry again, a colleague says one that is less close by at most this much. */
const REPEATED = 0.1

/**
 * Offers what else the learner may have meant, if the answer (`first`) is unsure, and the other question of the message. Each
 * is offered as a question of the author's, which surely gets its answer.
 */
function offersBeside(first: Near | undefined, line: LineToSay, all: LeadMatter): Pick<Lead, 'offers'> {
  const { near, scene, said, heard, alike } = all
  const isUnsure = first !== undefined && first.fit < OFFERED_BELOW
  const others = isUnsure ? near.own.filter(({ fit }) => fit >= FAINT && fit > first.fit - OFFERED_WITHIN) : []
  const entries = [near.maybeSecond, ...others].flatMap((other) =>
    other === null || other.entry === first?.entry || isToldIn(other.entry, line, said) ? [] : [other.entry],
  )
  const questions = new Set(entries.flatMap((entry) => questionOf(entry, scene.scenario, alike) ?? []))
  const asked = contentStems(readWords(scene.learner))
  // A question of the words of a single one is that one, which was just answered.
  const isNew = (question: string) =>
    near.maybeSecond !== null || [...stemsIn(question)].some((stem) => !asked.has(stem))
  const fitting = [...questions].filter((question) => isNew(question) && closestOf([question], scene).length > 0)
  const isDoubtful = first !== undefined && first.fit < DOUBTED && asks(heard) && !isFirstWord(scene)
  const offers = isDoubtful ? [...fitting, ownLines(scene).notWhatAsked] : fitting
  return offers.length > 0 ? { offers: offers.slice(0, MOST_OFFERS) } : {}
}

/** Below this closeness, about a third of the answers are to another question. */
const OFFERED_BELOW = 0.64
/** What is less close than the answer by more than this was hardly meant. */
const OFFERED_WITHIN = 0.15

/** Returns true if an entry was said before, or if a line of this reply says much of it. */
function isToldIn({ say }: Entry, line: LineToSay | null, said: SpokenSoFar): boolean {
  return say.some((each) => said.line(each) || (line !== null && saysMuchOf(line.say, each)))
}

/** Returns true if two figures or more are all that one of the texts has, and the other has them too. */
function sharesFigures(first: string, second: string): boolean {
  const [few, many] = [first, second]
    .map((text) => figuresAmong(readAuthored(text)))
    .toSorted((a, b) => a.length - b.length)
  const isInBoth = (one: Figure) => many!.some((other) => other.unit === one.unit && sameFigure(other, one))
  return few!.length > 1 && few!.every(isInBoth)
}

/** Returns true if half of the meaningful words of the shorter text are in the other one. */
export function saysMuchOf(first: string, second: string): boolean {
  const [one, other] = [stemsIn(first), stemsIn(second)]
  const shared = [...one].filter((stem) => other.has(stem)).length
  return shared >= Math.min(one.size, other.size) / 2
}

function noAnswer(all: LeadMatter): Lead | null {
  const { asides } = all.scene.npc.rehearsal
  if (all.judgement.verdict === 'registered' || isFirstWord(all.scene)) return null
  if (isLost(all.heard)) return inOtherWords(all)
  const isForeign = isBeyond(all)
  if (asksUnknownFigure(all)) return nextFresh(asides.unknown, all.said)
  // A point in answer to something else would read like the answer. A short question is about whatever comes.
  if (all.matter.isPoint && (all.toPoint >= FAINT || !asks(all.heard) || all.heard.tokens.length < LEAST_TELLING))
    return null
  if (!isForeign || sharesWord(all)) {
    const back = askBack(all)
    if (back !== null) return back
  }
  if (asksForView(all.heard) && all.matter.isFiller) return nextFresh(ownLines(all.scene).yours, all.said)
  if (lacksFigure(all)) return nextFresh(asides.unknown, all.said)
  return isForeign ? nextFresh(asides.noIdea, all.said) : null
}

const LEAST_TELLING = 5

/** Returns true if the question has a meaningful word of the colleague's own. */
function sharesWord({ scene: { npc }, heard, synonyms }: LeadMatter): boolean {
  const own = ownWords(npc, synonyms)
  return [...contentStems(questionsIn(heard), synonyms)].some((stem) => isAmong(stem, own))
}

/**
 * Asks which of the two nearest answers the learner is after, or for other words if none has a word of theirs. If only one
 * has, it is given, and so is a line that nobody can ask for.
 */
function askBack(all: LeadMatter): Lead | null {
  const [first] = all.near.own
  if (first !== undefined && first.fit >= FAINT && first.entry.asks.length === 0) return told(first, all)
  // A joke that is near nothing wants no question back.
  if (LAUGHS.test(all.scene.learner) && (first?.fit ?? 0) < LIKELY) {
    const aside = nextFresh(all.scene.npc.rehearsal.asides.offTopic, all.said)
    if (aside !== null) return { ...aside, isEnough: true }
  }
  const near = offersOf(all)
  const offers = closestOf([...near.keys()], all.scene)
  const own = ownLines(all.scene)
  // About half of the time a single question is the learner's own. Whoever hears it read back feels unheard.
  const meant = offers.length === 1 ? near.get(offers[0]!) : undefined
  if (meant !== undefined) return told({ entry: meant }, all)
  if (offers.length === 0) {
    const lost = near.size === 0 ? null : nextFresh(own.notFollowed, all.said)
    if (lost === null) return null
    const open = openQuestions(all.scene)
    return { ...lost, isEnough: true, offers: open.length > 0 ? open : (all.scene.npc.openers ?? []) }
  }
  const named = quoting(offers, all.scene.scenario)
  if (all.said.line(named)) return null
  return { say: `${freshOrFirst(own.doYouMean, all.said).say} ${named}`, point: null, offers, isEnough: true }
}

const LAUGHS = /\b(?:(?:ha){2,}h?|lol|lmao|hehe+|joking|kidding|jk)\b|[:;]-?[)D](?:\s|$)/i

/** Returns the questions that share the most stems with the message, if these are at least half of their own. */
function closestOf(questions: readonly string[], { learner, scenario }: LeadMatter['scene']): readonly string[] {
  const asked = contentStems(readWords(learner))
  const names = namesIn(scenario)
  const ranked = questions.flatMap((question) => {
    const stems = [...stemsIn(question)].filter((stem) => !names.has(stem))
    const shared = stems.filter((stem) => asked.has(stem)).length
    return shared > 0 && shared >= stems.length / 2 ? [{ question, shared }] : []
  })
  const most = Math.max(...ranked.map(({ shared }) => shared))
  return ranked.flatMap(({ question, shared }) => (shared === most ? [question] : []))
}

/** Returns the stems of the colleagues' first names, which say little of what a question is about. */
function namesIn({ npcs }: Scenario): ReadonlySet<string> {
  return new Set(npcs.flatMap(({ name }) => [...stemsIn(firstName(name))]))
}

/** Returns the nearest entries by their questions, as the learner may send them. */
function offersOf({ near, said, scene, alike }: LeadMatter): ReadonlyMap<string, Entry> {
  const open = near.own.filter(({ entry, fit }) => fit >= FAINT && !isToldIn(entry, null, said))
  const offers = open.flatMap(({ entry }): [string, Entry][] => {
    const question = questionOf(entry, scene.scenario, alike)
    return question === null ? [] : [[question, entry]]
  })
  return new Map(offers.slice(0, MOST_OFFERS))
}

const MOST_OFFERS = 2

/** Returns the closest of the author's questions for an entry, as a sentence; null if none reads like a question. */
function questionOf({ asks: questions }: Entry, scenario: Scenario, alike: LeadMatter['alike']): string | null {
  const { plain } = readerOf(scenario)
  const whole = questions.filter(
    (text) =>
      WHOLE_QUESTION.test(plain(`¿${text}`)) &&
      text.length <= LONGEST_OFFER &&
      !OF_THE_GAME.test(text) &&
      !isCoarse(text),
  )
  // Of the short ones some have no verb, as people type them: "were the spring people".
  const long = whole.filter((text) => text.split(' ').length >= LEAST_WHOLE)
  const fitting = long.length > 0 ? long : whole
  if (fitting.length === 0) return null
  const fits = Array.from(alike(fitting))
  return asQuestion(fitting[fits.indexOf(Math.max(...fits))] ?? '', scenario)
}

/** Returns the stems of the meaningful words of an author's text. "Did you know about that?" has none. */
function stemsIn(text: string): ReadonlySet<string> {
  return contentStems(readAuthored(text))
}

const WHOLE_QUESTION =
  /^¿?(?:what|how|why|who|whose|when|where|which|is|are|was|were|do|does|did|can|could|should|would|will|have|has)(?:'s)?(?! an? (?:nice|good|great|pleasant|lovely)\b| be\b)(?: [\w'-]+){3,}$/
/** Matches a question about the game, which would break it as an offer, and one about words that nobody may have said. */
const OF_THE_GAME = /\b(?:prompt|bot|ai|chatgpt|simulation|model are you|programmed|mean by (?:that|it|this))\b/i
const LEAST_WHOLE = 5
/** A longer text would fill a phone's line and more. */
const LONGEST_OFFER = 44

/**
 * Returns true if the colleague has not replied yet, in a conversation with a context graph. Such a first reply greets
 * the learner or takes up what they wrote. It never says that the colleague has no answer.
 */
function isFirstWord({ node, history }: BriefingScene): boolean {
  return node.state !== null && !history.some(({ who }) => who === 'npc')
}

/**
 * Returns true for a last question at the end: where the learner may stay, it is answered without the goodbye, so the
 * goodbye does not answer it ([walk-48]).
 */
export function isSaidAlone({ scene, heard, insists }: Pick<LeadMatter, 'scene' | 'heard' | 'insists'>): boolean {
  // "That's a big hole, isn't it?" states something, and still wants an answer.
  const isAsked = insists || asks(heard) || heard.sentences.some(({ plain }) => plain.endsWith('?'))
  return mayStay(scene) && isAsked
}

/** Returns true in the last node, if the learner does not take leave and the node allows a further exchange. */
export function mayStay({ node }: BriefingScene): boolean {
  return node.isTerminal && node.leaving?.mayStay === true && !node.leaving.hints.goodbye
}

/**
 * Returns true if the node's point, told in this turn, answers the message better than an entry does. A line that has no
 * questions is compared with the point as one line with another.
 */
function yieldsToPoint({ entry, fit }: Near, all: LeadMatter): boolean {
  const { toPoint, scene } = all
  // An objection answers nothing.
  if (isSaidAlone(all) || (entry.asks.length > 0 && purposeOf(scene) === 'challenge')) return false
  const isQuestion = entry.asks.length > 0 && !scene.node.isTerminal
  return toPoint >= FAINT && fit < (isQuestion ? Math.min(POINTED, toPoint + POINTED_MARGIN) : toPoint)
}

/**
 * Returns the closest entry; null if it is not close. In a turn that tells the node's point, only a closer one goes
 * before the point.
 */
function findAnswer(all: LeadMatter): Near | null {
  const [first] = all.near.own
  if (first === undefined || first.fit < LIKELY) return null
  if (yieldsToPoint(first, all) || (first.fit < FIGURED && asksUnknownFigure(all))) return null
  const goesOn = all.matter.isPoint && !all.scene.node.isTerminal
  return first.fit < (isRough(all) ? SURE : BESIDE_POINT) && goesOn ? null : first
}

/** Returns true if one of the node's own lines gives an entry's answer: with the same figures, in much the same words. */
function isTold(entry: Entry, { matter }: Pick<LeadMatter, 'matter'>): boolean {
  const isAlike = ({ say }: LineToSay) => entry.point !== null || saysMuchOf(entry.say[0] ?? '', say)
  return matter.lines.some((line) => answers(line, entry) && isAlike(line))
}

/**
 * Returns true if a line makes an answer unnecessary: it has the same point as the answer, or all of the answer's
 * figures. The figure of a clause, "C.4", or of a thing, "valve 7", tells nothing.
 */
function answers(line: LineToSay, { point, say }: Entry): boolean {
  if (say.includes(line.say)) return true
  if (line.point === null) return false
  if (point === line.point) return true
  const asked = figuresAmong(readAuthored((say[0] ?? '').replace(CLAUSE, ' ').replace(NUMBERED, ' ')))
  const told = figuresAmong(readAuthored(line.say))
  const isToldToo = (one: Figure) => told.some((other) => one.unit === other.unit && sameFigure(one, other))
  // One plain number is in many lines: "box 7, 30 tubes" and "a second set of those 30".
  const [only] = asked
  const isAnybodys = asked.length === 1 && only?.unit === 'plain' && !saysMuchOf(say[0] ?? '', line.say)
  return asked.length > 0 && asked.every(isToldToo) && !isAnybodys
}

/** Matches the number of a thing. */
const NUMBERED = /\b(?:valve|pump|box|item|run|note|condition|schedule|figure|válvula|bomba) \d+\b/gi

/**
 * Words that only name a measure. A question with no other meaningful word, such as "How much percent?", is about the
 * previous line.
 */
const MEASURES = contentStems(readAuthored('percent percentage number figure rate share'))

/**
 * Returns true if the learner asks for a figure of something, and for nothing else. A question that only names a measure
 * is no such one.
 */
function lacksFigure({ scene, heard, synonyms }: LeadMatter): boolean {
  if (askedIn(scene.learner).length > 1) return false
  const isOfSomething = [...contentStems(questionsIn(heard), synonyms)].some((stem) => !MEASURES.has(stem))
  return asksForFigure(heard) && isOfSomething
}

/** Returns true if the learner asks for a figure of something unfamiliar. */
function asksUnknownFigure(all: LeadMatter): boolean {
  return asksForFigure(all.heard) && askedIn(all.scene.learner).length < 2 && isBeyond(all)
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
