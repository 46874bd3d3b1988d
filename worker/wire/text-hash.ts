/**
 * Returns a 32-bit hash of a text (FNV-1a over its UTF-16 code units). Server and widget compare a streamed reply by its
 * length and this hash. Equal hashes of equal lengths don't prove equal texts, but an interrupted stream, which is what
 * they are to find, leaves another length.
 */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
