/** How a client asked to be connected. `hb` says that it keeps the connection alive with heartbeats of its own. */
export interface Handshake {
  hb: boolean
}

/** Why a request is no handshake. `code` and `message` are those of the official server. */
export interface HandshakeRefusal {
  status: 400 | 426
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

/**
 * Reads an upgrade request: `GET …?EIO=4&transport=websocket`, with `hb=1` from a client that sends heartbeats
 * (Engine.IO protocol v4, "Handshake"). The checks come in the official server's order, so that a client gets the
 * same error code from both. Never throws.
 */
export function readHandshake(request: Request): HandshakeResult {
  const query = new URL(request.url).searchParams
  if (query.get('transport') !== 'websocket') return refuse(400, 0, 'Transport unknown')
  // A session can only be named to go on with it over another transport, and there is no other.
  if (query.has('sid')) return refuse(400, 1, 'Session ID unknown')
  if (request.method !== 'GET') return refuse(400, 2, 'Bad handshake method')
  if (request.headers.get('Upgrade')?.toLowerCase() !== 'websocket') return refuse(426, 3, 'Bad request')
  if (query.get('EIO') !== '4') return refuse(400, 5, 'Unsupported protocol version')
  return { ok: true, handshake: { hb: query.get('hb') === '1' } }
}

/** Turns a refusal into the HTTP answer. The body is JSON, as the official server's is. */
export function refusalResponse({ status, code, message }: HandshakeRefusal): Response {
  const headers = new Headers({ 'Cache-Control': 'no-store' })
  if (status === 426) headers.set('Upgrade', 'websocket')
  return Response.json({ code, message }, { status, headers })
}

function refuse(status: HandshakeRefusal['status'], code: HandshakeRefusal['code'], message: string): HandshakeResult {
  return { ok: false, refusal: { status, code, message } }
}
