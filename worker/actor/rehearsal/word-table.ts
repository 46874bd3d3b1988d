import { oneSlip } from '../../core/text/stems.ts'

/** The meanings of common English words, as vectors that point in similar directions for words of similar meaning. */
export interface WordTable {
  /**
   * Writes into `likes` how alike a word is to each word of `places` (a word's place is its `rank`, or -1 if the table
   * lacks it): 1 for the same word, about 0 for unrelated words. Unknown words keep what `likes` has.
   */
  likenesses(word: string, places: Int32Array, likes: Float32Array): void
  /** Returns a word's place by frequency, 0 for the most frequent; null if the table lacks the word. */
  rank(word: string): number | null
  readonly size: number
  readonly dimensions: number
  /** Adds a word's vector to `sum`; adds nothing if the table lacks the word. */
  add(word: string, sum: Float32Array): void
  /** Returns the product of a vector and the vector of each of these places; 0 for a place of -1. */
  along(vector: Float32Array, places: Int32Array): Float32Array
  /**
   * A second table, of the words of the simulations' questions: the vectors of a question's words add up to a vector
   * that is similar for questions with the same answer. Null if the file has none.
   */
  readonly questions: WordTable | null
}

const BYTES_OF_HEADER = 8
/** The table stores the vectors, whose length is one, as bytes: each component times this. */
const SCALE = 254

/**
 * Reads a table (`scripts/make-word-table.ts` makes it, and `scripts/train-word-table.ts` the table of questions behind
 * it, after a byte of zero). The vectors stay in `bytes`.
 *
 * @throws Error if the bytes are not a table
 */
export function readWordTable(file: ArrayBuffer | Uint8Array): WordTable {
  const bytes = file instanceof Uint8Array ? file : new Uint8Array(file)
  if (bytes.byteLength <= BYTES_OF_HEADER) throw new Error('this is no word table')
  const header = new DataView(bytes.buffer, bytes.byteOffset, BYTES_OF_HEADER)
  const [size, dimensions] = [header.getUint32(0, true), header.getUint32(4, true)]
  const end = BYTES_OF_HEADER + size * dimensions
  if (size === 0 || dimensions === 0 || bytes.byteLength <= end) throw new Error('this is no word table')
  const vectors = new Int8Array(bytes.buffer, bytes.byteOffset + BYTES_OF_HEADER, size * dimensions)
  const behind = bytes.indexOf(0, end)
  const words = new WordList(bytes.subarray(end, behind < 0 ? undefined : behind), size)
  const placeOf = (word: string) => words.placeOf(word)
  const along = (vector: Float32Array, others: Int32Array): Float32Array => {
    const products = new Float32Array(others.length)
    for (let index = 0; index < others.length; index += 1) {
      const start = others[index]! * dimensions
      if (start < 0) continue
      let sum = 0
      let at = 0
      // Four at a time, because this loop is a third of the cost of listening.
      for (; at + 3 < dimensions; at += 4)
        sum +=
          vector[at]! * vectors[start + at]! +
          vector[at + 1]! * vectors[start + at + 1]! +
          vector[at + 2]! * vectors[start + at + 2]! +
          vector[at + 3]! * vectors[start + at + 3]!
      for (; at < dimensions; at += 1) sum += vector[at]! * vectors[start + at]!
      products[index] = sum
    }
    return products
  }
  return {
    size,
    dimensions,
    rank: placeOf,
    questions: behind < 0 ? null : readWordTable(bytes.subarray(behind + 1)),
    add: (word, sum) => {
      const start = (placeOf(word) ?? -1) * dimensions
      if (start >= 0) for (let at = 0; at < dimensions; at += 1) sum[at] = sum[at]! + vectors[start + at]!
    },
    along,
    likenesses: (word, others, likes) => {
      const from = placeOf(word)
      if (from === null) return
      const own = new Float32Array(vectors.subarray(from * dimensions, (from + 1) * dimensions))
      const products = along(own, others)
      for (let index = 0; index < products.length; index += 1)
        if (others[index]! >= 0) likes[index] = products[index]! / (SCALE * SCALE)
    },
  }
}

/**
 * A list of words, each at its place. The words stay bytes, because tens of thousands of strings in a `Map` take more
 * memory than all the vectors.
 */
export class WordList {
  readonly size: number
  readonly #text: Uint8Array
  readonly #ends: Uint32Array
  /** An open hash table: the slot of a word's hash, or the next free one, has its place plus one. */
  readonly #slots: Uint16Array

  /**
   * @param text the words in UTF-8, one a line
   * @throws Error if the list has not `size` words, or more than 65,535
   */
  constructor(text: Uint8Array, size: number) {
    this.size = size
    this.#text = text
    this.#ends = new Uint32Array(size)
    let found = 0
    for (let at = 0; at <= text.length; at += 1) {
      if (at < text.length && text[at] !== LINE_FEED) continue
      if (found < size) this.#ends[found] = at
      found += 1
    }
    if (found !== size || size > MOST_WORDS) throw new Error('this is no word table')
    this.#slots = new Uint16Array(2 ** Math.ceil(Math.log2(size * 1.5)))
    for (let place = 0; place < size; place += 1)
      this.#slots[this.#slotOf(text.subarray(this.#startOf(place), this.#ends[place]), () => false)] = place + 1
  }

  /** Returns a word's place; null if the list lacks the word. */
  placeOf(word: string): number | null {
    const bytes = bytesOf(word)
    const slot = this.#slotOf(bytes, (place) => isAt(this.#text, this.#startOf(place), this.#ends[place]!, bytes))
    return this.#slots[slot] === 0 ? null : this.#slots[slot]! - 1
  }

  /** Returns the word at a place. */
  wordAt(place: number): string {
    return DECODER.decode(this.#text.subarray(this.#startOf(place), this.#ends[place]))
  }

  /** Returns the places of the words that begin with the same letter and are one typing error away. */
  slipsOf(word: string): readonly number[] {
    const [first, slips] = [word.charCodeAt(0), [] as number[]]
    for (let place = 0; place < this.size; place += 1) {
      const start = this.#startOf(place)
      // Most words are ruled out by their bytes, because it takes long to make strings of all.
      if (this.#text[start] !== first || Math.abs(this.#ends[place]! - start - word.length) > 1) continue
      if (oneSlip(word, this.wordAt(place))) slips.push(place)
    }
    return slips
  }

  #startOf(place: number): number {
    return place === 0 ? 0 : this.#ends[place - 1]! + 1
  }

  #slotOf(word: Uint8Array, isIt: (place: number) => boolean): number {
    let slot = hashOf(word) & (this.#slots.length - 1)
    while (this.#slots[slot] !== 0 && !isIt(this.#slots[slot]! - 1)) slot = (slot + 1) & (this.#slots.length - 1)
    return slot
  }
}

/** Returns a word in UTF-8. Nearly all are plain letters, and for a short text the encoder takes longer than all else. */
function bytesOf(word: string): Uint8Array {
  const bytes = new Uint8Array(word.length)
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at)
    if (code > 0x7f) return ENCODER.encode(word)
    bytes[at] = code
  }
  return bytes
}

const ENCODER = new TextEncoder()
const DECODER = new TextDecoder()
const MOST_WORDS = 65_535
const LINE_FEED = 10

/** Returns the hash of some bytes (FNV-1a, 32 bits). */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

function isAt(text: Uint8Array, start: number, end: number, word: Uint8Array): boolean {
  if (end - start !== word.length) return false
  for (let at = 0; at < word.length; at += 1) if (text[start + at] !== word[at]) return false
  return true
}
