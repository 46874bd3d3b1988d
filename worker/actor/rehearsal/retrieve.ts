import type { Npc } from '../../core/scenario/scenario.ts'
import type { Answer } from '../../core/scenario/rehearsal-lines.ts'
import type { Said, Speech } from './spoken.ts'
import { sameStem, termsHeard } from './terms.ts'
import type { Synonyms } from './vocabulary.ts'
import { contentStems } from './vocabulary.ts'
import type { Token } from './words.ts'
import { figuresIn, readAuthored, sameFigure } from './words.ts'

/** Something a colleague can say to a question, and how well it fits. */
export interface Found {
  readonly entry: Entry
  /** The share of the question's meaning the entry covers, 0 to 1; more when the author foresaw the wording. */
  readonly fit: number
  /** Whether the question holds words the author wrote down for this answer. */
  readonly isForeseen: boolean
}

export interface Entry {
  readonly asks: readonly string[]
  /** Ways to say it, best first. */
  readonly say: readonly string[]
  readonly point: string | null
  readonly stems: ReadonlySet<string>
}

/** Below this share of a question's meaning, an entry is no answer to it. */
const FIT_FLOOR = 0.5

/** Everything this colleague can answer from: the authored answers, then knowledge, then the document read aloud. */
export function entriesOf(npc: Npc, synonyms: Synonyms): readonly Entry[] {
  const authored = npc.rehearsal.answers.map((answer) => authoredEntry(answer, synonyms))
  const known = npc.knowledge.map((line) => entry({ asks: [], say: [line], point: line }, line, synonyms))
  const read = (npc.document?.lines ?? []).map((line) =>
    entry(
      { asks: [], say: npc.rehearsal.asides.quoting.map((frame) => frame.replaceAll('{line}', line)), point: line },
      line,
      synonyms,
    ),
  )
  return [...authored, ...known, ...read]
}

/**
 * The entry that answers a question best, or null when none covers enough of it. Rare words weigh more than words
 * every entry holds; on a tie the earlier entry wins, so that an authored answer goes before the page.
 */
export function retrieve(question: readonly Token[], entries: readonly Entry[], synonyms: Synonyms): Found | null {
  const asked = [...contentStems(question, synonyms)].map((stem) => weighed(stem, entries))
  const found = entries.map((candidate) => fitOf(candidate, question, asked))
  const best = found.reduce<Found | null>((top, next) => (top === null || next.fit > top.fit ? next : top), null)
  return best !== null && best.fit >= FIT_FLOOR ? best : null
}

/** An answer's next unsaid wording, or null when all of them were used. A point is made once, however often it is asked for. */
export function wordingOf(found: Found, said: Said): Speech | null {
  const say = found.entry.say.find((line) => !said.line(line))
  const { point } = found.entry
  return say === undefined ? null : { say, point: point !== null && said.point(point) ? null : point }
}

/** A word of the question, the entries that hold it, and how much it says. One such word in common is chance, not an answer. */
interface Weighed {
  readonly holders: ReadonlySet<Entry>
  readonly weight: number
}

function weighed(stem: string, entries: readonly Entry[]): Weighed {
  const holders = new Set(entries.filter((candidate) => holds(candidate, stem)))
  return { holders, weight: Math.log(1 + entries.length / (holders.size + 0.5)) }
}

function fitOf(candidate: Entry, question: readonly Token[], asked: readonly Weighed[]): Found {
  const foreseen = termsHeard(question, candidate.asks)
  const longest = foreseen.reduce((most, term) => Math.max(most, readAuthored(term).length), 0)
  const whole = asked.reduce((sum, { weight }) => sum + weight, 0)
  const held = asked.reduce((sum, { holders, weight }) => sum + (holders.has(candidate) ? weight : 0), 0)
  const words = asked.filter(({ holders }) => holders.has(candidate)).length
  const share = whole === 0 || words < 2 ? 0 : held / whole
  const fit = longest === 0 ? share : share + 0.5 + 0.3 * longest + 0.1 * foreseen.length
  return { entry: candidate, fit, isForeseen: longest > 0 }
}

function holds(candidate: Entry, stem: string): boolean {
  return candidate.stems.has(stem) || [...candidate.stems].some((own) => sameStem(stem, own))
}

function authoredEntry(answer: Answer, synonyms: Synonyms): Entry {
  return entry(answer, [...answer.asks, answer.point ?? ''].join('. '), synonyms)
}

function entry(parts: Answer, text: string, synonyms: Synonyms): Entry {
  return { ...parts, stems: contentStems(readAuthored(text), synonyms) }
}

/** Whether two texts state a figure in common. */
export function shareFigure(a: string, b: string): boolean {
  const figures = figuresIn(b)
  return figuresIn(a).some((one) => figures.some((other) => sameFigure(one, other) || sameFigure(other, one)))
}
