import { DASHES } from './characters.ts'

/** A dash as wide as two or more. Not a character that cleaned text can hold. */
export const WIDE_DASH = '\u0001'

/** Joins or styles what stands beside it and shows nothing itself. */
export const JOINED = '\u0003'

const OTHER = '\u0002'
const JOINS = new Set('\u200c\u200d\ufe0e\ufe0f\u180b\u180c\u180d\u180e\u180f')
const WIDE_DASHES = new Set('\u2e3a\u2e3b')
// Box drawing and block elements, bars, the heavy minus, the Katakana mark, the Chinese one: a dash to the eye.
const LIKE_A_DASH = new RegExp(`^[${DASHES}\u2500-\u259f\u25ac\u23af\u23e4\u2796\u30fc\uff70\u4e00\u02d7\u1806]$`, 'u')
const LIKE_A_COLON = new Set('\u2236\ua789\u02d0\u05c3')
/** Letters of other scripts that cannot be told from E, N and D. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({ Е: 'E', Ε: 'E', е: 'e', Ν: 'N', Ꭰ: 'D', ԁ: 'd' }),
)

/**
 * What each of `points` (cleaned code points) looks like: one UTF-16 code unit for each, so that an index into the
 * skeleton is an index into `points`. Every dash is `-` or `WIDE_DASH`, every colon `:`, and letters that are written
 * wide, bold or in a circle are the plain letters (NFKC).
 */
export function skeletonOf(points: readonly string[]): string {
  return points.map((point) => (point < '\u007f' ? point : look(point))).join('')
}

function look(point: string): string {
  if (WIDE_DASHES.has(point)) return WIDE_DASH
  if (LIKE_A_DASH.test(point)) return '-'
  if (LIKE_A_COLON.has(point)) return ':'
  if (JOINS.has(point)) return JOINED
  const framed = framedLetter(point, FRAMED_ALPHABETS)
  if (framed !== null) return framed
  const plain = point.normalize('NFKC')
  if (plain.length === 1) return LIKE_A_DASH.test(plain) ? '-' : (LOOKALIKES.get(plain) ?? plain)
  if (/^\p{Lu}$/u.test(point)) return 'A'
  return /^\p{L}$/u.test(point) ? 'a' : OTHER
}

/** Where the alphabets stand that NFKC does not unfold: white on black in a circle, in a square. */
export const FRAMED_ALPHABETS: readonly number[] = [0x1f150, 0x1f170]

/** The capital letter that `point` is in one of these alphabets, each named by its first code point; null if in none. */
export function framedLetter(point: string, alphabets: readonly number[]): string | null {
  const code = point.codePointAt(0) ?? 0
  const first = alphabets.find((start) => code >= start && code < start + 26)
  return first === undefined ? null : String.fromCharCode(65 + code - first)
}
