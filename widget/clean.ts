/**
 * Removes characters that are invisible but can hide or reorder text: control characters, bidirectional marks,
 * overrides and isolates, zero-width characters, fillers, tags and most variation selectors. Line breaks and tabs stay.
 * The joiners and selectors that Persian, Mongolian and emoji need also stay.
 *
 * The service (`worker/core/text`) cleans all text that it receives and sends. The service also looks at a character's
 * neighbours, so the service removes some characters that this function keeps. Lone surrogates stay, because a piece of
 * a reply may end in the middle of a surrogate pair.
 */
export function clean(text: string): string {
  return text.replace(HIDDEN, '')
}

const HIDDEN =
  // oxlint-disable-next-line no-misleading-character-class -- the class lists combining and joining characters on purpose
  /(?![\t\n\r\u180b-\u180f\u200c\u200d\ufe0e\ufe0f])[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu

/**
 * Cleans an author's text and prints it as a book does, with curly apostrophes and pairs of quotation marks. What the
 * learner has typed, code and addresses are only cleaned.
 */
export function typeset(text: string): string {
  return clean(text)
    .replace(/([\p{L}\p{N}])'|'(?=\p{L})/gu, '$1’')
    .replace(/(^|[\s(])"([^"\n]+)"/g, '$1“$2”')
}

/** Returns the first word of a name, for example "Maya" for "Maya Patel". */
export function shortName(name: string): string {
  return name.replace(/ .*/, '')
}

/**
 * Returns the first sentence of a text, and those after it until there are 25 characters: the rest of an answer is more
 * than a learner who typed another one has said.
 */
export function firstSentence(text: string): string {
  return text.replace(/^(.{24}.*?[.?!])\s.*$/s, '$1')
}

/** Returns the last sentence of a text: of a colleague's question, what they ask. */
export function lastSentence(text: string): string {
  return text.replace(/^.*[.?!؟]\s/s, '')
}
