import { isGeneral, MessageComparison, comparedWords } from '../rehearsal/closeness.ts'
import type { WordTable } from '../rehearsal/word-table.ts'

/** A sentence of a text, and how well it answers a question, 0 to about 1. */
export interface RankedSentence {
  readonly text: string
  readonly score: number
}

/** A sentence answers a question from this score on. */
export const ANSWERS = 0.36
/** A second sentence is said too if it is nearly as good as the best one. */
const NEARLY = 0.93

/**
 * Returns the sentences of a text that answer a question, the best first; none if none does. They are found by the
 * listener's comparison of words: by rarity, and with a table also by meaning.
 */
export function passagesFor(
  question: string,
  text: string,
  table: WordTable | null,
  most = 2,
): readonly RankedSentence[] {
  const ranked = rank(question, sentencesIn(text), table)
  const [best] = ranked
  if (!best || best.score < ANSWERS) return []
  return ranked.filter(({ score }) => score >= Math.max(ANSWERS, best.score * NEARLY)).slice(0, most)
}

/** Returns how well each text as a whole answers a question, 0 to about 1. */
export function scoresOf(question: string, texts: readonly string[], table: WordTable | null): readonly number[] {
  return texts.map((text) => rank(question, sentencesIn(text), table)[0]?.score ?? 0)
}

interface Sentence {
  readonly text: string
  /** The heading above it and the sentence before it, by which "it" and "them" are understood. */
  readonly around: string
}

/**
 * Splits a text in Markdown into its sentences. Wrapped lines of a paragraph are one text; a heading, an item of a list and
 * a row of a table stand for themselves. Frontmatter and blocks of code are left out.
 */
export function sentencesIn(markdown: string): readonly Sentence[] {
  const sentences: Sentence[] = []
  let heading = ''
  for (const block of blocksOf(markdown)) {
    const title = /^#{1,6}\s+(.*?)#*$/.exec(block)?.[1]
    if (title !== undefined) {
      heading = title.trim()
      continue
    }
    let before = ''
    for (const text of block.split(SENTENCE_END).map((each) => each.trim())) {
      if (!/[\p{L}\p{N}]/u.test(text)) continue
      sentences.push({ text, around: [heading, before].filter(Boolean).join('. ') })
      before = text
    }
  }
  return sentences
}

/** After a full stop, with its quotation marks, if the next word may begin a sentence. An abbreviation ends none. */
const SENTENCE_END =
  /(?<=[.!?…]["'”’)*_]{0,3})(?<!\b(?:Mr|Mrs|Ms|Dr|St|No|vs|etc|e\.g|i\.e|approx|[A-Z])\.)\s+(?=["'“‘(*_[]{0,3}[\p{Lu}\p{Lo}\p{N}])|(?<=[!?。！？؟])\s*(?=\p{Lo})/u

function blocksOf(markdown: string): readonly string[] {
  const text = markdown
    .replace(/^---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/, '')
    .replace(/^```[\s\S]*?^```.*$/gm, '')
  const blocks: string[] = []
  let isOpen = false
  for (const line of text.split(/\r?\n/)) {
    const plain = line.trim()
    const item = /^(?:[-*+]|\d+[.)])\s+(.*)$/.exec(plain)?.[1]
    const isAlone = /^(?:#{1,6}\s|\|)/.test(plain)
    if (plain === '' || /^(?:[-=*_]\s*){3,}$/.test(plain)) isOpen = false
    else if (isOpen && item === undefined && !isAlone) blocks.push(`${blocks.pop()} ${plain.replace(/^>\s*/, '')}`)
    else {
      blocks.push(item ?? (isAlone && plain.startsWith('|') ? cellsOf(plain) : plain.replace(/^>\s*/, '')))
      isOpen = !isAlone
    }
  }
  return blocks
}

function cellsOf(row: string): string {
  return row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => /[\p{L}\p{N}]/u.test(cell))
    .join(' | ')
}

/** What a sentence counts by its own words, and by those around it, if the two together say more than its own alone. */
const [OWN, AROUND] = [0.4, 0.5]
/** Below this, a sentence has nothing of its own to do with the question. */
const FAINT = 0.1

function rank(question: string, sentences: readonly Sentence[], table: WordTable | null): readonly RankedSentence[] {
  if (sentences.length === 0 || tellingWords(question).length === 0) return []
  const entries = sentences.flatMap(({ text, around }) => [
    { asks: [], says: [plainForms(text)] },
    { asks: [], says: [plainForms(`${around} ${text}`)] },
  ])
  const closeness = new MessageComparison(entries, table).closeness(plainForms(question))
  const sign = KINDS.find(({ asks }) => asks.test(question))
  return (
    sentences
      .map(({ text }, at) => {
        const faint = closeness[at * 2] ?? 0
        const own = faint < FAINT ? 0 : faint
        const close = Math.max(own, own * OWN + (closeness[at * 2 + 1] ?? 0) * AROUND)
        return { text, score: (close / OF_LINE) * (sign ? (sign.has.test(text) ? sign.more : sign.less) : 1) }
      })
      // Of about equal ones the first in the text.
      .toSorted((a, b) => Math.round(b.score * 20) - Math.round(a.score * 20))
  )
}

/** Verbs, and those of their forms from which they cannot be told by their beginning. */
const FORMS: ReadonlyMap<string, string> = new Map(
  (
    'begin began begun,break broke broken,bring brought,build built,buy bought,catch caught,choose chose chosen,draw drew,' +
    'drive drove driven,eat ate,fall fell,feel felt,find found,fly flew flown,freeze froze frozen,get got,give gave,go went gone,' +
    'grow grew,hang hung,hold held,keep kept,know knew,leave left,lend lent,lose lost,make made,mean meant,meet met,pay paid,' +
    'rise rose risen,run ran,say said,see saw,sell sold,send sent,sing sang sung,sit sat,speak spoke spoken,spend spent,stand stood,' +
    'steal stole stolen,swim swam swum,take took,teach taught,tell told,think thought,wear wore worn,win won,write wrote written'
  )
    .split(',')
    .flatMap((verb) => verb.split(' ').map((form, _, [base = '']) => [form, base] as const)),
)

/** Returns a text with the base of each irregular verb, so that "Who wrote it?" finds "written by". */
export function plainForms(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => FORMS.get(word.toLowerCase()) ?? word)
}

/** What a line counts in the comparison if it has every word. */
const OF_LINE = 0.72

/** Returns the words of a text that have a subject. */
export function tellingWords(text: string): readonly string[] {
  return (comparedWords([text])[0] ?? []).filter((word) => !isGeneral(word))
}

const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half|quarter|once|twice|few|several|dozens?|free|nothing|none)\b/i
const TIME =
  /\d|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|morning|noon|evening|night|midnight|today|tomorrow|yesterday|daily|weekly|spring|summer|autumn|winter|year|month|week|century|o'clock|always|never)\b/i
const COLOUR =
  /\b(?:red|green|blue|yellow|orange|purple|violet|pink|brown|black|white|gr[ae]y|gold(?:en)?|silver|beige|turquoise|colou?r(?:ed|less|s)?)\b/i
const PERSON =
  /(?<=[\p{L}\p{N},;] )\p{Lu}\p{Ll}+|\b(?:nobody|no one|somebody|everybody|people|family|team|by|boys?|girls?|m[ae]n|wom[ae]n|child(?:ren)?)\b/u

/** What a question of a kind wants in a sentence, and what the sentence counts with and without it. */
const KINDS: readonly { readonly asks: RegExp; readonly has: RegExp; readonly more: number; readonly less: number }[] =
  [
    { asks: /\bcolou?r\b/i, has: COLOUR, more: 1.1, less: 0.4 },
    {
      asks: /\bhow (?:long|many|much|old|far|often|high|big|tall|heavy|hot|wide|deep)\b|\b(?:price|cost)\b/i,
      has: NUMBER,
      more: 1.15,
      less: 0.8,
    },
    { asks: /\bwhen\b|\b(?:what|which) (?:year|date|day|time|month)\b/i, has: TIME, more: 1.15, less: 0.8 },
    { asks: /\bwho(?:se|m)?\b/i, has: PERSON, more: 1.05, less: 0.9 },
    { asks: /\bwhy\b/i, has: /\b(?:because|since|so that|therefore|for)\b/i, more: 1.15, less: 0.95 },
  ]
