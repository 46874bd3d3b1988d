/**
 * One step of a scripted model server on a connection. After the last step, the server closes the connection (FIN), as
 * with the step `close`.
 */
export type Step =
  | { readonly kind: 'send'; readonly bytes: Uint8Array }
  | { readonly kind: 'wait'; readonly until: Promise<unknown> }
  | { readonly kind: 'hang' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'close' }
  | { readonly kind: 'keep' }

/** Sends nothing more and waits until the client leaves. */
export const hang: Step = { kind: 'hang' }
/** Breaks the connection (RST). */
export const reset: Step = { kind: 'reset' }
/** Closes the connection regularly (FIN). */
export const close: Step = { kind: 'close' }
/**
 * Ends the script, but not the connection. The client may send its next request over the connection, and the handler
 * answers it.
 */
export const keep: Step = { kind: 'keep' }

/** Returns a step with one write on the socket. */
export function send(bytes: Uint8Array | string): Step {
  return { kind: 'send', bytes: typeof bytes === 'string' ? encode(bytes) : bytes }
}

/** Returns a step that waits until `until` resolves. */
export function wait(until: Promise<unknown>): Step {
  return { kind: 'wait', until }
}

/**
 * Returns the step that sends the status line and the headers. A header with the value null is left out. The body ends
 * when the connection closes, unless there is a `content-length` or a `transfer-encoding`.
 */
export function head(status = 200, headers: Readonly<Record<string, string | null>> = {}): Step {
  const all = { connection: 'close', 'content-type': 'text/event-stream', ...headers }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}\r\n`]))
  return send(`HTTP/1.1 ${status} ${status < 400 ? 'OK' : 'Refused'}\r\n${lines.join('')}\r\n`)
}

/** Returns the steps of a complete response with `content-length`, such as an error response. */
export function answer(status: number, headers: Readonly<Record<string, string | null>>, body: string): Step[] {
  const bytes = encode(body)
  return [head(status, { 'content-length': String(bytes.length), ...headers }), send(bytes)]
}

/** Returns a chunk of `transfer-encoding: chunked` with these bytes. A chunk without bytes ends the body. */
export function framed(bytes: Uint8Array = new Uint8Array()): Uint8Array {
  return joinBytes([encode(`${bytes.length.toString(16)}\r\n`), bytes, encode('\r\n')])
}

/**
 * Returns steps that send the bytes in several writes. There is a cut before each of the positions, which may be in any
 * order. Positions outside the bytes are ignored.
 */
export function hostileChunks(bytes: Uint8Array, cutPositions: readonly number[]): Step[] {
  const inside = cutPositions.filter((at) => at > 0 && at < bytes.length)
  const cuts = [0, ...new Set(inside.toSorted((a, b) => a - b)), bytes.length]
  return cuts.slice(1).map((end, at) => send(bytes.subarray(cuts[at], end)))
}

/**
 * Returns the positions at which a cut is hardest to handle: inside every character of several bytes, at every byte of
 * `---END---`, and between the two line ends that close an event.
 */
export function hostileCuts(bytes: Uint8Array): number[] {
  const separators = findAll(bytes, encode('---END---')).flatMap((at) =>
    Array.from({ length: 8 }, (_, i) => at + i + 1),
  )
  const insideCharacters = positionsWhere(bytes, (at) => (bytes[at]! & 0xc0) === 0x80)
  const betweenLineEnds = positionsWhere(bytes, (at) => isLineEnd(bytes[at]) && isLineEnd(bytes[at - 1]))
  return [...separators, ...insideCharacters, ...betweenLineEnds]
}

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === 10 || byte === 13
}

function positionsWhere(bytes: Uint8Array, matches: (at: number) => boolean): number[] {
  return Array.from(bytes.keys()).filter(matches)
}

function findAll(bytes: Uint8Array, wanted: Uint8Array): number[] {
  return positionsWhere(bytes, (at) => wanted.every((byte, i) => bytes[at + i] === byte))
}
