import { SEPARATOR } from '../core/reply/separator.ts'
import type { Config } from '../env.ts'

/** How a deployment divides a reply: by the same line always, or by one that nobody can know before. */
export type SeparatorKind = Config['separator']

/** Base32 as Crockford has it: without letters that are taken for digits. */
const LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZ0123456789'
const LENGTH = 8

/** The line that the next reply's two parts are divided by: another one each time where it has a nonce (40 bits). */
export function newSeparator(kind: SeparatorKind): string {
  if (kind === 'plain') return SEPARATOR
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH))
  return `---END:${Array.from(bytes, (byte) => LETTERS.charAt(byte % LETTERS.length)).join('')}---`
}
