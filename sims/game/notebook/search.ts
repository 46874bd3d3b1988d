/** A part of a text, in UTF-16 code units. `to` is the first unit after it. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** A piece of a text that is either a hit or not. */
export interface TextPiece {
  readonly text: string
  readonly hit: boolean
}

/** The words of a search, each once, folded for comparison. */
export function wordsOf(question: string): readonly string[] {
  return [...new Set(fold(question).plain.split(/\s+/))].filter((word) => word !== '')
}

/** True if the texts contain every word, also in the middle of another word. Without words it is true. */
export function holdsAll(words: readonly string[], texts: readonly string[]): boolean {
  const plain = texts.map((text) => fold(text).plain)
  return words.every((word) => plain.some((text) => text.includes(word)))
}

/** The ranges of the words in the original text: in order, without overlaps. */
export function hitsIn(words: readonly string[], text: string): readonly Range[] {
  if (words.length === 0) return []
  const { plain, origin } = fold(text)
  const found: Range[] = []
  for (const word of words)
    for (let at = plain.indexOf(word); at !== -1; at = plain.indexOf(word, at + 1))
      found.push({ from: origin[at]?.from ?? 0, to: origin[at + word.length - 1]?.to ?? text.length })
  return joined(found)
}

/** Cuts the text from `from` to `to` at the ends of the hits. Put together, the pieces are the text again. */
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
 * Folds a text for comparison: small letters without accents, plain quotes and blanks, no commas within figures. `origin` gives
 * the original range of each code unit. An accent that follows its letter belongs to the letter.
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

/** Characters without a removable accent, and how people write them who have no key for them. */
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
