import type { HeardFact } from '../../wire/run.ts'
import type { ScenarioFact } from '../scenario/scenario.ts'
import { contentStems } from '../text/stems.ts'
import { readAuthored, readWords } from '../text/words.ts'
import { factsIn } from './facts-in.ts'

/** Another wording must say this much more of a fact to take the place of the one that was heard first. */
const MARGIN = 0.15
/** A quotation that says this much more of its fact than a shared one does is kept beside it. */
const MARGIN_BESIDE = 0.1

/** Returns how much of a fact a quotation says: the share of the meaningful words of the author's sentence, 0 to 1. */
function shareSaid({ text }: Pick<ScenarioFact, 'text'>, said: string): number {
  const stems = stemsOf(text)
  const told = contentStems(readWords(said), NO_SYNONYMS)
  return [...stems].filter((stem) => told.has(stem)).length / Math.max(1, stems.size)
}

/**
 * Tells whether a quotation tells a fact clearly better than an earlier one did. In place of one that refers back to what
 * was said before it, and so says little by itself, one that does not is better if it tells any more.
 */
export function tellsBetter(fact: ScenarioFact, said: string, before: string, least = MARGIN): boolean {
  const margin = REFERS_BACK.test(before) && !REFERS_BACK.test(said) ? ANY_MORE : least
  return shareSaid(fact, said) >= shareSaid(fact, before) + margin
}

const ANY_MORE = 0.01

/** Matches a quotation whose first words are about something that was named before: "It keeps any more from …". */
const REFERS_BACK =
  /^(?:(?:and|but|so|then|that way|in the \p{L}+),? )?(?:they|it|he|she|those|these)(?:['’]\p{L}+)?\b/iu

/**
 * Joins what was heard: a fact that the quotation of another fact tells too, by the same colleague and about as well,
 * gets that quotation, so that nothing stands twice. Each fact also gets the author's words for what it is about. The quotation that tells the most facts goes first. A line of a document
 * never takes the place of what was said.
 */
export function withSharedQuotes(heard: readonly HeardFact[], facts: readonly ScenarioFact[]): HeardFact[] {
  const byId = new Map(facts.map((fact) => [fact.id, fact]))
  const authored = heard.flatMap(({ id }) => byId.get(id) ?? [])
  const quotes = heard.map((quote) => {
    const theirs = authored.filter(({ npc }) => npc === quote.npc)
    return { quote, tells: new Set(factsIn(theirs, quote.said).map(({ fact }) => fact)) }
  })
  const byReach = quotes.filter(({ tells }) => tells.size > 1).toSorted((a, b) => b.tells.size - a.tells.size)
  const joined = heard.map((own) => {
    const fact = byId.get(own.id)
    // What stands in the notebook stays there: nothing said later takes its place.
    const isFit = ({ turn }: HeardFact) => own.turn === null || (turn !== null && turn <= own.turn)
    const other = byReach.find(({ quote, tells }) => tells.has(own.id) && isFit(quote))?.quote
    if (fact === undefined || other === undefined || tellsBetter(fact, own.said, other.said, MARGIN_BESIDE)) return own
    return { ...own, said: other.said, turn: other.turn }
  })
  return joined.map((own) => ({ ...own, ...aboutFact(byId.get(own.id)) }))
}

/** Returns what a fact is about, if the author says it. */
export function aboutFact(fact: ScenarioFact | undefined): { readonly about?: string } {
  return fact?.about === undefined ? {} : { about: fact.about }
}

const NO_SYNONYMS = new Map<string, string>()

/** Returns the meaningful stems of an author's sentence, with a cache: every reply is compared with the same ones. */
function stemsOf(text: string): ReadonlySet<string> {
  const known = stems.get(text)
  if (known) return known
  if (stems.size >= MOST_TEXTS) stems.clear()
  const read = contentStems(readAuthored(text), NO_SYNONYMS)
  stems.set(text, read)
  return read
}

const stems = new Map<string, ReadonlySet<string>>()
const MOST_TEXTS = 1024
