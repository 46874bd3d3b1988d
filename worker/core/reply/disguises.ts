/** Figures and signs that are written for letters. */
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

/** The text with letters where figures may stand for them, or null where none do. */
export function withLetters(text: string): string | null {
  return text.search(FIGURE) < 0 ? null : text.replaceAll(FIGURE, (figure) => LETTERS.get(figure) ?? figure)
}

/** The text from its end to its beginning. */
export function reversed(text: string): string {
  return Array.from(text).toReversed().join('')
}

/** The text in rot13, small letters only. */
export function turned(text: string): string {
  return text.replaceAll(/[a-z]/g, (letter) => String.fromCharCode(97 + ((letter.charCodeAt(0) - 97 + 13) % 26)))
}

/** The text without the marks of HTML, which whoever reads it leaves out, or null where there are none. */
export function withoutTags(text: string): string | null {
  return TAG.test(text) ? text.replaceAll(TAGS, '') : null
}

const TAG = /<[^<>]{1,40}>/
const TAGS = /<[^<>]{1,40}>/g
