/**
 * A word or figure in a text. Learners' and authors' texts are tokenised the same way, so that they can be compared:
 * English, lower case, without accents, with contractions spelt out.
 */
export interface Token {
  readonly word: string
  /** The word without its endings: `hallucinates` and `hallucination` have the same stem. */
  readonly stem: string
  readonly figure: Figure | null
}

/** A stated number, and its unit. */
export interface Figure {
  readonly value: number
  /** `percent`, `times` ("12x"), `plain`, or the stem of the unit that follows ("week"). */
  readonly unit: string
}

/** Tokenises a text into its words and figures, in order. */
export function readWords(text: string): readonly Token[] {
  return joinFigures(plainText(text).match(TOKEN) ?? [])
}

/**
 * Tokenises an author's text, with a cache. Every turn compares the learner's words with hundreds of these texts, and
 * tokenising them each time would take most of a turn's computing time. Learners' texts must not go into this cache,
 * because they would stay in memory.
 */
export function readAuthored(text: string): readonly Token[] {
  const known = authored.get(text)
  if (known) return known
  if (authored.size >= MOST_REMEMBERED) authored.clear()
  const tokens = readWords(text)
  authored.set(text, tokens)
  return tokens
}

const authored = new Map<string, readonly Token[]>()
const MOST_REMEMBERED = 512

/**
 * Returns the figures that a text states: digits anywhere, and number words that are a percentage ("twenty-three
 * percent").
 */
export function figuresIn(text: string): readonly Figure[] {
  return figuresAmong(readWords(text))
}

/** Returns the figures that a tokenised text states, as `figuresIn` does. */
export function figuresAmong(tokens: readonly Token[]): readonly Figure[] {
  return tokens.flatMap(({ figure, word }) =>
    figure && (/\d/.test(word) || figure.unit === 'percent') ? [figure] : [],
  )
}

/** Tells whether `heard` is the figure `meant`, exactly or rounded as people round in speech. */
export function sameFigure(heard: Figure, meant: Figure): boolean {
  if (!sameUnit(heard.unit, meant.unit)) return false
  const { value } = meant
  return [value, Math.round(value), Math.floor(value), Math.round(value * 10) / 10].includes(heard.value)
}

/**
 * Normalises a text: lower case, straight quotes, no accents, contractions and common misspellings spelt out ("don't"
 * and "dont" become "do not").
 */
export function plainText(text: string): string {
  let plain = (ASCII.test(text) ? text : text.normalize('NFKD').replace(/\p{M}+/gu, ''))
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc`]/g, "'")
    .replace(/(\d),(?=\d{3}\b)/g, '$1')
    .replace(/(\d),(?=\d{1,2}\s*(?:%|per))/g, '$1.')
  if (SHORT.test(plain)) for (const [short, long] of CONTRACTIONS) plain = plain.replace(short, long)
  return plain.replace(SLANG_WORD, (word) => SLANG.get(word) ?? word)
}

/** Cuts common English endings. The result is rough, but both texts of a comparison are cut in the same way. */
function stemOf(word: string): string {
  if (word.length < 4) return word
  const cut = ENDINGS.reduce((rest, ending) => rest.replace(ending, ''), word)
  const bare = cut
    .replace(/([bdgmnprt])\1$/, '$1')
    .replace(/[ei]$/, '')
    .replace(/y$/, '')
  return bare.length >= 3 ? bare : cut.length >= 3 ? cut : word
}

const TOKEN = /\d+(?:\.\d+)?|%|[a-z]+|[^\s!-~]+/g

const ENDINGS = [
  /'s$/,
  /(?<=....)ments?$/,
  /(?<=...)(?:ations?|ating|ated|ates|ate)$/,
  /(?<=...)(?:ings?|ed|ers?|es|s|ly)$/,
  /(?<=....)(?:ions?)$/,
]

/** Matches a text without accents or typographic characters, as most are. */
// oxlint-disable-next-line no-control-regex -- the range is the whole of ASCII
const ASCII = /^[\x00-\x7f]*$/

/** Matches where one of `CONTRACTIONS` may: a single search, because a turn reads hundreds of texts. */
const SHORT =
  /'|nt\b|\b(?:wat|waht|wht|ur?|hav|mutch|mcuh|evry\w*|teh|procent|prosent|percents|mins?|hrs?|cannot|lets|(?:that|what|who|how|where)s|im|theyre)\b/

const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:wat|waht|wht)\b/g, 'what'],
  [/\bu\b/g, 'you'],
  [/\bur\b/g, 'your'],
  [/\bhav\b/g, 'have'],
  [/\b(?:mutch|mcuh)\b/g, 'much'],
  [/\bevry/g, 'every'],
  [/\bteh\b/g, 'the'],
  [/\b(?:procent|prosent|percents)\b/g, 'percent'],
  [/\bmins?\b/g, 'minutes'],
  [/\bhrs?\b/g, 'hours'],
  [/\b(?:can't|cant|cannot)\b/g, 'can not'],
  [/\b(?:won't|wont)\b/g, 'will not'],
  [/\b(do|does|did|is|are|was|were|have|has|had|would|could|should)(?:n't|nt)\b/g, '$1 not'],
  [/\bain't\b/g, 'is not'],
  [/\b(?:let's|lets)\b/g, 'let us'],
  [/\b(it|that|what|who|how|where|there|here|he|she)'s\b/g, '$1 is'],
  [/\b(that|what|who|how|where)s\b/g, '$1 is'],
  [/\b(?:i'm|im)\b/g, 'i am'],
  [/'re\b/g, ' are'],
  [/\btheyre\b/g, 'they are'],
  [/'ll\b/g, ' will'],
  [/'ve\b/g, ' have'],
  [/'d\b/g, ' would'],
  [/'s\b/g, ' s'],
]

/** Slang and short forms, spelt out; an empty text for a word that says nothing. */
const SLANG: ReadonlyMap<string, string> = new Map(
  Object.entries({
    r: 'are',
    y: 'why',
    cos: 'because',
    coz: 'because',
    cuz: 'because',
    bc: 'because',
    ppl: 'people',
    n: 'and',
    pls: 'please',
    qs: 'questions',
    plz: 'please',
    wanna: 'want to',
    gonna: 'going to',
    gotta: 'got to',
    kinda: 'kind of',
    sorta: 'sort of',
    lemme: 'let me',
    gimme: 'give me',
    tho: 'though',
    thru: 'through',
    abt: 'about',
    msg: 'message',
    tmrw: 'tomorrow',
    tmr: 'tomorrow',
    tbh: '',
    lol: '',
    lmao: '',
    omg: 'wow',
    innit: '',
    btw: '',
    whens: 'when is',
    whys: 'why is',
    nah: 'no',
    yh: 'yes',
    wk: 'week',
    wks: 'weeks',
    shld: 'should',
    wld: 'would',
    cld: 'could',
    smth: 'something',
    sth: 'something',
    ive: 'i have',
    youve: 'you have',
    theyve: 'they have',
    weve: 'we have',
    youre: 'you are',
    ud: 'you would',
    itll: 'it will',
    b4: 'before',
    w: 'with',
    shoulda: 'should have',
    coulda: 'could have',
    woulda: 'would have',
    musta: 'must have',
    aint: 'is not',
    hes: 'he is',
    shes: 'she is',
    theres: 'there is',
    heres: 'here is',
    youd: 'you would',
    theyd: 'they would',
    enuf: 'enough',
    rly: 'really',
    rlly: 'really',
    prolly: 'probably',
    prob: 'probably',
    probs: 'probably',
    def: 'definitely',
    sm1: 'someone',
    nd: 'and',
    ya: 'you',
    em: 'them',
    bout: 'about',
    wtf: '',
    atm: 'now',
    rn: 'now',
    thurs: 'thursday',
    thur: 'thursday',
    fri: 'friday',
    weds: 'wednesday',
    wed: 'wednesday',
    tues: 'tuesday',
    nite: 'night',
    tonite: 'tonight',
    soz: 'sorry',
    imo: '',
    imho: '',
    ngl: '',
    idk: 'i do not know',
    dunno: 'do not know',
    sumthing: 'something',
    sumthin: 'something',
    nothin: 'nothing',
    alright: 'all right',
    alrite: 'all right',
    aight: 'all right',
    jeez: 'wow',
    geez: 'wow',
    blimey: 'wow',
    crikey: 'wow',
    whoa: 'wow',
    woah: 'wow',
    oof: 'wow',
    gosh: 'wow',
    sheesh: 'wow',
    tryna: 'trying to',
    outta: 'out of',
    yeh: 'yes',
    ye: 'yes',
    yea: 'yes',
    nope: 'no',
    wdym: 'what do you mean',
    hmu: '',
    haha: '',
    lool: '',
  }),
)

/** Matches the words of `SLANG` alone, because calling a function for every word takes as long as all other rules. */
const SLANG_WORD = new RegExp(`(?<![a-z])(?:${[...SLANG.keys()].join('|')})(?![a-z0-9])`, 'g')

const SMALL_NUMBERS: Readonly<Record<string, number>> = Object.fromEntries(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, value) => [word, value]),
)

const TENS: Readonly<Record<string, number>> = Object.fromEntries(
  'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, index) => [word, (index + 2) * 10]),
)

const UNITS: readonly (readonly [string, RegExp])[] = [
  ['percent', /^(?:%|percent|pct|pc)$/],
  ['times', /^(?:x|times?|fold)$/],
  [
    'unit',
    /^(?:minutes?|hours?|days?|weeks?|months?|years?|people|persons?|things?|options?|points?|reasons?|questions?)$/,
  ],
]

/** Joins "twenty three", "twenty-three point four" and "23 per cent" into one figure each. */
function joinFigures(words: readonly string[]): readonly Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < words.length;) {
    const number = readNumber(words, at)
    if (!number) {
      const word = words[at] ?? ''
      if (word !== '%') tokens.push({ word, stem: stemOf(word), figure: null })
      at += 1
      continue
    }
    const unit = readUnit(words, at + number.length)
    const end = at + number.length + unit.length
    const word = words.slice(at, end).join(' ')
    tokens.push({ word, stem: `#${number.value}`, figure: { value: number.value, unit: unit.name } })
    at += number.length + unit.length
  }
  return tokens
}

function readNumber(words: readonly string[], at: number): { value: number; length: number } | null {
  const word = words[at] ?? ''
  if (/^\d/.test(word)) return { value: Number(word), length: 1 }
  const whole = readWholeNumber(words, at)
  if (!whole || words[at + whole.length] !== 'point') return whole
  const tenth = SMALL_NUMBERS[words[at + whole.length + 1] ?? '']
  if (tenth === undefined || tenth > 9) return whole
  return { value: whole.value + tenth / 10, length: whole.length + 2 }
}

function readWholeNumber(words: readonly string[], at: number): { value: number; length: number } | null {
  const word = words[at] ?? ''
  // A property's name makes equal words one string in the engine. With a Map, what is kept of a simulation takes 0.7 MB more.
  const tens = TENS[word]
  if (tens === undefined) {
    const small = SMALL_NUMBERS[word]
    return small === undefined ? null : { value: small, length: 1 }
  }
  const ones = SMALL_NUMBERS[words[at + 1] ?? '']
  return ones !== undefined && ones > 0 && ones < 10 ? { value: tens + ones, length: 2 } : { value: tens, length: 1 }
}

function readUnit(words: readonly string[], at: number): { name: string; length: number } {
  const word = words[at] ?? ''
  if (word === 'per' && words[at + 1] === 'cent') return { name: 'percent', length: 2 }
  const known = UNITS.find(([, sign]) => sign.test(word))
  if (!known) return { name: 'plain', length: 0 }
  return { name: known[0] === 'unit' ? stemOf(word) : known[0], length: 1 }
}

/** Tells whether two units are compatible. A bare "23" can stand for 23%; "2 weeks" cannot stand for 2%. */
function sameUnit(heard: string, meant: string): boolean {
  return heard === meant || heard === 'plain' || meant === 'plain'
}
