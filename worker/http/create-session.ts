import { createFactory } from 'hono/factory'
import * as z from 'zod'
import { graphDocuments, scenarios } from '../../build/scenarios.ts'
import type { Npc } from '../core/scenario/scenario.ts'
import type { Engine } from '../core/walk/engine.ts'
import type { Config } from '../env.ts'
import { canCount } from '../session/begin.ts'
import { secondsOf } from '../trust/credential.ts'
import { issueCredentials, issueKey, lifeFrom } from '../trust/credentials.ts'
import { identify } from '../trust/identity.ts'
import { anonymousLearner, verifiedLearner } from '../trust/learner.ts'
import type { DoorEnv } from './bindings.ts'
import { errorBody, refused } from './errors.ts'
import { smallBody } from './small-body.ts'

const id = z.string().regex(/^[a-z0-9-]{1,64}$/)
const requestSchema = z.object({
  scenario: id.optional(),
  npc: id.optional(),
  /** Somebody this colleague has met before: their conversation begins elsewhere where a graph says so (S0-32). */
  returning: z.boolean().default(false),
  engine: z.enum(['graph', 'legacy']).optional(),
  /** Read by `identify`, which refuses what it cannot read. */
  identity: z.unknown().optional(),
})

const factory = createFactory<DoorEnv>()

/**
 * `POST /api/sessions {scenario?, npc?, returning?, engine?, identity?}`: begins a conversation and returns
 * `201 {session, scenario, npc, key, token, ticket, lastsMs}`. Without a scenario the first one is taken, without a
 * colleague the scenario's first, without an engine the deployment's.
 */
export const createSession = factory.createHandlers(smallBody, async (c) => {
  const { config, origin } = c.var
  const read = requestSchema.safeParse(await c.req.json().catch(() => null))
  if (!read.success)
    return c.json(errorBody('give-up', 'malformed', 'Send JSON with the ids of a scenario and a colleague.'), 400)
  const scenario = read.data.scenario ? scenarios.find((s) => s.id === read.data.scenario) : scenarios[0]
  if (!scenario) return c.json(errorBody('give-up', 'unknown-scenario', 'There is no such scenario.'), 404)
  const npc = read.data.npc ? scenario.npcs.find((n) => n.id === read.data.npc) : scenario.npcs[0]
  if (!npc) return c.json(errorBody('give-up', 'unknown-npc', 'The scenario has no such colleague.'), 404)

  const now = Date.now()
  const { signing, lifetimes, learnerSecret } = config.trust
  const identified = await identify(config.trust.identity, read.data.identity, now)
  if (!identified.ok) return refused(c, 'identity-required')
  const learner =
    identified.user === null
      ? anonymousLearner()
      : await verifiedLearner(learnerSecret, signing.deployment, identified.user)

  const objectId = c.env.CONVERSATIONS.newUniqueId()
  const session = objectId.toString()
  const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
  await c.env.CONVERSATIONS.get(objectId).begin({
    session,
    epoch: crypto.randomUUID(),
    scenario,
    npc: npc.id,
    documents: typeof npc.walk === 'string' ? [] : graphDocuments,
    engine: engineFor(npc, read.data.engine ?? config.engine, seed),
    seed,
    person: read.data.returning ? 'returning' : 'new',
    learner,
  })
  const holder = { session, origin, epoch: 0, learner: learner.kind === 'verified' ? learner.id : undefined }
  const life = lifeFrom(now, secondsOf(now) + lifetimes.key)
  const [key, credentials] = await Promise.all([
    issueKey(signing, lifetimes, holder, now),
    issueCredentials(signing, lifetimes, holder, life, now),
  ])
  return c.json({ session, scenario: scenario.id, npc: npc.id, key, ...credentials }, 201)
})

/** Only a tier's conversations can be counted through; the seed's last bit divides them in two. */
function engineFor(npc: Npc, chosen: Config['engine'], seed: number): Engine {
  if (!canCount(npc) || chosen === 'graph') return 'graph'
  return chosen === 'legacy' || seed % 2 === 1 ? 'legacy' : 'graph'
}
