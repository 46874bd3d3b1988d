import type { Context } from 'hono'
import { createFactory } from 'hono/factory'
import * as z from 'zod'
import { findClass, type JoinRefusal } from '../../chain/classes/classes.ts'
import { ownScope } from '../../chain/runs/own-scope.ts'
import { contentSources } from '../../chain/scenarios/contents.ts'
import { scenarioToBegin } from '../../chain/scenarios/scenario-versions.ts'
import { startRun } from '../../chain/runs/start-run.ts'
import { readNickname } from '../../core/run/nickname.ts'
import { issueRunKey } from '../../trust/game-credentials.ts'
import type { RunStarted } from '../../wire/run.ts'
import type { DoorEnv } from '../bindings.ts'
import { clientOf } from '../doors.ts'
import { errorBody, refused } from '../errors.ts'
import { learnerFor } from '../learner-for.ts'
import { smallBody } from '../small-body.ts'
import { lacksModel, malformed, notNow, simulationIn, tooManyCodes, unknownScenario } from './refusals.ts'

const requestSchema = z.object({
  scenario: z.string().max(64),
  /** The code of the class to join. */
  class: z.string().optional(),
  nickname: z.string().optional(),
  /** The proof of who the learner is, which `identify` checks. */
  identity: z.unknown().optional(),
})

/** When a client should retry after too many learners joined a class at once, in milliseconds. */
const BUSY_MS = 60_000

const factory = createFactory<DoorEnv>()

/**
 * `POST /api/runs {scenario, class?, nickname?, identity?}`: begins a run without conversations, and returns `201
 * {run: {id, key}}`.
 */
export const postRun = factory.createHandlers(smallBody, async (c) => {
  const { config } = c.var
  const { trust } = config
  const read = requestSchema.safeParse(await c.req.json().catch(() => null))
  if (!read.success) return malformed(c, 'Send JSON with the id of a simulation.')
  const asked = read.data
  const chain = await ownScope(c.env, trust)
  const scenario = simulationIn(await scenarioToBegin(contentSources(c.env, chain), asked.scenario))
  if (!scenario) return unknownScenario(c)
  if (lacksModel(scenario, config)) return refused(c, 'needs-model')
  const nickname = asked.nickname === undefined ? null : readNickname(asked.nickname)
  if (nickname === null && (asked.nickname ?? asked.class) !== undefined)
    return c.json(errorBody('give-up', 'wrong-nickname', 'Give a nickname or a code of 1 to 24 characters.'), 400)
  const now = Date.now()
  const known = await learnerFor(trust, asked.identity, null, now)
  if (known === null) return refused(c, 'identity-required')
  const { learner, until } = known
  if (chain === null) return refused(c, 'not-found')
  try {
    const joined = asked.class === undefined ? null : await findClass(chain, asked.class, clientOf(c))
    if (joined === 'too-many-codes') return tooManyCodes(c)
    if (joined === 'unknown-class' || (joined !== null && joined.scenario !== scenario.id))
      return notJoined(c, 'unknown-class')
    const started = await startRun(chain, { scenario, learner, nickname, class: joined })
    if (!started.ok) return notJoined(c, started.why)
    const id = started.run
    const key = await issueRunKey(
      trust.signing,
      { id, scenario: scenario.id, version: scenario.version, learner, until },
      now,
    )
    return c.json({ run: { id, key } } satisfies RunStarted, 201)
  } catch (error) {
    return notNow(c, error)
  }
})

function notJoined(c: Context, why: 'unknown-class' | JoinRefusal): Response {
  if (why === 'class-busy') {
    c.header('Retry-After', String(BUSY_MS / 1_000))
    return refused(c, 'rate-limited', BUSY_MS)
  }
  if (why === 'class-closed')
    return c.json(errorBody('give-up', why, 'The teacher has closed this class. Nobody can join it now.'), 409)
  if (why === 'class-full') return c.json(errorBody('give-up', why, 'This class takes nobody any more.'), 409)
  return c.json(errorBody('give-up', why, 'There is no class of this code that plays this.'), 404)
}
