/** The position of a part within a text, in UTF-16 code units. `to` is the first unit after the part. */
export interface Range {
  readonly from: number
  readonly to: number
}

/**
 * A piece of a text. `hit` is true if the whole piece matches the search, and false if no part of the piece matches.
 */
export interface TextPiece {
  readonly text: string
  readonly hit: boolean
}

/** Splits the text of a search into its words. The result contains each word once, folded for comparison. */
export function wordsOf(question: string): readonly string[] {
  return [...new Set(fold(question).plain.split(/\s+/))].filter((word) => word !== '')
}

/**
 * Returns true if each word occurs in one of the texts, also inside another word. Returns true if there are no words.
 */
export function holdsAll(words: readonly string[], texts: readonly string[]): boolean {
  const plain = texts.map((text) => fold(text).plain)
  return words.every((word) => plain.some((text) => text.includes(word)))
}

/** Returns the ranges of the search's words in the original text, in order and without overlaps. */
export function hitsIn(words: readonly string[], text: string): readonly Range[] {
  if (words.length === 0) return []
  const { plain, origin } = fold(text)
  const found: Range[] = []
  for (const word of words)
    for (let at = plain.indexOf(word); at !== -1; at = plain.indexOf(word, at + 1))
      found.push({ from: origin[at]?.from ?? 0, to: origin[at + word.length - 1]?.to ?? text.length })
  return joined(found)
}

/**
 * Splits the text from `from` to `to` into pieces that match a search and pieces that don't. Joined, the pieces are
 * that text.
 */
export function piecesOf(text: string, hits: readonly Range[], from = 0, to = text.length): readonly TextPiece[] {
  const pieces: TextPiece[] = []
  const add = (begin: number, end: number, hit: boolean) => {
    if (begin < end) pieces.push({ text: text.slice(begin, end), hit })
  }
  let at = from
  for (const hit of hits) {
    if (hit.to <= at || hit.from >= to) continue
    add(at, hit.from, false)
    add(Math.max(at, hit.from), Math.min(to, hit.to), true)
    at = Math.min(to, hit.to)
  }
  add(at, to, false)
  return pieces
}

function joined(ranges: readonly Range[]): readonly Range[] {
  const apart: Range[] = []
  for (const range of ranges.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const last = apart.at(-1)
    if (last && range.from <= last.to) apart[apart.length - 1] = { from: last.from, to: Math.max(last.to, range.to) }
    else apart.push(range)
  }
  return apart
}

/**
 * Folds a text for comparison: small letters without accents, plain quotes and spaces, no commas within figures. In the
 * result, `plain` is the folded text. For each code unit of `plain`, `origin` contains the range of the original text
 * that the code unit comes from. A combining accent belongs to the range of the letter before the accent.
 */
function fold(text: string): { readonly plain: string; readonly origin: readonly Range[] } {
  let plain = ''
  const origin: Range[] = []
  let at = 0
  for (const character of text) {
    const [from, to] = [at, at + character.length]
    at = to
    const isGrouping = character === ',' && /\d$/.test(text.slice(0, from)) && /^\d{3}(?!\d)/.test(text.slice(to))
    const folded = isGrouping ? '' : foldCharacter(character)
    if (folded === '' && !isGrouping && origin.length > 0) {
      const last = origin.at(-1)
      for (let back = origin.length - 1; last && origin[back] === last; back--) origin[back] = { from: last.from, to }
    }
    const source = { from, to }
    for (let unit = 0; unit < folded.length; unit++) origin.push(source)
    plain += folded
  }
  return { plain, origin }
}

function foldCharacter(character: string): string {
  const lower = character.normalize('NFKD').toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
  return lower.replace(/[‘’ʼ“”«»‐‑–—\s]|[øłđßæœı]/gu, (found) => PLAIN[found] ?? ' ')
}

/**
 * Characters without an accent that could be removed, each with what people type instead if their keyboard lacks it.
 */
const PLAIN: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  ʼ: "'",
  '“': '"',
  '”': '"',
  '«': '"',
  '»': '"',
  '‐': '-',
  '‑': '-',
  '–': '-',
  '—': '-',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
}
