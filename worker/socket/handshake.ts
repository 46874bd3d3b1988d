/**
 * The header in which the Worker tells an object the origin of the page that opens a socket; empty if the client is not
 * a page. The Worker sets this header on every request to an object, so a client's own value never arrives.
 */
export const ORIGIN_HEADER = 'Walkon-Origin'

/** An Engine.IO request of a client, parsed from the query. */
export interface Handshake {
  transport: 'websocket' | 'polling'
  /** The id of an existing connection; null for a new connection. */
  sid: string | null
  /** True if the client keeps the connection alive with heartbeats of its own. */
  hb: boolean
  /**
   * True if the server sends the client its missed events by the official client's method (`recovery.ts`). False for a
   * client with heartbeats: such a client sends the number of its last event instead.
   */
  recovers: boolean
}

/** Why a handshake is refused. `code` and `message` are those of the official server. */
export interface HandshakeRefusal {
  status: 400 | 413 | 426
  code: 0 | 1 | 2 | 3 | 5
  message: string
}

export type HandshakeResult = { ok: true; handshake: Handshake } | { ok: false; refusal: HandshakeRefusal }

/** The body of the Engine.IO `open` packet. Times are in milliseconds, `maxPayload` in bytes. */
export interface OpenFields {
  sid: string
  upgrades: string[]
  pingInterval: number
  pingTimeout: number
  maxPayload: number
}

export const UNKNOWN_SID: HandshakeRefusal = { status: 400, code: 1, message: 'Session ID unknown' }
export const BAD_REQUEST: HandshakeRefusal = { status: 400, code: 3, message: 'Bad request' }
export const TOO_LARGE: HandshakeRefusal = { status: 413, code: 3, message: 'Payload too large' }

/**
 * Parses an Engine.IO request (Engine.IO protocol v4, "Handshake"): a new connection, or with `sid` a poll, a payload,
 * or the upgrade of a polling connection. The checks come in the official server's order, so that a client gets the
 * same error code from both servers. This function does not check whether a connection with the `sid` exists. Never
 * throws.
 */
export function readHandshake(request: Request): HandshakeResult {
  const query = new URL(request.url).searchParams
  const transport = query.get('transport')
  const sid = query.get('sid')
  if (transport !== 'websocket' && transport !== 'polling') return refuse(400, 0, 'Transport unknown')
  if (sid === null && request.method !== 'GET') return refuse(400, 2, 'Bad handshake method')
  if (request.method !== 'GET' && (transport === 'websocket' || request.method !== 'POST')) return refused(BAD_REQUEST)
  if (transport === 'websocket' && !isUpgrade(request)) return refuse(426, 3, 'Bad request')
  if (sid === null && query.get('EIO') !== '4') return refuse(400, 5, 'Unsupported protocol version')
  const hb = query.get('hb') === '1'
  return { ok: true, handshake: { transport, sid, hb, recovers: !hb && query.get('recovery') !== '0' } }
}

/** Makes the HTTP answer of a refusal. The body is JSON, like the official server's. */
export function refusalResponse({ status, code, message }: HandshakeRefusal): Response {
  const headers = new Headers({ 'Cache-Control': 'no-store' })
  if (status === 426) headers.set('Upgrade', 'websocket')
  return Response.json({ code, message }, { status, headers })
}

function isUpgrade(request: Request): boolean {
  return request.headers.get('Upgrade')?.toLowerCase() === 'websocket'
}

function refuse(status: HandshakeRefusal['status'], code: HandshakeRefusal['code'], message: string): HandshakeResult {
  return refused({ status, code, message })
}

function refused(refusal: HandshakeRefusal): HandshakeResult {
  return { ok: false, refusal }
}
