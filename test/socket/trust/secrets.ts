/** Returns pseudo-random bytes, the same for the same seed (xorshift32). */
export function drawn(length: number, seed: number): Uint8Array<ArrayBuffer> {
  let state = Math.imul(seed, 2_654_435_761) >>> 0 || 1
  return Uint8Array.from({ length }, () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 8) & 0xff
  })
}

export function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

/** A secret in the required format. */
export const STRONG = base64url(drawn(36, 7))
