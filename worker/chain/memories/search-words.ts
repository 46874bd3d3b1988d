/** More words than that, and longer ones, say no more of what is looked for. In UTF-16 code units. */
const MOST_WORDS = 16
const WORD_CHARACTERS = 64

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu

/**
 * The words that a search goes by, each once, in the order in which they stand. Common English words are left out, unless
 * there are no others. Nothing else of a query reaches the index: what is written there as an operator is a word, or nothing.
 */
export function searchWords(query: string): readonly string[] {
  const words = [...query.toLowerCase().matchAll(WORD)].map(([word]) => word).filter(isShort)
  const telling = words.filter((word) => !COMMON.has(word))
  return [...new Set(telling.length === 0 ? words : telling)].slice(0, MOST_WORDS)
}

/** A word as an FTS5 query: a string of the index's own syntax, which a word cannot leave. */
export function wordQuery(word: string): string {
  return `content : "${word}"`
}

function isShort(word: string): boolean {
  return word.length <= WORD_CHARACTERS
}

const COMMON: ReadonlySet<string> = new Set(
  'a about after again all also am an and any are as at be because been before but by can could did do does for from get got had has have he her here him his how i if in into is it its just let me might mine more most my no not now of on or our out over said say says she should since so some than that the their them then there these they this those to too up us very was we were what when where which while who whom whose why will with would you your'.split(
    ' ',
  ),
)
