/**
 * Returns pseudo-localised texts: with accents, a third longer, and marked at both ends. A right-to-left page shows
 * these texts, to reveal text that is cut off, joined from pieces or written in the code instead of a file of texts.
 * The page makes the texts from English when it loads.
 */
export function pseudo<T>(texts: T): T {
  return turned(texts) as T
}

function turned(value: unknown): unknown {
  if (typeof value === 'string') return pseudoText(value)
  if (typeof value === 'function') return (...given: unknown[]): unknown => turned(Reflect.apply(value, null, given))
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, turned(each)]))
}

/** Turns "Close" into "⟦Çļöşé~~⟧". */
export function pseudoText(text: string): string {
  if (text.trim() === '') return text
  // The product's name is the same in every language.
  const accented = text.replaceAll(/Walkon|./gsu, (part) => ACCENTED[part] ?? part)
  // No word is as long as a third of a sentence, so spaces divide the filler of a long text.
  const longer = '~'.repeat(Math.ceil(text.length / 3)).replaceAll(/~{12}(?=~)/g, '$& ')
  return `⟦${accented}${longer}⟧`
}

const ACCENTED: Partial<Record<string, string>> = {
  a: 'å',
  c: 'ç',
  e: 'é',
  g: 'ğ',
  i: 'î',
  l: 'ļ',
  n: 'ñ',
  o: 'ö',
  r: 'ŕ',
  s: 'ş',
  t: 'ţ',
  u: 'û',
  y: 'ý',
  z: 'ž',
  A: 'Å',
  C: 'Ç',
  E: 'É',
  G: 'Ğ',
  I: 'Î',
  L: 'Ļ',
  N: 'Ñ',
  O: 'Ö',
  R: 'Ŕ',
  S: 'Ş',
  T: 'Ţ',
  U: 'Û',
  Y: 'Ý',
  Z: 'Ž',
}
