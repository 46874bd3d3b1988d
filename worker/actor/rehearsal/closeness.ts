import { plainText } from '../../core/text/words.ts'
import type { WordTable } from './word-table.ts'

/** A text in a form that can be compared by meaning. */
export interface Phrase {
  readonly words: readonly string[]
  readonly kind: Kind | null
}

/** What a question asks for. Two questions of different kinds rarely have the same answer. */
type Kind =
  | 'time'
  | 'amount'
  | 'meaning'
  | 'reason'
  | 'person'
  | 'date'
  | 'place'
  | 'certainty'
  | 'view'
  | 'feeling'
  | 'way'

/** Texts that mean the same, as an entry of a list of answers has them. */
export interface Entry {
  /** Questions that the entry answers. */
  readonly asks: readonly Phrase[]
  /** What the entry says. */
  readonly says: readonly Phrase[]
}

/** Reads a text: slang and contractions are spelt out, and words are lower case. */
export function phraseOf(text: string): Phrase {
  const words = plainText(text)
    .replace(/[^a-z0-9.%' ]+/g, ' ')
    .split(/\s+/)
    .map((word) => word.replace(/^[.']+|[.']+$/g, ''))
    .filter((word) => word !== '')
    .flatMap((word) => (SPELT_OUT.get(word) ?? word).split(' '))
    .filter((word) => word !== '')
  const plain = words.join(' ')
  return { words, kind: KINDS.find(([, sign]) => sign.test(plain))?.[0] ?? null }
}

/**
 * Compares messages with a list of entries. Words count by how rare they are, and a word also matches words of similar
 * meaning. Without a table only equal words match.
 */
export class Comparison {
  readonly #table: WordTable | null
  readonly #entries: readonly Indexed[]
  readonly #words: readonly string[]
  readonly #weights: Float32Array
  readonly #places: Int32Array
  readonly #roots: readonly string[]

  constructor(entries: readonly Entry[], table: WordTable | null) {
    this.#table = table
    const places = new Map<string, number>()
    const index = ({ words, kind }: Phrase): IndexedPhrase => ({
      kind,
      words: Uint16Array.from(words, (word) => places.get(word) ?? (places.set(word, places.size), places.size - 1)),
    })
    this.#entries = entries.map(({ asks, says }) => ({ asks: asks.map(index), says: says.map(index) }))
    this.#words = [...places.keys()]
    this.#weights = Float32Array.from(this.#words, (word) => weightOf(word, table))
    this.#places = Int32Array.from(this.#words, (word) => table?.rank(word) ?? -1)
    this.#roots = this.#words.map(rootOf)
  }

  /** Returns how close a message is to each entry, 0 to about 1. */
  closeness(message: string): Float32Array {
    const best = new Float32Array(this.#entries.length)
    for (const { phrase, share } of partsOf(message)) {
      const likes = phrase.words.map((word) => this.#likes(word))
      const weights = phrase.words.map((word) => weightOf(word, this.#table))
      const nearest = new Float32Array(this.#words.length)
      for (const like of likes)
        for (let at = 0; at < nearest.length; at += 1) nearest[at] = Math.max(nearest[at]!, like[at]!)
      for (const [at, { asks, says }] of this.#entries.entries()) {
        let close = 0
        for (const ask of asks) {
          const both =
            OF_MESSAGE * covered(likes, weights, ask.words) + (1 - OF_MESSAGE) * this.#covers(nearest, ask.words)
          const alike =
            phrase.kind !== null && ask.kind !== null ? (phrase.kind === ask.kind ? SAME_KIND : OTHER_KIND) : 0
          close = Math.max(close, both + alike)
        }
        for (const say of says) close = Math.max(close, OF_LINE * covered(likes, weights, say.words))
        best[at] = Math.max(best[at]!, close * share)
      }
    }
    return best
  }

  #covers(nearest: Float32Array, words: Uint16Array): number {
    let [held, whole] = [0, 0]
    for (const word of words) {
      held += this.#weights[word]! * nearest[word]!
      whole += this.#weights[word]!
    }
    return whole === 0 ? 0 : held / whole
  }

  /** Returns how well a word matches each word of the entries, 0 to 1. */
  #likes(word: string): Float32Array {
    const likes = this.#table?.likenesses(word, this.#places) ?? new Float32Array(this.#words.length)
    const root = rootOf(word)
    for (let at = 0; at < likes.length; at += 1) {
      if (this.#words[at] === word) likes[at] = 1
      else if (word.length > 3 && this.#roots[at] === root) likes[at] = SAME_ROOT
      else likes[at] = Math.max(0, (likes[at]! - UNRELATED) / (1 - UNRELATED)) * MOST_ALIKE
    }
    return likes
  }
}

interface Indexed {
  readonly asks: readonly IndexedPhrase[]
  readonly says: readonly IndexedPhrase[]
}

interface IndexedPhrase {
  readonly words: Uint16Array
  readonly kind: Kind | null
}

/** The share that the message's words have in a comparison; the rest is the share of the entry's words. */
const OF_MESSAGE = 0.55
/** What a line that answers counts, beside a question that it answers. */
const OF_LINE = 0.72
const SAME_KIND = 0.05
const OTHER_KIND = -0.08
/** Words count as unrelated up to this likeness. */
const UNRELATED = 0.42
const MOST_ALIKE = 0.85
const SAME_ROOT = 0.95

/** Returns the share of the message's weight that a phrase covers. */
function covered(likes: readonly Float32Array[], weights: readonly number[], words: Uint16Array): number {
  let [held, whole] = [0, 0]
  for (let at = 0; at < likes.length; at += 1) {
    let top = 0
    for (const word of words) top = Math.max(top, likes[at]![word]!)
    held += weights[at]! * top
    whole += weights[at]!
  }
  return whole === 0 ? 0 : held / whole
}

/** Returns the message as a whole and its sentences and clauses, each with what it counts. A short clause counts less. */
function partsOf(message: string): readonly { readonly phrase: Phrase; readonly share: number }[] {
  const clauses = message.split(/(?<=[.?!])\s+|,| - |\n/).map(phraseOf)
  const whole = phraseOf(message)
  return [
    { phrase: whole, share: 1 },
    ...(clauses.length < 2 ? [] : clauses.map((phrase) => ({ phrase, share: phrase.words.length < 3 ? 0.8 : 0.96 }))),
  ].filter(({ phrase }) => phrase.words.length > 0)
}

function weightOf(word: string, table: WordTable | null): number {
  if (COMMON.has(word)) return 0.08
  if (/^\d/.test(word)) return 1
  const rank = table?.rank(word) ?? null
  return table === null ? 1 : rank === null ? 1.1 : 0.25 + (0.85 * Math.log(1 + rank)) / Math.log(table.size)
}

function rootOf(word: string): string {
  return word.replace(/(?:'s|s|es|ed|ing|ly|er)$/, '').replace(/(.)\1$/, '$1')
}

const KINDS: readonly (readonly [Kind, RegExp])[] = [
  ['time', /\bhow (?:long|soon|quick|fast)\b|\bhow much (?:longer|time)\b/],
  ['amount', /\bhow (?:many|much|big|large|often|high|bad)\b|\bwhat (?:number|percent|share|rate)\b/],
  [
    'meaning',
    /\b(?:what (?:is|are|does) .{0,40}\bmean|mean by|meaning|in (?:plain|normal|simple|human)|explain)\b|^(?:and |so |sorry )?what (?:is|are) (?:a |an |the )?\w+(?: \w+)?$/,
  ],
  ['reason', /\b(?:why|how come|reason)\b/],
  ['person', /\b(?:who|whose|whom)\b/],
  ['date', /\b(?:when|what time|deadline|by what)\b/],
  ['place', /\bwhere\b/],
  ['certainty', /\b(?:how (?:sure|certain|confident)|are you sure|certain|trust)\b/],
  [
    'view',
    /\b(?:what (?:do|would|should) (?:you|i|we) (?:think|do|say|want)|would you|your (?:view|opinion|call|gut)|you think|do you reckon)\b/,
  ],
  ['feeling', /\b(?:feel|scared|afraid|worried|angry|upset|are you (?:ok|okay|alright|all right))\b/],
  ['way', /\bhow\b/],
]

const COMMON: ReadonlySet<string> = new Set(
  'a an the and or but so if then than as at by for from in into of off on onto out over to up down with about is are was were be been being am do does did have has had having i you he she it we they me him her us them my your his its our their this that these those there here would could should can will shall may might must just really very quite also too still even ever yes ok okay well like get got go going please actually honestly thing things lot one hi hello hey thanks sorry right anything something some any all'.split(
    ' ',
  ),
)

/** Slang and short forms, spelt out; an empty text for a word that says nothing. */
const SPELT_OUT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    u: 'you',
    ur: 'your',
    r: 'are',
    y: 'why',
    cos: 'because',
    coz: 'because',
    cuz: 'because',
    bc: 'because',
    ppl: 'people',
    n: 'and',
    pls: 'please',
    plz: 'please',
    thx: 'thanks',
    wanna: 'want to',
    gonna: 'going to',
    gotta: 'have to',
    kinda: 'kind of',
    dunno: 'do not know',
    idk: 'i do not know',
    tho: 'though',
    thru: 'through',
    abt: 'about',
    msg: 'message',
    tmrw: 'tomorrow',
    tbh: '',
    lol: '',
    omg: '',
    innit: '',
    mate: '',
    btw: '',
    whos: 'who is',
    whens: 'when is',
    wheres: 'where is',
    hows: 'how is',
    whys: 'why is',
    nope: 'no',
    nah: 'no',
    yeah: 'yes',
    yh: 'yes',
    wk: 'week',
    wks: 'weeks',
    hr: 'hour',
    min: 'minute',
    qs: 'questions',
    q: 'question',
    shld: 'should',
    wld: 'would',
    cld: 'could',
    smth: 'something',
    sth: 'something',
    havent: 'have not',
    hasnt: 'has not',
    theres: 'there is',
    heres: 'here is',
    ive: 'i have',
    youve: 'you have',
    theyve: 'they have',
    weve: 'we have',
    youre: 'you are',
    b4: 'before',
    w: 'with',
  }),
)
