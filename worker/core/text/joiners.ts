import { once } from '../once.ts'

/** Invisible characters that some real text needs. */
const NON_JOINER = '\u200c'
const JOINER = '\u200d'
const TEXT_STYLE = '\ufe0e'
const EMOJI_STYLE = '\ufe0f'
const MONGOLIAN_VOWEL_SEPARATOR = '\u180e'
const MONGOLIAN_VARIANTS = new Set('\u180b\u180c\u180d\u180f')
const KEYCAP = '\u20e3'

const PICTOGRAPH = /^\p{Extended_Pictographic}$/u
/** Matches a character other than a pictograph that may end a part of a joined emoji. */
const EMOJI_TAIL = /^[\p{Emoji_Modifier}\ufe0f]$/u
const KEYCAP_BASE = /^[0-9#*]$/
const MONGOLIAN = /^(?=[\p{L}\p{M}])\p{scx=Mongolian}$/u
/** The scripts in which a letter's form depends on the letter beside it, or in which two letters join into one. */
const scripts = once((): readonly RegExp[] => [
  MONGOLIAN,
  /^(?=[\p{L}\p{M}])\p{scx=Arabic}$/u,
  /^(?=[\p{L}\p{M}])\p{scx=Syriac}$/u,
  /^(?=[\p{L}\p{M}])\p{scx=Nko}$/u,
  /^(?=[\p{L}\p{M}])\p{scx=Adlam}$/u,
  /^(?=[\p{L}\p{M}])\p{scx=Devanagari}$/u,
  /^(?=[\p{L}\p{M}])\p{scx=Bengali}$/u,
  /^(?=[\p{L}\p{M}])\p{scx=Gurmukhi}$/u,
  /^(?=[\p{L}\p{M}])\p{scx=Gujarati}$/u,
  /^(?=[\p{L}\p{M}])\p{scx=Oriya}$/u,
  /^(?=[\p{L}\p{M}])\p{scx=Tamil}$/u,
  /^(?=[\p{L}\p{M}])\p{scx=Telugu}$/u,
  /^(?=[\p{L}\p{M}])\p{scx=Kannada}$/u,
  /^(?=[\p{L}\p{M}])\p{scx=Malayalam}$/u,
  /^(?=[\p{L}\p{M}])\p{scx=Sinhala}$/u,
  /^(?=[\p{L}\p{M}])\p{scx=Khmer}$/u,
  /^(?=[\p{L}\p{M}])\p{scx=Myanmar}$/u,
])
/** Marks that silence a vowel. A joiner after such a mark shapes the letter before it, even at the end of a word. */
const SILENCERS = new Set('\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2')

/**
 * Decides about an invisible character by the character before it: `stays`, `goes`, or `waits` for the next character.
 */
export function fateOf(point: string, before: string): 'stays' | 'waits' | 'goes' {
  switch (point) {
    case TEXT_STYLE:
      return PICTOGRAPH.test(before) ? 'stays' : 'goes'
    case EMOJI_STYLE:
      if (PICTOGRAPH.test(before)) return 'stays'
      return KEYCAP_BASE.test(before) ? 'waits' : 'goes'
    case JOINER:
      if (SILENCERS.has(before)) return 'stays'
      return isEmojiPart(before) || hasForms(before) ? 'waits' : 'goes'
    case NON_JOINER:
      if (SILENCERS.has(before)) return 'stays'
      return hasForms(before) ? 'waits' : 'goes'
    case MONGOLIAN_VOWEL_SEPARATOR:
      return MONGOLIAN.test(before) ? 'waits' : 'goes'
    default:
      return MONGOLIAN_VARIANTS.has(point) && MONGOLIAN.test(before) ? 'stays' : 'goes'
  }
}

/** Tells whether a waiting character stays, given the characters on both sides of it. */
export function joins(before: string, waiting: string, after: string): boolean {
  if (waiting === EMOJI_STYLE) return after === KEYCAP
  if (waiting === JOINER && isEmojiPart(before)) return PICTOGRAPH.test(after)
  const able = waiting === MONGOLIAN_VOWEL_SEPARATOR ? [MONGOLIAN] : scripts()
  return able.some((script) => script.test(before) && script.test(after))
}

function isEmojiPart(point: string): boolean {
  return PICTOGRAPH.test(point) || EMOJI_TAIL.test(point)
}

function hasForms(point: string): boolean {
  return point > '\u02ff' && scripts().some((script) => script.test(point))
}
