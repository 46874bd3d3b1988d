import { createFactory } from 'hono/factory'
import { log } from '../log.ts'
import { bearing, type ChainEnv, ownPagesOnly } from './chain/bearer-door.ts'
import { configured, limited } from './doors.ts'
import { refused } from './errors.ts'
import { objectIdOf } from './session-id.ts'

const factory = createFactory<ChainEnv>()

/** Returns the turn that a query names; null if it names none. */
export function turnIn(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null
}

/**
 * `GET /api/told/<session>?turn=3`: returns what was sent in a turn of an assistant, or in the latest ones, for the
 * operator's page. The token has to be one of the deployment's own tenant, and to permit reading what people said. Every
 * request with such a token is logged.
 */
export const showToldTo = factory.createHandlers(
  configured,
  limited('LIMIT_REQUESTS'),
  ownPagesOnly,
  bearing('getConversation', 'people'),
  async (c) => {
    const { tenant, name } = c.var.bearer
    const session = c.req.param('session') ?? ''
    const id = tenant === c.var.config.trust.signing.deployment ? objectIdOf(c.env.CONVERSATIONS, session) : null
    const told = id && (await c.env.CONVERSATIONS.get(id).told(turnIn(c.req.query('turn'))))
    log('told', { session: id && session, tenant, token: name, status: told ? 200 : 404 })
    return told ? c.json(told) : refused(c, 'not-found')
  },
)
