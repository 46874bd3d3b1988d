import type { Context } from 'hono'
import { EPOCH_HEADER } from '../session/admission.ts'
import { refuse } from '../session/refuse.ts'
import { readHandshake, refusalResponse, ORIGIN_HEADER } from '../socket/handshake.ts'
import { refuseSocket } from '../socket/refuse-socket.ts'
import { LEEWAY_SECONDS, verify } from '../trust/credential.ts'
import { LIFE_SECONDS } from '../trust/credentials.ts'
import { isOwnOrigin } from '../trust/origin.ts'
import type { DoorEnv } from './bindings.ts'
import { objectIdOf } from './session-id.ts'

/**
 * `/socket.io/?session=…&ticket=…`: forwards a Socket.IO request to the conversation's object, if the request's ticket
 * is valid. Session and ticket are in the query, because a Socket.IO client sends the query with every request. A
 * request without a valid ticket wakes no object and gets the same answer whether or not the session exists
 * ([trust-6]). A ticket that was issued before a revocation is valid here, but the object refuses it ([trust-20]).
 */
export async function openSocket(c: Context<DoorEnv>): Promise<Response> {
  const handshake = readHandshake(c.req.raw)
  if (!handshake.ok) return refusalResponse(handshake.refusal)
  const { transport, sid } = handshake.handshake
  const session = c.req.query('session') ?? ''
  const objectId = objectIdOf(c.env.CONVERSATIONS, session)
  const passed =
    objectId &&
    (await verify(c.var.config.trust.signing, 'ticket', {
      text: c.req.query('ticket') ?? '',
      session,
      now: Date.now(),
      // A polling client sends the ticket of its first request with every request, so an expired ticket is accepted for
      // an existing connection. The client's token limits how long the client may take part.
      leeway: sid === null ? LEEWAY_SECONDS : LIFE_SECONDS,
    }))
  if (!objectId || !passed) return notAdmitted(transport)
  if (!isOfPage(passed.ori, c, transport)) return notAdmitted(transport, otherPage(passed.ori, c.var.origin))
  const headers = new Headers(c.req.raw.headers)
  headers.set(ORIGIN_HEADER, passed.ori ?? '')
  headers.set(EPOCH_HEADER, String(passed.ep))
  const response = await c.env.CONVERSATIONS.get(objectId).fetch(new Request(c.req.raw, { headers }))
  return response.status === 401 ? notAdmitted(transport) : response
}

/**
 * Returns true if the request comes from the page that the ticket names. A browser sends `Origin` with each request for
 * a WebSocket, and with each poll to another origin. With a poll over plain http to the page's own origin, a browser
 * sends no header that names the page's origin. So a poll without `Origin` is accepted if the ticket names the Worker's
 * own origin, with http or https.
 */
function isOfPage(page: string | null, c: Context<DoorEnv>, transport: 'websocket' | 'polling'): boolean {
  if (page === c.var.origin) return true
  if (transport !== 'polling' || page === null || c.req.header('Origin') !== undefined) return false
  return isOwnOrigin(page, c.req.url)
}

/** Returns a message for the developer of a client: why this request may not use its ticket. */
function otherPage(page: string | null, origin: string | null): string {
  const given = page === null ? 'without an Origin header' : `with the Origin ${page}`
  const shown = origin === null ? 'has none' : `has the Origin ${origin}`
  return `The ticket was given to a request ${given}; this request ${shown}. Send the same Origin with every request.`
}

/**
 * Refuses a client. If the client requests a WebSocket, the refusal is sent through an opened WebSocket. An HTTP status
 * would not do: a browser hides it from the Socket.IO client, so the client would retry for ever.
 */
function notAdmitted(transport: 'websocket' | 'polling', message?: string): Response {
  const refusal = refuse('not-admitted')
  const data = message === undefined ? refusal : { ...refusal, message }
  if (transport === 'websocket') return refuseSocket({ message: data.message, data })
  return Response.json({ code: 4, message: data.message, data }, { status: 401 })
}
