import { firstName, languageOf, type Scenario, type ScenarioFact } from '../scenario/scenario.ts'
import { factsIn } from './facts-in.ts'

/** What would have brought a fact to a learner. */
export interface BroughtBy {
  /** A question that the fact's colleague answers with the fact; null if the author foresaw no such question. */
  readonly question: string | null
  /** The title of the colleague's document, if it states the fact; otherwise null. */
  readonly paper: string | null
}

/**
 * Finds in a scenario what brings a fact: among the ways of asking that the author listed for the colleague's answers,
 * the first one that reads as a whole question, best of all without a word that points back, and whose answer states the
 * fact, and the colleague's document.
 */
export function broughtBy(fact: ScenarioFact, scenario: Pick<Scenario, 'npcs' | 'language'>): BroughtBy {
  const known = found.get(fact) ?? find(fact, scenario)
  found.set(fact, known)
  return known
}

/** What was found, because a teacher's page asks for it every half minute and a search reads a hundred lines. */
const found = new WeakMap<ScenarioFact, BroughtBy>()

function find(fact: ScenarioFact, scenario: Pick<Scenario, 'npcs' | 'language'>): BroughtBy {
  const npc = scenario.npcs.find(({ id }) => id === fact.npc)
  const states = (lines: readonly string[] = []) => lines.some((line) => factsIn([fact], line).length > 0)
  // What only follows another answer is no question by itself.
  const answers = npc?.rehearsal.answers.filter(({ follows }) => follows === undefined)
  const asks = answers?.filter(({ say }) => states(say)).flatMap((answer) => answer.asks) ?? []
  const asked =
    asks.find((text) => isQuestion(text, 6) && !POINTS_BACK.test(text)) ??
    asks.find((text) => isQuestion(text, 6)) ??
    asks.find((text) => isQuestion(text, 5))
  return {
    question: asked === undefined ? null : asQuestion(asked, scenario),
    paper: npc?.document && states(npc.document.lines) ? npc.document.title : null,
  }
}

/** Matches a question about something said before, which alone says less: "can I do it then". */
const POINTS_BACK = /\b(?:it|that|this|then|those|them|they|we talking|u)\b/i

/** The words with which a question begins in the languages of the simulations, English and Spanish. */
const OPENING =
  /^(?:what|which|who|whose|where|when|why|how|can|could|(?:do|does|did) (?:we|you|they|i|it)|is|are|will|would|qué|cuál|quién|dónde|cuándo|por qué|cómo|cuánt|puede|hay|se puede)/i

/** Tells whether a way of asking is a whole question of at least so many words. Most are the beginnings of questions. */
function isQuestion(text: string, words: number): boolean {
  return OPENING.test(text) && text.split(/\s+/).length >= words && !isCoarse(text)
}

/** Returns true if a text has a word that people type and that no page says to them. */
export function isCoarse(text: string): boolean {
  return COARSE.test(text)
}

const COARSE = /\b(?:fuck|shit|crap|damn|bloody|arse|ass\b|bitch|bastard)/i

/**
 * Writes a way of asking, which authors list in lower case and without a question mark, as a sentence. The colleagues'
 * first names, other names that the colleagues say and the days of the week get a capital letter.
 */
export function asQuestion(asked: string, scenario: Pick<Scenario, 'language' | 'npcs'>): string {
  const language = languageOf(scenario)
  const { words, pairs } = namesIn(scenario)
  const text = (language === 'en' ? spelt(asked) : asked)
    .replace(/\?+$/, '')
    .replace(/\bi\b(?=\s|'|$)/g, language === 'en' ? 'I' : 'i')
    .replace(/[\p{L}-]+ (?=([\p{L}-]+))/gu, (first, second) => (pairs.has(first + second) ? capitalised(first) : first))
    .replace(/[\p{L}-]+/gu, (word) => (words.has(word) || DAYS.has(word) ? capitalised(word) : word))
  return `${language === 'es' ? '¿' : ''}${capitalised(text)}?`
}

/** Spells short forms as they are written: "dont", "whats", "its not", "u". */
function spelt(text: string): string {
  return text
    .replace(NO_APOSTROPHE, (word) => `${word.slice(0, -1)}'${word.slice(-1)}`)
    .replace(/\bits (?=not|a|the|so|too|my|your)\b/g, "it's ")
    .replace(/\bu\b/g, 'you')
    .replace(/\bur\b/g, 'your')
}

const NO_APOSTROPHE =
  /\b(?:do|does|did|wo|would|could|should|ca|is|are|was|were|has|have|had)nt\b|\b(?:what|who|where|how|that|there)s\b/g

/** The names of a scenario, in small letters. */
interface Names {
  readonly words: ReadonlySet<string>
  /** Names whose first word is an ordinary one elsewhere: "low moor". */
  readonly pairs: ReadonlySet<string>
}

/**
 * Returns the names of a scenario: the colleagues' first names, and the words that the colleagues' lines have with a
 * capital letter within a sentence, and never without.
 */
function namesIn({ npcs }: Pick<Scenario, 'npcs'>): Names {
  const known = names.get(npcs)
  if (known) return known
  const said = npcs.flatMap(({ rehearsal }) => rehearsal.answers.flatMap(({ say }) => say)).join('\n')
  const small = new Set(said.match(/(?<![\p{L}])\p{Ll}[\p{L}-]+/gu))
  const within = [...said.matchAll(/(?<=[\p{Ll},;] )\p{Lu}\p{Ll}[\p{L}-]+/gu)].map(([word]) => word.toLowerCase())
  const pairs = [...said.matchAll(/(?<=[\p{Ll},;] )\p{Lu}\p{Ll}+ (?=(\p{Lu}\p{Ll}+))/gu)]
  const found = {
    words: new Set([
      ...npcs.map(({ name }) => firstName(name).toLowerCase()),
      ...within.filter((word) => !small.has(word)),
    ]),
    pairs: new Set(pairs.map(([first, second = '']) => (first + second).toLowerCase())),
  }
  names.set(npcs, found)
  return found
}

const names = new WeakMap<Scenario['npcs'], Names>()

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const DAYS: ReadonlySet<string> = new Set('monday tuesday wednesday thursday friday saturday sunday'.split(' '))
