import type { Npc, Scenario } from '../../core/scenario/scenario.ts'
import type { HeardMessage } from './hear.ts'
import { asks, questionsIn } from './hear.ts'
import { LIKELY, type Nearest, SURE } from './nearest.ts'
import { type Entry, isTelling } from './entries.ts'
import { remembered } from './remember.ts'
import type { Remainder } from './small-talk.ts'
import { withoutSmallTalk } from './small-talk.ts'
import type { TextReader } from './spanish.ts'
import { hearsOne, termsHeard } from './terms.ts'
import type { Synonyms } from '../../core/text/stems.ts'
import { contentStems, isAmong, synonymsOf } from '../../core/text/stems.ts'
import { allWords, ownWords, pageWords, sharedWords, wordsForPeople } from './vocabulary.ts'
import type { Token } from '../../core/text/words.ts'
import { readAuthored, readWords, sameFigure } from '../../core/text/words.ts'

/**
 * The subject of a message: this colleague's part of the scenario, another colleague's part, something outside the
 * simulation, or small talk.
 */
export type Heading =
  | { readonly to: 'own' }
  /** `terms`: the colleague's subjects that the message has. */
  | { readonly to: 'colleague'; readonly npc: Npc; readonly terms: readonly string[] }
  | { readonly to: 'elsewhere' }
  | { readonly to: 'small-talk'; readonly strays: boolean }

/**
 * Determines the subject of a message. A message with more terms of another colleague than of this colleague is about
 * the other colleague's part. But a single word of the other colleague is not enough if most words of the message are
 * unknown. A message with several meaningful words, all unknown to this simulation, is about something outside the
 * simulation.
 */
export function headingOf(heard: HeardMessage, npc: Npc, scenario: Scenario, synonyms: Synonyms): Heading {
  const known = familiarity(heard.tokens, allWords(scenario, synonyms), synonyms)
  const talk = withoutSmallTalk(heard.plain)
  if (isSmallTalk(talk, heard, npc, scenario, synonyms)) return { to: 'small-talk', strays: talk.strays }
  // Beside a question, a statement only says what the learner has heard before.
  const asked = questionsIn(heard)
  const tokens = asked.length > 0 ? asked : heard.tokens
  const own = weightOf(tokens, ownTerms(npc))
  const nearest = nearestColleague({ ...heard, tokens }, npc, scenario)
  const isStray = nearest !== null && nearest.weight < 2 && known.strange > known.familiar
  if (nearest && nearest.weight > own && !isStray) return { to: 'colleague', npc: nearest.other, terms: nearest.terms }
  if (own > 0 || REFERS_BACK.test(heard.plain)) return { to: 'own' }
  const isElsewhere = known.strange >= 2 && (known.familiar === 0 || isStray)
  return isElsewhere ? { to: 'elsewhere' } : { to: 'own' }
}

/**
 * Corrects a heading by the meaning of the message. An entry of the speaker that is about the colleague's terms makes the
 * message the speaker's own, from `leastOwn` on, unless an entry of the colleague is sure and closer, or the message has
 * many words of the colleague's. A question to which another colleague's entry is much closer is that colleague's.
 */
export function settled(
  heading: Heading,
  heard: HeardMessage,
  { own, other: otherOf }: Nearest,
  speaker: Npc,
  read: TextReader,
): Heading {
  if (heading.to === 'small-talk') return heading
  const fit = own[0]?.fit ?? 0
  const isUnsure = fit < LIKELY && asks(heard)
  if (heading.to !== 'colleague' && !isUnsure)
    return heading.to === 'elsewhere' && fit >= SURE ? { to: 'own' } : heading
  const other = otherOf()
  const others = other?.fit ?? 0
  if (heading.to === 'colleague') {
    // A single word does not make a message another colleague's, if they have nothing closer to say to it.
    if (wordsIn(heading.terms) < 2 && fit >= LEAST_ANSWERED && fit >= others) return { to: 'own' }
    const { own: sure, closer } = heard.sentences.length > 1 ? BESIDE_OTHERS : ALONE
    const isCloser =
      other?.npc === heading.npc &&
      others >= SURE &&
      others > fit + (fit >= CLOSE && speaker.walk !== 'guide' ? FAR : closer)
    const isPlain = wordsIn(heading.terms) >= PLAINLY_THEIRS && fit < sure
    if (isCloser || isPlain || fit < leastOwn(speaker)) return heading
    const isOther = fit < sure && own[0] !== undefined && !isAbout(own[0].entry, heading.terms, read)
    return isOther ? heading : { to: 'own' }
  }
  // Small talk, and lines that tell nothing, are everybody's.
  const isFact = other !== null && other.entry.point !== null
  return isFact && others >= SURE && others > fit + MARGIN ? { to: 'colleague', npc: other.npc, terms: [] } : heading
}

/** From here on an entry of the speaker goes before a redirect, if no entry of the other colleagues is closer. */
const LEAST_ANSWERED = 0.45

/** Another colleague's entry must be closer than the speaker's own by this much. */
const MARGIN = 0.1

/** Returns true if an entry has one of the terms, so that it may answer a message about them. */
function isAbout({ asks: questions, say }: Entry, terms: readonly string[], { plain }: TextReader): boolean {
  if (terms.length === 0) return true
  return [...questions, ...say].some((text) => hearsOne(readWords(plain(text)), terms))
}

/**
 * Returns the closeness below which an entry of the speaker does not answer, if the words are another colleague's. A
 * guide rather passes the question on.
 */
function leastOwn({ walk }: Npc): number {
  return walk === 'guide' ? 0.55 : 0.42
}

/** A message with this many words of another colleague's subjects is theirs, unless an entry of the speaker is sure. */
const PLAINLY_THEIRS = 3
/**
 * From `own` on an entry is the speaker's own, whatever words the message has; a sure entry of the other colleague goes
 * first if it is closer by `closer`. In a single sentence the colleague's words are what it is about; in a longer
 * message they may only tell what the learner has heard.
 */
const ALONE = { own: 0.67, closer: 0.03 }
const BESIDE_OTHERS = { own: 0.6, closer: 0.1 }
/** The same for an entry of the speaker from `CLOSE` on, unless the speaker is a guide. */
const FAR = 0.15
const CLOSE = 0.7

/** Returns the number of meaningful words in a message that belong to this colleague or to all colleagues. */
export function onSubject(heard: HeardMessage, npc: Npc, scenario: Scenario, synonyms: Synonyms): number {
  return familiarity(heard.tokens, heldWords(npc, scenario), synonyms).familiar
}

/** Returns the stems of the words of this colleague and of those that all colleagues share. */
const heldWords = remembered((npc: Npc, scenario: Scenario): ReadonlySet<string> => {
  const synonyms = synonymsOf(scenario)
  return new Set([...ownWords(npc, synonyms), ...sharedWords(scenario, synonyms)])
})

/** Returns the same stems and those of the colleagues' names and roles. */
const familiarWords = remembered((npc: Npc, scenario: Scenario): ReadonlySet<string> => {
  return new Set([...heldWords(npc, scenario), ...wordsForPeople(scenario, synonymsOf(scenario))])
})

/** Matches a pronoun that refers back: "Is it everywhere?" is about the previous line. */
const REFERS_BACK = /\b(?:it|that|this|these|those|they|them)\b/

/** Returns true if the tokens include a word or figure that belongs neither to this colleague nor to all colleagues. */
export function isUnfamiliar(tokens: readonly Token[], npc: Npc, scenario: Scenario, synonyms: Synonyms): boolean {
  const mine = pageOf(npc).flatMap(({ figure }) => figure ?? [])
  const strange = tokens.some(({ figure }) => {
    return figure !== null && !mine.some((known) => sameFigure(figure, known))
  })
  return strange || familiarity(tokens, familiarWords(npc, scenario), synonyms).strange > 0
}

/**
 * Returns true if a message counts as small talk. `rest` is the message without its phrases of small talk, such as
 * "thanks". The message counts as small talk if `rest` has fewer than `weight` words of the scenario. So "thanks" next
 * to one word of the scenario is not small talk.
 */
function isSmallTalk(
  { rest, weight }: Remainder,
  heard: HeardMessage,
  npc: Npc,
  scenario: Scenario,
  synonyms: Synonyms,
): boolean {
  if (heard.manner !== 'plain') return false
  const name = readAuthored(npc.name).map(({ word }) => word)
  const words = readWords(rest).filter(({ word }) => !name.includes(word))
  return familiarity(words, allWords(scenario, synonyms), synonyms).familiar < weight
}

/**
 * Counts known and unknown meaningful words. Figures are not counted, because a figure belongs to the words next to it.
 */
function familiarity(
  tokens: readonly Token[],
  words: ReadonlySet<string>,
  synonyms: Synonyms,
): { familiar: number; strange: number } {
  const stems = [
    ...contentStems(
      tokens.filter(({ figure }) => figure === null),
      synonyms,
    ),
  ]
  const familiar = stems.filter((stem) => isAmong(stem, words)).length
  return { familiar, strange: stems.length - familiar }
}

function nearestColleague(
  heard: HeardMessage,
  npc: Npc,
  scenario: Scenario,
): { other: Npc; terms: readonly string[]; weight: number } | null {
  const foreign = foreignTerms(npc, scenario)
  const others = scenario.npcs
    .filter(({ id }) => id !== npc.id)
    .map((other) => {
      const terms = termsHeard(heard.tokens, foreign.get(other) ?? [])
      const figures = 2 * figuresOnlyOf(other, npc, heard)
      return { other, terms, weight: wordsIn(terms) + figures + (isAskedAbout(other, heard) ? 1 : 0) }
    })
  return others.reduce<(typeof others)[number] | null>(
    (top, next) => (next.weight > (top?.weight ?? 0) ? next : top),
    null,
  )
}

/**
 * Returns the terms that count as this colleague's own: their subjects, the terms of the facts that the learner has to
 * register, and the cues of their states' exits.
 */
function ownTerms({ subjects, rehearsal }: Npc): readonly string[] {
  return [
    ...subjects,
    ...rehearsal.acknowledgements.flatMap(({ groups }) => groups.flat()),
    ...Object.values(rehearsal.states).flatMap(({ exits }) => exits.flat()),
  ]
}

/** Returns the subjects of each other colleague that contain a word outside this colleague's own. */
const foreignTerms = remembered((npc: Npc, scenario: Scenario): ReadonlyMap<Npc, readonly string[]> => {
  const synonyms = synonymsOf(scenario)
  const words = pageWords(npc, synonyms)
  const isForeign = (term: string) => [...contentStems(readAuthored(term), synonyms)].some((stem) => !words.has(stem))
  return new Map(scenario.npcs.map((other) => [other, other.subjects.filter(isForeign)]))
})

/**
 * Returns true if a question is about a named colleague. "Maya sent me" and "I'll ask Ines" only mention a colleague.
 */
function isAskedAbout({ name }: Npc, heard: HeardMessage): boolean {
  const first = readAuthored(name)[0]?.word ?? ''
  const named = heard.tokens.some(({ word }) => word === first)
  return named && asks(heard) && !new RegExp(`\\b${first} (?:and \\w+ )?${REPORTED}\\b`).test(heard.plain)
}

/**
 * Returns the number of figures in the learner's message that are in the other colleague's knowledge or document, but
 * not in this colleague's. The number is 0 for a message without a question.
 */
function figuresOnlyOf(other: Npc, npc: Npc, heard: HeardMessage): number {
  const asked = heard.tokens.filter(isTelling)
  const states = (who: Npc, token: Token) =>
    pageOf(who).some(({ figure }) => figure !== null && token.figure !== null && sameFigure(token.figure, figure))
  return asks(heard) ? asked.filter((token) => states(other, token) && !states(npc, token)).length : 0
}

function pageOf({ knowledge, document }: Npc): readonly Token[] {
  return [...knowledge, ...(document?.lines ?? [])].flatMap(readAuthored)
}

const REPORTED = '(?:sent|told|said|says|mentioned|gave|showed|asked|thinks|reckons)'

/**
 * Returns the total number of words in those `terms` that occur in a message. So longer terms weigh more: "call the
 * client" outweighs "client".
 */
function weightOf(tokens: readonly Token[], terms: readonly string[]): number {
  return wordsIn(termsHeard(tokens, terms))
}

function wordsIn(terms: readonly string[]): number {
  return terms.reduce((sum, term) => sum + readAuthored(term).length, 0)
}
