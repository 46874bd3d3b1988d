import { DASHES } from '../../../reply/characters.ts'
import { isSeparatorLine } from '../../../reply/separator.ts'
import type { Finding } from '../../finding.ts'
import { found } from './found.ts'
import type { Subject } from './subject.ts'
import { type PlacedText, promptTexts, spokenTexts } from './texts.ts'

/** Checks the characters (G029), the style (G032) and the separators (G033) of texts. */
export function lintProse({ document }: Subject): readonly Finding[] {
  const texts = promptTexts(document)
  return [
    ...texts.flatMap(lintCharacters),
    ...texts.flatMap(lintSeparator),
    ...spokenTexts(document).flatMap(lintStyle),
  ]
}

function lintCharacters({ at, text, isPlain }: PlacedText): readonly Finding[] {
  const strange = [...new Set(text.match(/[^\p{ASCII}]/gu) ?? [])]
  if (strange.length === 0) return []
  const value = asTyped(text)
  const isPlainNow = /^\p{ASCII}*$/u.test(value)
  const message = `Has ${strange.map(named).join(', ')} in it. Models read plain ASCII most reliably.`
  return [found('G029', at, message, isPlainNow && isPlain ? { at, value } : undefined)]
}

function named(sign: string): string {
  return `"${sign}" (U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')})`
}

function lintSeparator({ at, text }: PlacedText): readonly Finding[] {
  if (!text.split(/\r\n|\n|\r/).some(isSeparatorLine) && !SEPARATOR.test(text)) return []
  return [
    found('G033', at, 'Holds the separator between speech and report, which would cut a reply in two. Take it out.'),
  ]
}

/** Matches a separator within a line. The reply parser does not split a reply at such a separator, but removes it. */
const SEPARATOR = new RegExp(`[${DASHES}]{2,}\\s*END(?::[A-Z0-9]{1,32})?\\s*[${DASHES}]{2,}`, 'iu')

function lintStyle({ at, text }: PlacedText): readonly Finding[] {
  const complaints = [
    /[\u2013\u2014]|\s--\s/.test(text) &&
      'Has a dash where somebody who talks would pause. Use a full stop or a comma.',
    /(?:^|\n)\s*(?:[-*\u2022]|\d+[.)])\s/.test(text) && 'Is a list. People do not talk in lists.',
    PRAISE.test(text) && `Says "${PRAISE.exec(text)?.[0]}". Say what is thought of it, or nothing.`,
  ]
  return complaints.flatMap((message) => (message ? [found('G032', at, message)] : []))
}

const PRAISE =
  /\b(?:(?:great|good|excellent|fantastic|interesting) (?:question|point|catch|job|work)|well done|nice work|happy to help|i (?:completely |totally )?understand your concerns?|i appreciate (?:your|that|you)|absolutely|as an ai)\b/i

/** Replaces typographic characters with ASCII characters. Dashes stay, because they are a matter of style. */
export function asTyped(text: string): string {
  return text.replaceAll(/[^\p{ASCII}]/gu, (sign) => TYPED[sign] ?? sign)
}

const TYPED: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '…': '...',
  '\u00a0': ' ',
  '→': '->',
}
