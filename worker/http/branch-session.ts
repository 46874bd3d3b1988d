import { createFactory } from 'hono/factory'
import * as z from 'zod'
import { ChainError } from '../chain/chain-error.ts'
import { beginConversation } from '../chain/runs/begin-conversation.ts'
import { contentSources, loadScenario } from '../chain/scenarios/contents.ts'
import { ownScope } from '../chain/runs/own-scope.ts'
import { playOf } from '../session/begin-as.ts'
import { readFacts } from '../session/session-info.ts'
import { issueCredentials, issueKey, lifeFrom } from '../trust/credentials.ts'
import type { DoorEnv } from './bindings.ts'
import { errorBody, refused } from './errors.ts'
import { heldSession } from './give-credentials.ts'
import { objectIdOf } from './session-id.ts'
import { smallBody } from './small-body.ts'

const requestSchema = z.object({ turn: z.int().min(1), cid: z.string().regex(/^[\w-]{1,64}$/) })

const factory = createFactory<DoorEnv>()

/** How long a client waits before it tries again while the person is being erased, in milliseconds. */
const ERASURE_RETRY_MS = 5_000

/**
 * `POST /api/sessions/<session>/branch {key, identity?, turn, cid}`: begins a conversation with an assistant as a copy of
 * this one as it was at the end of a turn ([again-10]), for whoever may exchange its key, and returns `201 {session,
 * scenario, npc, key, token, ticket, lastsMs}`. The same `cid` leads to the same new conversation.
 */
export const branchSession = factory.createHandlers(smallBody, async (c) => {
  const now = Date.now()
  const held = await heldSession(c, now)
  if (held instanceof Response) return held
  const { signing, lifetimes } = c.var.config.trust
  const asked = requestSchema.safeParse(await c.req.json().catch(() => null))
  if (!asked.success) return c.json(errorBody('give-up', 'malformed', 'Send the number of a turn, and a cid.'), 400)
  const { turn, cid } = asked.data
  const { CONVERSATIONS: objects } = c.env
  const from = objectIdOf(objects, held.session)
  if (from === null) return refused(c, 'not-admitted')
  const original = objects.get(from)
  if ((await original.revocations()) !== held.key.ep) return refused(c, 'not-admitted')
  const copy = await original.copyUntil({ turn })
  const facts = copy !== null && copy !== 'not-kept' ? readFacts(copy.info) : null
  // Of an assistant that is pinned by its hash, the facts say that it is one.
  if (copy === null || copy === 'not-kept' || !facts || !('assistant' in facts.scenario))
    return c.json(errorBody('give-up', 'unknown-moment', 'This conversation cannot begin again from there.'), 404)

  const id = objects.idFromName(`branch:${held.session}:${cid}`)
  const session = id.toString()
  const branch = objects.get(id)
  const { learner } = facts
  const chain = await ownScope(c.env, c.var.config.trust)
  const { scenario, npc } = await playOf(copy, (hash) => loadScenario(contentSources(c.env, chain), hash))
  if ((await branch.revocations()) === null) {
    try {
      const begun = chain && (await beginConversation(chain, { session, scenario, npc, learner, run: null }))
      const run = begun?.ok ? begun.place : null
      await branch.beginAs(copy, { session, epoch: crypto.randomUUID(), learner, run })
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      return refused(c, 'unavailable', ERASURE_RETRY_MS)
    }
  }
  const holder = { session, origin: c.var.origin, epoch: 0, learner: held.key.lrn }
  const [key, credentials] = await Promise.all([
    issueKey(signing, holder, held.key.exp, now),
    issueCredentials(signing, lifetimes, holder, lifeFrom(now, held.key.exp), now),
  ])
  return c.json({ session, scenario: scenario.id, npc: npc.id, key, ...credentials }, 201)
})
