import { Hono } from 'hono'
import { createFactory } from 'hono/factory'
import { contentSources } from '../../chain/scenarios/contents.ts'
import { scenarioToContinue } from '../../chain/scenarios/scenario-versions.ts'
import { readRun } from '../../chain/runs/read-run.ts'
import { runView } from '../../core/run/run-view.ts'
import { configured, fromAllowedOrigin, limited } from '../doors.ts'
import { postAgain } from './again.ts'
import { getDebrief } from './debrief.ts'
import { postDecision, postNamed } from './decide.ts'
import { runDoor, type RunEnv } from './game-doors.ts'
import { flushOpen } from './conversation-objects.ts'
import { openTalk } from './open-talk.ts'
import { unknownRun, unknownScenario, simulationIn } from './refusals.ts'

const factory = createFactory<RunEnv>()

/**
 * `GET /api/run`: returns the state of the run as a `RunView`, from the chain alone. Only a request with `Cache-Control: no-cache` wakes
 * objects: those of the open conversations, which then write what they have gathered ([run-15]).
 */
const showRun = factory.createHandlers(async (c) => {
  const { run, chain } = c.var
  const scenario = simulationIn(await scenarioToContinue(contentSources(c.env, chain), run.scenario, run.version))
  if (!scenario) return unknownScenario(c)
  if (c.req.header('Cache-Control') === 'no-cache') await flushOpen(c.env, chain, run)
  const found = await readRun(chain, run)
  return found === null ? unknownRun(c) : c.json(runView(found.standing, scenario))
})

/** The routes that need a run's key, which `runDoor` checks first. */
export const runRoutes = new Hono<RunEnv>()
  .use('/api/run/*', configured, fromAllowedOrigin, limited('LIMIT_REQUESTS'), runDoor)
  .get('/api/run', ...showRun)
  .post('/api/run/talk', ...openTalk)
  .post('/api/run/named', ...postNamed)
  .post('/api/run/decision', ...postDecision)
  .get('/api/run/debrief', ...getDebrief)
  .post('/api/run/again', limited('LIMIT_SESSIONS'), ...postAgain)
