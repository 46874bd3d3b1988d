/**
 * Words that look foreign and stay readable: accents, longer by a third, marked at both ends, from right to left. What is
 * cut off, glued together or not in the catalogue shows at a glance. Made from English while the page is loaded.
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

/** "Close" becomes "⟦Çļöşé~~⟧". */
export function pseudoText(text: string): string {
  if (text.trim() === '') return text
  // The house's name is no word: it is the same in every language.
  const accented = text.replaceAll(/Walkon|./gsu, (part) => ACCENTED[part] ?? part)
  // No language has a word as long as a third of a sentence: what is longer breaks, as words do.
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
