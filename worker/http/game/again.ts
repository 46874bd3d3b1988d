import { createFactory } from 'hono/factory'
import * as z from 'zod'
import { contentSources } from '../../chain/scenarios/contents.ts'
import { scenarioToContinue } from '../../chain/scenarios/scenario-versions.ts'
import { issueRunKey } from '../../trust/game-credentials.ts'
import type { RunStarted } from '../../wire/run.ts'
import { errorBody, refused } from '../errors.ts'
import { learnerFor } from '../learner-for.ts'
import { smallBody } from '../small-body.ts'
import { beginAgain } from './begin-again.ts'
import { objectsOf } from './conversation-objects.ts'
import { lacksModel, malformed, notNow, simulationIn, unknownRun } from './refusals.ts'
import type { RunEnv } from './game-doors.ts'

const requestSchema = z
  .object({
    /** Without a colleague and a pivot, the run begins again from its decision. */
    npc: z.string().max(64).nullable().default(null),
    pivot: z.string().max(200).nullable().default(null),
    cid: z.string().min(1).max(64),
    /** The proof of who the learner is, which `identify` checks. */
    identity: z.unknown().optional(),
  })
  .refine(({ npc, pivot }) => (npc === null) === (pivot === null))

const factory = createFactory<RunEnv>()

/**
 * `POST /api/run/again {npc?, pivot?, cid, identity?}`: begins a new run at a pivot (a fork) of the run whose key the
 * client sends, or as that run was at its decision. Returns `201 {run: {id, key}}`. A repeated request with the same `cid` begins no second run, and
 * returns the first one.
 */
export const postAgain = factory.createHandlers(smallBody, async (c) => {
  const { config, run: held, chain } = c.var
  const read = requestSchema.safeParse(await c.req.json().catch(() => null))
  if (!read.success)
    return malformed(c, 'Send JSON with a name for the wish, and with a colleague and one of their pivots, or neither.')
  const { npc, pivot, cid, identity } = read.data
  const moment = npc === null || pivot === null ? null : { npc, pivot }
  const scenario = simulationIn(await scenarioToContinue(contentSources(c.env, chain), held.scenario, held.version))
  if (scenario && lacksModel(scenario, config)) return refused(c, 'needs-model')
  const now = Date.now()
  const known = await learnerFor(config.trust, identity, held, now)
  if (known === null) return refused(c, 'identity-required')
  try {
    const begun = await beginAgain({ scope: chain, objects: objectsOf(c.env, chain) }, held, { moment, cid })
    if (begun.ok) {
      const { learner } = held
      const opened = { id: begun.run, scenario: held.scenario, version: held.version, learner, until: known.until }
      const key = await issueRunKey(config.trust.signing, opened, now)
      return c.json({ run: { id: begun.run, key } } satisfies RunStarted, 201)
    }
    switch (begun.why) {
      case 'unknown-run':
        return unknownRun(c)
      case 'undecided':
        return c.json(errorBody('give-up', begun.why, 'Decide first: then you can go back.'), 409)
      case 'unknown-moment':
        return c.json(errorBody('give-up', begun.why, 'There is no such moment to go back to.'), 404)
    }
  } catch (error) {
    return notNow(c, error)
  }
})
