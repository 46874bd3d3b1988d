/** The least a secret written as text may hold, in characters. */
export const LEAST_CHARACTERS = 32

/** Fewer different characters than this are no 32 characters drawn by chance, in any alphabet of 16 or more. */
const LEAST_DIFFERENT = 8

/** What people write where a secret has to stand. */
const DUMMIES =
  /change[\W_]*me|secret|passw(?:or)?d|example|placeholder|dummy|default|insert|walkon|test[\W_]*(?:key|ing)|lorem|qwert|abcdef|012345|12345678|<|>/i

/** Whether a secret written as text can be guessed: too short, made of few characters, repeated, or a placeholder. */
export function isWeakText(secret: string): boolean {
  return secret.length < LEAST_CHARACTERS || DUMMIES.test(secret) || isMonotonous(secret.split(''))
}

/** Whether a secret's bytes can be guessed: few different ones, repeated, in order, or a placeholder's letters. */
export function isWeakBytes(secret: Uint8Array): boolean {
  if (isMonotonous([...secret])) return true
  if (isRising(secret)) return true
  const isLetters = secret.every((byte) => byte >= 0x20 && byte < 0x7f)
  return isLetters && DUMMIES.test(String.fromCharCode(...secret))
}

function isMonotonous(parts: readonly (string | number)[]): boolean {
  return new Set(parts).size < LEAST_DIFFERENT || isRepeated(parts)
}

/** One piece, over and over, of at most half the length. */
function isRepeated(parts: readonly (string | number)[]): boolean {
  const most = Math.floor(parts.length / 2)
  for (let period = 1; period <= most; period++) {
    if (parts.every((part, i) => part === parts[i % period])) return true
  }
  return false
}

function isRising(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes
  const step = second - first
  return bytes.every((byte, i) => byte === ((first + i * step) & 0xff))
}
