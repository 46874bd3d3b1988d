import type { AuthoredAnswer } from '../../core/scenario/rehearsal-lines.ts'
import type { Npc } from '../../core/scenario/scenario.ts'
import { misfits, type AskedKind, withoutOpener } from './opener.ts'
import { remembered } from './remember.ts'
import type { SpokenSoFar, LineToSay } from './spoken.ts'
import { hearsOne, termPlaces } from './terms.ts'
import { type Figure, figuresIn, readWords, sameFigure, type Token } from '../../core/text/words.ts'
import type { HeardMessage } from './hear.ts'

/** Matches the name of a clause, which is no figure: "C.4". */
export const CLAUSE = /\b[A-Z]\.\d+/g

/** What a colleague can say: an authored answer, a line of their knowledge, or a line of their document. */
export interface Entry {
  readonly asks: readonly string[]
  /** What the learner must have told the colleague before (`AuthoredAnswer.heard`). */
  readonly heard?: readonly (readonly string[])[]
  /** Part of a line of the answer that the colleague must have given just before (`AuthoredAnswer.follows`). */
  readonly follows?: string
  /** What else asks for the answer, right after a line (`AuthoredAnswer.after`). */
  readonly after?: AuthoredAnswer['after']
  /** The wordings of the answer, best first. */
  readonly say: readonly string[]
  readonly point: string | null
}

/**
 * Returns all entries that this colleague can answer from: the authored answers, then the knowledge, then the document.
 */
export function knownEntries(npc: Npc): readonly Entry[] {
  const kept = ENTRIES.get(npc)
  if (kept) return kept
  const known = [...npc.knowledge, ...npc.depth].map((line) => ({ asks: [], say: [line], point: line }))
  const read = (npc.document?.lines ?? []).map((line) => ({
    asks: [],
    say: npc.rehearsal.asides.quoting.map((frame) => frame.replaceAll('{line}', line)),
    point: line,
  }))
  const entries = [...npc.rehearsal.answers, ...known, ...read]
  ENTRIES.set(npc, entries)
  return entries
}

/** What learners say after certain lines, and the entry that answers it there. */
export interface FollowUp {
  readonly asks: readonly string[]
  readonly entry: Entry
}

/** Returns what the author foresaw as the learner's next message after a reply. */
export function followUpsTo(reply: string, npc: Npc): readonly FollowUp[] {
  return followUpsOf(npc).flatMap(({ lines, followUps }) =>
    lines.some((line) => reply.includes(line)) ? followUps : [],
  )
}

/** Returns a colleague's follow-ups by the lines after which they come, with a cache. */
function followUpsOf(npc: Npc): readonly LedBy[] {
  const kept = FOLLOW_UPS.get(npc)
  if (kept) return kept
  const entries = knownEntries(npc)
  const listed = entries.flatMap((entry) => [
    ...(entry.follows === undefined ? [] : [{ line: entry.follows, asks: entry.asks, entry }]),
    ...(entry.after ?? []).map(({ line, asks }) => ({ line, asks, entry })),
  ])
  const made = [...Map.groupBy(listed, ({ line }) => line)].map(([line, followUps]) => ({
    lines: linesWith(line, entries),
    followUps,
  }))
  FOLLOW_UPS.set(npc, made)
  return made
}

interface LedBy {
  readonly lines: readonly string[]
  readonly followUps: readonly FollowUp[]
}

const FOLLOW_UPS = new WeakMap<Npc, readonly LedBy[]>()

/** Returns all wordings of the entries of which one has this text; the text itself if it is in another line. */
function linesWith(text: string, entries: readonly Entry[]): readonly string[] {
  const wordings = entries.flatMap(({ say }) => (say.some((line) => line.includes(text)) ? say : []))
  return wordings.length > 0 ? wordings : [text]
}

const ENTRIES = new WeakMap<Npc, readonly Entry[]>()

/**
 * Returns true if the learner has told the colleague what an entry takes for granted. Each learner's message is one
 * list of tokens.
 */
export function takesForGranted({ heard = [] }: Entry, told: readonly (readonly Token[])[]): boolean {
  return heard.every((group) => told.some((tokens) => hearsOne(tokens, group)))
}

/**
 * Returns an answer's first unused wording, or null if all wordings were used. A wording that opens as the question asks
 * goes first; if there is none, a bare yes or no is left out. The wording has a null `point` if the colleague has already
 * made the answer's point.
 */
export function wordingOf(
  { say: wordings, point }: Entry,
  said: SpokenSoFar,
  asked: AskedKind | null = null,
): LineToSay | null {
  const unused = wordings.filter((line) => !said.line(line) && !said.line(withoutOpener(line)))
  const fitting = unused.find((line) => !misfits(line, asked))
  const say = fitting ?? (unused[0] === undefined ? undefined : withoutOpener(unused[0]))
  return say === undefined ? null : { say, point: point !== null && said.point(point) ? null : point }
}

/** Returns true for a figure that is specific enough by itself: a percentage, or 10 and above. */
export function isTelling({ figure }: Token): boolean {
  return figure !== null && (figure.unit === 'percent' || figure.value >= 10)
}

/** Returns true if an entry can answer "how many": it states a figure, or the author foresaw that question. */
export function countsOut(entry: Entry, question: readonly Token[]): boolean {
  // Only these are read, because what is read of an author's text is kept.
  const counting = entry.asks.filter((term) => /\b(?:many|much|share|proportion|percentage)\b/.test(term))
  const foreseen = hearsOne(question, counting)
  return foreseen || tellingOf(entry).figures.length > 0
}

/** Returns the first entry that states these figures and no other, or null. */
export function entryStating(npc: Npc, figures: readonly Figure[]): Entry | null {
  if (figures.length === 0) return null
  const states = ({ say, follows }: Entry): boolean => {
    const own = figuresIn(say[0] ?? '')
    return (
      follows === undefined && own.length > 0 && own.every((one) => figures.some((figure) => sameFigure(figure, one)))
    )
  }
  return knownEntries(npc).find(states) ?? null
}

/** Returns true if an entry's first wording has a figure. */
export function hasFigure({ say }: Entry, figure: Figure): boolean {
  return figuresIn(say[0] ?? '').some((own) => sameFigure(figure, own))
}

/** Returns true if two texts share a figure. */
export function shareFigure(a: string, b: string): boolean {
  const figures = figuresIn(b)
  return figuresIn(a).some((one) => figures.some((other) => sameFigure(one, other) || sameFigure(other, one)))
}

/**
 * Returns the entry that the learner misquotes, or null. A statement misquotes an entry if the words of one of the
 * entry's questions are followed by a wrong figure: "the limit is 5%", when the colleague said 2%. "Medical is 7.5% of
 * the set" is a different statement, and misquotes nothing.
 */
export const misreads = remembered((heard: HeardMessage, entries: readonly Entry[]): Entry | null => {
  const stated = heard.sentences.filter(
    ({ form, tokens }) => (form === 'statement' || form === 'echo') && tokens.some(({ figure }) => figure !== null),
  )
  if (stated.length === 0) return null
  return entries.find((entry) => stated.some(({ tokens }) => isMisread(tokens, entry))) ?? null
})

function isMisread(tokens: HeardMessage['tokens'], entry: Entry): boolean {
  const { figures: right, names } = tellingOf(entry)
  const isWrong = (figure: Figure | null): boolean => {
    // A small bare number may be anything: "at 5" is no other valve.
    if (figure?.unit === 'plain' && figure.value < 10) return false
    const alike = right.filter(({ unit }) => unit === figure?.unit)
    return alike.length > 0 && !alike.some((meant) => figure !== null && sameFigure(figure, meant))
  }
  const ends = tokens.flatMap(({ figure }, at) => {
    const isMeant = figure?.value !== 1 && tokens[at + 1]?.word !== 'of'
    return isMeant && isWrong(figure) ? placesBefore(tokens, at) : []
  })
  return ends.some((end) => {
    const before = tokens.slice(0, end)
    const { stem = '' } = before.at(-1) ?? {}
    // Most names end otherwise. Reading them all in every turn would take longer than all else.
    const named = names.filter((term) => term.charAt(term.lastIndexOf(' ') + 1) === stem.charAt(0))
    return named.some((term) => termPlaces(before, term).some((place) => place.end === end))
  })
}

/** Returns the places before a figure at which its name may end: "the ceiling is only 5%". */
function placesBefore(tokens: HeardMessage['tokens'], at: number): readonly number[] {
  const places = [at]
  for (let end = at - 1; end >= at - MOST_LINKS && LINKS.has(tokens[end]?.word ?? ''); end -= 1) places.push(end)
  return places
}

const MOST_LINKS = 3

/** A longer question names nothing that a figure could follow. */
const MOST_NAMING = 4

interface Telling {
  /** The figures in the entry's wordings. */
  readonly figures: readonly Figure[]
  /** The entry's questions that are short enough to name what a figure is about. */
  readonly names: readonly string[]
}

/** Returns an entry's figures and what names them, with a cache. */
function tellingOf(entry: Entry): Telling {
  const known = TELLINGS.get(entry)
  if (known) return known
  const telling = {
    figures: entry.say.flatMap(readWords).flatMap(({ figure }) => figure ?? []),
    names: entry.asks.filter((term) => term.split(' ', MOST_NAMING + 1).length <= MOST_NAMING),
  }
  TELLINGS.set(entry, telling)
  return telling
}

const TELLINGS = new WeakMap<Entry, Telling>()

const LINKS = new Set('it is are was were at only just about around now s runs comes came out costs has'.split(' '))
