/** A text without what typographers put where a keyboard has something plain. A dash is a matter of style, and stays. */
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
