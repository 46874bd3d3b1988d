import { createFactory } from 'hono/factory'
import { readRun } from '../../chain/runs/read-run.ts'
import { runView } from '../../core/run/run-view.ts'
import { unknownRun, unknownScenario } from './refuse-run.ts'
import type { RunEnv } from './run-env.ts'
import { simulationOf } from './scenario-of.ts'

const factory = createFactory<RunEnv>()

/** `GET /api/run`: where the run stands and what its learner has, as a `RunView`. Wakes no conversation. */
export const showRun = factory.createHandlers(async (c) => {
  const { run, chain } = c.var
  const scenario = simulationOf(run.scenario)
  if (!scenario) return unknownScenario(c)
  const found = await readRun(chain, run)
  return found === null ? unknownRun(c) : c.json(runView(found.standing, scenario))
})
