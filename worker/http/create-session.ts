import type { Context } from 'hono'
import { createFactory } from 'hono/factory'
import * as z from 'zod'
import { ChainError } from '../chain/chain-error.ts'
import { type BeginResult, beginConversation } from '../chain/runs/begin-conversation.ts'
import { ownScope } from '../chain/runs/own-scope.ts'
import type { RunPlace } from '../chain/runs/run-data.ts'
import { type ContentSources, contentSources } from '../chain/scenarios/contents.ts'
import { type OpenedScenario, scenarioToBegin, scenarioToContinue } from '../chain/scenarios/scenario-versions.ts'
import type { Scope } from '../chain/scope.ts'
import { issueCredentials, issueKey, lifeFrom } from '../trust/credentials.ts'
import { issueRunKey, readRunKey, type RunHeld } from '../trust/game-credentials.ts'
import type { DoorEnv } from './bindings.ts'
import { errorBody, refused } from './errors.ts'
import { lacksModel } from './game/refusals.ts'
import { learnerFor } from './learner-for.ts'
import { openingFor, recognises } from './opening.ts'
import { smallBody } from './small-body.ts'

const id = z.string().regex(/^[a-z0-9-]{1,64}$/)
const requestSchema = z.object({
  scenario: id.optional(),
  npc: id.optional(),
  /** The key of the run that this conversation joins. */
  run: z.string().optional(),
  /**
   * True if the learner has talked with the colleague before. A graph may have another first node for such a learner.
   * If this field is missing, the server looks for an earlier conversation in the chain.
   */
  returning: z.boolean().optional(),
  engine: z.enum(['graph', 'legacy']).optional(),
  /** The proof of who the learner is, which `identify` checks. */
  identity: z.unknown().optional(),
  /** True to find out whether this conversation could begin. Nothing begins. */
  check: z.literal(true).optional(),
})

const factory = createFactory<DoorEnv>()

/**
 * `POST /api/sessions {scenario?, npc?, run?, returning?, engine?, identity?}`: begins a conversation and returns `201
 * {session, scenario, npc, run: {id, key}, key, token, ticket, lastsMs}`. A missing `run` begins a new run. A missing
 * `scenario` means the scenario of the run, or the first scenario if there is no run. A missing `npc` means the
 * scenario's first colleague, and a missing `engine` the deployment's engine. With `check: true` nothing begins: the answer
 * says whether this conversation could begin.
 */
export const createSession = factory.createHandlers(smallBody, async (c) => {
  const { config, origin } = c.var
  const { trust } = config
  const { signing, lifetimes } = trust
  const read = requestSchema.safeParse(await c.req.json().catch(() => null))
  if (!read.success)
    return c.json(errorBody('give-up', 'malformed', 'Send JSON with the ids of a scenario and a colleague.'), 400)
  const asked = read.data
  const now = Date.now()
  const held = asked.run === undefined ? null : await readRunKey(signing, asked.run, now)
  if (asked.run !== undefined && held === null) return refused(c, 'not-admitted')
  const chain = await ownScope(c.env, trust)
  const stored = await scenarioFor(contentSources(c.env, chain), asked.scenario, held)
  if (!stored)
    return c.json(errorBody('give-up', 'unknown-scenario', 'There is no such scenario here. Check data-scenario.'), 404)
  const { scenario } = stored
  if (lacksModel(scenario, config)) return refused(c, 'needs-model')
  const npc = asked.npc ? scenario.npcs.find((n) => n.id === asked.npc) : scenario.npcs[0]
  if (!npc)
    return c.json(errorBody('give-up', 'unknown-npc', 'The scenario has no such colleague. Check data-npc.'), 404)
  if (asked.check) return c.json({ scenario: scenario.id, npc: npc.id })
  const known = await learnerFor(trust, asked.identity, held, now)
  if (known === null) return refused(c, 'identity-required')
  const { learner, until } = known

  const objectId = c.env.CONVERSATIONS.newUniqueId()
  const session = objectId.toString()
  const isReturning = asked.returning ?? (await recognises(chain, { learner, held, scenario, npc }))
  const begun = chain && (await inChain(chain, { session, scenario, npc, learner, run: held?.id ?? null }))
  if (begun?.ok === false) return notBegun(c, begun.why)
  const place = begun?.place ?? null

  const person = isReturning ? 'returning' : 'new'
  const engine = asked.engine ?? config.engine
  await c.env.CONVERSATIONS.get(objectId).begin(
    openingFor({ session, stored, npc, learner, run: place, person, engine }),
  )
  const holder = { session, origin, epoch: 0, learner: learner.kind === 'verified' ? learner.id : undefined }
  const life = lifeFrom(now, until)
  const [key, credentials, runKey] = await Promise.all([
    issueKey(signing, holder, until, now),
    issueCredentials(signing, lifetimes, holder, life, now),
    place &&
      issueRunKey(
        signing,
        { id: place.id, scenario: scenario.id, version: held ? held.version : scenario.version, learner, until },
        now,
      ),
  ])
  const run = place && { run: { id: place.id, key: runKey } }
  return c.json({ session, scenario: scenario.id, npc: npc.id, ...run, key, ...credentials }, 201)
})

/** Returns the scenario to play; null if it does not exist, or if the request names a run of another scenario. */
async function scenarioFor(
  sources: ContentSources,
  asked: string | undefined,
  held: RunHeld | null,
): Promise<OpenedScenario | null> {
  if (held === null) return scenarioToBegin(sources, asked)
  return asked === undefined || asked === held.scenario
    ? scenarioToContinue(sources, held.scenario, held.version)
    : null
}

type NotBegun = Extract<BeginResult, { ok: false }>['why'] | 'erasing'

async function inChain(
  chain: Scope,
  beginning: Parameters<typeof beginConversation>[1],
): Promise<{ ok: true; place: RunPlace } | { ok: false; why: NotBegun }> {
  try {
    return await beginConversation(chain, beginning)
  } catch (error) {
    if (error instanceof ChainError && error.code === 'ERASURE_RUNNING') return { ok: false, why: 'erasing' }
    throw error
  }
}

const ERASURE_RETRY_MS = 5_000

function notBegun(c: Context, why: NotBegun): Response {
  switch (why) {
    case 'unknown-run':
      return c.json(errorBody('start-over', why, 'This run is not there any more. Begin a new one.'), 404)
    case 'run-full':
      return c.json(errorBody('start-over', why, 'This run takes no more conversations. Begin a new one.'), 409)
    case 'erasing':
      return refused(c, 'unavailable', ERASURE_RETRY_MS)
  }
}
