import { createFactory } from 'hono/factory'
import * as z from 'zod'
import { contentSources } from '../../chain/scenarios/contents.ts'
import { scenarioToContinue } from '../../chain/scenarios/scenario-versions.ts'
import { findPlay, openPlay, type PlayOpened } from '../../chain/runs/open-play.ts'
import { issueCredentials, issueKey, lifeFrom } from '../../trust/credentials.ts'
import type { TalkOpened } from '../../wire/run.ts'
import { heldOff } from '../doors.ts'
import { errorBody, refused } from '../errors.ts'
import { learnerFor } from '../learner-for.ts'
import { openingFor, recognises } from '../opening.ts'
import { smallBody } from '../small-body.ts'
import { beginPlay } from './conversation-objects.ts'
import { lacksModel, malformed, notNow, unknownRun, unknownScenario, simulationIn } from './refusals.ts'
import type { RunEnv } from './game-doors.ts'

const requestSchema = z.object({
  npc: z.string().max(64),
  /** The proof of who the learner is, which `identify` checks. */
  identity: z.unknown().optional(),
})

const factory = createFactory<RunEnv>()

/**
 * `POST /api/run/talk {npc, identity?}`: returns the run's only conversation with a colleague as a `TalkOpened`, and
 * begins the conversation if it does not exist. The conversation's key is valid as long as the run's key.
 */
export const openTalk = factory.createHandlers(smallBody, async (c) => {
  const { config, origin, run: held, chain } = c.var
  const { signing, lifetimes } = config.trust
  const read = requestSchema.safeParse(await c.req.json().catch(() => null))
  if (!read.success) return malformed(c, 'Send JSON with the id of a colleague.')
  const stored = await scenarioToContinue(contentSources(c.env, chain), held.scenario, held.version)
  const scenario = simulationIn(stored)
  if (!stored || !scenario) return unknownScenario(c)
  const npc = scenario.npcs.find(({ id }) => id === read.data.npc)
  if (!npc) return c.json(errorBody('give-up', 'unknown-npc', 'The simulation has no such colleague.'), 404)
  const now = Date.now()
  if ((await learnerFor(config.trust, read.data.identity, held, now)) === null) return refused(c, 'identity-required')
  const { learner } = held

  try {
    const found = await findPlay(chain, held.id, npc.id)
    if (found === null && lacksModel(scenario, config)) return refused(c, 'needs-model')
    // Only a new conversation counts against the rate limit, because a page opens an existing conversation again and
    // again.
    const tooMany = found === null ? await heldOff(c, 'LIMIT_SESSIONS') : null
    if (tooMany !== null) return tooMany
    const fresh = c.env.CONVERSATIONS.newUniqueId().toString()
    const opened: PlayOpened = found
      ? { ok: true, play: found }
      : await openPlay(chain, { session: fresh, scenario, npc, learner, run: held.id })
    if (!opened.ok && opened.why === 'unknown-run') return unknownRun(c)
    if (!opened.ok) return c.json(errorBody('start-over', opened.why, 'This run takes no more conversations.'), 409)
    const { session, place } = opened.play
    const epoch = await beginPlay(c.env, chain, opened.play, async () => {
      const isReturning = await recognises(chain, { learner, held, scenario, npc })
      const person = isReturning ? 'returning' : 'new'
      return openingFor({ session, stored, npc, learner, run: place, person, engine: config.engine })
    })
    if (epoch === null) return unknownRun(c)
    // The operator has revoked the conversation's credentials, so the learner gets no new credentials.
    if (epoch > 0) return refused(c, 'not-admitted')
    const holder = { session, origin, epoch, learner: learner.kind === 'verified' ? learner.id : undefined }
    const [key, credentials] = await Promise.all([
      issueKey(signing, holder, held.until, now),
      issueCredentials(signing, lifetimes, holder, lifeFrom(now, held.until), now),
    ])
    return c.json({ session, npc: npc.id, key, ...credentials } satisfies TalkOpened)
  } catch (error) {
    return notNow(c, error)
  }
})
