import type { BriefingScene } from '../../core/briefing/briefing.ts'
import { once } from '../../core/once.ts'
import { firstName, languageOf, type Npc } from '../../core/scenario/scenario.ts'
import { readAuthored, readWords, type Token } from '../../core/text/words.ts'
import {
  clausesOf,
  type Comparable,
  type Compared,
  comparedWords,
  isGeneral,
  MessageComparison,
  nothingCompared,
  WHAT_IS_THAT,
} from './closeness.ts'
import { CLAUSE, type Entry, type FollowUp, followUpsTo, knownEntries, takesForGranted } from './entries.ts'
import { misfits, type AskedKind, openingOf } from './opener.ts'
import { type TextReader, readerOf } from './spanish.ts'
import { lastReplyIn } from './spoken.ts'
import type { WordTable } from './word-table.ts'

/** An entry of a colleague, and how close a message is to it: 0 to about 1. */
export interface Near {
  readonly npc: Npc
  readonly entry: Entry
  readonly fit: number
  /** True if the colleague asked back with this entry's question, and the message means it. */
  readonly isPicked?: true
}

export interface OtherAsked extends Near {
  /** True if the message asks this before the thing that its closest entry answers. */
  readonly isBefore: boolean
}

/** The entries that are closest to a message, closest first. */
export interface Nearest {
  /** Entries of the colleague who speaks. */
  readonly own: readonly Near[]
  /** If the message asks two things, the closest entry to the other thing; otherwise null. */
  readonly second: OtherAsked | null
  /** If that entry is only likely, it is here, and `second` is null. */
  readonly maybeSecond: Near | null
  /** Finds the closest entry of another colleague; null if there is none. Most messages need none. */
  readonly other: () => Near | null
}

/** From this closeness on, an entry surely answers the message. */
export const SURE = 0.6

/** Returns true if the entry surely answers the message. */
export function isSure(near: Near | undefined): boolean {
  return near !== undefined && near.fit >= SURE
}

/** From this closeness on, an entry is better than a question back. */
export const LIKELY = 0.5
/** How many entries of the colleague who speaks are kept. */
const MOST_NEAR = 3

/**
 * Finds the entries whose meaning is closest to a message, among everything that the scenario's colleagues can say. The
 * other colleagues' entries are compared only when they are asked for and no entry of the speaker is close, and by their
 * words alone, which costs half as much; a guide's never, because a guide knows a little of everything.
 *
 * @param scene a `readable` scene
 * @param table null if it cannot be had; then only words of the same root count
 * @param isOthers true if the message's words are another colleague's, whose entries are compared in any case
 * @param insists true if the learner says that the last reply answered another question
 */
export function nearestEntries(
  scene: Pick<BriefingScene, 'scenario' | 'npc' | 'history' | 'learner' | 'said'>,
  table: WordTable | null,
  { isOthers = false, insists = false }: { readonly isOthers?: boolean; readonly insists?: boolean } = {},
): Nearest {
  const { scenario, npc, history } = scene
  // Before the learner's first message, the colleague has only greeted them.
  const lastReply = history.some(({ who }) => who === 'learner') ? lastReplyIn(scene) : ''
  const read = readerOf(scenario)
  const how: How = {
    table,
    read,
    told: toldBy(scene),
    hasMeaning: languageOf(scenario) === 'en',
    lastReply,
    spoken: history.flatMap(({ who, text }) => (who === 'npc' ? [text] : [])).join('\n'),
    again: insists ? INSISTING : AGAIN,
    named: clausesNamed(scene.learner),
    foreseen: foreseenAfter(lastReply, npc, table, read),
  }
  const message = inFull(how.read.heard(withoutQuotation(withoutName(scene.learner, npc))), how)
  const compared = nothingCompared()
  const own = inContext(nearestOf(message, npc, how, compared), message, npc, how)
  const apart = askedApart(message, npc, how, compared, own)
  const isClose = !isOthers && (own[0]?.fit ?? 0) >= OWN
  const other = once((): Near | null => {
    const others = isClose ? [] : scenario.npcs.filter(({ id, walk }) => id !== npc.id && walk !== 'guide')
    const near = others.flatMap((each) => nearestOf(message, each, { ...how, hasMeaning: false, foreseen: null }))
    return near.toSorted(byFit)[0] ?? null
  })
  const isApart = apart !== null && !isSure(own[0])
  return {
    own: (isApart ? [apart, ...own] : own).slice(0, MOST_NEAR),
    ...(apart === null
      ? secondOf(message, npc, how, compared, own)
      : { second: isApart ? null : { ...apart, isBefore: false }, maybeSecond: null }),
    other,
  }
}

/** Returns a bare "how?" as the question that it stands for, because its one word is in "how are you" as well. */
function inFull(message: string, { foreseen, hasMeaning }: How): string {
  if (!hasMeaning || !HOW.test(message)) return message
  const isForeseen = foreseen !== null && [...fitsOf(message, foreseen, hasMeaning).values()].some((fit) => fit >= 1)
  return isForeseen ? message : 'how does that work?'
}

const HOW = /^(?:(?:and|but|ok|okay|so|hm+) )*how\W*$/i

/**
 * Returns the entry that answers the only question of a message, if the closest one takes up what is stated before it and
 * has nothing to do with the question: "I say we hold it a week. What happens after that?" Null if there is none.
 */
function askedApart(message: string, npc: Npc, how: How, compared: Compared, [first]: readonly Near[]): Near | null {
  const asked = askedIn(message)
  const [question = ''] = asked
  if (first === undefined || asked.length !== 1 || clausesOf(message).indexOf(question) < 1) return null
  const isUnsure = first.fit < CLOSE && !REFERS.test(question)
  if (ELABORATES.test(question) || (!isUnsure && tellingIn(question) < LEAST_APART)) return null
  const near = nearestOf(question, npc, how, compared)
  const [best] = near
  if (best === undefined || best.entry === first.entry || best.fit < CLEAR) return null
  const ofFirst = near.find(({ entry }) => entry === first.entry)?.fit ?? 0
  return best.fit - ofFirst >= (isUnsure ? A_LITTLE_APART : APART) ? best : null
}

/** Matches a clause that only says the one before it again. */
const ELABORATES = /^(?:(?:and|but|so) )?(?:like|i mean|as in|because|or)\b/i
/** A question of fewer words with a meaning of their own, "would that do?", is about what was stated. */
const LEAST_APART = 2
/** The question is so much closer to its own answer than to the entry that is closest to the whole message. */
const APART = 0.3
/** The same, if that entry does not surely answer the message and the question stands by itself. */
const A_LITTLE_APART = 0.1
const REFERS = /\b(?:it|that|this|those|these|they|them)\b/i

/**
 * Returns whether the learner has told the colleague what an entry takes for granted: in a message that is no guess, or
 * by hearing it. What was told is read when the first such entry asks for it, because most colleagues have none.
 */
function toldBy({ history, learner, said }: Pick<BriefingScene, 'history' | 'learner' | 'said'>): Told {
  let read: readonly (readonly Token[])[] | null = null
  // A turn asks for each of its clauses.
  const known = new Map<Entry, boolean>()
  return (entry) => {
    read ??= [
      ...[...history.flatMap(({ who, text }) => (who === 'learner' ? [text] : [])), learner]
        .filter((text) => !SUPPOSES.test(text))
        .map((text) => readWords(toldIn(text))),
      ...said.map(readAuthored),
    ]
    const isTold = known.get(entry) ?? takesForGranted(entry, read)
    known.set(entry, isTold)
    return isTold
  }
}

/** Returns a message without the clauses that only ask: "are they in the same freezer?" tells of no freezer. */
function toldIn(message: string): string {
  const clauses = clausesOf(message)
  const tells = (clause: string) =>
    IF_KNOWN.test(clause) || !(ONLY_ASKS.test(clause) || GIVEN_BACK.test(clause) || isBareQuestion(clause))
  return clauses.filter(tells).join('\n')
}

/** Returns true for a question of a few words: "a freezer log or something?" */
function isBareQuestion(clause: string): boolean {
  return clause.endsWith('?') && clause.split(' ').length <= BARE
}

const BARE = 6

/** Matches what the learner only has from the colleague: "you said Dorota has a log". */
const GIVEN_BACK = /^(?:(?:and|but|so|ok|sorry|well|wait)[ ,]+)*you (?:just )?(?:said|say|told me|mentioned)\b/i

const ONLY_ASKS =
  /^(?:(?:and|but|so|ok|okay|then|or|no|wait|hm+|i mean)[ ,]+)*(?:what|whats|why|how|who|whose|when|where|which|is|are|was|were|do|does|did|can|could|would|will|should|have|has|had|(?:is|are|was|does|did|could|would|has|have)n'?t)\b/i
/** Matches a question that also tells: "did you know that box 7 thawed?", "would you sign if it says that they thawed?" */
const IF_KNOWN =
  /\b(?:did|do) you know\b|\bhave you heard\b|\b(?:now that|since|because|if \w+(?: \w+)? (?:says?|prints?|reports?|tells?|writes?))\b/i

/** Matches a guess. Who supposes something has not told it. */
const SUPPOSES =
  /\b(?:my guess|i(?:'m| am)? guess(?! (?:so|i (?:will|do|am|would|can)|i'll|me)\b)|guess(?:ing|ed)|maybe|perhaps|what if|suppose|supposing|wonder(?:ing)?|might|could (?:it|the|they|that|this|there)|or something|or smth|if (?:it|(?:the|a|one|some|your|that|those) \w+) (?:broke|breaks|failed|fails|went|goes|thawed|warmed|stopped|had|got|was|were|is|are))\b/i

type Told = (entry: Entry) => boolean

/** Removes the name by which the learner addresses the colleague, because it is rare and tells nothing. */
function withoutName(message: string, { name }: Npc): string {
  const rest = message.replace(new RegExp(`(?<![\\p{L}'])${firstName(name)}(?![\\p{L}'])`, 'giu'), ' ')
  return /\p{L}/u.test(rest) ? rest : message
}

/** Removes what somebody is asked to say: the words of "put it in a sentence, like 'boil it until Friday'". */
function withoutQuotation(message: string): string {
  const rest = message.replace(QUOTATION, ' ')
  return /\p{L}{2}/u.test(rest) ? rest : message
}

/** Matches three or more quoted words after "like". */
const QUOTATION = /,? ?(?:like |e\.g\. |such as )['‘“"](?:[^\s'’”"]+\s+){2,}[^'’”"\n]{1,60}['’”"](?![\p{L}\d])/giu

/** How texts are compared. */
interface How {
  readonly table: WordTable | null
  readonly read: TextReader
  /** Whether the learner has told the colleague what an entry takes for granted. */
  readonly told: Told
  /** True if the meaning of a message counts beside its words. The table of questions is English. */
  readonly hasMeaning: boolean
  /** What the colleague said last, and what an entry that is in it loses beside a question. */
  readonly lastReply: string
  /** All that the colleague has said, as far as it is remembered. */
  readonly spoken: string
  readonly again: number
  /** The clauses of a contract that the message names. */
  readonly named: ReadonlySet<string>
  /** What the author foresaw as the learner's next message; null if nothing. */
  readonly foreseen: Foreseen | null
}

/** The messages that the author foresaw after a reply, as a message is compared with them. */
interface Foreseen {
  readonly followUps: readonly FollowUp[]
  readonly comparison: MessageComparison
  readonly compared: Compared
}

function foreseenAfter(reply: string, npc: Npc, table: WordTable | null, read: TextReader): Foreseen | null {
  const followUps = reply === '' ? [] : followUpsTo(reply, npc)
  if (followUps.length === 0) return null
  const comparables = followUps.map(({ asks }): Comparable => ({ asks: asks.map(read.authored), says: [] }))
  return { followUps, comparison: new MessageComparison(comparables, table, 0), compared: nothingCompared() }
}

/**
 * Puts first, of the entries that are close to a short message, the one that is also near what the colleague said last:
 * "how long did that take him" leans on the last answer. The less surely one entry answers the message alone, the more
 * the last reply counts. The first entry stays as close as the closest one was, because the last reply tells which entry
 * is meant, and not that any is.
 */
function inContext(near: readonly Near[], message: string, npc: Npc, how: How): readonly Near[] {
  const [first] = near
  if (first === undefined || how.lastReply === '' || !how.hasMeaning) return near
  const telling = tellingIn(message)
  const leaning = telling <= FEW_TELLING ? 1 : telling <= SOME_TELLING ? OF_SOME : 0
  const weight = OF_CONTEXT * leaning * Math.min(1, (ALONE - first.fit) / (ALONE - LEANING))
  if (weight <= 0) return near
  const related = comparisonOf(npc, how.table, how.read).comparison.relatedness(how.read.heard(how.lastReply))
  if (related === null) return near
  const entries = knownEntries(npc)
  const weighed = near.map((each) => {
    const context = holdsOne(how.lastReply, each.entry.say) ? 0 : related(entries.indexOf(each.entry))
    return { each, weight: each.fit + weight * context }
  })
  const [best, ...rest] = weighed.toSorted((a, b) => b.weight - a.weight).map(({ each }) => each)
  return best === undefined ? near : [{ ...best, fit: Math.max(best.fit, first.fit) }, ...rest]
}

/** Returns how many words of a text have a meaning of their own. */
function tellingIn(text: string): number {
  const [words = []] = comparedWords([text])
  return words.filter((word) => !isGeneral(word)).length
}

/** What the last reply counts, as fitted to `test/fixtures/heard/follow-ups.json`. */
const OF_CONTEXT = 0.4
/** Up to so many words with a meaning of their own, a message leans on the last reply; up to `SOME_TELLING` a little less. */
const FEW_TELLING = 3
const SOME_TELLING = 5
const OF_SOME = 0.6
/** An entry this close to the message alone leaves nothing to the last reply; one less close than `LEANING` leaves all. */
const ALONE = 0.77
const LEANING = 0.57

/** Few learners ask for what they have just heard. */
const AGAIN = 0.08
/** The same for an entry of which every wording was said before, unless they ask in the author's own words. */
const WORN = 0.06
/** An entry that is less close is not said in any case. */
const LEAST_AGAIN = 0.45
/** Whoever insists has not asked for it. */
const INSISTING = 0.4

/** An entry of the speaker this close goes before every other colleague's. */
const OWN = 0.62
/**
 * An entry this close surely answers another part of a message that `first` answers. If the first entry is itself less
 * than `CLEAR` close, the second must be: two unsure answers are more often beside the question than right.
 */
const CLOSE = 0.62
const CLEAR = 0.7

/**
 * Returns the entry that answers another of the message's questions than the closest one, as surely as that or perhaps.
 */
function secondOf(
  message: string,
  npc: Npc,
  how: How,
  compared: Compared,
  [first]: readonly Near[],
): Pick<Nearest, 'second' | 'maybeSecond'> {
  const asked = clausesOf(message).filter((clause) => asksForSomething(clause) || OFFERS.test(clause))
  const isAlone = asked.length === 1 && clausesOf(message).length < 2
  if (first === undefined || asked.length === 0 || isAlone) return { second: null, maybeSecond: null }
  const isOpen = (clause: string, at: number) =>
    (at === 0 || !(WHAT_IS_THAT.test(clause) || WHAT_THEN.test(clause))) &&
    !echoes(clause, asked[at + 1], how.lastReply)
  const questions = asked.filter(isOpen)
  const parts = questions.map((clause) => partOf(clause, first, nearestOf(clause, npc, how, compared)))
  const answersFirst = parts.findIndex(({ best }) => best?.entry === first.entry)
  const [other] = parts
    .filter(({ best, ofFirst }) => {
      if (best === undefined || best.entry === first.entry || best.fit < LIKELY) return false
      // Both answer the same question, each in its own way.
      return answersFirst >= 0 || best.fit - ofFirst >= SAME_QUESTION
    })
    .toSorted((a, b) => byFit(a.best!, b.best!))
  // What is stated beside a single question may be what the first entry takes up.
  if (other?.best !== undefined && asked.length > 1 && isSecond(other, other.best, first, message, how, compared)) {
    const second = { ...other.best, isBefore: parts.indexOf(other) < answersFirst }
    return { second, maybeSecond: null }
  }
  // What is this close to the whole message answers the whole message.
  if (other?.best === undefined || asked.length < 2 || first.fit >= VERBATIM) return { second: null, maybeSecond: null }
  return { second: null, maybeSecond: other.best }
}

/** Matches a question that only goes on from the one before it: "if somebody gets hurt, who pays then?" */
const WHAT_THEN =
  /^(?:(?:and|so|but) )*(?:then what|what happens after(?: that)?|(?:what|who|how|where|when)(?: \S+){0,2} then)[?! ]*$/i

/** Matches a clause in which the learner offers to do something, or tells the colleague to. */
const OFFERS =
  /^(?:(?:and|but|so|then|ok|okay|right) )?(?:(?:i(?:'ll| will| can| could| would|'d)|let me) (?:do|take|be|hold|stay)\b|put m[ey]\b|(?:please )?(?:send|start|shut|book|do it|go ahead)\b) ?\S*/i

/** Returns true for a few words of the last reply with a question mark, before the question about them: "March again?" */
function echoes(clause: string, next: string | undefined, lastReply: string): boolean {
  if (lastReply === '' || next === undefined || WHAT_IS_THAT.test(next)) return false
  if (!isBareQuestion(clause) || clause.split(' ').length > MOST_ECHOED || ASKS_OPENLY.test(clause)) return false
  const [own = [], words = []] = comparedWords([lastReply, clause])
  const telling = words.filter((word) => !isGeneral(word) && word !== 'again')
  return telling.length > 0 && telling.every((word) => own.includes(word))
}

const MOST_ECHOED = 4
const ASKS_OPENLY = /\b(?:what|whats|how|why|who|when|where|which)\b/i

/** One of the questions of a message. */
interface Part {
  readonly clause: string
  /** The closest entry, and by how much it is closer than the next one that does not answer the message already. */
  readonly best: Near | undefined
  readonly margin: number
  /** How close the entry is that answers the message. */
  readonly ofFirst: number
}

function partOf(clause: string, first: Near, near: readonly Near[]): Part {
  const [best] = near
  const next = near.find((each) => each !== best && each.entry !== first.entry)
  const ofFirst = near.find(({ entry }) => entry === first.entry)?.fit ?? 0
  return { clause, best, margin: (best?.fit ?? 0) - (next?.fit ?? 0), ofFirst }
}

/** An entry that is closer to a question than another by less than this answers the same. */
const SAME_QUESTION = 0.15

/** Returns true if an entry surely answers a question of a message. A clause by itself is like many things. */
function isSecond(
  { clause, margin }: Part,
  best: Near,
  first: Near,
  message: string,
  { table, read, hasMeaning }: How,
  compared: Compared,
): boolean {
  if (best.fit >= EXACT) return true
  const meaning = (text: string): number | null => {
    const likeness = hasMeaning ? comparisonOf(best.npc, table, read).comparison.likeness(text, compared) : null
    return likeness === null ? null : likeness[knownEntries(best.npc).indexOf(best.entry)]!
  }
  const telling = tellingIn(clause)
  if (best.fit >= CLEAR && (meaning(clause) ?? 0) >= (telling < LEAST_APART ? MEANT_IN_A_WORD : MEANT_ALONE))
    return true
  // "Both of you?" tells nothing by itself.
  if (telling === 0) return false
  if (best.fit < (first.fit >= CLEAR ? CLOSE : CLEAR) || margin < LEAST_MARGIN) return false
  return margin >= WIDE_MARGIN || best.fit >= VERBATIM || (meaning(message) ?? 1) >= MEANT
}

/** What is this close is the author's own question, and what is less close by a little nearly is. */
const EXACT = 0.98
export const VERBATIM = 0.9
/**
 * An entry this much closer to a clause than the next one answers it, whatever the whole message is like. With less than
 * the smaller margin, only half of the second answers to labelled messages were right.
 */
const WIDE_MARGIN = 0.2
const LEAST_MARGIN = 0.04
/** A whole message this much like an entry too asks for it. */
const MEANT = 0.6
/**
 * A clause this much like an entry in meaning asks for it; one of a single word must be more like it. Of the second answers to
 * labelled messages that only this brings, three in four are the labelled ones.
 */
const MEANT_ALONE = 0.8
const MEANT_IN_A_WORD = 0.9

/** Returns the clauses of a message that ask for something. */
export function askedIn(message: string): readonly string[] {
  return clausesOf(message).filter(asksForSomething)
}

function asksForSomething(clause: string): boolean {
  const isLong = clause.split(' ').length > 2 || OF_TWO_WORDS.test(clause)
  return isLong && ASKING.test(clause) && !IN_YOUR_VIEW.test(clause)
}

/** Matches a question of two words: "since when?" */
const OF_TWO_WORDS = /^(?!ok|right|no|yes|really|sure|huh)\S+ \S+\?+$/i

/** Matches what follows a question and asks nothing of its own. */
const IN_YOUR_VIEW = /^(?:and )?(?:in|from) your (?:own )?(?:view|opinion|eyes|experience|point of view)\b[ ?.!]*$/i

/** Matches a clause that asks for something. "If it was you who decides" asks for nobody's name. */
const ASKING =
  /\?$|\b(?:what|whats|why|how|(?<!\b(?:i|me|you|he|she|they|we|us|one|ones|those|people|person|some\w+|any\w+|every\w+) )who|whos|whose|when|where|which)\b|^(?:so |and |but |or |then )?(?:is|are|was|were|do|does|did|can|could|would|will|should|have(?! (?:a|an|fun)\b)|has|had|(?:is|are|was|does|did|could|would|has|have)n'?t|(?:do|can|wo)n'?t (?:i|we|you|they|he|she|it|that|this|the|there|any\w*)|(?:please |pls |just )?(?:gimme|(?:give|show|tell) me|explain))\b/i

function nearestOf(text: string, npc: Npc, how: How, compared = nothingCompared()): readonly Near[] {
  const { table, read, told, hasMeaning, lastReply, spoken, again, named, foreseen } = how
  const { comparison, statements, openers, clauses } = comparisonOf(npc, table, read)
  const closeness = comparison.closeness(text, compared)
  if (hasMeaning) addMeaning(closeness, text, comparison, compared, comparison.relatedness(text))
  const asked = askedIn(text)
  const isQuestion = asked.length > 0
  const besideQuestion = npc.walk === 'guide' ? BESIDE_THE_QUESTION : 0
  // What an entry loses that takes up a statement.
  const ofStatement = isQuestion ? besideQuestion : -TAKEN_UP
  const opening = openingOf(asked)
  const due = foreseen && fitsOf(text, foreseen, hasMeaning)
  return knownEntries(npc)
    .flatMap((entry, at) => {
      const beside = statements[at] ? ofStatement : 0
      const misfit = opening !== null && openers[at]?.has(opening) ? MISFIT : 0
      const close = (closeness[at] ?? 0) - beside - misfit - (isOfAnother(clauses[at], named) ? OTHER_CLAUSE : 0)
      const foretold = due?.get(entry) ?? 0
      if (Math.max(close, foretold) < LEAST_NEAR) return []
      const isAgain = isQuestion && close >= LEAST_AGAIN && holdsOne(lastReply, entry.say)
      const isWorn = isQuestion && !isAgain && close < SAME_WORDS && entry.say.every((line) => spoken.includes(line))
      const fit = Math.max(close - (isAgain ? again : isWorn ? WORN : 0), foretold)
      if (entry.heard === undefined) return [{ npc, entry, fit }]
      return told(entry) ? [{ npc, entry, fit: fit + IN_ANSWER }] : []
    })
    .toSorted(byFit)
}

/** Returns how close a text is to what the author foresaw after the last reply, by the entry that answers. */
function fitsOf(
  text: string,
  { followUps, comparison, compared }: Foreseen,
  hasMeaning: boolean,
): ReadonlyMap<Entry, number> {
  const closeness = comparison.closeness(text, compared)
  if (hasMeaning) addMeaning(closeness, text, comparison, compared)
  const more = Math.max(LEAST_FORESEEN, FORESEEN - OF_TELLING * Math.max(0, tellingIn(text) - 1))
  const fits = new Map<Entry, number>()
  for (const [at, { entry }] of followUps.entries())
    fits.set(entry, Math.max(fits.get(entry) ?? 0, closeness[at]! + more))
  return fits
}

/**
 * Adds to the closeness of a message's words how alike the message, and the part of it that asks most, are to each entry
 * in meaning, and how near its subject is to what each entry is asked for on average (`related`). The weights are fitted
 * to the labelled messages of `test/fixtures/heard` and, those of the subject, to questions of the authors that the table
 * and the entries did not have, so that the sum is as high on average as the closeness alone.
 */
export function addMeaning(
  closeness: Float32Array,
  message: string,
  comparison: MessageComparison,
  compared: Compared,
  related: ((entry: number) => number) | null = null,
): void {
  const whole = comparison.likeness(message, compared)
  if (whole === null) return
  const asked = askedIn(message).flatMap((clause) => comparison.likeness(clause, compared) ?? [])
  for (let at = 0; at < closeness.length; at += 1) {
    let part = asked.length === 0 ? whole[at]! : -1
    for (const likeness of asked) if (likeness[at]! > part) part = likeness[at]!
    const both = OF_WORDS * closeness[at]! + OF_WHOLE * whole[at]! + OF_PART * part - LESS
    const subject = both < LEAST_SUBJECT ? 0 : (related?.(at) ?? 0)
    const all = related === null ? both : OF_BOTH * both + OF_SUBJECT * subject - LESS_OF_BOTH
    closeness[at] = closeness[at]! >= SAME_WORDS ? Math.max(closeness[at]!, all) : all
  }
}

/** From here on the words are the author's own, and tell more: "right" and "wrong" mean something similar. */
const SAME_WORDS = 0.85
const OF_WORDS = 0.46
const OF_WHOLE = 0.45
const OF_PART = 0.2
const LESS = 0.09
/** Of 4,817 questions that were left out, the first entry was the author's for 61 % with the subject, and for 57 % without. */
const OF_BOTH = 0.82
const OF_SUBJECT = 0.28
const LESS_OF_BOTH = 0.03
/** What is less like a message than this in words and meaning is none of the nearest, whatever its subject. */
const LEAST_SUBJECT = 0.1

/**
 * Returns true if an entry takes up a statement: few of the author's texts for it are questions. "Would you wait a week?"
 * is near "I say we wait a week", but asks for another answer.
 */
function takesStatement({ asks }: Entry): boolean {
  return asks.length >= FEW_TEXTS && asks.filter((text) => ASKING.test(text)).length < asks.length / 4
}

const FEW_TEXTS = 4
/** What such an entry of a guide loses beside a question, and what every such entry gains beside a statement. */
const BESIDE_THE_QUESTION = 0.2
const TAKEN_UP = 0.03

/** Returns the clauses of a contract that a text names: "C.5". */
function clausesNamed(text: string): ReadonlySet<string> {
  return setOf(text.toUpperCase().match(CLAUSE) ?? [])
}

/** Returns a set, and for no items always the same one, because most of a colleague's entries have none. */
function setOf<T>(items: readonly T[]): ReadonlySet<T> {
  return items.length === 0 ? NONE : new Set(items)
}

const NONE: ReadonlySet<never> = new Set<never>()

/** Returns true if an entry is about other clauses than the ones that a message names. */
function isOfAnother(own: ReadonlySet<string> | undefined, named: ReadonlySet<string>): boolean {
  return named.size > 0 && own !== undefined && own.size > 0 && [...named].every((name) => !own.has(name))
}

/** What such an entry loses: what holds for one clause is wrong for another. */
const OTHER_CLAUSE = 0.3

/** What an entry loses of which every wording opens otherwise than the question asks. */
const MISFIT = 0.1

/** An entry that is less close is none of the nearest. */
const LEAST_NEAR = 0.25
/**
 * What the author foresaw after the last reply goes before what can be asked at any time: the less, the more words of its
 * own a message has. Of 1,021 follow-ups that people wrote and no author did, the first entry is right for 58 % with this
 * and for 37 % without; of 1,007 other messages for 77 % with and without.
 */
const FORESEEN = 0.3
const OF_TELLING = 0.05
const LEAST_FORESEEN = 0.05
/** An answer to what the learner has told before goes before an answer for anybody. */
const IN_ANSWER = 0.06

function byFit(a: Near, b: Near): number {
  return b.fit - a.fit
}

/** A colleague's entries as messages are compared with them. */
interface OfNpc {
  readonly table: WordTable | null
  readonly comparison: MessageComparison
  /** Whether each entry takes up a statement. */
  readonly statements: readonly boolean[]
  /** The kinds of question for which each entry has no wording that opens as the question asks. */
  readonly openers: readonly ReadonlySet<AskedKind>[]
  /** The clauses that each entry names. */
  readonly clauses: readonly ReadonlySet<string>[]
}

/** Returns the comparison with a colleague's entries, with a cache, because making one takes as long as many turns. */
function comparisonOf(npc: Npc, table: WordTable | null, read: TextReader): OfNpc {
  const known = ofNpc.get(npc)
  if (known?.table === table) return known
  const entries = knownEntries(npc)
  const comparables = entries.map(({ asks, say, point, follows }): Comparable => {
    // What follows a line is compared after that line.
    if (follows !== undefined) return { asks: [], says: [] }
    return { asks: asks.map(read.authored), says: (point === null ? say : [...say, point]).map(read.authored) }
  })
  const made = {
    table,
    comparison: new MessageComparison(comparables, table),
    statements: entries.map(takesStatement),
    clauses: entries.map(({ asks, say }) => clausesNamed([...asks, ...say].join('\n'))),
    openers: entries.map(({ say }) => setOf(OPENINGS.filter((asked) => say.every((line) => misfits(line, asked))))),
  }
  ofNpc.set(npc, made)
  return made
}

/** Returns true if a reply has one of these lines. */
function holdsOne(reply: string, lines: readonly string[]): boolean {
  return lines.some((line) => reply.includes(line))
}

const OPENINGS: readonly AskedKind[] = ['open', 'why', 'who']

const ofNpc = new WeakMap<Npc, OfNpc>()
