/** The most bytes of an unwanted body that are read. */
const DISCARD_LIMIT = 1_048_576

/**
 * Reads a request's body. If it is longer than `limit` bytes, this function reads the rest too, up to a megabyte, and
 * discards it: an answer to a request that is still being sent breaks the connection, and other requests on it fail
 * too.
 *
 * @returns the bytes, or null if there are more than `limit`
 * @throws if the client leaves before the end
 */
export async function readBody(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  // The bytes are counted, because a client may declare no length, or a wrong one.
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > DISCARD_LIMIT) return null
    if (length <= limit) chunks.push(chunk)
    else chunks.length = 0
  }
  return length > limit ? null : joined(chunks, length)
}

/** Reads an unread body and drops it, as `readBody` does. Never throws. */
export async function discardBody(request: Request): Promise<void> {
  if (!request.bodyUsed) await readBody(request, 0).catch(() => null)
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
