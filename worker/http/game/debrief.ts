import * as z from 'zod'
import { createFactory } from 'hono/factory'
import { contentSources } from '../../chain/scenarios/contents.ts'
import { scenarioToContinue } from '../../chain/scenarios/scenario-versions.ts'
import { readRun } from '../../chain/runs/read-run.ts'
import { debriefOf, resultOf } from '../../core/run/debrief.ts'
import { runView } from '../../core/run/run-view.ts'
import { nameOf, log } from '../../log.ts'
import { issueResult, readResult } from '../../trust/game-credentials.ts'
import type { DebriefView } from '../../wire/run.ts'
import type { DoorEnv } from '../bindings.ts'
import { errorBody, refused } from '../errors.ts'
import { smallBody } from '../small-body.ts'
import { accountsOf } from './conversation-objects.ts'
import type { RunEnv } from './game-doors.ts'
import { unknownRun, unknownScenario, simulationIn, malformed } from './refusals.ts'

/** When a client should retry if a conversation did not answer, in milliseconds. */
const AGAIN_MS = 2_000

const withKey = createFactory<RunEnv>()

/**
 * `GET /api/run/debrief`: returns the debrief of a run as a `DebriefView`, or `409 undecided` if the learner has not
 * decided yet. If one conversation of the run does not answer, the route answers `unavailable` and shows no debrief: a
 * reader would not notice that a conversation is missing.
 */
export const getDebrief = withKey.createHandlers(async (c) => {
  const { run: held, chain, config } = c.var
  const scenario = simulationIn(await scenarioToContinue(contentSources(c.env, chain), held.scenario, held.version))
  if (!scenario) return unknownScenario(c)
  const before = await readRun(chain, held)
  if (before === null) return unknownRun(c)
  if (before.standing.decision === null)
    return c.json(errorBody('give-up', 'undecided', 'Decide first: the debrief tells everything.'), 409)

  const accounts = await accountsOf(c.env, before.standing.plays).catch((error: unknown) => {
    log('debrief-not-told', { error: nameOf(error) })
    return null
  })
  if (accounts === null) return refused(c, 'unavailable', AGAIN_MS)
  // The run is read again, because each conversation has now written its last events to the chain.
  const found = await readRun(chain, held)
  const decision = found?.standing.decision
  if (!found || !decision) return unknownRun(c)
  const run = { ...runView(found.standing, scenario), decision: { ...decision, evidence: [...decision.evidence] } }
  const debrief = debriefOf(scenario, run, accounts)
  if (debrief === null) return unknownScenario(c)
  const said = resultOf(scenario, debrief, found.standing.plays)
  const result = await issueResult(config.trust.signing, said, Date.now())
  return c.json({ ...debrief, result } satisfies DebriefView)
})

const requestSchema = z.object({ result: z.string() })

const forAnyone = createFactory<DoorEnv>()

/**
 * `POST /api/results {result}`: returns the content of a signed result as a `ResultView`. Anyone may send this request,
 * which wakes no object and reads no database.
 */
export const checkResult = forAnyone.createHandlers(smallBody, async (c) => {
  const read = requestSchema.safeParse(await c.req.json().catch(() => null))
  if (!read.success) return malformed(c, 'Send JSON with the text of a result.')
  const result = await readResult(c.var.config.trust.signing, read.data.result, Date.now())
  if (result === null) return c.json(errorBody('give-up', 'not-genuine', 'This result was not signed here.'), 400)
  return c.json(result)
})
