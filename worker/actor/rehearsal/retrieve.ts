import type { Npc } from '../../core/scenario/scenario.ts'
import type { AuthoredAnswer } from '../../core/scenario/rehearsal-lines.ts'
import { remembered } from './remember.ts'
import type { SpokenSoFar, LineToSay } from './spoken.ts'
import { sameStem, contentStems, type Synonyms } from '../../core/text/stems.ts'
import { termsHeard, termPlaces } from './terms.ts'
import { figuresIn, readAuthored, sameFigure, type Token } from '../../core/text/words.ts'
import type { HeardMessage } from './hear.ts'

/** A possible answer to a question, and how well it fits. */
export interface FoundAnswer {
  readonly entry: SearchEntry
  /** The share of the question's meaning that the entry covers, 0 to 1; more if the author foresaw the wording. */
  readonly fit: number
  /** True if the question contains the author's own words for this answer. */
  readonly isForeseen: boolean
}

export interface SearchEntry {
  readonly asks: readonly string[]
  /** The wordings of the answer, best first. */
  readonly say: readonly string[]
  readonly point: string | null
  readonly stems: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

/** The least share of a question's meaning that an answer must cover. */
const FIT_FLOOR = 0.5

/**
 * Returns all entries that this colleague can answer from: the authored answers, then the knowledge, then the document.
 */
export const searchEntries = remembered((npc: Npc, synonyms: Synonyms): readonly SearchEntry[] => {
  const authored = npc.rehearsal.answers.map((answer) => authoredEntry(answer, synonyms))
  const known = [...npc.knowledge, ...npc.depth].map((line) =>
    entry({ asks: [], say: [line], point: line }, line, synonyms),
  )
  const read = (npc.document?.lines ?? []).map((line) =>
    entry(
      { asks: [], say: npc.rehearsal.asides.quoting.map((frame) => frame.replaceAll('{line}', line)), point: line },
      line,
      synonyms,
    ),
  )
  return [...authored, ...known, ...read]
})

/**
 * Returns the entry that answers a question best, or null if no entry covers enough of the question. Rare words weigh
 * more than common ones. On a tie the earlier entry wins, so an authored answer goes before the knowledge and the
 * document.
 *
 * @param general words that count only if an entry contains them, because they are too general to tell answers apart
 */
export function retrieve(
  question: readonly Token[],
  entries: readonly SearchEntry[],
  synonyms: Synonyms,
  general: ReadonlySet<string> = NONE,
): FoundAnswer | null {
  const telling = new Set(question.filter(isTelling).map(({ stem }) => stem))
  const asked = [...contentStems(question, synonyms)]
    .map((stem) => ({ stem, isFigure: telling.has(stem), ...weighed(stem, entries) }))
    .filter(({ stem, holders }) => holders.size > 0 || !general.has(stem))
  const found = entries.map((candidate) => fitOf(candidate, question, asked, synonyms))
  const best = found.reduce<FoundAnswer | null>((top, next) => (top === null || next.fit > top.fit ? next : top), null)
  return best !== null && best.fit >= FIT_FLOOR ? best : null
}

/**
 * Returns an answer's first unused wording, or null if all wordings were used. The wording has a null `point` if the
 * colleague has already made the answer's point.
 */
export function wordingOf(found: FoundAnswer, said: SpokenSoFar): LineToSay | null {
  const say = found.entry.say.find((line) => !said.line(line))
  const { point } = found.entry
  return say === undefined ? null : { say, point: point !== null && said.point(point) ? null : point }
}

/**
 * A word of the question, the entries that contain it, and its weight. A match of one common word may be chance; a
 * match of one figure is not.
 */
interface Weighed {
  /** True for a figure that identifies the answer by itself. */
  readonly isFigure: boolean
  readonly holders: ReadonlySet<SearchEntry>
  readonly weight: number
}

function weighed(stem: string, entries: readonly SearchEntry[]): Pick<Weighed, 'holders' | 'weight'> {
  const holders = new Set(entries.filter((candidate) => holds(candidate, stem)))
  return { holders, weight: Math.log(1 + entries.length / (holders.size + 0.5)) }
}

function fitOf(
  candidate: SearchEntry,
  question: readonly Token[],
  asked: readonly Weighed[],
  synonyms: Synonyms,
): FoundAnswer {
  const foreseen = termsHeard(question, candidate.asks)
  const longest = foreseen.reduce((most, term) => Math.max(most, readAuthored(term).length), 0)
  const whole = asked.reduce((sum, { weight }) => sum + weight, 0)
  const held = asked.reduce((sum, { holders, weight }) => sum + (holders.has(candidate) ? weight : 0), 0)
  const words = asked.filter(({ holders }) => holders.has(candidate)).length
  const covered = whole === 0 ? 0 : held / whole
  const isPhrase = foreseen.some((term) => isPhraseOf(term, synonyms))
  const isKnown = asked.every(({ holders }) => holders.size > 0)
  const isForeseen = longest > 0 && (isPhrase || covered >= FIT_FLOOR || whole === 0 || (longest > 1 && isKnown))
  const isMatch = words >= 2 || (words === asked.length && asked.every(({ isFigure }) => isFigure))
  const share = isMatch ? covered : 0
  const fit = isForeseen ? share + 0.5 + 0.3 * longest + 0.1 * foreseen.length : share
  return { entry: candidate, fit, isForeseen }
}

/**
 * Returns true for a term with several words, at least one of them meaningful. "What do you think" has no meaningful
 * word, and would fit any question.
 */
function isPhraseOf(term: string, synonyms: Synonyms): boolean {
  const words = readAuthored(term)
  return words.length > 1 && contentStems(words, synonyms).size > 0
}

function holds(candidate: SearchEntry, stem: string): boolean {
  if (stem.startsWith('#')) return [...candidate.stems].some((own) => own.startsWith('#') && roundsTo(own, stem))
  return candidate.stems.has(stem) || [...candidate.stems].some((own) => sameStem(stem, own))
}

/**
 * Returns true if the figure `heard` equals the figure `meant`, exactly or rounded. Both figures are given as stems.
 */
function roundsTo(meant: string, heard: string): boolean {
  const figure = (stem: string) => ({ value: Number(stem.slice(1)), unit: 'plain' })
  return sameFigure(figure(heard), figure(meant))
}

function authoredEntry(answer: AuthoredAnswer, synonyms: Synonyms): SearchEntry {
  return entry(answer, [...answer.asks, answer.point ?? ''].join('. '), synonyms)
}

function entry(parts: AuthoredAnswer, text: string, synonyms: Synonyms): SearchEntry {
  return { ...parts, stems: contentStems(readAuthored(text), synonyms) }
}

/** Returns true for a figure that is specific enough by itself: a percentage, or 10 and above. */
export function isTelling({ figure }: Token): boolean {
  return figure !== null && (figure.unit === 'percent' || figure.value >= 10)
}

/** Returns true if an entry can answer "how many": it states a figure, or the author foresaw that question. */
export function countsOut({ say, asks }: SearchEntry, question: readonly Token[]): boolean {
  const foreseen = termsHeard(question, asks).some((term) => /\b(?:many|much|share|proportion|percentage)\b/.test(term))
  return foreseen || say.some((line) => readAuthored(line).some(({ figure }) => figure !== null))
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
export function misreads(heard: HeardMessage, entries: readonly SearchEntry[]): SearchEntry | null {
  const stated = heard.sentences.filter(({ form }) => form === 'statement' || form === 'echo')
  return entries.find((entry) => stated.some(({ tokens }) => isMisread(tokens, entry))) ?? null
}

function isMisread(tokens: HeardMessage['tokens'], { asks, say }: SearchEntry): boolean {
  const right = say.flatMap(readAuthored).flatMap(({ figure }) => figure ?? [])
  if (right.length === 0) return false
  return asks
    .flatMap((term) => termPlaces(tokens, term))
    .some(({ end }) => {
      let at = end
      while (at < end + 3 && LINKS.has(tokens[at]?.word ?? '')) at += 1
      const figure = tokens[at]?.figure
      if (!figure || figure.value === 1 || tokens[at + 1]?.word === 'of') return false
      const alike = right.filter(({ unit }) => unit === figure.unit)
      return alike.length > 0 && !alike.some((meant) => sameFigure(figure, meant))
    })
}

const LINKS = new Set('it is are was were at only just about around now s runs comes came out costs has'.split(' '))
