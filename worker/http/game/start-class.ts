import { createFactory } from 'hono/factory'
import * as z from 'zod'
import { startClass as startInChain } from '../../chain/classes/start-class.ts'
import { ownScope } from '../../chain/runs/own-scope.ts'
import { clean } from '../../core/text/clean.ts'
import { issueClassKey } from '../../trust/class-key.ts'
import type { ClassStarted } from '../../wire/run.ts'
import type { DoorEnv } from '../bindings.ts'
import { refused } from '../errors.ts'
import { smallBody } from '../small-body.ts'
import { malformed, unknownScenario } from './refuse-run.ts'
import { simulationOf } from './scenario-of.ts'

/** The characters of a title. */
const LONGEST_TITLE = 80

const requestSchema = z.object({
  title: z
    .string()
    .transform((text) => clean(text).replace(/\s+/g, ' ').trim())
    .pipe(z.string().min(1).max(LONGEST_TITLE)),
  scenario: z.string().max(64),
})

const factory = createFactory<DoorEnv>()

/** `POST /api/classes {title, scenario}`: begins a class that plays a simulation; `201 {class: {id, code, key}}`. */
export const startClass = factory.createHandlers(smallBody, async (c) => {
  const { trust } = c.var.config
  const read = requestSchema.safeParse(await c.req.json().catch(() => null))
  if (!read.success) return malformed(c, 'Send JSON with a title of 1 to 80 characters and the id of a simulation.')
  const { title } = read.data
  const scenario = simulationOf(read.data.scenario)
  if (!scenario) return unknownScenario(c)
  const chain = await ownScope(c.env, trust)
  if (chain === null) return refused(c, 'not-found')
  const { id, code } = await startInChain(chain, { title, scenario: scenario.id })
  const key = await issueClassKey(trust.signing, { id, scenario: scenario.id }, Date.now())
  return c.json({ class: { id, code, key } } satisfies ClassStarted, 201)
})
