/** How much of a body that nobody wants is still read, in bytes. */
const DISCARD_LIMIT = 1_048_576

/**
 * Reads a request's body as text, or returns null when it is longer than `limit` bytes. What is too much is read all the
 * same, up to a megabyte, and forgotten: an answer to a request that is still being sent loses the connection, and with
 * it whatever else was on it. Rejects when the client leaves.
 */
export async function readBody(request: Request, limit: number): Promise<string | null> {
  const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
  let text = ''
  let length = 0
  // Nothing obliges a client to say the length beforehand, or to say it truly.
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > DISCARD_LIMIT) return null
    text = length > limit ? '' : text + decoder.decode(chunk, { stream: true })
  }
  return length > limit ? null : text + decoder.decode()
}
