/**
 * Rewrites every figure of a text in one form, so that "twenty-minute", "20 minutes" and "zwanzig Minuten" become the
 * same words. A figure in this form has digits instead of number words, no separators between thousands, a point before
 * decimals, and no zeros at the end of decimals. `%` and `$` replace the words for them, and each common unit has one
 * word.
 *
 * @param plain a text in small letters, with plain blanks and hyphens
 * @returns the readings of the text, one or two: "40.500" is forty thousand five hundred to a Spanish or German reader,
 * and forty and a half to an English one
 */
export function figureReadings(plain: string): readonly string[] {
  // No English writer puts three zeros after a decimal point, so "40.000" has one reading: forty thousand.
  const english = withUnits(plain.replace(THOUSANDS, '$1000').replace(/(\d),(?=\d{3}(?!\d))/g, '$1'))
  const continental = withUnits(plain.replace(GROUPED, (figure) => figure.replace(/[.,]/g, '')).replace(COMMA, '$1.'))
  return english === continental ? [english] : [english, continental]
}

/** A whole figure whose thousands are separated by points or commas. */
const GROUPED = /(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3})+(?!\.?\d)|(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?!,?\d)/g
const THOUSANDS = /(?<![\d.,])([1-9]\d{0,2})\.000(?![\d]|[.,]\d)/g
const COMMA = /(?<![\d.,])(\d+),(?=\d{1,2}(?!\d))/g

function withUnits(text: string): string {
  return text
    .replace(SCALED, scaled)
    .replace(RUN, inDigits)
    .replace(/(?<![\d.,])(\d+)\.(\d{0,9}?)0{1,9}(?![\d]|\.\d)/g, (_, whole: string, rest: string) =>
      rest === '' ? whole : `${whole}.${rest}`,
    )
    .replace(/(\d)-(?=\p{L})/gu, '$1 ')
    .replace(/(\d) ?(?:%|per ?cent|pct|prozent|por ciento)(?![\p{L}\p{N}])/gu, '$1%')
    .replace(/([$€£]) (?=\d)/g, '$1')
    .replace(MONEY, (_, figure: string, word: string) => `${word.startsWith('e') ? '€' : '$'}${figure}`)
    .replace(
      UNIT,
      (_, figure: string, word: string) => `${figure} ${UNITS.find(([, sign]) => sign.test(word))?.[0] ?? word}`,
    )
}

const SCALED = /(?<![\d.,])(\d+(?:\.\d+)?) ?(k|mil|thousand|tausend|million|millionen|millones)(?![\p{L}\p{N}])/gu
const MONEY = /(?<![\d.,$€£])(\d+(?:\.\d+)?) ?(dollars?|dólares|dólar|bucks|usd|euros?|eur)(?![\p{L}\p{N}])/gu

/** The words for each unit, in every language of the shipped simulations and pages. */
const UNITS: readonly (readonly [string, RegExp])[] = [
  ['minute', /^(?:minutes?|mins?|minutos?|minuten?)$/],
  ['hour', /^(?:hours?|hrs?|horas?|stunden?)$/],
  ['day', /^(?:days?|días?|tage?n?)$/],
  ['working day', /^(?:(?:working|business) days?|días? (?:hábil(?:es)?|laborables?)|(?:arbeits|werk)tage?n?)$/],
  ['week', /^(?:weeks?|semanas?|wochen?)$/],
  ['month', /^(?:months?|mes(?:es)?|monate?n?)$/],
  ['year', /^(?:years?|años?|jahre?n?)$/],
]
const UNIT = new RegExp(
  `(?<![\\d.,])(\\d+(?:\\.\\d+)?) ((?:working|business) days?|días? (?:hábil(?:es)?|laborables?)|\\p{L}+)(?![\\p{L}\\p{N}])`,
  'gu',
)

/**
 * Number words of English, Spanish and German. Words that have another meaning too are left out: "once", "un", "ein"
 * and "uno". "one" counts only as a part of a longer number.
 */
const SMALL: Readonly<Record<string, number>> = values({
  'two dos zwei': 2,
  'three tres drei': 3,
  'four cuatro vier': 4,
  'five cinco fünf': 5,
  'six seis sechs': 6,
  'seven siete sieben': 7,
  'eight ocho acht': 8,
  'nine nueve neun': 9,
  'ten diez zehn': 10,
  'eleven elf': 11,
  'twelve doce zwölf': 12,
  'thirteen trece dreizehn': 13,
  'fourteen catorce vierzehn': 14,
  'fifteen quince fünfzehn': 15,
  'sixteen dieciséis sechzehn': 16,
  'seventeen diecisiete siebzehn': 17,
  'eighteen dieciocho achtzehn': 18,
  'nineteen diecinueve neunzehn': 19,
  'veintiuno veintiún': 21,
  veintidós: 22,
  veintitrés: 23,
  veinticuatro: 24,
  veinticinco: 25,
  veintiséis: 26,
  veintisiete: 27,
  veintiocho: 28,
  veintinueve: 29,
})
const TENS: Readonly<Record<string, number>> = values({
  'twenty veinte zwanzig': 20,
  'thirty treinta dreißig': 30,
  'forty cuarenta vierzig': 40,
  'fifty cincuenta fünfzig': 50,
  'sixty sesenta sechzig': 60,
  'seventy setenta siebzig': 70,
  'eighty ochenta achtzig': 80,
  'ninety noventa neunzig': 90,
})
const HUNDREDS: Readonly<Record<string, number>> = values({
  'hundred cien ciento hundert': 100,
  doscientos: 200,
  trescientos: 300,
  cuatrocientos: 400,
  quinientos: 500,
})
const SCALES: Readonly<Record<string, number>> = values({
  'thousand mil tausend': 1_000,
  'million millón millones millionen': 1_000_000,
})

function values(table: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([words, value]) => words.split(' ').map((word) => [word, value])),
  )
}

const WORDS = [SMALL, TENS, HUNDREDS, SCALES]
  .flatMap((table) => Object.keys(table))
  .toSorted((a, b) => b.length - a.length)
const ANY = `(?:${WORDS.join('|')})`
/** German writes a number as one word: "zweihundert", "einundzwanzig". */
const GERMAN = `(?:ein(?=und|hundert|tausend)|und(?=\\p{L})|${ANY})`
const RUN = new RegExp(
  `(?<![\\p{L}\\p{N}.,])(?:(?:one|a)(?= hundred| thousand| million) )?(?:${GERMAN})+(?:[ -](?:and |y )?(?:one(?![ -]\\p{L})|${GERMAN}+))*(?![\\p{L}\\p{N}])`,
  'gu',
)
const PART = new RegExp(`one|ein|${ANY}`, 'gu')

/**
 * Writes a run of number words in digits. A run such as "two three" is no single number and stays one figure for each
 * word.
 */
function inDigits(run: string): string {
  const figures: number[] = []
  let [sum, open, least] = [0, 0, Number.POSITIVE_INFINITY]
  const close = () => {
    if (sum + open > 0) figures.push(sum + open)
    ;[sum, open, least] = [0, 0, Number.POSITIVE_INFINITY]
  }
  for (const [part] of run.matchAll(PART)) {
    const scale = SCALES[part]
    const value = SMALL[part] ?? TENS[part] ?? HUNDREDS[part] ?? 1
    if (scale !== undefined) [sum, open, least] = [sum + Math.max(open, 1) * scale, 0, scale]
    else if (value === 100) [open, least] = [Math.max(open, 1) * 100, 100]
    else {
      const size = part in TENS ? 100 : part in HUNDREDS ? 1_000 : 10
      // German says the units first: "zweiundzwanzig".
      const isReversed = part in TENS && run.includes('und') && open % 100 < 10
      if (open > 0 && least < size && !isReversed) close()
      ;[open, least] = [open + value, Math.min(size, part in SMALL ? 1 : 10)]
    }
  }
  close()
  return figures.join(' ')
}

/** Multiplies a figure by the word after it: "40 thousand", "40k". */
function scaled(text: string, figure: string, word: string): string {
  // Only "k" is no number word.
  const product = Number(figure) * (SCALES[word] ?? 1_000)
  return Number.isSafeInteger(product) ? String(product) : text
}
