import type { Context } from 'hono'
import { createFactory, createMiddleware } from 'hono/factory'
import { ownScope } from '../../chain/runs/own-scope.ts'
import { listScenarioVersions, publishScenario, withdrawScenario } from '../../chain/scenarios/scenario-versions.ts'
import { bodyOf } from '../../chain/scenarios/stored-scenario.ts'
import type { Scope } from '../../chain/scope.ts'
import type { DoorEnv } from '../bindings.ts'
import { errorBody, refused } from '../errors.ts'
import { bodyUpTo } from '../small-body.ts'
import { sha256 } from '../../sha256.ts'
import { notNow } from '../game/refusals.ts'

interface ScenariosEnv extends DoorEnv {
  Variables: DoorEnv['Variables'] & { readonly chain: Scope }
}

const factory = createFactory<ScenariosEnv>()

/** The most bytes of a publication. The largest scenario that comes with Walkon has 1.64 MB, and D1 keeps 2 MB in a row. */
const MOST_BYTES = 1_900_000
/** The most findings in an answer. */
const MOST_FINDINGS = 50

/** Sets `chain`. A deployment without a database serves only its build, and answers 404. */
const withChain = createMiddleware<ScenariosEnv>(async (c, next) => {
  const chain = await ownScope(c.env, c.var.config.trust)
  if (chain === null) return refused(c, 'not-found')
  c.set('chain', chain)
  return next()
})

/** `GET /api/admin/scenarios`: returns every version of every scenario, as `{scenarios: [ScenarioVersion]}`. */
export const showScenarios = factory.createHandlers(withChain, async (c) =>
  c.json({ scenarios: await listScenarioVersions(c.var.chain) }),
)

/**
 * `POST /api/admin/scenarios {scenario, backbones, graphs}`: checks a scenario with its graphs, as a build does, and
 * publishes it. Returns `201` with the `ScenarioVersion`, or `422` with everything that was found.
 */
export const postScenario = factory.createHandlers(withChain, bodyUpTo(MOST_BYTES), async (c) => {
  // Loaded when it is first needed: making the schemas of authors' files takes a fifth of a cold start.
  const { readPublication, simulationCard } = await import('../../../sims/authoring/publication.ts')
  const data: unknown = await c.req.json().catch(() => null)
  const read = readPublication(data)
  if (!read.ok) {
    const { error } = errorBody('give-up', 'findings', 'The scenario has findings, and was not published. Mend them.')
    return c.json({ error, findings: read.findings.slice(0, MOST_FINDINGS) }, 422)
  }
  const body = bodyOf(read)
  const publication = { ...read, body, hash: await sha256(body), card: simulationCard(read.scenario) }
  try {
    const published = await publishScenario(c.var.chain, publication)
    return published.ok ? c.json(published.version, 201) : notPublished(c, published.why)
  } catch (error) {
    return notNow(c, error)
  }
})

function notPublished(c: Context, why: 'version-taken' | 'too-many-versions'): Response {
  const sentence =
    why === 'version-taken'
      ? 'This version is there already, with other content. Raise `version`, and publish again.'
      : 'There are too many versions. This deployment takes no more.'
  return c.json(errorBody('give-up', why, sentence), 409)
}

/** `POST /api/admin/scenarios/<id>/<version>/withdraw`: withdraws a version, and returns it. */
export const withdraw = factory.createHandlers(withChain, async (c) => {
  const version = Number(c.req.param('version'))
  const found = Number.isSafeInteger(version) && (await withdrawScenario(c.var.chain, c.req.param('id') ?? '', version))
  return found ? c.json(found) : refused(c, 'not-found')
})
