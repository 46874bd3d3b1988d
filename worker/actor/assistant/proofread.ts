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

interface Slip {
  readonly start: number
  readonly length: number
  readonly text: string
  readonly why: string
}

/** The most changes of one reading. */
const MOST = 30

/**
 * Finds slips in an English text: misspellings, doubled words, blanks before a comma or a full stop, doubled blanks, `a`
 * before a vowel, and sentences that begin with a small letter. Code, links and frontmatter are left alone. Each change
 * quotes as much of the text as makes its place the only one.
 */
export function proofread(content: string): readonly ProposedOperation[] {
  const safe = masked(content)
  const slips = [...misspelt(safe), ...doubled(safe), ...blanks(safe), ...articles(safe), ...small(safe)]
  const apart: Slip[] = []
  for (const slip of slips.toSorted((a, b) => a.start - b.start || b.length - a.length)) {
    const last = apart.at(-1)
    if (!last || slip.start >= last.start + last.length) apart.push(slip)
  }
  const places = apart.slice(0, MOST).flatMap((slip) => placeOf(content, slip) ?? [])
  return joined(places.toSorted((a, b) => a.from - b.from)).map((place) => changeAt(content, place))
}

/** Replaces what is not prose by characters that no rule matches, so that positions stay. */
function masked(content: string): string {
  const blank = (text: string) => text.replace(/[^\n]/g, '\u0000')
  return content
    .replace(/^---\r?\n[\s\S]*?\r?\n---/, blank)
    .replace(/```[\s\S]*?(?:```|$)/g, blank)
    .replace(/`[^`\n]*`/g, blank)
    .replace(/\]\([^)\n]*\)|https?:\/\/\S+/g, blank)
}

function misspelt(text: string): readonly Slip[] {
  return [...text.matchAll(/\b[A-Za-z]+\b/g)].flatMap((found) => {
    const [word] = found
    const meant = Object.hasOwn(SPELT, word.toLowerCase()) ? SPELT[word.toLowerCase()] : undefined
    if (meant === undefined || text.charAt(found.index - 1) === "'") return []
    const right = /^[A-Z]/.test(word) ? meant.charAt(0).toUpperCase() + meant.slice(1) : meant
    return [{ start: found.index, length: word.length, text: right, why: 'spelling' }]
  })
}

function doubled(text: string): readonly Slip[] {
  return [...text.matchAll(/\b([A-Za-z]{2,})(?:[ \t]+|[ \t]*\n[ \t]*)(\1)\b/gi)].flatMap(
    ({ 0: both, 1: word = '', index }) =>
      // "had had" and "that that" are good English.
      /^(?:had|that)$/i.test(word) ? [] : [{ start: index, length: both.length, text: word, why: 'a word twice' }],
  )
}

function blanks(text: string): readonly Slip[] {
  return [
    ...[...text.matchAll(/(?<=\S) +(?=[,;:.!?](?:\s|$))/g)].map(({ 0: gap, index }) => ({
      start: index,
      length: gap.length,
      text: '',
      why: 'a blank too many',
    })),
    ...[...text.matchAll(/(?<=[^\s|\u0000]) {2,}(?=[^\s|\u0000])/g)].map(({ 0: gap, index }) => ({
      start: index,
      length: gap.length,
      text: ' ',
      why: 'a blank too many',
    })),
  ]
}

function articles(text: string): readonly Slip[] {
  return [...text.matchAll(/\b([Aa])(?= (?:[aeio][a-z]|un(?!i)|ur|up)[a-z]*\b)/g)].flatMap(
    ({ 1: article = '', index }) =>
      /^ (?:one|once|eu|uni)/i.test(text.slice(index + 1))
        ? []
        : [{ start: index, length: 1, text: `${article}n`, why: '"an" before a vowel' }],
  )
}

function small(text: string): readonly Slip[] {
  return [...text.matchAll(/(?<=[a-z]{2}[.!?] )[a-z](?=[a-z]* )/g)].map(({ 0: letter, index }) => ({
    start: index,
    length: 1,
    text: letter.toUpperCase(),
    why: 'a sentence begins with a capital',
  }))
}

/** A part of the text that stands there only once, and the slips in it. */
interface Place {
  readonly from: number
  readonly to: number
  readonly slips: readonly Slip[]
}

/** Returns the shortest part of the text around a slip that stands only once in the text; null if it is too long. */
function placeOf(content: string, slip: Slip): Place | null {
  const { start, length } = slip
  for (let around = 0; around <= FARTHEST; around += 4) {
    const from = Math.max(0, start - around)
    const to = Math.min(content.length, start + length + around)
    const quote = content.slice(from, to)
    const isOnly = content.indexOf(quote) === from && content.indexOf(quote, from + 1) < 0
    if (quote.trim() !== '' && isOnly) return { from, to, slips: [slip] }
  }
  return null
}

/** The most UTF-16 code units on each side of a slip that its quote takes in. */
const FARTHEST = 400

/** Joins places that touch, so that no change touches another one. */
function joined(places: readonly Place[]): readonly Place[] {
  const apart: Place[] = []
  for (const place of places) {
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
  return { op: 'replace', quote: content.slice(from, to), text: text + content.slice(at, to), why }
}
