import type { Scenario } from '../scenario/scenario.ts'
import { once } from '../once.ts'
import { readAuthored, type Token } from './words.ts'

/** Maps each stem of a group of synonyms to the first stem of that group. */
export type Synonyms = ReadonlyMap<string, string>

/** Returns the synonyms that a scenario's author declared. The synonyms are cached for each scenario. */
export function synonymsOf(scenario: Scenario): Synonyms {
  const known = KNOWN.get(scenario)
  if (known) return known
  const groups = scenario.synonyms.map((group) => group.flatMap((word) => readAuthored(word).map(({ stem }) => stem)))
  const read = new Map(groups.flatMap((stems) => stems.map((stem) => [stem, stems[0] ?? stem] as const)))
  KNOWN.set(scenario, read)
  return read
}

const KNOWN = new WeakMap<Scenario, Synonyms>()
const NO_SYNONYMS: Synonyms = new Map()

/**
 * Returns the stems of the words that carry meaning, without duplicates. In place of a synonym's stem, the result has
 * the first stem of the group of synonyms.
 */
export function contentStems(tokens: readonly Token[], synonyms: Synonyms = NO_SYNONYMS): ReadonlySet<string> {
  const stems = tokens.filter((token) => !isCommon(token) && token.stem.length > 1).map(({ stem }) => stem)
  return new Set(stems.map((stem) => synonyms.get(stem) ?? stem))
}

/** Tells whether a stem is in a set, allowing for one typing error in longer stems. */
export function isAmong(stem: string, words: ReadonlySet<string>): boolean {
  return words.has(stem) || [...words].some((known) => sameStem(stem, known))
}

/**
 * Tells whether two stems are the same word. In stems of five letters or more, one typing error (a letter wrong,
 * missing, doubled or swapped) is allowed after the first letter.
 */
export function sameStem(heard: string, meant: string): boolean {
  if (heard === meant) return true
  if (heard.length < 5 || meant.length < 5 || heard[0] !== meant[0]) return false
  return !LOOKALIKES.has(heard) && oneSlip(heard, meant)
}

/**
 * Stems of real words that are one letter away from words that scenarios use. `sameStem` never treats these stems as
 * typing errors.
 */
const LOOKALIKES: ReadonlySet<string> = new Set(['contact', 'friday', 'media', 'medial', 'metal', 'notion', 'simpl'])

/** Tells whether two words differ by at most one typing error: a letter wrong, missing, doubled or swapped. */
export function oneSlip(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  const restA = a.slice(start)
  const restB = b.slice(start)
  if (restA.length > restB.length) return restA.slice(1) === restB
  if (restA.length < restB.length) return restA === restB.slice(1)
  const swapped = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2)
  return swapped || restA.slice(1) === restB.slice(1)
}

function isCommon({ word, stem }: Token): boolean {
  return COMMON.has(word) || commonStems().has(stem)
}

const COMMON: ReadonlySet<string> = new Set(
  'a an the and or but so if then than as at by for from in into of off on onto out over to up down with about is are was were be been being am do does did done doing have has had having i you he she it we they me him her us them my your his its our their this that these those there here what which who whom whose when where why how can could shall should will would may might must not no yes ok okay just only really very quite also too still even ever never always already yet again now any some all each more most much many well like get got go going come came tell say said saying know think see seen let make made give given gave take maybe please actually honestly thing things way bit lot one oh hi hello hey thanks sorry right us anything something nothing everything anyone someone somebody everyone everybody nobody else elsewhere everywhere other another both same need want work works working curious fair enough rather hear last today tonight yesterday night ago long'.split(
    ' ',
  ),
)
const commonStems = once(
  (): ReadonlySet<string> =>
    new Set([...COMMON].flatMap((word) => (word.length > 3 ? readAuthored(word).map(({ stem }) => stem) : []))),
)
