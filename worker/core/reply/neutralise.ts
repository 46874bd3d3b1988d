import { clean, DASHES, isSpace } from './characters.ts'

// Beside dashes, what looks like one in a row: box drawing and block elements, bars, the heavy minus, the Katakana mark.
const BARS = '\u2500-\u259f\u25ac\u23af\u23e4\u2796\u30fc\uff70\u4e00\u02d7\u1806\u2e0f'
const DASH = new RegExp(`^[${DASHES}${BARS}]$`, 'u')
const WIDE_DASH = new Set('\u2e3a\u2e3b')
const COLONS = new Set('\u2236\ua789\u02d0\u05c3')
/** Letters of other scripts that cannot be told from E, N and D. */
const LOOKALIKES: Readonly<Record<string, string>> = { Е: 'E', Ε: 'E', е: 'e', Ν: 'N', Ꭰ: 'D', ԁ: 'd', ⅾ: 'd', Ⅾ: 'D' }

const TOKEN = /(?<![-=])(?:-[-=]+|=[-=]*)\s*END(?:\s*:\s*[A-Z0-9]*)?\s*(?:-[-=]+|=[-=]*)/gi
const BAR_RUN = new RegExp(`[${BARS}]{2,}`, 'gu')

/** What may stand in front of a heading and leave it one. */
const CAPITAL_WORD = /^\P{L}*?((?:\p{Lu}[\p{Lu}\p{M}\p{Nd}'’]*(?:[^\p{L}\n:]*(?![\p{L}]*\p{Ll}))?)+)/u

/**
 * Makes plain text of what comes from outside (a learner's message, a page, the history, authored content), so that it
 * can be set into a briefing and be nothing else there: what nobody can see is dropped, anything that is or looks like a
 * separator keeps one dash on each side, bars become a dash, and a line that begins like a heading goes on in small
 * letters. Blank lines are closed up. Ordinary prose comes out as it went in, but for joined emoji, which fall apart into
 * their parts. Doing it twice changes nothing.
 */
export function neutralise(text: string): string {
  const plain = clean(text).replaceAll(/\n(?:[^\S\n]*\n)+/g, '\n')
  return defuseHeadings(defuseSeparators(plain).replaceAll(BAR_RUN, '-'))
}
