/**
 * A text as terms are looked for in it: small letters, plain quotes, dashes and blanks, no marks of emphasis, nothing that
 * nobody can see, no commas within figures, and a percent sign right behind its figure.
 */
export function plainOf(text: string): string {
  return (
    text
      // In front of the normal form, which makes plain blanks of them: between two figures those would mean nothing.
      .replace(/(\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))/g, '$1')
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\p{Cf}*`]/gu, '')
      .replace(/[‘’‚ʼ]/g, "'")
      .replace(/[“”„]/g, '"')
      .replace(/[‐‒–—−]/g, '-')
      .replace(/\s+/g, ' ')
      .replace(/(\d),(?=\d{3}(?!\d))/g, '$1')
      .replace(/(\d) ?(?:%|per ?cent(?![\p{L}\p{N}]))/gu, '$1%')
      .replace(/([$€£]) (?=\d)/g, '$1')
      .trim()
  )
}

/** Whether a term stands in a text by itself, both plain: 2.0% does not stand in 12.0%, nor "ten" in "often". */
export function stands(plain: string, term: string): boolean {
  if (term === '') return false
  const isOpen = WORD.test(term.at(0) ?? '')
  const isOpenAtEnd = WORD.test(term.at(-1) ?? '')
  for (let at = plain.indexOf(term); at !== -1; at = plain.indexOf(term, at + 1)) {
    const end = at + term.length
    if (!(isOpen && goesOn(plain, at - 1, -1)) && !(isOpenAtEnd && goesOn(plain, end, 1))) return true
  }
  return false
}

const WORD = /[\p{L}\p{N}\p{M}]/u
const DIGIT = /\d/

/** Whether a word or a figure goes on at this place: a point between two digits ends no figure. */
function goesOn(plain: string, at: number, onward: 1 | -1): boolean {
  const here = plain[at] ?? ' '
  if (WORD.test(here)) return true
  const [inside = ' ', beyond = ' '] = [plain[at - onward], plain[at + onward]]
  return (here === '.' || here === ',') && DIGIT.test(inside) && DIGIT.test(beyond)
}
