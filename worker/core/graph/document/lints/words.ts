/** Splits a text into lower-case words, without punctuation. */
export function wordsIn(text: string): readonly string[] {
  return (
    text
      .toLowerCase()
      .replaceAll(/[’`]/g, "'")
      .match(/[\p{L}\p{N}]+(?:'[\p{L}]+)?/gu) ?? []
  )
}

/** Returns the words with a meaning of their own, without endings: "asks", "asked" and "asking" are the same. */
export function contentWordsIn(text: string): ReadonlySet<string> {
  return new Set(
    wordsIn(text)
      .filter((word) => !EMPTY.has(word))
      .map(stem),
  )
}

/** Returns true if a text contains a negation. */
export function isNegative(text: string): boolean {
  return wordsIn(text).some((word) => NEGATIONS.has(word) || word.endsWith("n't"))
}

function stem(word: string): string {
  const bare = word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, '') : word
  return bare.length < 3 ? word : bare
}

const EMPTY = new Set(
  'a an the this that these those and or of to in on at by for from with is are was were be been being has have had do does did it its their they them he she his her who which what'.split(
    ' ',
  ),
)

const NEGATIONS = new Set('no not never none neither nor nothing nobody without cannot lacks unable'.split(' '))
