import { clean } from '../text/clean.ts'

/** As long as it may be, in characters as people count them, but for accents that stand by themselves. */
const LONGEST = 24

/** Something that can be seen. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** A braille pattern without a dot counts as a symbol, and shows nothing. */
const BLANKS = /[\s\u2800]+/g

/** A name as others may be shown it: one line of what can be seen. Null when nothing is left of it, or it is too long. */
export function readNickname(written: string): string | null {
  const name = clean(written.normalize('NFC')).replace(BLANKS, ' ').trim()
  return VISIBLE.test(name) && Array.from(name).length <= LONGEST ? name : null
}
