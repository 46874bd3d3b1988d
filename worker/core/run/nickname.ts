import { clean } from '../text/clean.ts'

const LONGEST = 24

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Matches white space and the empty braille pattern, which counts as a symbol but shows nothing. */
const BLANKS = /[\s\u2800]+/g

/**
 * Normalises a nickname to one line of visible text. Returns null if no visible character is left, or if the nickname
 * is too long.
 */
export function readNickname(written: string): string | null {
  const name = clean(written.normalize('NFC')).replace(BLANKS, ' ').trim()
  return VISIBLE.test(name) && Array.from(name).length <= LONGEST ? name : null
}
