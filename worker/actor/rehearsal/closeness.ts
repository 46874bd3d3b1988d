import { plainText } from '../../core/text/words.ts'
import { WordList, type WordTable } from './word-table.ts'

/** What can be compared with a message: the questions that it answers, and the lines that answer them. */
export interface Comparable {
  readonly asks: readonly string[]
  readonly says: readonly string[]
}

/** What a question asks for. Two questions of different kinds rarely have the same answer. */
type Kind = (typeof KINDS)[number][0]

interface Phrase {
  readonly words: readonly string[]
  readonly kind: Kind | null
}

/** The words and the parts of one message, compared with one list of entries. */
export interface Compared {
  readonly words: Map<string, Match>
  /** How well each part fits each entry. */
  readonly parts: Map<string, Float32Array>
  /** How alike each part is to each entry in meaning; null if that cannot be told. */
  readonly meanings: Map<string, Float32Array | null>
}

/** Returns the record of a message of which nothing has been compared yet. */
export function nothingCompared(): Compared {
  return { words: new Map(), parts: new Map(), meanings: new Map() }
}

/** What the phrases of a comparison mean, by the table of questions. */
interface Meanings {
  /** The place of each word of the vocabulary in the table; -1 if the table lacks it. */
  readonly places: Int32Array
  /** The length of the sum of each phrase's words. */
  readonly lengths: Float32Array
  /** What each entry is asked for on average, as a vector of bytes, and the mean of these vectors. */
  readonly subjects: Int8Array
  readonly meanSubject: Float32Array
}

/** One word of a message, and how well it matches. */
interface Match {
  readonly weight: number
  /** What the word counts beside a line; 0 for a question's own word. */
  readonly telling: number
  readonly alike: Alike
  /** How well it matches each phrase. */
  readonly tops: Float32Array
  /** How well it matches each entry. */
  readonly covers: Float32Array
}

/**
 * The words of the vocabulary that a word matches, and how well: pairs of a word's id and its likeness times `FULL`. One
 * array holds both, because hundreds of them are kept.
 */
type Alike = Uint16Array

const FULL = 65_535

/**
 * Compares messages with a list of entries. Words count by how rare they are, and a word also matches words of similar
 * meaning. Without a table only words of the same root match.
 *
 * A colleague has about four thousand phrases. Most words of a message are like few words of the vocabulary, so each
 * word of the vocabulary knows its phrases, and no phrase is read word by word.
 */
export class MessageComparison {
  readonly #table: WordTable | null
  readonly #size: number
  /** The vocabulary: every word of the entries once. */
  readonly #words: WordList
  /** The roots of these words, and for each word the place of its root. */
  readonly #roots: WordList
  readonly #rootOf: Uint16Array
  readonly #weights: Float32Array
  readonly #places: Int32Array
  /** The phrases of the words of the vocabulary, one word after another, and for each word where its phrases begin. */
  readonly #phrases: Uint16Array
  readonly #firsts: Uint32Array
  readonly #entries: Uint16Array
  /** The place of each phrase's kind in `KINDS`, plus one; 0 for none. */
  readonly #kinds: Uint8Array
  /** How many of the phrases are questions. They come first, and the lines that answer them after them. */
  readonly #asked: number
  readonly #few: number
  readonly #wholes: Float32Array
  /** What the phrases mean; made when it is first asked for. */
  #meanings: Meanings | null = null
  /** What words of earlier messages match, because most words come again. */
  readonly #known = new Map<string, Alike>()

  /** @param few beside fewer questions than this, the meaning of a message does not count */
  constructor(entries: readonly Comparable[], table: WordTable | null, few = FEW) {
    this.#few = few
    const questions = entries.flatMap(({ asks }, entry) => asks.map((text) => ({ entry, text })))
    const listed = [...questions, ...entries.flatMap(({ says }, entry) => says.map((text) => ({ entry, text })))]
    const phrases = phrasesOf(listed.map(({ text }) => text))
    const ids = new Map<string, number>()
    const text = phrases.map(({ words }) => words.map((word) => idOf(ids, word)))
    this.#table = table
    this.#size = entries.length
    const words = [...ids.keys()]
    const roots = new Map<string, number>()
    this.#words = listOf(words)
    // Filling an array from a list is many times quicker than `from` with a function.
    this.#rootOf = new Uint16Array(words.map((word) => idOf(roots, rootOf(word))))
    this.#roots = listOf([...roots.keys()])
    const ranks = words.map((word) => table?.rank(word) ?? null)
    this.#weights = new Float32Array(words.map((word, id) => weightOf(word, table, ranks[id])))
    // A common word only matches itself.
    this.#places = new Int32Array(words.map((word, id) => (COMMON.has(word) ? -1 : (ranks[id] ?? -1))))
    const phrasesOfWord: number[][] = words.map(() => [])
    for (const [at, words] of text.entries()) for (const id of words) phrasesOfWord[id]!.push(at)
    this.#phrases = new Uint16Array(phrasesOfWord.flat())
    this.#firsts = new Uint32Array(phrasesOfWord.length + 1)
    for (const [id, own] of phrasesOfWord.entries()) this.#firsts[id + 1] = this.#firsts[id]! + own.length
    this.#entries = new Uint16Array(listed.map(({ entry }) => entry))
    this.#kinds = new Uint8Array(phrases.map(({ kind }) => placeOfKind(kind)))
    this.#asked = questions.length
    this.#wholes = new Float32Array(text.map((words) => words.reduce((sum, id) => sum + this.#weights[id]!, 0)))
  }

  /**
   * Returns how close a message is to each entry, 0 to about 1.
   *
   * @param read what was compared so far, if several texts of one message are compared one after another
   */
  closeness(message: string, read: Compared = nothingCompared()): Float32Array {
    const best = new Float32Array(this.#size)
    const matchOf = (word: string): Match => {
      const known = read.words.get(word) ?? this.#match(word)
      read.words.set(word, known)
      return known
    }
    const parts = partsOf(message)
    for (const { phrase, share } of parts) {
      const matches = phrase.words.map(matchOf)
      const text = phrase.words.join(' ')
      const fits = read.parts.get(text) ?? this.#compare(phrase.kind, matches)
      read.parts.set(text, fits)
      const counts = phrase !== parts[0]?.phrase && isBare(matches) ? share * OF_BARE : share
      for (let entry = 0; entry < best.length; entry += 1) best[entry] = Math.max(best[entry]!, fits[entry]! * counts)
    }
    const whole = (parts[0]?.phrase.words ?? []).map(matchOf)
    const isAllBare = isBare(whole)
    for (let entry = 0; entry < best.length; entry += 1) {
      best[entry] = best[entry]! * (1 - MISSING * missing(whole, entry))
      if (isAllBare && best[entry]! < SAME) best[entry] = best[entry]! * OF_BARE
    }
    return best
  }

  /**
   * Returns how alike what a text asks is to each entry's questions and lines, −1 to 1, by the table of questions; null
   * if there is none, or if it has none of the words.
   *
   * @param read what was compared so far: a message and its parts are asked for several times in a turn
   */
  likeness(text: string, read: Compared): Float32Array | null {
    const known = read.meanings.get(text)
    if (known !== undefined) return known
    const likeness = this.#likenessOf(text)
    read.meanings.set(text, likeness)
    return likeness
  }

  /** The table of questions; null beside few questions, where the words tell more. */
  get #questions(): WordTable | null {
    return this.#asked < this.#few ? null : (this.#table?.questions ?? null)
  }

  #likenessOf(text: string): Float32Array | null {
    const table = this.#questions
    if (table === null) return null
    const [words = []] = comparedWords([text])
    const own = unitOf(sumOf(words, table), strangeness(words, table))
    if (own === null) return null
    const { places, lengths } = (this.#meanings ??= this.#meaningsBy(table))
    // Read once, because a private field is read anew in every step of a loop.
    const [phrases, firsts, entries] = [this.#phrases, this.#firsts, this.#entries]
    const asked = this.#asked
    // A phrase is the sum of its words, so each word is compared once, and no phrase.
    const along = table.along(own, places)
    const likes = new Float32Array(lengths.length)
    for (let id = 0; id < along.length; id += 1) {
      const like = along[id]!
      if (like === 0) continue
      const end = firsts[id + 1]!
      for (let place = firsts[id]!; place < end; place += 1) likes[phrases[place]!] = likes[phrases[place]!]! + like
    }
    const best = new Float32Array(this.#size).fill(-1)
    for (let at = 0; at < likes.length; at += 1) {
      const like = (likes[at]! / lengths[at]!) * (at < asked ? 1 : OF_LINE_LIKE)
      const entry = entries[at]!
      if (like > best[entry]!) best[entry] = like
    }
    return best
  }

  /**
   * Returns a function that tells how alike the subject of a text is to what an entry is asked for on average, beside the
   * mean of all entries; null where `likeness` is null. Few entries are asked about.
   */
  relatedness(text: string): ((entry: number) => number) | null {
    const table = this.#questions
    if (table === null) return null
    const own = unitOf(sumOf(comparedWords([text])[0] ?? [], table))
    if (own === null) return null
    const { subjects, meanSubject } = (this.#meanings ??= this.#meaningsBy(table))
    let mean = 0
    for (let index = 0; index < own.length; index += 1) mean += own[index]! * meanSubject[index]!
    return (entry) => {
      let sum = 0
      const from = entry * own.length
      for (let index = 0; index < own.length; index += 1) sum += own[index]! * subjects[from + index]!
      return (sum - mean) / BYTE
    }
  }

  #meaningsBy(table: WordTable): Meanings {
    const { dimensions } = table
    const sums = new Float32Array(this.#kinds.length * dimensions)
    for (let id = 0; id < this.#words.size; id += 1) {
      const vector = sumOf([this.#words.wordAt(id)], table)
      for (let place = this.#firsts[id]!; place < this.#firsts[id + 1]!; place += 1)
        addTo(sums, this.#phrases[place]! * dimensions, vector)
    }
    const phrases = [...this.#kinds.keys()].map((at) => sums.subarray(at * dimensions, (at + 1) * dimensions))
    const ofEntries = new Float32Array(this.#size * dimensions)
    const hasQuestions = new Set(this.#entries.subarray(0, this.#asked))
    for (const [at, phrase] of phrases.entries()) {
      const entry = this.#entries[at]!
      if (at >= this.#asked && hasQuestions.has(entry)) continue
      addTo(ofEntries, entry * dimensions, unitOf(phrase) ?? new Float32Array(dimensions))
    }
    const subjects = new Int8Array(this.#size * dimensions)
    for (let from = 0; from < subjects.length; from += dimensions) {
      const unit = unitOf(ofEntries.subarray(from, from + dimensions))
      if (unit !== null)
        subjects.set(
          unit.map((value) => Math.round(value * BYTE)),
          from,
        )
    }
    const meanSubject = new Float32Array(dimensions)
    for (const [at, value] of subjects.entries())
      meanSubject[at % dimensions] = meanSubject[at % dimensions]! + value / this.#size
    const words = Array.from({ length: this.#words.size }, (_, id) => this.#words.wordAt(id))
    const places = new Int32Array(words.map((word) => table.rank(word) ?? -1))
    return { places, lengths: new Float32Array(phrases.map((phrase) => lengthOf(phrase) || 1)), subjects, meanSubject }
  }

  /** Returns how well a phrase with these words fits each entry. */
  #compare(kind: Kind | null, matches: readonly Match[]): Float32Array {
    const best = new Float32Array(this.#size)
    const [phrases, firsts, kinds, weights] = [this.#phrases, this.#firsts, this.#kinds, this.#weights]
    const [entries, wholes] = [this.#entries, this.#wholes]
    const own = placeOfKind(kind)
    const whole = matches.reduce((sum, { weight }) => sum + weight, 0) || 1
    const toTell = matches.reduce((sum, { telling }) => sum + telling, 0) || whole
    const nearest = new Float32Array(weights.length)
    const asked = this.#asked
    const close = new Float32Array(kinds.length)
    for (const { alike, weight, telling, tops } of matches) {
      for (let index = 0; index < alike.length; index += 2) {
        const id = alike[index]!
        const like = alike[index + 1]! / FULL
        if (like > nearest[id]!) nearest[id] = like
      }
      for (let at = 0; at < asked; at += 1) close[at] = close[at]! + weight * tops[at]!
      if (telling > 0) for (let at = asked; at < close.length; at += 1) close[at] = close[at]! + telling * tops[at]!
    }
    // How much of each phrase the message has, summed up from the words that the two share.
    const held = new Float32Array(kinds.length)
    for (let id = 0; id < nearest.length; id += 1) {
      if (nearest[id] === 0) continue
      const weight = weights[id]! * nearest[id]!
      const end = firsts[id + 1]!
      for (let place = firsts[id]!; place < end; place += 1) held[phrases[place]!] = held[phrases[place]!]! + weight
    }
    for (let at = 0; at < kinds.length; at += 1) {
      const entry = entries[at]!
      let fit = 0
      if (at >= asked) {
        fit = (close[at]! * OF_LINE) / toTell
      } else {
        const alike = own === 0 || kinds[at] === 0 ? 0 : kinds[at] === own ? SAME_KIND : OTHER_KIND
        fit = (close[at]! / whole + held[at]! / (wholes[at]! || 1)) / 2 + alike
      }
      if (fit > best[entry]!) best[entry] = fit
    }
    return best
  }

  /** Compares one word of a message with all entries. */
  #match(word: string): Match {
    const alike = this.#known.get(word) ?? this.#alike(word)
    if (this.#known.size >= MOST_KNOWN) this.#known.clear()
    this.#known.set(word, alike)
    const [phrases, firsts, entries] = [this.#phrases, this.#firsts, this.#entries]
    const tops = new Float32Array(this.#kinds.length)
    const covers = new Float32Array(this.#size)
    for (let index = 0; index < alike.length; index += 2) {
      const id = alike[index]!
      const like = alike[index + 1]! / FULL
      const end = firsts[id + 1]!
      for (let place = firsts[id]!; place < end; place += 1) {
        const at = phrases[place]!
        const entry = entries[at]!
        if (like > tops[at]!) tops[at] = like
        if (like > covers[entry]!) covers[entry] = like
      }
    }
    const weight = weightOf(word, this.#table)
    // A line does not repeat the question's own word: "Who tested it?", "Noor tested it".
    return { weight, telling: QUESTION_WORDS.has(word) ? 0 : weight, alike, tops, covers }
  }

  /** Returns the words of the entries that a word matches. */
  #alike(word: string): Alike {
    const same = this.#words.placeOf(word)
    const pairs = same === null ? [] : [same, FULL]
    if (COMMON.has(word)) return Uint16Array.from(pairs)
    const likes = new Float32Array(this.#words.size)
    this.#table?.likenesses(word, this.#places, likes)
    const root = word.length > 3 ? this.#roots.placeOf(rootOf(word)) : null
    const isUnknown = this.#table !== null && this.#table.rank(word) === null && same === null && word.length > 4
    if (isUnknown) for (const id of this.#words.slipsOf(word)) likes[id] = ONE_SLIP
    for (let id = 0; id < likes.length; id += 1) {
      const like = this.#rootOf[id] === root ? OF_ROOT : likes[id]!
      if (id === same || like <= UNRELATED) continue
      pairs.push(id, FULL * (like === OF_ROOT ? SAME_ROOT : like === ONE_SLIP ? SLIP : likeOf(like)))
    }
    return Uint16Array.from(pairs)
  }
}

function likeOf(like: number): number {
  return ((like - UNRELATED) / (1 - UNRELATED)) * MOST_ALIKE
}

const MOST_KNOWN = 220
/** Mark a word of the same root, and one that is one typing error away, among likenesses, which are never that high. */
const OF_ROOT = 2
const ONE_SLIP = 3
/** What a line that answers counts, beside a question that it answers. */
const OF_LINE = 0.72
/** A message of general words alone, "so what do you think now", counts less unless it is the author's own question. */
const OF_BARE = 0.75
const SAME = 0.93
/** What an entry loses that has nothing like the words of the whole message. */
const MISSING = 0.4
const SAME_KIND = 0.05
const OTHER_KIND = -0.08
/** Words count as unrelated up to this likeness. */
const UNRELATED = 0.42
const MOST_ALIKE = 0.85
const SAME_ROOT = 0.95
/** What an unknown word counts that is one typing error away. */
const SLIP = 0.9

/** Beside fewer questions the words of a message tell more than its meaning, because a word may have no question. */
const FEW = 500
/** What the meaning of a line counts beside that of a question. */
const OF_LINE_LIKE = 0.8
const BYTE = 127

function sumOf(words: readonly string[], table: WordTable): Float32Array {
  const sum = new Float32Array(table.dimensions)
  for (const word of words) table.add(word, sum)
  return sum
}

/** Returns the length of what the table does not know of a text: each such word points in a direction of its own. */
function strangeness(words: readonly string[], table: WordTable): number {
  const unknown = words.filter((word) => table.rank(word) === null && !isGeneral(word))
  return Math.sqrt(unknown.length) * OF_UNKNOWN
}

/** The length of a vector of the table of questions, for a word with a meaning of its own. */
const OF_UNKNOWN = 180

/** Returns a vector brought to length one, with something else of length `beside`; null if all of it is zero. */
function unitOf(vector: Float32Array, beside = 0): Float32Array | null {
  const own = lengthOf(vector)
  return own === 0 ? null : vector.map((value) => value / Math.hypot(own, beside))
}

function lengthOf(vector: Float32Array): number {
  let square = 0
  for (const value of vector) square += value * value
  return Math.sqrt(square)
}

function addTo(sums: Float32Array, from: number, vector: Float32Array): void {
  for (let at = 0; at < vector.length; at += 1) sums[from + at] = sums[from + at]! + vector[at]!
}

/** Returns true if all of the words are general ones. */
function isBare(words: readonly Match[]): boolean {
  return words.every(({ weight, telling }) => weight <= COMMON_WEIGHT || telling === 0)
}

/** Returns the share of a message, by weight, to which an entry has nothing alike. */
function missing(message: readonly Match[], entry: number): number {
  let [covered, whole] = [0, 0]
  for (const { telling, covers } of message) {
    covered += telling * covers[entry]!
    whole += telling
  }
  return whole === 0 ? 0 : 1 - covered / whole
}

/** Lists words. Without any (an entry that nobody can ask for), the list has an empty one, which no message has. */
function listOf(words: readonly string[]): WordList {
  return new WordList(new TextEncoder().encode(words.join('\n')), Math.max(1, words.length))
}

function idOf(ids: Map<string, number>, word: string): number {
  const id = ids.get(word) ?? ids.size
  ids.set(word, id)
  return id
}

/**
 * Reads texts: slang and contractions are spelt out, and words are lower case. All texts go through `plainText` at once,
 * which is many times quicker than one by one.
 */
function phrasesOf(texts: readonly string[]): readonly Phrase[] {
  const lines = plainText(texts.map((text) => text.replaceAll('\n', ' ')).join('\n'))
    .replace(/[^a-z0-9.%\n]+/g, ' ')
    .replace(/(?<![0-9a-z])\.+|\.+(?![0-9a-z])/g, '')
    .split('\n')
  return lines.map((line) => {
    const plain = line.trim()
    return {
      words: plain === '' ? [] : plain.split(/ +/),
      kind: KINDS.find(([, sign]) => sign.test(plain))?.[0] ?? null,
    }
  })
}

/** Returns the words of each text as they are compared: lower case, with slang and contractions spelt out. */
export function comparedWords(texts: readonly string[]): readonly (readonly string[])[] {
  return phrasesOf(texts).map(({ words }) => words)
}

/** A part of a message, and what it counts. */
interface Part {
  readonly phrase: Phrase
  readonly share: number
}

/**
 * Returns the message as a whole, its sentences and its clauses. A short clause counts less, and so does a clause that
 * asks nothing beside one that asks.
 */
function partsOf(message: string): readonly Part[] {
  const clauses = clausesOf(message).slice(0, MOST_CLAUSES)
  const [whole, ...phrases] = phrasesOf([message.slice(0, LONGEST), ...clauses])
  const asks = phrases.map(({ kind }, at) => kind !== null || clauses[at]?.endsWith('?'))
  const isQuestion = asks.some(Boolean)
  const parts = phrases.map((phrase, at): Part => {
    const share = phrase.words.length < 3 ? 0.8 : 0.96
    return { phrase, share: isQuestion && !asks[at] ? share * BESIDE_QUESTION : share }
  })
  return [...(whole ? [{ phrase: whole, share: 1 }] : []), ...(clauses.length < 2 ? [] : parts)].filter(
    ({ phrase }) => phrase.words.length > 0,
  )
}

/** A longer message is compared only up to here, because the cost grows with the length. */
const LONGEST = 400
const MOST_CLAUSES = 5
const BESIDE_QUESTION = 0.88

/** Splits a message into its sentences and clauses. */
export function clausesOf(message: string): readonly string[] {
  const clauses: string[] = []
  for (const next of splitIntoClauses(message)) {
    const both = asOneClause(clauses.at(-1) ?? '', next)
    if (both === null) clauses.push(next)
    else clauses[clauses.length - 1] = both
  }
  return clauses
}

/**
 * Returns a clause together with the next one, if neither says anything alone: a topic and the question about it, "sample
 * flow, what's that?", or a question and its list, "what are Ridge, Town and Estuary?" Otherwise returns null.
 */
function asOneClause(clause: string, next: string): string | null {
  if (ASKS_FOR_LIST.test(clause) && LISTED.test(next) && !SAYS.test(next)) return `${clause} ${next}`
  if (!TOPIC.test(clause) || SAYS.test(clause) || GREETS.test(clause)) return null
  if (WHAT_IS_THAT.test(next)) return `what is ${clause}?`
  return ASKS_OF_TOPIC.test(next) ? `${clause} ${next}` : null
}

const TOPIC = /^\S+(?: \S+){0,4}(?<![.?!])$/
const ASKS_OF_TOPIC = /^(?:is|are|was|were|does|do|did|will|would|can|could) (?:that|this|it|they|those|these)\b/i
/** Matches a question about what stands before it. */
export const WHAT_IS_THAT = /^what(?:'?s| is| are) (?:that|this|it|those|they)\b[ ?.!]*$/i
const ASKS_FOR_LIST = /^(?:(?:ok|so|and|but) )*(?:what|who|where|which|how)(?:'?s| is| are| do| does) \S+(?: \S+)?$/i
const LISTED = /^\S+(?: \S+)? and \S+(?: \S+)?[?.!]*$/i
/** Matches a word that makes a clause more than a topic. */
const SAYS =
  /\b(?:im|whats|hows|whos|lost|what|how|who|why|where|when|which|mean|meant|is|are|was|were|am|be|do|does|did|has|have|had|can|could|will|would|should|i|you|we|they|he|she|it|that|says?|said|tell|told|thanks?|cheers|bye)\b|'(?:s|re|m|ll|ve)\b/i
const GREETS =
  /^(?:(?:hi|hey|hello|hiya|morning|ok|okay|so|wow|yikes|oh|ouch|ha|haha|lol|wait|hmm?|great|nice|right|sorry|fair|brilliant|ah|no|yes|yeah|yep|nope|and|but|well|cool|sure)\b ?\p{L}*[ ,.!]*)+$/iu

function splitIntoClauses(message: string): readonly string[] {
  return message
    .slice(0, LONGEST)
    .split(
      /(?<=[.?!]|[:;]-?[()])\s+|,\s*(?!\d)| - |\n|\s+(?=(?:and|but|or|so) (?:(?:for |since |until |till |by |at |in |to |from )?(?:what|why|how|who|when|where|which)(?:'?s|se)?|is|are|was|were|do|does|did|has|have|had|can|could|should|would|will|(?:is|are|was|does|did|has|have|could|would)n'?t|(?:do|can|wo)n'?t (?:i|we|you|they|he|she|it|that|this|the|there|any\w*))\b)/i,
    )
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '')
}

const COMMON_WEIGHT = 0.08

/** Returns what a word counts: more for a rarer word. */
export function weightOf(word: string, table: WordTable | null, rank = table?.rank(word) ?? null): number {
  if (COMMON.has(word)) return COMMON_WEIGHT
  if (/^\d/.test(word) || table === null) return 1
  return rank === null ? 1.1 : 0.25 + (0.85 * Math.log(1 + rank)) / Math.log(table.size)
}

function rootOf(word: string): string {
  return word.replace(/(?:'s|s|es|ed|ing|ly|er)$/, '').replace(/(.)\1$/, '$1')
}

const KINDS = [
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
] as const satisfies readonly (readonly [string, RegExp])[]

function placeOfKind(kind: Kind | null): number {
  return KINDS.findIndex(([name]) => name === kind) + 1
}

const QUESTION_WORDS: ReadonlySet<string> = new Set(
  'what why how who whose when where which much many tell say know'.split(' '),
)

/** Returns true for a word that has no subject: a function word, or a question's own word. */
export function isGeneral(word: string): boolean {
  return COMMON.has(word) || QUESTION_WORDS.has(word)
}

const COMMON: ReadonlySet<string> = new Set(
  'a an the and or but so if then than as at by for from in into of off on onto out over to up down with about is are was were be been being am do does did have has had having i you he she it we they me him her us them my your his its our their this that these those there here would could should can will shall may might must just really very quite also too still even ever yes ok okay well like get got go going please actually honestly thing things lot one hi hello hey thanks sorry right anything something some any all mate'.split(
    ' ',
  ),
)
