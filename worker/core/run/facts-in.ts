import { cap } from '../reply/characters.ts'
import type { ScenarioFact } from '../scenario/scenario.ts'

/** A fact, and the words in which it came. */
export interface FactQuotation {
  readonly fact: string
  /** The sentences that told it, as they were said. */
  readonly said: string
}

/** The longest quotation, in characters. */
const LONGEST = 400

/**
 * The facts that a colleague's words tell. A fact is told when one term of each of its groups is there as a whole word or
 * figure; how the words came about, by an author or by a model, makes no difference. What is meant is not looked for: a
 * figure in other words than its terms is not heard, and one that is denied is.
 *
 * @param text what was said in one go, or a line of a document
 */
export function factsIn(facts: readonly ScenarioFact[], text: string): readonly FactQuotation[] {
  const plain = plainOf(text)
  return facts.flatMap(({ id, heard }) => {
    const groups = heard.map((group) => group.map(plainOf))
    const isTold = groups.length > 0 && groupsIn(groups, plain).length === groups.length
    return isTold ? [{ fact: id, said: quoted(text, groups) }] : []
  })
}

/** Terms as they are looked for. */
type Groups = readonly (readonly string[])[]

/** The places of those groups of which a term is there. */
function groupsIn(groups: Groups, plain: string): readonly number[] {
  return groups.flatMap((group, place) => (group.some((term) => stands(plain, term)) ? [place] : []))
}

/** The fewest sentences on end that tell all of it together. Those among them that tell nothing of it are left out: `…`. */
function quoted(text: string, groups: Groups): string {
  const sentences = sentencesOf(text).map((each) => ({ said: each, groups: groupsIn(groups, plainOf(each)) }))
  const said = joined(shortest(sentences, groups.length)) || text.trim()
  return said.length <= LONGEST ? said : `${cap(said, LONGEST - 1).trimEnd()}…`
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

/** The shortest stretch that holds every group, the first of several; none where a term goes over a sentence's end. */
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
 * A text as terms are looked for in it: small letters, plain quotes, dashes and blanks, no marks of emphasis, nothing that
 * nobody can see, no commas within figures, and a percent sign right behind its figure.
 */
function plainOf(text: string): string {
  return (
    text
      // In front of the normal form, which makes plain blanks of them: between two figures those would mean nothing.
      .replace(/(\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))/g, '$1')
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\p{Cf}*`]/gu, '')
      .replace(/[‘’‚ʼ]/g, "'")
      .replace(/[“”„]/g, '"')
      .replace(/[‐‒–—−]/g, '-')
      .replace(/\s+/g, ' ')
      .replace(/(\d),(?=\d{3}(?!\d))/g, '$1')
      .replace(/(\d) ?(?:%|per ?cent(?![\p{L}\p{N}]))/gu, '$1%')
      .replace(/([$€£]) (?=\d)/g, '$1')
      .trim()
  )
}

/** Whether a term stands in a text by itself, both plain: 2.0% does not stand in 12.0%, nor "ten" in "often". */
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

/** Whether a word or a figure goes on at this place: a point between two digits ends no figure. */
function goesOn(plain: string, at: number, onward: 1 | -1): boolean {
  const here = plain[at] ?? ' '
  if (WORD.test(here)) return true
  const [inside = ' ', beyond = ' '] = [plain[at - onward], plain[at + onward]]
  return (here === '.' || here === ',') && DIGIT.test(inside) && DIGIT.test(beyond)
}

/**
 * A text in sentences, each as it was written, without the blanks between them. "C.4" and "8.1%" end none: what ends one is
 * a full stop before a blank and something that a sentence begins with, or the end of a line.
 */
function sentencesOf(text: string): readonly string[] {
  return text.split(ENDS).flatMap((sentence) => {
    const said = sentence.trim()
    return said === '' ? [] : [said]
  })
}

// A blank that follows another begins no search of its own: a text of nothing but blanks would be looked at again and again.
const ENDS = /(?<=[.!?…]["'”’)*]?)\s+(?=["'“‘(¿¡*\p{Lu}\p{N}])|[\r\n]+/u
