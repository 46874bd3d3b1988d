/** Longest label on an arrow, in code points. */
const LONGEST = 48

/** The name of a node or a box, quoted. Never empty: Mermaid does not read that. */
export function named(text: string): string {
  return quoted(text) || '(no name)'
}

/** What is on an arrow, quoted; cut where it is long, at a word if there is one not far back. */
export function shortened(text: string): string {
  const points = Array.from(oneLine(text))
  if (points.length <= LONGEST) return quoted(points.join(''))
  const space = points.lastIndexOf(' ', LONGEST - 1)
  const kept = points.slice(0, space > LONGEST / 2 ? space : LONGEST - 1)
  return quoted(`${kept.join('')}…`)
}

/**
 * Text as it may stand between Mermaid's quotes. Mermaid reads HTML, Markdown, comments and directives inside a label,
 * and knows no escape but `#34;`: so whatever is not a letter, a digit, a space or plain punctuation is written so.
 */
function quoted(text: string): string {
  return oneLine(text).replaceAll(UNSAFE, entity).replaceAll(EMPHASIS, entity).replace(LIST_MARK, entity)
}

// The last four are what Mermaid itself puts in the place of `#` and `;` while it reads.
const UNSAFE = /[^\p{L}\p{M}\p{N} .,!?'()_/@+…→-]|[ﬂ°¶ß]/gu
// Inside a word an underscore is one; at its rim it is Markdown, and so are a list's marks at the beginning.
const EMPHASIS = /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu
const LIST_MARK = /(?<=^\d*)[.)+-]/u

function oneLine(text: string): string {
  const visible = text.toWellFormed().replaceAll(/[\s\p{C}]+/gu, ' ')
  return visible.trim()
}

function entity(char: string): string {
  return `#${char.codePointAt(0) ?? 32};`
}
