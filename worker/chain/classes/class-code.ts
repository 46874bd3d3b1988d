/** Crockford's digits: none that is taken for another, and no word comes of them. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 60 bits: nobody comes upon a class by trying. */
const LENGTH = 12

const CODE = new RegExp(`^[${DIGITS}]{${LENGTH}}$`)

/** A code for a class, as it is stored. */
export function newCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH))
  return Array.from(bytes, (byte) => DIGITS.charAt(byte % DIGITS.length)).join('')
}

/** The code that somebody has typed: in small letters, in groups, with letters that look like figures. Null: none. */
export function readCode(typed: string): string | null {
  if (typed.length > 64) return null
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return CODE.test(code) ? code : null
}
