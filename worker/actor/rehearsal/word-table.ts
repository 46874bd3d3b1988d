/** The meanings of common English words, as vectors that point in similar directions for words of similar meaning. */
export interface WordTable {
  /** Returns how alike each of `words` is to `word`: 1 for the same, about 0 for unrelated words or unknown ones. */
  likenesses(word: string, words: readonly string[]): Float32Array
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
    likenesses: (word, others) => {
      const from = places.get(word)
      return Float32Array.from(others, (other) => {
        if (other === word) return 1
        const to = places.get(other)
        if (from === undefined || to === undefined) return 0
        let sum = 0
        for (let at = 0; at < dimensions; at += 1)
          sum += (vectors[from * dimensions + at] ?? 0) * (vectors[to * dimensions + at] ?? 0)
        return sum / (SCALE * SCALE)
      })
    },
  }
}
