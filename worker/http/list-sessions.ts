import { createFactory } from 'hono/factory'
import * as z from 'zod'
import { ownScope } from '../chain/runs/own-scope.ts'
import { rows } from '../chain/scope.ts'
import { issueKey } from '../trust/credentials.ts'
import type { DoorEnv } from './bindings.ts'
import { errorBody, refused } from './errors.ts'
import { learnerFor } from './learner-for.ts'
import { objectIdOf } from './session-id.ts'
import { smallBody } from './small-body.ts'

const id = z.string().regex(/^[a-z0-9-]{1,64}$/)
const requestSchema = z.object({ scenario: id, npc: id, identity: z.unknown().optional() })

/** The most conversations in a list. Each one's object is asked for its title. */
const MOST = 20

const factory = createFactory<DoorEnv>()

/**
 * `POST /api/sessions/list {scenario, npc, identity}`: returns the latest conversations of a verified person with an
 * assistant, whichever browser they were held in, each with a key ([assistant-34]): `200 {sessions: [{session, key, title,
 * said, is_pinned, is_archived, at}]}`. `title` is empty unless the person has given one; `said` is what they said first. A revoked conversation is not listed.
 */
export const listSessions = factory.createHandlers(smallBody, async (c) => {
  const now = Date.now()
  const { trust } = c.var.config
  const read = requestSchema.safeParse(await c.req.json().catch(() => null))
  if (!read.success)
    return c.json(errorBody('give-up', 'malformed', 'Send JSON with the ids of a scenario and a colleague.'), 400)
  const { scenario, npc, identity } = read.data
  const known = await learnerFor(trust, identity, null, now)
  if (known?.learner.kind !== 'verified') return refused(c, 'identity-required')
  const { learner, until } = known
  const chain = await ownScope(c.env, trust)
  if (chain === null) return refused(c, 'not-found')
  const met = await rows<{ session: string; active_at: number }>(
    chain,
    `SELECT session, active_at FROM sessions
     WHERE tenant = ?1 AND user_id = ?2 AND scenario = ?3 AND npc = ?4 AND met_at IS NOT NULL
     ORDER BY active_at DESC LIMIT ?5`,
    learner.id,
    scenario,
    npc,
    MOST,
  )
  const listed = met.map(async ({ session, active_at: at }) => {
    const object = objectIdOf(c.env.CONVERSATIONS, session)
    const card = object && (await c.env.CONVERSATIONS.get(object).card())
    if (!card) return []
    const holder = { session, origin: c.var.origin, epoch: 0, learner: learner.id }
    return [{ session, key: await issueKey(trust.signing, holder, until, now), ...card, at }]
  })
  return c.json({ sessions: (await Promise.all(listed)).flat() }, 200)
})
