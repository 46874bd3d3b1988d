import type { ProposedOperation } from '../../core/assistant/editor-operations.ts'

/** Common misspellings, and how they are spelt. */
const SPELT: Readonly<Record<string, string>> = {
  teh: 'the',
  adn: 'and',
  recieve: 'receive',
  recieved: 'received',
  seperate: 'separate',
  seperately: 'separately',
  definately: 'definitely',
  occured: 'occurred',
  occurence: 'occurrence',
  untill: 'until',
  wich: 'which',
  thier: 'their',
  becuase: 'because',
  beleive: 'believe',
  acheive: 'achieve',
  accomodate: 'accommodate',
  adress: 'address',
  arguement: 'argument',
  calender: 'calendar',
  commitee: 'committee',
  embarass: 'embarrass',
  enviroment: 'environment',
  existance: 'existence',
  goverment: 'government',
  grammer: 'grammar',
  happend: 'happened',
  immediatly: 'immediately',
  independant: 'independent',
  knowlege: 'knowledge',
  liason: 'liaison',
  neccessary: 'necessary',
  necesary: 'necessary',
  noticable: 'noticeable',
  occassion: 'occasion',
  posession: 'possession',
  prefered: 'preferred',
  publically: 'publicly',
  realy: 'really',
  reccomend: 'recommend',
  refered: 'referred',
  succesful: 'successful',
  sucess: 'success',
  suprise: 'surprise',
  tommorow: 'tomorrow',
  tommorrow: 'tomorrow',
  truely: 'truly',
  wierd: 'weird',
  writen: 'written',
  dont: "don't",
  doesnt: "doesn't",
  isnt: "isn't",
  wont: "won't",
  cant: "can't",
  didnt: "didn't",
  alot: 'a lot',
}

/** Something wrong at a place of a text, and what is right. */
export interface Slip {
  readonly start: number
  readonly length: number
  readonly text: string
  readonly why:
    | 'spelling'
    | 'a repeated word'
    | 'an extra space'
    | '"a" before a consonant'
    | '"an" before a vowel'
    | 'a sentence begins with a capital'
}

/** The most changes of one reading. */
const MOST = 30

/**
 * Finds slips in an English text: misspellings, doubled words, blanks before a comma or a full stop, doubled blanks, `a`
 * and `an`, and sentences that begin with a small letter. Code, links and frontmatter are left alone. Each change is of
 * whole words, and says what stands around them if the same words stand elsewhere too.
 *
 * @param only the words to which the changes are restricted; null for no restriction
 * @param kinds the kinds of slips to which they are restricted; null for no restriction
 */
export function proofread(
  content: string,
  only: readonly string[] | null = null,
  kinds: readonly Slip['why'][] | null = null,
): readonly ProposedOperation[] {
  const safe = masked(content)
  const all = [...misspelt(safe), ...doubled(safe), ...blanks(safe), ...articles(safe), ...small(safe)]
  const slips = kinds === null ? all : all.filter(({ why }) => kinds.includes(why))
  const apart: Slip[] = []
  for (const slip of slips.toSorted((a, b) => a.start - b.start || b.length - a.length)) {
    const last = apart.at(-1)
    if (!last || slip.start >= last.start + last.length) apart.push(slip)
  }
  const places = joined(apart.map((slip) => placeOf(content, slip)))
  return places
    .map((place) => changeAt(content, place))
    .filter(({ quote, text }) => only === null || only.some((word) => [quote, text].some((part) => has(part, word))))
    .slice(0, MOST)
}

/** Replaces what is not prose by characters that no rule matches, so that positions stay. */
function masked(content: string): string {
  const blank = (text: string) => text.replace(/[^\n]/g, '\u0000')
  return content
    .replace(/^---\r?\n[\s\S]*?\r?\n---/, blank)
    .replace(/```[\s\S]*?(?:```|$)/g, blank)
    .replace(/`[^`\n]*`/g, blank)
    .replace(/\]\([^)\n]*\)|https?:\/\/\S+|<[^>\n]+>/g, blank)
}

function misspelt(text: string): readonly Slip[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}'’])[A-Za-z]+(?![\p{L}\p{N}])/gu)].flatMap(({ 0: word, index }) => {
    const meant = Object.hasOwn(SPELT, word.toLowerCase()) ? SPELT[word.toLowerCase()] : undefined
    if (meant === undefined) return []
    const first = meant.charAt(0).toUpperCase() + meant.slice(1)
    const right = word === word.toUpperCase() ? meant.toUpperCase() : /^[A-Z]/.test(word) ? first : meant
    return [{ start: index, length: word.length, text: right, why: 'spelling' }]
  })
}

/** Words that stand twice in good English: "had had", "bye bye". */
const TWICE = new Set(['had', 'that', 'very', 'bye', 'no', 'ha', 'so', 'now', 'there', 'may', 'will', 'us'])

function doubled(text: string): readonly Slip[] {
  const pairs = /(?<![\p{L}\p{N}'’-])([A-Za-z]{2,}|[Aa])((?:[ \t]+|[ \t]*\r?\n[ \t]*)\1)(?![\p{L}\p{N}'’-])/giu
  return [...text.matchAll(pairs)].flatMap(({ 0: both, 1: word = '', 2: again = '', index }) => {
    const line = text.slice(text.lastIndexOf('\n', index) + 1, index)
    const isHeading = again.includes('\n') && line.startsWith('#')
    // A name may be a word twice.
    const isName = /^\s*[A-Z]/.test(again)
    if (isHeading || isName || TWICE.has(word.toLowerCase())) return []
    const end = index + both.length
    // The line stays where it was wrapped: its break takes the place of the blank after the second word.
    const wrap = text.charAt(end) === ' ' ? (/\r?\n/.exec(again)?.[0] ?? '') : ''
    const length = both.length + (wrap === '' ? 0 : 1)
    return [{ start: index, length, text: word + wrap, why: 'a repeated word' }]
  })
}

function blanks(text: string): readonly Slip[] {
  const why = 'an extra space' as const
  return [
    // Not in "3 . 5", which may be a number, and not in a cell of a table.
    ...[...text.matchAll(/(?<=[^\s|]) +(?=[,;:.!?](?:\s|$))(?!(?<=\d +)[.,:] ?\d)/g)].map(({ 0: gap, index }) => ({
      start: index,
      length: gap.length,
      text: '',
      why,
    })),
    ...[...text.matchAll(/(?<=[^\s|\u0000]) {2,}(?=[^\s|\u0000,;:.!?])/g)].flatMap(({ 0: gap, index }) =>
      text
        .slice(text.lastIndexOf('\n', index) + 1)
        .split('\n', 1)[0]
        ?.includes('|')
        ? []
        : [{ start: index, length: gap.length, text: ' ', why }],
    ),
  ]
}

function articles(text: string): readonly Slip[] {
  const found = text.matchAll(/(?<![\p{L}\p{N}'’.-])([Aa]n?)(?=[ \t]+([A-Za-z]+)(?![\p{L}\p{N}]))/gu)
  return [...found].flatMap(({ 1: article = '', 2: word = '', index }) => {
    const isVowel = beginsWithVowel(word)
    const isAn = article.length === 2
    // "Plan A is", "a or b": a letter and no article.
    const isLetter =
      (/^A$/.test(article) && /[\p{L}\p{N},;)] *$/u.test(text.slice(Math.max(0, index - 4), index))) ||
      (!isAn && /^(?:is|are|and|or|in|as|at|of|if|i|it|on)$/i.test(word))
    if (isVowel === null || isVowel === isAn || isLetter) return []
    const right = isAn ? article.charAt(0) : `${article}n`
    const why = isAn ? '"a" before a consonant' : '"an" before a vowel'
    return [{ start: index, length: article.length, text: right, why }]
  })
}

/** Tells whether a word is spoken with a vowel at its beginning; null if that cannot be told from its letters. */
function beginsWithVowel(word: string): boolean | null {
  const plain = word.toLowerCase()
  // A single letter, or letters that are read one by one.
  if (word.length < 2 || /^[A-Z]+$/.test(word)) return null
  if (/^(?:hours?|hourly|honest\w*|honou?r\w*|heir\w*)$/.test(plain)) return true
  // "An historic day" and "an herb" are in use.
  if (plain.startsWith('h')) return null
  if (/^(?:one|ones|once|oneself|eu\w*|ewes?|uni(?![nmd])\w*|us(?:e|a|u)\w*|ut[io]\w*|ur[ai]n\w*|ubiq\w*)$/.test(plain))
    return false
  return /^[aeiou]/.test(plain)
}

/** Abbreviations, after which a sentence goes on. */
const SHORT = /\b(?:etc|vs|approx|incl|esp|ca|no|fig|al|resp|min|max|cf|st|mr|mrs|ms|dr)\. $/i

function small(text: string): readonly Slip[] {
  return [...text.matchAll(/(?<=[a-z]{2}[.!?] )[a-z](?=[a-z]* )/g)].flatMap(({ 0: letter, index }) =>
    SHORT.test(text.slice(Math.max(0, index - 10), index))
      ? []
      : [{ start: index, length: 1, text: letter.toUpperCase(), why: 'a sentence begins with a capital' }],
  )
}

/** The whole words around slips, and the slips in them. */
interface Place {
  readonly from: number
  readonly to: number
  readonly slips: readonly Slip[]
}

/** Returns the whole words that a slip is in or between, with what stands directly beside a blank too many. */
function placeOf(content: string, slip: Slip): Place {
  const { start, length } = slip
  const end = start + length
  const before = /(?:[\p{L}\p{N}'’-]{1,40}|[^\s\p{L}\p{N}]|[\uD800-\uDBFF][\uDC00-\uDFFF])$/u.exec(
    content.slice(Math.max(0, start - 40), start),
  )
  const after = /^(?:[\p{L}\p{N}'’-]{1,40}|[^\s\p{L}\p{N}])/u.exec(content.slice(end, end + 40))
  const isGap = content.slice(start, end).trim() === ''
  const isWord = (text: string) => /[\p{L}\p{N}]/u.test(text)
  const [left = ''] = before ?? []
  const [right = ''] = after ?? []
  return {
    from: start - (isGap || (isWord(left) && isWord(content.charAt(start))) ? left.length : 0),
    to: end + (isGap || (isWord(right) && isWord(content.charAt(end - 1))) ? right.length : 0),
    slips: [slip],
  }
}

/** Joins places that overlap, so that no change touches another one. */
function joined(places: readonly Place[]): readonly Place[] {
  const apart: Place[] = []
  for (const place of places.toSorted((a, b) => a.from - b.from)) {
    const last = apart.at(-1)
    if (last && place.from < last.to)
      apart[apart.length - 1] = {
        from: last.from,
        to: Math.max(last.to, place.to),
        slips: [...last.slips, ...place.slips],
      }
    else apart.push(place)
  }
  return apart
}

function changeAt(content: string, { from, to, slips }: Place): ProposedOperation {
  let text = ''
  let at = from
  for (const slip of slips) {
    text += content.slice(at, slip.start) + slip.text
    at = slip.start + slip.length
  }
  const why = [...new Set(slips.map((slip) => slip.why))].join(', ')
  return {
    op: 'replace',
    quote: content.slice(from, to),
    text: text + content.slice(at, to),
    why,
    ...around(content, from, to),
  }
}

/** The most UTF-16 code units on each side of a change that say where it is. */
const FARTHEST = 400

/** Returns as much of the text before and after a place as makes it the only one. */
function around(content: string, from: number, to: number): Pick<ProposedOperation, 'before' | 'after'> {
  for (let width = 0; width < FARTHEST; width += 8) {
    const [start, end] = [Math.max(0, from - width), Math.min(content.length, to + width)]
    const whole = content.slice(start, end)
    const isOnly = content.indexOf(whole) === start && content.indexOf(whole, start + 1) < 0
    if (isOnly) return width === 0 ? {} : { before: content.slice(start, from), after: content.slice(to, end) }
  }
  return {}
}

function has(part: string, word: string): boolean {
  const plain = (text: string) => ` ${(text.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? []).join(' ')} `
  return plain(part).includes(plain(word))
}
