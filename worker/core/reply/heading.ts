const WORD = /[\p{L}\p{M}\p{N}_'’]+/uy
const NO_CAPITALS = /[^\p{Lu}\p{M}\p{N}_'’]/u
const CAPITAL = /\p{Lu}/gu
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}_'’:([{|—–]*/uy
/** A heading ends in a colon, or goes on in brackets or behind a dash and then has one. */
const ENDS = /^[\s*_`"'”]*(?::|[-([{|—–].*:)/u

/** As many capitals are a heading and not an abbreviation; and on a line without a colon. */
const LETTERS = 5
const LETTERS_ALONE = 10

/**
 * Where a line begins like a heading of a briefing: `CURRENT NODE:`, `YOUR DOCUMENT (SOURCE OF RECORD):`,
 * `OUTPUT CONTRACT`, `[PIVOT_1 …`. Abbreviations (`FYI:`) and shouted sentences (`WHY?!`) are none.
 *
 * @returns the indices of its capital words, or null.
 */
export function headingIn(line: string): { start: number; end: number } | null {
  const start = line.search(/\p{L}/u)
  if (start < 0) return null
  const { end, words, letters, hasUnderscore } = capitalWords(line, start)
  if (words === 0) return null

  const rest = line.slice(end)
  const isMarker = hasUnderscore && line.slice(0, start).includes('[')
  const isTitle = letters >= LETTERS && ENDS.test(rest)
  const isAlone = letters >= LETTERS_ALONE && words > 1 && !/[\p{L}.?!]/u.test(rest)
  return isMarker || isTitle || isAlone ? { start, end } : null
}

function capitalWords(
  line: string,
  start: number,
): { end: number; words: number; letters: number; hasUnderscore: boolean } {
  let end = start
  let words = 0
  let letters = 0
  let hasUnderscore = false
  let at = start
  for (;;) {
    WORD.lastIndex = at
    const word = WORD.exec(line)?.[0]
    if (word === undefined || NO_CAPITALS.test(word)) break
    const capitals = word.match(CAPITAL)?.length ?? 0
    at += word.length
    if (capitals > 0) end = at
    words += capitals > 0 ? 1 : 0
    letters += capitals
    hasUnderscore ||= word.includes('_')
    BETWEEN_WORDS.lastIndex = at
    at += BETWEEN_WORDS.exec(line)?.[0].length ?? 0
  }
  return { end, words, letters, hasUnderscore }
}
