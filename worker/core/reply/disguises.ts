/**
 * Returns the text itself and every text that it contains in base64 or in hexadecimal, because an actor that copies a
 * text may also decode it.
 */
export function readings(text: string): readonly string[] {
  const coded = [
    ...Array.from(text.matchAll(BASE64), ([token]) => bytesOfBase64(token)),
    ...Array.from(text.matchAll(HEXADECIMAL), ([token]) => bytesOfHexadecimal(token)),
  ]
  return [text, ...coded.map(textOf).filter((decoded) => LEGIBLE.test(decoded))]
}

/**
 * `BASE64` matches base64 in both alphabets, without padding; `HEXADECIMAL` matches hexadecimal. Both patterns match
 * six bytes or more, because `exit=0` is the shortest answer that can be copied.
 */
const BASE64 = /[A-Za-z0-9+/_-]{8,}/g
const HEXADECIMAL = /[0-9A-Fa-f]{2}(?:[\s:,]{0,2}(?:0x|\\x)?[0-9A-Fa-f]{2}){5,}/g

/**
 * Matches decoded text that is readable. An ordinary word can be decoded as base64 too, but gives unreadable
 * characters.
 */
const LEGIBLE = /^[\t\n\r -~]{6,}/

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function bytesOfBase64(token: string): readonly number[] {
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const digit of token.replaceAll('-', '+').replaceAll('_', '/')) {
    held = ((held << 6) | DIGITS.indexOf(digit)) & 0xffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >> bits) & 0xff)
  }
  return bytes
}

function bytesOfHexadecimal(token: string): readonly number[] {
  return Array.from(token.replaceAll(/0x|\\x/g, '').matchAll(/[0-9A-Fa-f]{2}/g), ([pair]) => Number.parseInt(pair, 16))
}

/** Converts bytes to text, one character for each byte, because only ASCII is compared. */
function textOf(bytes: readonly number[]): string {
  return bytes.map((byte) => String.fromCharCode(byte)).join('')
}

/** Digits and signs that people write in place of letters. */
export const FIGURES: Readonly<Record<string, string>> = {
  o: '0',
  i: '1!',
  e: '3',
  a: '4@',
  s: '5$',
  t: '7',
  g: '9',
}

const LETTERS = new Map(
  Object.entries(FIGURES).flatMap(([letter, figures]) => Array.from(figures, (figure) => [figure, letter] as const)),
)
const FIGURE = /[0134579$@!]/g

/**
 * Puts letters in place of the digits and signs of `FIGURES`. Returns null if the text has no such digits and signs.
 */
export function withLetters(text: string): string | null {
  return text.search(FIGURE) < 0 ? null : text.replaceAll(FIGURE, (figure) => LETTERS.get(figure) ?? figure)
}

/** Reverses the text. */
export function backwards(text: string): string {
  return Array.from(text).toReversed().join('')
}

/** Applies rot13 to small letters only. */
export function rot13(text: string): string {
  return text.replaceAll(/[a-z]/g, (letter) => String.fromCharCode(97 + ((letter.charCodeAt(0) - 97 + 13) % 26)))
}

/** Removes HTML tags, which a model skips when it reads. Returns null if the text has no tags. */
export function withoutTags(text: string): string | null {
  return TAG.test(text) ? text.replaceAll(TAGS, '') : null
}

const TAG = /<[^<>]{1,40}>/
const TAGS = /<[^<>]{1,40}>/g
