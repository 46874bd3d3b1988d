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
 * `/socket.io/?session=…&ticket=…`: hands a request of the transport to the conversation's object, if its ticket lets it
 * through. Both stand in the query, which a Socket.IO client sends with every request. Without a ticket for this session
 * and this page nothing is woken, whether or not there is such a session ([trust-6]). With one that was given before a revocation
 * the object itself refuses, before it gives a place ([trust-20]).
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
      // A client that polls goes on with the address it began with; how long it takes part, its token says.
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
 * Every browser says where an upgrade comes from, and a poll of another origin. With a poll of its own origin it says
 * nothing where there is no https, so that there a program and a page look the same; and behind a proxy that ends https
 * its page may be known by either.
 */
function isOfPage(page: string | null, c: Context<DoorEnv>, transport: 'websocket' | 'polling'): boolean {
  if (page === c.var.origin) return true
  if (transport !== 'polling' || page === null || c.req.header('Origin') !== undefined) return false
  return isOwnOrigin(page, c.req.url)
}

/** Says why a good ticket does not let this request in, for the developer of a client that is no browser. */
function otherPage(page: string | null, origin: string | null): string {
  const given = page === null ? 'without an Origin header' : `with the Origin ${page}`
  const shown = origin === null ? 'has none' : `has the Origin ${origin}`
  return `The ticket was given to a request ${given}; this request ${shown}. Send the same Origin with every request.`
}

/** A browser cannot read the status of a failed upgrade, and its client would try for ever; of a poll it can. */
function notAdmitted(transport: 'websocket' | 'polling', message?: string): Response {
  const refusal = refuse('not-admitted')
  const data = message === undefined ? refusal : { ...refusal, message }
  if (transport === 'websocket') return refuseSocket({ message: data.message, data })
  return Response.json({ code: 4, message: data.message, data }, { status: 401 })
}
