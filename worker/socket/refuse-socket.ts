import { encodeEnginePacket } from './engine-packet.ts'
import { encodeConnectError } from './socket-packet.ts'

/**
 * Refuses a client for good without waking any object: opens the socket, waits for its CONNECT, answers with
 * CONNECT_ERROR and closes. A browser cannot read the status of a failed upgrade, so an HTTP answer would only make
 * the official client try for ever.
 *
 * Plain `accept()`: a hibernatable socket that the server closes before the client has spoken is never torn down.
 */
export function refuseSocket(error: { message: string; data: unknown }): Response {
  const { 0: client, 1: server } = new WebSocketPair()
  server.accept()
  server.send(encodeEnginePacket('open', JSON.stringify(OPEN)))
  server.addEventListener(
    'message',
    () => {
      server.send(encodeEnginePacket('message', encodeConnectError('/', error)))
      server.close(1008, 'refused')
    },
    { once: true },
  )
  return new Response(null, { status: 101, webSocket: client })
}

const OPEN = { sid: 'refused', upgrades: [], pingInterval: 25_000, pingTimeout: 20_000, maxPayload: 65_536 }
