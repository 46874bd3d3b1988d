import { type Clock, systemClock } from '../clock.ts'
import { CLOSE_CODES } from './line.ts'
import { encodeEnginePacket } from './engine-packet.ts'
import { encodeConnectError } from './socket-packet.ts'

/** How long the server waits for the CONNECT of a client that it refuses, in milliseconds. */
const CONNECT_TIMEOUT = 10_000

/**
 * Refuses a client so that it does not try again, without waking any object: opens the socket, waits for the client's
 * CONNECT, answers with CONNECT_ERROR and closes the socket. If no CONNECT arrives, the socket is closed after ten
 * seconds. A refusal with an HTTP status would not do: a browser hides that status from the official client, so the
 * client would retry for ever.
 *
 * The socket is accepted with plain `accept()`. The platform never removes a hibernatable socket that the server closes
 * before the client's first frame.
 */
export function refuseSocket(
  error: { message: string; data: unknown },
  clock: Pick<Clock, 'after'> = systemClock,
): Response {
  const { 0: client, 1: server } = new WebSocketPair()
  server.accept()
  server.send(encodeEnginePacket('open', JSON.stringify(OPEN)))
  const stopWaiting = clock.after(CONNECT_TIMEOUT, () =>
    server.close(CLOSE_CODES['connect-timeout'], 'connect-timeout'),
  )
  server.addEventListener('close', stopWaiting)
  server.addEventListener('error', stopWaiting)
  server.addEventListener(
    'message',
    () => {
      stopWaiting()
      server.send(encodeEnginePacket('message', encodeConnectError('/', error)))
      server.close(1008, 'refused')
    },
    { once: true },
  )
  return new Response(null, { status: 101, webSocket: client })
}

const OPEN = { sid: 'refused', upgrades: [], pingInterval: 25_000, pingTimeout: 20_000, maxPayload: 65_536 }
