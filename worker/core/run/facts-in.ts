import { shortened } from '../reply/characters.ts'
import type { ScenarioFact } from '../scenario/scenario.ts'
import { figureReadings } from '../text/figures.ts'
import { contentStems } from '../text/stems.ts'
import { readAuthored, readWords } from '../text/words.ts'

/** A fact, and the words that stated it. */
export interface FactQuotation {
  readonly fact: string
  /** The sentences that stated the fact, exactly as said. */
  readonly said: string
}

const LONGEST = 400

/**
 * Finds the facts that a colleague's words state. A text states a fact if it contains, as a whole word or figure, one
 * term of each of the fact's groups. Figures may be written in any way that `figureReadings` knows. If the actor's
 * report names a fact, less is enough: the text has a figure of the fact's `text`, or most of the words of a fact that
 * has no figures. A denial of a fact counts as well, because no code judges the meaning.
 *
 * @param text one reply, one reaction, or one line of a document
 * @param named the ids that the report of this reply names; a name alone is never enough
 */
export function factsIn(
  facts: readonly ScenarioFact[],
  text: string,
  named: readonly string[] = [],
): readonly FactQuotation[] {
  const plain = readingsOf(text)
  return facts.flatMap((fact) => {
    // Most texts lack the first group already, so the readings of the others aren't put together for them.
    const isTold = fact.heard.length > 0 && fact.heard.every((group) => group.some((term) => has(plain, term)))
    if (isTold)
      return [
        {
          fact: fact.id,
          said: quoted(
            text,
            fact.heard.map((group) => group.flatMap(readingsOfTerm)),
          ),
        },
      ]
    const own = named.includes(fact.id) ? sharedTerms(fact.text, text, plain) : []
    return own.length > 0 ? [{ fact: fact.id, said: quoted(text, [own]) }] : []
  })
}

/** The smallest share of a fact's meaningful words that a text has to have to state the fact in other words. */
const SHARE = 0.6

/**
 * Returns the terms by which a text states a fact that its report names: a figure of the author's sentence, or, for a
 * sentence without figures, most of its words. Empty if there is neither.
 *
 * @param plain the readings of the text
 */
function sharedTerms(sentence: string, text: string, plain: readonly string[]): readonly string[] {
  const figures = new Set(readingsOfTerm(sentence).flatMap((reading) => reading.match(FIGURE) ?? []))
  if (figures.size > 0) return [...figures].filter((figure) => plain.some((reading) => stands(reading, figure)))
  const stems = [...contentStems(readAuthored(sentence))]
  const said = readWords(text)
  const shared = said.filter(({ stem }) => stems.includes(stem))
  const share = new Set(shared.map(({ stem }) => stem)).size / Math.max(1, stems.length)
  return share >= SHARE ? shared.map(({ word }) => word) : []
}

/** A figure with at least two digits or with a sign such as `%`. A single digit could mean anything. */
const FIGURE = /[$€£]?\d+(?:\.\d+)?%|[$€£]\d+(?:\.\d+)?|\d+\.\d+|\d{2,}/g

/** Tells whether a text has an author's term, in any reading. */
function has(plain: readonly string[], term: string): boolean {
  return readingsOfTerm(term).some((reading) => plain.some((each) => stands(each, reading)))
}

/** The terms of a fact's groups, in every reading. */
type Groups = readonly (readonly string[])[]

/** Returns the indices of the groups that have a term in the text. */
function groupsIn(groups: Groups, plain: readonly string[]): readonly number[] {
  return groups.flatMap((group, place) =>
    group.some((term) => plain.some((reading) => stands(reading, term))) ? [place] : [],
  )
}

/**
 * Quotes the fewest consecutive sentences that together state the fact. In the quotation, `…` stands for sentences
 * without any term.
 */
function quoted(text: string, groups: Groups): string {
  const sentences = splitSentences(text).map((each) => ({ said: each, groups: groupsIn(groups, readingsOf(each)) }))
  return shortened(joined(shortest(sentences, groups.length)) || text.trim(), LONGEST)
}

function joined(sentences: readonly Sentence[]): string {
  return sentences
    .map((each, place) => {
      if (each.groups.length > 0) return each.said
      return sentences[place - 1]?.groups.length === 0 ? '' : '…'
    })
    .filter((each) => each !== '')
    .join(' ')
}

interface Sentence {
  readonly said: string
  readonly groups: readonly number[]
}

/**
 * Returns the fewest consecutive sentences that contain a term of every group; the first such sentences if there are
 * several. Returns no sentences if a term crosses the end of a sentence.
 */
function shortest(sentences: readonly Sentence[], groups: number): readonly Sentence[] {
  const held = new Map<number, number>()
  let best: readonly [number, number] | null = null
  let from = 0
  for (const [to, { groups: more }] of sentences.entries()) {
    for (const group of more) held.set(group, (held.get(group) ?? 0) + 1)
    for (; held.size === groups; from += 1) {
      if (best === null || to - from < best[1] - best[0]) best = [from, to]
      for (const group of sentences[from]?.groups ?? []) letGo(held, group)
    }
  }
  return best === null ? [] : sentences.slice(best[0], best[1] + 1)
}

function letGo(held: Map<number, number>, group: number): void {
  const left = (held.get(group) ?? 0) - 1
  if (left > 0) held.set(group, left)
  else held.delete(group)
}

/**
 * Normalises a text so that terms can be found in it: small letters, plain quotes, dashes and blanks, no emphasis
 * marks, no invisible characters, and every figure written in one form.
 *
 * @returns one or two readings of the text
 */
function readingsOf(text: string): readonly string[] {
  const plain = text
    // Removes the narrow and fixed spaces that separate thousands. These spaces must go before `normalize` turns them
    // into plain blanks, because a plain blank between two figures does not join them.
    .replace(/(\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))/g, '$1')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{Cf}*`]/gu, '')
    .replace(/[‘’‚ʼ]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/[‐‒–—−]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
  return figureReadings(plain)
}

/** Returns the readings of an author's term or sentence, with a cache, because every reply is compared with all. */
function readingsOfTerm(term: string): readonly string[] {
  const known = terms.get(term)
  if (known) return known
  if (terms.size >= MOST_TERMS) terms.clear()
  const readings = readingsOf(term)
  terms.set(term, readings)
  return readings
}

const terms = new Map<string, readonly string[]>()
const MOST_TERMS = 4096

/**
 * Tells whether a plain text contains a plain term by itself: 12.0% does not contain 2.0%, and "often" does not contain
 * "ten".
 */
function stands(plain: string, term: string): boolean {
  if (term === '') return false
  const isOpen = WORD.test(term.at(0) ?? '')
  const isOpenAtEnd = WORD.test(term.at(-1) ?? '')
  for (let at = plain.indexOf(term); at !== -1; at = plain.indexOf(term, at + 1)) {
    const end = at + term.length
    if (!(isOpen && goesOn(plain, at - 1, -1)) && !(isOpenAtEnd && goesOn(plain, end, 1))) return true
  }
  return false
}

const WORD = /[\p{L}\p{N}\p{M}]/u
const DIGIT = /\d/

/** Tells whether a word or a figure continues at this index. A point between two digits does not end a figure. */
function goesOn(plain: string, at: number, onward: 1 | -1): boolean {
  const here = plain[at] ?? ' '
  if (WORD.test(here)) return true
  const [inside = ' ', beyond = ' '] = [plain[at - onward], plain[at + onward]]
  return (here === '.' || here === ',') && DIGIT.test(inside) && DIGIT.test(beyond)
}

/**
 * Splits a text into sentences, as written and without the blanks between them. A sentence ends at a line's end, or at
 * a full stop before a blank and the beginning of another sentence. The points in "C.4" and "8.1%" end no sentence.
 */
export function splitSentences(text: string): readonly string[] {
  return text.split(ENDS).flatMap((sentence) => {
    const said = sentence.trim()
    return said === '' ? [] : [said]
  })
}

/** Returns true for a sentence that asks something: it tells no fact. */
export function isAsking(sentence: string): boolean {
  return ASKS.test(sentence)
}

const ASKS = /\?["”’')*]*$/

// Matches only at the first blank of a run; otherwise a text of only blanks would be searched again and again.
const ENDS = /(?<=[.!?…]["'”’)*]?)\s+(?=["'“‘(¿¡*\p{Lu}\p{N}])|[\r\n]+/u
