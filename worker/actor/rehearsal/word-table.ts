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
}

const BYTES_OF_HEADER = 8
/** The table stores the vectors, whose length is one, as bytes: each component times this. */
const SCALE = 254

/**
 * Reads a table (`scripts/make-word-table.ts` makes it). The vectors stay in `bytes`.
 *
 * @throws Error if the bytes are not a table
 */
export function readWordTable(bytes: ArrayBuffer): WordTable {
  if (bytes.byteLength <= BYTES_OF_HEADER) throw new Error('this is no word table')
  const [size = 0, dimensions = 0] = new Uint32Array(bytes, 0, 2)
  const end = BYTES_OF_HEADER + size * dimensions
  if (size === 0 || dimensions === 0 || bytes.byteLength <= end) throw new Error('this is no word table')
  const vectors = new Int8Array(bytes, BYTES_OF_HEADER, size * dimensions)
  const words = new TextDecoder().decode(new Uint8Array(bytes, end)).split('\n')
  if (words.length !== size) throw new Error('this is no word table')
  const places = new Map(words.map((word, place) => [word, place]))
  return {
    size,
    rank: (word) => places.get(word) ?? null,
    likenesses: (word, others, likes) => {
      const from = places.get(word)
      if (from === undefined) return
      const own = vectors.subarray(from * dimensions, (from + 1) * dimensions)
      for (let index = 0; index < others.length; index += 1) {
        const start = others[index]! * dimensions
        if (start < 0) continue
        let sum = 0
        let at = 0
        // Four at a time, because this loop is a third of the cost of listening.
        for (; at + 3 < dimensions; at += 4)
          sum +=
            own[at]! * vectors[start + at]! +
            own[at + 1]! * vectors[start + at + 1]! +
            own[at + 2]! * vectors[start + at + 2]! +
            own[at + 3]! * vectors[start + at + 3]!
        for (; at < dimensions; at += 1) sum += own[at]! * vectors[start + at]!
        likes[index] = sum / (SCALE * SCALE)
      }
    },
  }
}
