import { DASHES } from './characters.ts'
import { clean } from '../text/clean.ts'

/**
 * The character that represents a dash as wide as two or more dashes in a skeleton (`skeletonOf`). Cleaned text never
 * contains this character.
 */
export const WIDE_DASH = '\u0001'

/**
 * The character that represents, in a skeleton, an invisible character that joins its neighbours or changes their
 * style.
 */
export const JOINED = '\u0003'

const OTHER = '\u0002'
const JOINS = new Set('\u200c\u200d\ufe0e\ufe0f\u180b\u180c\u180d\u180e\u180f')
const WIDE_DASHES = new Set('\u2e3a\u2e3b')
// Box drawing, block elements, bars, the heavy minus, and the Katakana and Chinese marks all look like dashes.
const LIKE_A_DASH = new RegExp(`^[${DASHES}\u2500-\u259f\u25ac\u23af\u23e4\u2796\u30fc\uff70\u4e00\u02d7\u1806]$`, 'u')
const LIKE_A_COLON = new Set('\u2236\ua789\u02d0\u05c3')
/** Letters of other scripts that look like E, N and D. */
const SEPARATOR_LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({ Е: 'E', Ε: 'E', е: 'e', Ν: 'N', Ꭰ: 'D', ԁ: 'd' }),
)

/**
 * Returns what each code point looks like, one UTF-16 code unit each, so that an index into the skeleton is an index
 * into `points`. Every dash becomes `-` or `WIDE_DASH`, every colon `:`. Wide, bold and circled letters become plain
 * letters (NFKC).
 *
 * @param points code points of cleaned text
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
  if (plain.length === 1) return LIKE_A_DASH.test(plain) ? '-' : (SEPARATOR_LOOKALIKES.get(plain) ?? plain)
  if (/^\p{Lu}$/u.test(point)) return 'A'
  return /^\p{L}$/u.test(point) ? 'a' : OTHER
}

/**
 * The first code points of two alphabets that NFKC does not map to plain letters: white letters in a black circle, and
 * white letters in a black square.
 */
const FRAMED_ALPHABETS: readonly number[] = [0x1f150, 0x1f170]

/**
 * Returns the capital letter that `point` shows in one of these alphabets, or null.
 *
 * @param alphabets the alphabets to search, each given by its first code point
 */
function framedLetter(point: string, alphabets: readonly number[]): string | null {
  const code = point.codePointAt(0) ?? 0
  const first = alphabets.find((start) => code >= start && code < start + 26)
  return first === undefined ? null : String.fromCharCode(65 + code - first)
}

/**
 * Reduces a text for comparison. Removes invisible characters, letter case, accents, the width and style of characters,
 * white space, quotes, and all escapes.
 */
export function fold(text: string): string {
  return withoutSpaces(spaced(text))
}

/** Removes spaces and quotes, which `spaced` leaves in a text and `fold` does not. */
export function withoutSpaces(text: string): string {
  return text.replaceAll(' ', '').replaceAll(QUOTES, '')
}

/** Reduces a text like `fold`, but keeps quotes and replaces each run of white space with one space. */
export function spaced(text: string): string {
  let plain = undressed(text)
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const decoded = plain.replaceAll(ESCAPED_POINT, decodedPoint)
    if (decoded === plain) break
    plain = undressed(decoded)
  }
  return plain.replaceAll('\\', '').replaceAll(/\s+/g, ' ')
}

const QUOTES = /["'“”‘’`]/g

/**
 * The maximum number of nested escapes that are decoded. An actor that only copies a text does not decode deeper
 * escapes.
 */
const DEEPEST = 4

/**
 * Matches escapes as in JSON, scripts, octal, HTML, URLs and Unicode charts. The pattern matches only at the beginning
 * of a run of backslashes; otherwise a long run would be tried from each of its backslashes.
 */
const ESCAPED_POINT =
  /(?<!\\)\\+u([0-9a-f]{4})|(?<!\\)\\+u\{([0-9a-f]{1,6})\}|(?<!\\)\\+x([0-9a-f]{2})|&#x([0-9a-f]{1,6});|%([0-9a-f]{2})|u\+([0-9a-f]{4})|&#(\d{1,7});|(?<!\\)\\+([0-7]{3})|(&lowbar;|&underbar;)/g

function decodedPoint(
  ...[found, u, braced, x, entity, percent, chart, decimal, octal, bar]: readonly string[]
): string {
  if (bar !== undefined) return '_'
  const hexadecimal = u ?? braced ?? x ?? entity ?? percent ?? chart
  const code =
    hexadecimal === undefined
      ? Number.parseInt(decimal ?? octal ?? '', decimal === undefined ? 8 : 10)
      : Number.parseInt(hexadecimal, 16)
  return code <= 0x10ffff ? String.fromCodePoint(code) : (found ?? '')
}

function undressed(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  const joined = clean(text).replaceAll(LIKE_A_LOW_LINE, '_').replaceAll(FRAMED, unframed)
  const lower = joined.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return lower.replaceAll(NOT_LATIN, (point) => LOOKALIKES.get(point) ?? point)
}

const PLAIN = /^[\t\n -~]*$/
const LIKE_A_LOW_LINE = /[\u2017\u02cd\u2581\u23bd]/g

/**
 * The alphabets that `unframed` maps to plain letters. The last alphabet has the letters of which flag emoji consist;
 * NFKD leaves them unchanged.
 */
const ALPHABETS = [...FRAMED_ALPHABETS, 0x1f1e6]
const FRAMED = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu

function unframed(point: string): string {
  return framedLetter(point, ALPHABETS) ?? point
}

/** Letters, small capitals among them, that look like the small Latin letters of a field's name. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аαɑᴀ',
    b: 'вʙᏼ',
    c: 'сϲᴄꮯ',
    d: 'ԁđɖᴅꭰ',
    e: 'еεєᴇꭼ',
    f: 'ƒꜰғ',
    g: 'ɡɢꮐ',
    h: 'һʜꮋ',
    i: 'іιıɩɪꭵ',
    j: 'јᴊꭻ',
    l: 'ӏłʟꮮ',
    m: 'мᴍꮇ',
    n: 'ոηпɴ',
    o: 'оοօøɵᴏꮎ',
    p: 'рρᴘꮲ',
    r: 'гʀꭱꮢ',
    s: 'ѕꜱꮪ',
    t: 'тτᴛꭲ',
    u: 'υսʋᴜ',
    v: 'νѵᴠꮩ',
    x: 'хχ',
    y: 'уʏ',
  }).flatMap(([latin, others]) => Array.from(others, (other): [string, string] => [other, latin])),
)
const NOT_LATIN = new RegExp(`[${[...LOOKALIKES.keys()].join('')}]`, 'gu')
