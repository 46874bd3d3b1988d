/** The meanings of common English words, as vectors that point in similar directions for similar words. */
export interface WordTable {
  /** Returns how alike two words are: 1 for the same, about 0 for unrelated ones; null if the table lacks one of them. */
  likeness(a: string, b: string): number | null
  /** Returns a word's place by frequency, 0 for the most frequent; null if the table lacks the word. */
  rank(word: string): number | null
  readonly size: number
}

const BYTES_OF_HEADER = 8
/** The table stores a vector of length one as bytes, times this. */
const SCALE = 254

/**
 * Reads a table (`scripts/make-word-table.ts` describes the form). The vectors stay in `bytes`.
 *
 * @throws Error if the bytes are not a table
 */
export function readWordTable(bytes: ArrayBuffer): WordTable {
  const [size = 0, dimensions = 0] = new Uint32Array(bytes.slice(0, BYTES_OF_HEADER))
  const end = BYTES_OF_HEADER + size * dimensions
  if (size === 0 || dimensions === 0 || bytes.byteLength <= end) throw new Error('this is no word table')
  const vectors = new Int8Array(bytes, BYTES_OF_HEADER, size * dimensions)
  const words = new TextDecoder().decode(new Uint8Array(bytes, end)).split('\n')
  if (words.length !== size) throw new Error('this is no word table')
  const places = new Map(words.map((word, place) => [word, place]))
  return {
    size,
    rank: (word) => places.get(word) ?? null,
    likeness: (a, b) => {
      const [from, to] = [places.get(a), places.get(b)]
      if (from === undefined || to === undefined) return null
      let sum = 0
      for (let at = 0; at < dimensions; at += 1)
        sum += (vectors[from * dimensions + at] ?? 0) * (vectors[to * dimensions + at] ?? 0)
      return sum / (SCALE * SCALE)
    },
  }
}
