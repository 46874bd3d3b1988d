import type { Context } from 'hono'
import { createFactory } from 'hono/factory'
import * as z from 'zod'
import { contentSources } from '../../chain/scenarios/contents.ts'
import { scenarioToContinue } from '../../chain/scenarios/scenario-versions.ts'
import { type DecideResult, recordDecision } from '../../chain/runs/decide.ts'
import { readRun } from '../../chain/runs/read-run.ts'
import { runView } from '../../core/run/run-view.ts'
import { statedIn } from '../../core/run/stated-in.ts'
import type { Scenario } from '../../core/scenario/scenario.ts'
import { clean } from '../../core/text/clean.ts'
import type { NamedFacts } from '../../wire/run.ts'
import { errorBody } from '../errors.ts'
import { bodyUpTo } from '../small-body.ts'
import { flushHolders } from './conversation-objects.ts'
import { malformed, notNow, unknownRun, unknownScenario, simulationIn } from './refusals.ts'
import type { RunEnv } from './game-doors.ts'

/** The largest body, in bytes: enough for the longest reason in characters of three bytes each. */
const MOST_BYTES = 16_384
const LONGEST_REASON = 2_000
/** The most facts in a list: more than any simulation has. */
const MOST_FACTS = 100

const reasonSchema = z
  .string()
  .transform((text) => clean(text).trim())
  .pipe(z.string().min(1).max(LONGEST_REASON))

const factsSchema = z
  .array(z.string().min(1).max(64))
  .max(MOST_FACTS)
  .refine((ids) => new Set(ids).size === ids.length)

const requestSchema = z.object({
  option: z.string().max(64),
  reason: reasonSchema,
  evidence: factsSchema,
  unticked: factsSchema.optional(),
})

const namedSchema = z.object({ reason: reasonSchema })

const factory = createFactory<RunEnv>()

/**
 * `POST /api/run/named {reason}`: returns the ids of the facts that the learner has heard and that a reason names, as the
 * debrief would count them (`statedIn`). Stores nothing.
 */
export const postNamed = factory.createHandlers(bodyUpTo(MOST_BYTES), async (c) => {
  const { run, chain } = c.var
  const read = namedSchema.safeParse(await c.req.json().catch(() => null))
  if (!read.success) return malformed(c, 'Send JSON with a reason of 1 to 2,000 characters.')
  const scenario = simulationIn(await scenarioToContinue(contentSources(c.env, chain), run.scenario, run.version))
  if (!scenario) return unknownScenario(c)
  const found = await readRun(chain, run)
  if (found === null) return unknownRun(c)
  const heard = new Set(runView(found.standing, scenario).facts.map(({ id }) => id))
  const named = statedIn(read.data.reason, scenario.simulation.facts, scenario.decision)
  return c.json({ facts: [...named].filter((id) => heard.has(id)) } satisfies NamedFacts)
})

/**
 * `POST /api/run/decision {option, reason, evidence, unticked?}`: stores the run's decision, and returns the run with `200`. A
 * decision never changes: a later request with the same decision gets `200` too, and a request with another decision
 * gets `409 decided`, both with the run.
 */
export const postDecision = factory.createHandlers(bodyUpTo(MOST_BYTES), async (c) => {
  const { run: held, chain } = c.var
  const read = requestSchema.safeParse(await c.req.json().catch(() => null))
  if (!read.success)
    return malformed(c, 'Send JSON with an option, a reason of 1 to 2,000 characters, and facts, each once.')
  const deciding = read.data
  const scenario = simulationIn(await scenarioToContinue(contentSources(c.env, chain), held.scenario, held.version))
  if (!scenario) return unknownScenario(c)
  const option = scenario.decision.options.find(({ id }) => id === deciding.option)
  if (!option) return c.json(errorBody('give-up', 'unknown-option', 'The decision has no such option.'), 400)
  try {
    const decided = await recordDecision(chain, held, deciding, option.needs)
    if (!('missing' in decided)) return answer(c, decided, scenario)
    // A colleague may have told the missing fact although the fact is not in the chain yet. So the conversations write
    // their events to the chain, and then the decision is checked again.
    await flushHolders(c.env, chain, scenario, decided)
    return answer(c, await recordDecision(chain, held, deciding, option.needs), scenario)
  } catch (error) {
    return notNow(c, error)
  }
})

function answer(c: Context, decided: DecideResult, scenario: Scenario): Response {
  switch (decided.type) {
    case 'decided':
      return c.json(runView(decided.standing, scenario))
    case 'other': {
      const refusal = errorBody('give-up', 'decided', 'This run has been decided otherwise.')
      return c.json({ ...refusal, run: runView(decided.standing, scenario) }, 409)
    }
    case 'not-heard': {
      const { error } = errorBody('give-up', 'not-heard', 'Nobody has told you all of that yet.')
      return c.json({ error: { ...error, facts: decided.facts } }, 400)
    }
    case 'not-earned':
      // The answer names no fact, because the learner has not heard it yet.
      return c.json(errorBody('give-up', 'not-earned', 'Nobody has shown you yet that this can be done.'), 400)
    case 'unknown-run':
      return unknownRun(c)
  }
}
