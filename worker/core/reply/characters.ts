/** Hyphens, dashes and minus signs: every character that a reader may take for a hyphen. */
export const DASHES =
  '-\u058a\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u207b\u208b\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d'

const DASH_SET = new Set(DASHES)
const SPACE = /^[\t\p{Zs}]$/u

export function isDash(point: string): boolean {
  return DASH_SET.has(point)
}

/** Returns true for white space that does not end a line. */
export function isSpace(point: string): boolean {
  return point === ' ' || point === '\t' || (point > '\u007f' && SPACE.test(point))
}

/**
 * Returns the first `limit` UTF-16 code units of `text`, or one code unit fewer if the limit would cut a surrogate
 * pair.
 */
export function cap(text: string, limit: number): string {
  if (text.length <= limit) return text
  const last = text.charCodeAt(limit - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit)
}

/**
 * Returns a text that has at most `limit` UTF-16 code units. A longer text is cut, and ends with `…` and no blank before
 * it.
 */
export function shortened(text: string, limit: number): string {
  return text.length <= limit ? text : `${cap(text, limit - 1).trimEnd()}…`
}

/** Returns the number of bytes of a text in UTF-8. */
export function bytesOf(text: string): number {
  let bytes = 0
  for (const point of text) {
    const code = point.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4
  }
  return bytes
}
