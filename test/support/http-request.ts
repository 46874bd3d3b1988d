import type { Socket } from 'node:net'

export interface RawRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Reads the one request that a connection brings, and ignores all later bytes. Returns null if the client leaves before
 * the request is complete.
 */
export function readRequest(socket: Socket): Promise<RawRequest | null> {
  return new Promise((resolve, reject) => {
    let held: Buffer = Buffer.alloc(0)
    let isRead = false
    // The listener stays even after the request. A socket that nobody reads never reports that the client has left.
    socket.on('data', (bytes: Buffer) => {
      if (isRead) return
      held = Buffer.concat([held, bytes])
      try {
        const request = parse(held)
        if (request === null) return
        isRead = true
        resolve(request)
      } catch (error) {
        reject(error)
      }
    })
    socket.on('close', () => resolve(null))
  })
}

function parse(bytes: Buffer): RawRequest | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null

  const [requestLine = '', ...headerLines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const [method = '', path = ''] = requestLine.split(' ')
  const headers = Object.fromEntries(headerLines.map(splitHeader))
  const body = bodyOf(bytes.subarray(headEnd + 4), headers)
  return body === null ? null : { method, path, headers, body: body.toString('utf8') }
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}

function bodyOf(bytes: Buffer, headers: Readonly<Record<string, string>>): Buffer | null {
  if (headers['transfer-encoding'] === 'chunked') return unframe(bytes)
  const length = Number(headers['content-length'] ?? '0')
  return bytes.length < length ? null : bytes.subarray(0, length)
}

/** Returns the body of a message with `transfer-encoding: chunked`, or null if the body is incomplete. */
function unframe(bytes: Buffer): Buffer | null {
  const parts: Buffer[] = []
  let at = 0
  while (true) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (Number.isNaN(size)) throw new Error('a request body with a broken frame')
    const start = lineEnd + 2
    if (bytes.length < start + size + 2) return null
    if (size === 0) return Buffer.concat(parts)
    parts.push(bytes.subarray(start, start + size))
    at = start + size + 2
  }
}
