/**
 * Drops what can hide or reorder text but shows nothing itself: control characters, bidirectional overrides and
 * isolates, zero-width spaces, tags and the supplementary variation selectors. Line breaks and tabs stay, and so do
 * ZWJ, ZWNJ and the plain variation selectors: Persian and emoji are wrong without them.
 *
 * The server does the same on the way in; this is the second reading, for text it did not write.
 */
export function clean(text: string): string {
  return text.replace(HIDDEN, '')
}

const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- the control characters are the point
  /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu
