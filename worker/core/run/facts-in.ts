import { cap } from '../reply/characters.ts'
import type { Fact } from '../scenario/scenario.ts'
import { plainOf, stands } from './plain-words.ts'
import { sentencesOf } from './sentences-of.ts'

/** A fact, and the words in which it came. */
export interface FactSaid {
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
export function factsIn(facts: readonly Fact[], text: string): readonly FactSaid[] {
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
