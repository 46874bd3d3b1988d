import type { BriefingScene } from '../../core/briefing/briefing.ts'
import { OWN_ANSWER } from '../../core/reply/report.ts'
import type { PivotChoice, PivotContent } from '../../core/scenario/scenario.ts'
import { matchChoice, plainWords } from '../../core/walk/match-choice.ts'
import { languageOf } from '../../core/scenario/scenario.ts'
import { clausesOf, MessageComparison, nothingCompared } from './closeness.ts'
import { followUpsTo } from './entries.ts'
import type { Heading } from './detour.ts'
import { asks, hearMessage, type HeardMessage, onlyStates } from './hear.ts'
import { addMeaning, askedIn, type Nearest } from './nearest.ts'
import { saysThanks, withoutSmallTalk } from './small-talk.ts'
import { readerOf } from './spanish.ts'
import { lastReplyIn } from './spoken.ts'
import type { WordTable } from './word-table.ts'

export interface Answering {
  readonly scene: BriefingScene
  readonly heard: HeardMessage
  readonly heading: Heading
  readonly near: Nearest
  readonly table: WordTable | null
}

/**
 * Returns the id of the card that a typed answer means. If the fork's question was asked, any other statement of at
 * least four words about the matter is `OWN_ANSWER`. If the question was not asked yet, the message may have answered
 * it already, but only in words that plainly mean a card. Returns null for any other message.
 */
export function typedChoice(all: Answering): string | null {
  const { scene, heard, heading } = all
  const { pivot, leaving } = scene.node
  if (!pivot || !leaving || (heard.manner !== 'plain' && heard.manner !== 'grunt')) return null
  if (!pivot.armed) {
    if (!isStatedAhead(heard)) return null
    const meant = nearestCard(all, pivot.content, FORESTALLED)
    // A learner who takes a goodbye back may come with the answer that they still owe.
    const wasAsked = scene.history.some(({ who, text }) => who === 'npc' && text.includes(pivot.content.question))
    return meant ?? (wasAsked ? byStatement(all, pivot.content) : null)
  }
  // Who answers what was said last, in words that the author foresaw, doesn't answer a question from before.
  const isNext = (all.near.own[0]?.fit ?? 0) >= FORESEEN_NEXT && !lastReplyIn(scene).includes(pivot.content.question)
  if (isNext && !isVerbatim(scene.learner, pivot.content)) return null
  const [, preferred] = RATHER.exec(scene.learner) ?? []
  if (preferred !== undefined) {
    const alone = { ...all, scene: { ...scene, learner: preferred }, heard: hearMessage(preferred) }
    const meant = typedChoice(alone)
    if (isCard(meant)) return meant
  }
  const card =
    matchChoice(scene.learner, pivot.content) ??
    byFirstWords(scene.learner, pivot.content) ??
    byHedgedWords(scene.learner, pivot.content) ??
    bySentence(scene.learner, pivot.content)
  if (card !== null || heard.manner !== 'plain') return card
  const rest = scene.learner.replace(DOUBTS, '')
  if (rest !== scene.learner && rest.split(' ').length >= LEAST_OWN) {
    const meant = typedChoice({ ...all, scene: { ...scene, learner: rest }, heard: hearMessage(rest) })
    if (isCard(meant)) return meant
  }
  // "You said nine false alarms. Did the sample flow drop?" states something, and asks.
  const last = clausesOf(scene.learner).at(-1) ?? ''
  const endsAsking = last.endsWith('?') && askedIn(last).length > 0
  const isAsked =
    asks(heard) && (endsAsking || !heard.sentences.some(({ form }) => form === 'statement' || form === 'echo'))
  // What is stated answers, and what is asked beside it is a question: "me, I suppose. But can you make it stricter too?"
  const stated = byStatement(all, pivot.content)
  const beside = asks(heard) && isCard(stated) ? stated : null
  const near = beside ?? nearestCard(all, pivot.content, isAsked ? ASKED : CARD) ?? stated
  if (near !== null) return near
  const isCourtesy =
    heading.to === 'small-talk' ||
    withoutSmallTalk(heard.plain).strays ||
    saysThanks(heard.plain) ||
    WISHES.test(heard.plain)
  const isStated = onlyStates(heard) && !asks(heard)
  return isStated && heard.tokens.length >= LEAST_OWN && !isCourtesy ? OWN_ANSWER : null
}

/**
 * Returns the card of a fork that the walk has left unanswered, if a message that asks nothing plainly means it: "oh and
 * no, I wouldn't sign that". Returns null for any other message.
 */
export function lateChoice(all: Answering): string | null {
  const { scene, heard } = all
  const { lateFork } = scene.node
  if (lateFork === null || lateFork.taken !== null || asks(heard)) return null
  const { content } = lateFork
  if (!scene.history.some(({ who, text }) => who === 'npc' && text.includes(content.question))) return null
  const said = scene.learner.replace(LEADS_BACK, '')
  const card = matchChoice(said, content) ?? bySentence(said, content) ?? byHedgedWords(said, content)
  if (card !== null || heard.manner !== 'plain') return card
  const alone = { ...all, scene: { ...scene, learner: said }, heard: hearMessage(said) }
  return nearestCard(alone, content, STATED) ?? byStatement(alone, content)
}

const WISHES = /^(?:(?:ok|okay|well|and)[ ,]+)*(?:enjoy|have (?:a|an|fun)|good luck|safe (?:trip|travels))\b/

/** Matches how somebody comes back to a question: "oh and", "by the way,". */
const LEADS_BACK = /^(?:(?:oh|ah|and|also|btw|by the way|ps|wait|ok|okay|right|well|sorry)\b[ ,:.]*)+/i

/** Matches what a learner would rather have than what they said first: "right, I hope, but I'd rather be careful". */
const RATHER = /\bbut\b[^.?!]*?\b((?:i(?:'d| would)|we(?:'d| would)) (?:rather|sooner|prefer)\b.+)$/i

/** Matches an opening that leaves the answer to what follows: "Dunno yet, I'll ask Ines before you send it." */
const DOUBTS =
  /^(?:(?:hm+|well|ok|okay|honestly|tbh)[ ,.]+)*(?:i )?(?:dunno|(?:do ?n['’]?t|do not) know|not sure|no idea|can['’]?t say)(?: yet)?(?: (?:honestly|tbh|really))?(?:[ ,.:;-]+(?:but )?|$)/i

/** Returns true if a message is long enough to answer a question that was not asked: "no" may be about anything. */
function isStatedAhead({ manner, tokens }: HeardMessage): boolean {
  return manner === 'plain' && tokens.length >= LEAST_OWN
}

/** Returns true if a choice is one of the fork's cards. */
export function isCard(choice: string | null): boolean {
  return choice !== null && choice !== OWN_ANSWER
}

/** Returns true if a message is a card's own words, so that nothing can be misread. */
export function isVerbatim(learner: string, content: PivotContent): boolean {
  return (matchChoice(learner, content) ?? bySentence(learner, content)) !== null
}

/** Returns true if a message is so much closer to the card than to any other that it is hardly misread. */
export function isPlainly(card: string, all: Answering): boolean {
  const content = all.scene.node.pivot?.content
  return content !== undefined && nearestCard(all, content, PLAINLY) === card
}

/** Returns the card that alone begins with the message's words, or with a yes or no of the same meaning. */
function byFirstWords(learner: string, { choices }: PivotContent): string | null {
  const said = plainWords(learner)
  const sense = senseOf(said)
  const fitting = choices.filter(({ text }) => {
    const [first = ''] = text.split(/[.,!]\s/)
    return plainWords(first) === said || (sense !== null && senseOf(plainWords(first)) === sense)
  })
  return fitting.length === 1 ? (fitting[0]?.id ?? null) : null
}

/**
 * Returns the card that alone begins with the words before "I think", whatever follows: "Right, I guess. But who ...?" Also
 * before a condition: "Right, even if it takes longer."
 */
function byHedgedWords(learner: string, content: PivotContent): string | null {
  const [, words = ''] = HEDGED.exec(learner) ?? []
  const said = plainWords(words)
  if (said === '') return null
  const meant = content.choices.filter(({ means = [] }) => means.some((text) => plainWords(text) === said))
  return meant.length === 1 ? (meant[0]?.id ?? null) : byFirstWords(words, content)
}

const HEDGED =
  /^(?:(?:ok|okay|well|honestly|hm+)[ ,]+)?([\p{L}' ]{2,40}?)(?:[ ,]+(?:i (?:think|guess|suppose|reckon|hope)|mostly|tbh|probably|for sure|definitely|obviously|please)\b|,? (?:even if|as long as)\b)/iu

/** Returns the card whose words are a sentence of the message, whatever else the message says or asks. */
export function bySentence(learner: string, { choices }: PivotContent): string | null {
  const said = new Set(learner.split(/(?<=[.!?])\s+/).map(plainWords))
  // A single word before others leads in to them, "Right. Then who watches?", unless the author wrote it for the card.
  const isCards = (choice: PivotChoice) => (text: string) =>
    said.has(plainWords(text)) && (text.includes(' ') || choice.means?.includes(text) === true)
  return choices.find((choice) => textsOf(choice).asks.some(isCards(choice)))?.id ?? null
}

/** Returns the card that a statement beside a question, or beside another statement, means: "I want to know how it works. How does it tell?" */
function byStatement(all: Answering, content: PivotContent): string | null {
  const { scene, heard } = all
  if (heard.sentences.length < 2) return null
  const stated = heard.sentences.filter(({ form, tokens }) => form === 'statement' && tokens.length >= LEAST_OWN)
  const [card = null] = stated.flatMap(({ plain }) => {
    const alone = hearMessage(plain)
    // Who was just asked answers first, and says or asks the rest after that.
    const isFirst = plain === heard.sentences[0]?.plain && lastReplyIn(scene).includes(content.question)
    const bounds = isFirst ? CARD : STATED
    return nearestCard({ ...all, scene: { ...scene, learner: plain }, heard: alone }, content, bounds) ?? []
  })
  if (card !== null || !asks(heard)) return card
  // Who has just been asked and begins with "I" answers, whatever they ask after it.
  const [first] = heard.sentences
  const isAnswer = first !== undefined && stated.includes(first) && OF_ONESELF.test(first.plain)
  return isAnswer && lastReplyIn(scene).includes(content.question) ? OWN_ANSWER : null
}

const OF_ONESELF = /^(?:(?:well|honestly|ok|okay|look)[ ,]+)?(?:i|we|neither|both) /

function senseOf(words: string): 'yes' | 'no' | null {
  if (/^(?:no|nope|nah|never|not at all|nunca|jamás)$/.test(words)) return 'no'
  return /^(?:yes|yeah|yep|yup|sure|of course|sí|si|claro)$/.test(words) ? 'yes' : null
}

interface Bounds {
  readonly least: number
  readonly margin: number
  /** A question is for an entry that is closer than the card by more than this; a statement is never. */
  readonly beside: number
}

/** Bounds for an answer to a question that was asked. */
const CARD: Bounds = { least: 0.45, margin: 0.05, beside: 0.08 }
/** Bounds for a message that asks, as some cards do: "When's the latest you can send it?" */
const ASKED: Bounds = { least: 0.7, margin: 0.08, beside: 0 }
/** Bounds for a message that answers a question before it is asked. */
const FORESTALLED: Bounds = { least: 0.72, margin: 0.15, beside: 0.08 }
/** Bounds for a sentence beside a question. */
const STATED: Bounds = { least: 0.62, margin: 0.12, beside: 0.08 }
/** Bounds for an answer of which the learner need not be asked whether they meant it. */
const PLAINLY: Bounds = { least: 0.55, margin: 0.2, beside: 0.08 }
/** So close is only what the author foresaw as what a learner says to the last reply. */
const FORESEEN_NEXT = 1.2
/** A shorter statement is no answer of one's own. */
const LEAST_OWN = 4

/**
 * Returns the card whose texts are closest to the message, if they are close, and neither another card's nor those of an
 * answer that means no card are nearly so.
 */
function nearestCard(
  { scene, heard, near, table }: Answering,
  content: PivotContent,
  { least, margin, beside }: Bounds,
): string | null {
  const { choices } = content
  const fits = closenessToFork(scene, table, content)
  const [best, next] = choices.map(({ id }, at) => ({ id, fit: fits[at] ?? 0 })).toSorted((a, b) => b.fit - a.fit)
  if (best === undefined || best.fit < least || best.fit - (next?.fit ?? 0) < margin) return null
  if ((fits[choices.length] ?? 0) > best.fit + OF_ONES_OWN) return null
  const concludes = CONCLUDES.test(heard.plain)
  const isForEntry = (asks(heard) || concludes) && (near.own[0]?.fit ?? 0) > best.fit + beside
  return isForEntry ? null : best.id
}

/** Matches what somebody takes from the reply before: "hm so not a false alarm then". */
const CONCLUDES = /^(?:(?:hm+|ok|okay|ah|oh|right)[ ,]+)*so\b.*\bthen\W*$/

/** What the author foresaw as an answer of one's own is one, if it is closer than the card by this much. */
const OF_ONES_OWN = 0.05

/**
 * Returns how close the learner's message is to each card of a fork, and after them to the answers that the author foresaw
 * and that mean no card.
 */
function closenessToFork({ scenario, npc, learner }: BriefingScene, table: WordTable | null, content: PivotContent) {
  const { authored, heard } = readerOf(scenario)
  if (latest?.choices !== content.choices || latest.table !== table) {
    const own = followUpsTo(content.question, npc).flatMap(({ asks: texts }) => texts)
    const texts = [...content.choices.map((choice) => textsOf(choice).asks), own]
    const comparables = texts.map((each) => ({ asks: each.map(authored), says: [] }))
    latest = { choices: content.choices, table, comparison: new MessageComparison(comparables, table, 0) }
  }
  const message = heard(learner)
  const compared = nothingCompared()
  const fits = latest.comparison.closeness(message, compared)
  if (languageOf(scenario) === 'en') addMeaning(fits, message, latest.comparison, compared)
  return fits
}

/** The fork that was compared last. One is kept, because a message may ask twice, and all of them would fill the isolate. */
let latest: {
  readonly choices: PivotContent['choices']
  readonly table: WordTable | null
  readonly comparison: MessageComparison
} | null = null

function textsOf({ text, means = [] }: PivotChoice) {
  return { asks: [text, ...text.split(/(?<=[.?!])\s+/), ...means], says: [] }
}
