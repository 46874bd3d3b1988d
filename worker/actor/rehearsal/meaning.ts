import type { Synonyms } from '../../core/text/stems.ts'
import { contentStems } from '../../core/text/stems.ts'
import type { Token } from '../../core/text/words.ts'
import { readAuthored } from '../../core/text/words.ts'

/**
 * A meaningful word in comparable form: its stem, or the name of its word family (`~done`, `~ready`), with a `!` in
 * front if the text denies the word.
 */
export type Sense = string

const DONE: Sense = '~done'
const READY: Sense = '~ready'

/**
 * Returns the meaning of a text, word by word: without stop words and endings. Synonyms count as the same word, and so
 * do all words for being done, and all words for being ready. A denied word ("not done", "no more questions") counts as
 * a different word.
 */
export function meaningOf(tokens: readonly Token[], synonyms: Synonyms): ReadonlySet<Sense> {
  const senses = new Set<Sense>()
  let denied = 0
  for (const token of tokens) {
    if (DENIALS.has(token.word)) {
      denied = REACH
      continue
    }
    const sense = senseOf(token, synonyms)
    if (sense !== null) senses.add(denied > 0 ? `!${sense}` : sense)
    denied = sense === null ? Math.max(0, denied - 1) : 0
  }
  return senses
}

/** Returns the meaning of an author's description of a learner, without the words that every description has. */
export function describedMeaning(text: string, synonyms: Synonyms): ReadonlySet<Sense> {
  return meaningOf(
    readAuthored(text).filter(({ word }) => !ABOUT_A_LEARNER.has(word)),
    synonyms,
  )
}

/** Returns true if a text says that something is over: "has nothing left to ask", "finished with the topic". */
export function saysDone(text: string, synonyms: Synonyms): boolean {
  const meaning = describedMeaning(text, synonyms)
  return meaning.has(DONE) || meaning.has(`!${QUESTION}`)
}

/** Returns true if a text denies any meaningful word: "no step at all", "nothing further to bring". */
export function saysNone(text: string, synonyms: Synonyms): boolean {
  return [...describedMeaning(text, synonyms)].some((sense) => sense.startsWith('!'))
}

/** Returns true if a text says that somebody is willing to go on: "content to begin", "agrees to continue". */
export function saysReady(text: string, synonyms: Synonyms): boolean {
  return describedMeaning(text, synonyms).has(READY)
}

const [{ stem: QUESTION } = { stem: 'question' }] = readAuthored('question')

/** A denial applies to the next meaningful word, if that word is among this many words after the denial. */
const REACH = 3

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '))
const DENIALS = set('not no never without nothing none neither nor')
const DONE_WORDS = set(
  'done finish finished finishes complete completed end ended ends ending stop stopped stops terminate close closed conclude concluded wrap bye goodbye settled exhausted',
)
/** Words of quantity, which a denial skips: "no further questions". */
const QUANTITIES = set('more further additional other left remaining outstanding single')
const READY_WORDS = set(
  'ready yes yeah yep sure ok okay agree agrees agreed agreeing proceed continue continues willing begin start started absolutely definitely',
)
const ABOUT_A_LEARNER = set(
  'learner user client patient customer person people colleague they them their he she someone says say said asks ask asked mentions mention mentioned expresses express expressed indicates indicate indicated describes describe described provides provide provided wants want wanted needs need needed has have had is are was were been explicitly clearly strongly about talk talks talking',
)

function senseOf(token: Token, synonyms: Synonyms): Sense | null {
  if (QUANTITIES.has(token.word)) return null
  if (DONE_WORDS.has(token.word)) return DONE
  if (READY_WORDS.has(token.word)) return READY
  const [stem] = contentStems([token], synonyms)
  return stem ?? null
}
