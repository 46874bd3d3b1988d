import type { Context } from 'hono'
import type { Bindings } from './bindings.ts'
import { refuse } from '../session/refuse.ts'
import { readHandshake, refusalResponse } from '../socket/handshake.ts'
import { refuseSocket } from '../socket/refuse-socket.ts'

/**
 * `GET /socket.io/?session=…`: hands the upgrade to the conversation's object. Routed by the session in the query,
 * which a Socket.IO client sends on every request; an id that the platform did not make wakes nobody.
 */
export async function openSocket(c: Context<{ Bindings: Bindings }>): Promise<Response> {
  const handshake = readHandshake(c.req.raw)
  if (!handshake.ok) return refusalResponse(handshake.refusal)
  const objectId = parseId(c.env.CONVERSATIONS, c.req.query('session') ?? '')
  if (objectId) return c.env.CONVERSATIONS.get(objectId).fetch(c.req.raw)
  const data = refuse('unknown-session')
  return refuseSocket({ message: data.message, data })
}

function parseId(namespace: Bindings['CONVERSATIONS'], session: string): DurableObjectId | null {
  if (!/^[0-9a-f]{64}$/.test(session)) return null
  try {
    return namespace.idFromString(session)
  } catch {
    return null
  }
}
