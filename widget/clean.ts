/**
 * Drops what can hide or reorder text but shows nothing itself: control characters, bidirectional marks, overrides and
 * isolates, zero-width characters, fillers, tags and most variation selectors. Line breaks and tabs stay, and so do the
 * joiners and the selectors that Persian, Mongolian and emoji are wrong without.
 *
 * The service does the same on the way in and out, and also checks the neighbours of each character (`worker/core/text`).
 * This second check removes nothing that the service lets through. Lone surrogates stay, because a piece of a reply may
 * end inside a pair.
 */
export function clean(text: string): string {
  return text.replace(HIDDEN, '')
}

const HIDDEN =
  // oxlint-disable-next-line no-misleading-character-class -- the class lists combining and joining characters on purpose
  /(?![\t\n\r\u180b-\u180f\u200c\u200d\ufe0e\ufe0f])[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu

/** The first word of a name: "Maya Patel" in a button is "Maya". */
export function shortName(name: string): string {
  return name.replace(/ .*/, '')
}
