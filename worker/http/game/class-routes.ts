import * as z from 'zod'
import { Hono, type Context } from 'hono'
import { createFactory } from 'hono/factory'
import { classLines, readClass } from '../../chain/classes/read-class.ts'
import {
  closeClass,
  findClass,
  MOST_LEARNERS,
  removeLearners,
  renewCode,
  startClass,
} from '../../chain/classes/classes.ts'
import { csvOf } from '../../chain/contexts/csv.ts'
import { ownScope } from '../../chain/runs/own-scope.ts'
import { contentSources } from '../../chain/scenarios/contents.ts'
import { scenarioToBegin, scenarioToContinue } from '../../chain/scenarios/scenario-versions.ts'
import { classView } from '../../core/run/class-view.ts'
import { clean } from '../../core/text/clean.ts'
import { issueClassKey } from '../../trust/game-credentials.ts'
import type { ClassView, ClassInvitation, ClassStarted } from '../../wire/run.ts'
import type { DoorEnv } from '../bindings.ts'
import { clientOf, configured, fromAllowedOrigin, limited } from '../doors.ts'
import { refused } from '../errors.ts'
import { smallBody } from '../small-body.ts'
import { classDoor, type ClassEnv } from './game-doors.ts'
import { lacksModel, malformed, simulationIn, tooManyCodes, unknownClass, unknownScenario } from './refusals.ts'

const withKey = createFactory<ClassEnv>()
const forAnyone = createFactory<DoorEnv>()

/** `GET /api/class`: returns the class of the request's key, with its learners. */
const showClass = withKey.createHandlers((c) => withClass(c, (view) => c.json(view)))

/** `GET /api/class/export.csv`: returns the class as CSV, with one row for each learner. */
const exportClass = withKey.createHandlers((c) =>
  withClass(c, (view) => {
    c.header('Content-Type', 'text/csv; charset=utf-8')
    c.header('Content-Disposition', 'attachment; filename="class.csv"')
    return c.body(csvOf(classLines(view)))
  }),
)

/** `POST /api/class/remove {runs}`: removes learners by the ids of their runs. Returns the class. */
const postRemoval = withKey.createHandlers(smallBody, async (c) => {
  const read = removalSchema.safeParse(await c.req.json().catch(() => null))
  if (!read.success) return malformed(c, `Send JSON with the ids of 1 to ${MOST_LEARNERS} runs of the class.`)
  await removeLearners(c.var.chain, c.var.held.id, read.data.runs)
  return withClass(c, (view) => c.json(view))
})

/** `POST /api/class/code`: gives the class a new code, so that the old code stops working. Returns the class. */
const postCode = withKey.createHandlers(async (c) => {
  await renewCode(c.var.chain, c.var.held.id)
  return withClass(c, (view) => c.json(view))
})

/** `POST /api/class/close`: closes the class, so that nobody can join. Returns the class. */
const postClose = withKey.createHandlers((c) => setClosed(c, true))

/** `POST /api/class/reopen`: lets learners join a closed class again. Returns the class. */
const postReopen = withKey.createHandlers((c) => setClosed(c, false))

async function setClosed(c: Context<ClassEnv>, closed: boolean): Promise<Response> {
  await closeClass(c.var.chain, c.var.held.id, closed)
  return withClass(c, (view) => c.json(view))
}

async function withClass(c: Context<ClassEnv>, answer: (view: ClassView) => Response): Promise<Response> {
  const { held, chain } = c.var
  const scenario = simulationIn(await scenarioToContinue(contentSources(c.env, chain), held.scenario))
  if (!scenario) return unknownScenario(c)
  const standing = await readClass(chain, held.id)
  return standing === null ? unknownClass(c) : answer(classView(standing, scenario))
}

/** `GET /api/classes/<code>`: returns the class as a learner sees it before joining. */
const showInvitation = forAnyone.createHandlers(async (c) => {
  const chain = await ownScope(c.env, c.var.config.trust)
  if (chain === null) return refused(c, 'not-found')
  const found = await findClass(chain, c.req.param('code') ?? '', clientOf(c))
  if (found === 'unknown-class') return unknownClass(c)
  if (found === 'too-many-codes') return tooManyCodes(c)
  const { title, scenario, closed } = found
  return c.json({ title, scenario, closed } satisfies ClassInvitation)
})

const LONGEST_TITLE = 80

const removalSchema = z.object({ runs: z.array(z.string().min(1).max(64)).min(1).max(MOST_LEARNERS) })

const requestSchema = z.object({
  title: z
    .string()
    .transform((text) => clean(text).replace(/\s+/g, ' ').trim())
    .pipe(z.string().min(1).max(LONGEST_TITLE)),
  scenario: z.string().max(64),
})

/**
 * `POST /api/classes {title, scenario}`: begins a class that plays a simulation. Returns `201 {class: {id, code,
 * key}}`.
 */
const postClass = forAnyone.createHandlers(smallBody, async (c) => {
  const { trust } = c.var.config
  const read = requestSchema.safeParse(await c.req.json().catch(() => null))
  if (!read.success) return malformed(c, 'Send JSON with a title of 1 to 80 characters and the id of a simulation.')
  const { title } = read.data
  const chain = await ownScope(c.env, trust)
  const scenario = simulationIn(await scenarioToBegin(contentSources(c.env, chain), read.data.scenario))
  if (!scenario) return unknownScenario(c)
  if (lacksModel(scenario, c.var.config)) return refused(c, 'needs-model')
  if (chain === null) return refused(c, 'not-found')
  const { id, code } = await startClass(chain, { title, scenario: scenario.id })
  const key = await issueClassKey(trust.signing, { id, scenario: scenario.id }, Date.now())
  return c.json({ class: { id, code, key } } satisfies ClassStarted, 201)
})

const held = new Hono<ClassEnv>()
  .use('/api/class/*', configured, fromAllowedOrigin, limited('LIMIT_REQUESTS'), classDoor)
  .get('/api/class', ...showClass)
  .get('/api/class/export.csv', ...exportClass)
  .post('/api/class/remove', ...postRemoval)
  .post('/api/class/code', ...postCode)
  .post('/api/class/close', ...postClose)
  .post('/api/class/reopen', ...postReopen)

/** The routes that begin a class, show a learner the class to join, and serve the teacher's view. */
export const classRoutes = new Hono<DoorEnv>()
  .use('/api/classes/*', configured, fromAllowedOrigin)
  .post('/api/classes', limited('LIMIT_SESSIONS'), ...postClass)
  .get('/api/classes/:code', limited('LIMIT_REQUESTS'), ...showInvitation)
  .route('/', held)
