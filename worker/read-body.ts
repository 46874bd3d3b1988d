/** The most bytes that are read of a body that is then discarded. */
const DISCARD_LIMIT = 1_048_576

/**
 * Reads a request's body. A body longer than `limit` bytes is discarded, but still read to its end, or up to a
 * megabyte or the limit. If the server answered while the client is still sending, the connection would break, and other requests on
 * the connection would fail too.
 *
 * @returns the bytes; null if the body has more than `limit` bytes
 * @throws if the client disconnects before the body's end
 */
export async function readBody(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  // The bytes are counted here, because the client's `Content-Length` may be missing or wrong.
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > Math.max(DISCARD_LIMIT, limit)) return null
    if (length <= limit) chunks.push(chunk)
    else chunks.length = 0
  }
  return length > limit ? null : joined(chunks, length)
}

/** Reads and discards the body of a request, unless the body was read already. Never throws. */
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
