import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../../worker/chain/api/operations.ts'
import { app } from '../../../worker/http/app.ts'
import { gameRoutes } from '../../../worker/http/game/game-routes.ts'
import { laterRoutes } from '../../../worker/http/later-routes.ts'
import { credentialsOf } from '../../support/credentials.ts'
import { openSession, Player } from '../../support/player.ts'
import { type RawAsk, rawRequest } from '../../support/raw-request.ts'
import { oneIn } from '../../support/runs.ts'
import { startWorkerServer, type WorkerServer } from '../../support/worker-server.ts'
import { STRONG } from './secrets.ts'

const CONFIG = 'test/socket/trust/wrangler.toml'
const WORDS = 'The heron at gate nine knows.'

let server: WorkerServer
let without: WorkerServer
let session = ''
beforeAll(async () => {
  server = await startWorkerServer({
    configPath: CONFIG,
    vars: { WALKON_ADMIN_SECRET: STRONG, WALKON_REHEARSAL_PACE_MS: '0' },
  })
  without = await startWorkerServer({ configPath: CONFIG, vars: {} })
  session = await openSession(server, {})
  const player = await Player.join(server, session)
  await player.say(WORDS)
  player.leave()
})
afterAll(() => Promise.all([server.stop(), without.stop()]))

const ask = (at: WorkerServer, path: string, asked: RawAsk) => rawRequest(new URL(path, at.url), asked)
/**
 * Returns the last `count` log lines of the admin routes. A log line may arrive later than the response to its request.
 */
const lastLines = (count: number): readonly unknown[] => {
  const lines = server.logs().filter((line) => line.includes('"event":"admin"'))
  return lines.slice(-count).map((line) => JSON.parse(line) as unknown)
}
const bearing = (secret: string) => ({ Authorization: `Bearer ${secret}` })

/**
 * Every admin route for sessions, with the path of a request. The test fails if a route of the worker has no row in one
 * of these lists.
 */
const ROWS: Readonly<Record<string, (session: string) => string>> = {
  'GET /api/admin/sessions/:session': (of) => `api/admin/sessions/${of}`,
  'GET /api/admin/sessions/:session/log': (of) => `api/admin/sessions/${of}/log`,
  'GET /api/admin/sessions/:session/outbox': (of) => `api/admin/sessions/${of}/outbox`,
  'POST /api/admin/sessions/:session/revoke': (of) => `api/admin/sessions/${of}/revoke`,
  'GET /api/admin/sessions/:session/told': (of) => `api/admin/sessions/${of}/told`,
  'GET /api/admin/sessions/:session/state': (of) => `api/admin/sessions/${of}/state`,
  'GET /api/admin/sessions/:session/npc-state': (of) => `api/admin/sessions/${of}/npc-state`,
}

/**
 * The other admin routes, with a path and its expected status. `api-tokens.test.ts` and
 * `publish.test.ts` test what these routes do.
 */
const TENANT_ROWS: Readonly<Record<string, readonly [path: string, status: number]>> = {
  'GET /api/admin/tenants/:tenant/tokens': ['api/admin/tenants/acme/tokens', 200],
  'POST /api/admin/tenants/:tenant/tokens': ['api/admin/tenants/acme/tokens', 400],
  'PUT /api/admin/sessions/:session/npc-state': [`api/admin/sessions/${'0'.repeat(64)}/npc-state`, 400],
  'GET /api/admin/scenarios': ['api/admin/scenarios', 200],
  'POST /api/admin/scenarios': ['api/admin/scenarios', 422],
  'POST /api/admin/scenarios/:id/:version/withdraw': ['api/admin/scenarios/none/1/withdraw', 404],
  'POST /api/admin/tenants/:tenant/tokens/:token/revoke': ['api/admin/tenants/acme/tokens/tok_none/revoke', 404],
}

/** Routes for learners or for everyone. Other files test these routes. */
const OPEN = [
  'POST /api/sessions',
  'POST /api/sessions/list',
  'POST /api/sessions/:session/credentials',
  'POST /api/sessions/:session/erase',
  'POST /api/sessions/:session/branch',
  'POST /api/sessions/:session/metadata',
  // Takes a token of the deployment's own tenant (test/e2e/operator-told.test.ts).
  'GET /api/told/:session',
  'ALL /socket.io/*',
  'GET /scenarios.json',
  'GET /api/operator',
  'GET /api/openapi.json',
  'GET /api/docs',
  'GET /api/schema/person-export-1.json',
  // The game's routes take the key of a run, the key of a class or no key (see test/conversations/game.test.ts and
  // classes.test.ts).
  'ALL /api/runs',
  'POST /api/runs',
  'GET /api/run',
  'POST /api/run/talk',
  'POST /api/run/named',
  'POST /api/run/decision',
  'GET /api/run/debrief',
  'POST /api/run/again',
  'ALL /api/results',
  'POST /api/results',
  'POST /api/classes',
  'GET /api/classes/:code',
  'GET /api/class',
  'GET /api/class/export.csv',
  'POST /api/class/remove',
  'POST /api/class/code',
  'POST /api/class/close',
  'POST /api/class/reopen',
]

/** The chain's routes, which take tokens of tenants. `api-tokens.test.ts` tests each route with every kind of token. */
const OF_CHAIN = new Set(Object.values(operations).map(({ path }) => path.replaceAll(/\{(\w+)\}/g, ':$1')))

const routes = [
  ...new Set(
    [...app.routes, ...gameRoutes.routes, ...laterRoutes.routes]
      .map(({ method, path }) => `${method} ${path}`)
      // A middleware is a route for all methods whose path ends in a star.
      .filter((route) => !/^ALL .*\*$/.test(route) || route === 'ALL /socket.io/*')
      // `app` hands these requests over to `laterRoutes`, whichever method they have.
      .filter((route) => !/^ALL \/api\/(?:operator|openapi\.json|docs)$/.test(route))
      .filter((route) => !OF_CHAIN.has(route.split(' ')[1] ?? '')),
  ),
]

const WHO: readonly (readonly [string, () => Record<string, string>, number])[] = [
  ['nobody', () => ({}), 401],
  ["a learner's token", () => bearing(credentialsOf(session).token), 401],
  ["a learner's key", () => bearing(credentialsOf(session).key), 401],
  ["a learner's ticket", () => bearing(credentialsOf(session).ticket), 401],
  ['a wrong secret', () => bearing(`${STRONG.slice(0, -1)}x`), 401],
  ['the secret cut short', () => bearing(STRONG.slice(0, -1)), 401],
  ['more than the secret', () => bearing(`${STRONG}x`), 401],
  ['the secret in another case', () => bearing(STRONG.toUpperCase()), 401],
  ['an empty secret', () => ({ Authorization: 'Bearer ' }), 401],
  ['the secret by another scheme', () => ({ Authorization: `Basic ${STRONG}` }), 401],
  ['the secret without a scheme', () => ({ Authorization: STRONG }), 401],
  ['the secret twice', () => bearing(`${STRONG} ${STRONG}`), 401],
  ['the secret in a cookie', () => ({ Cookie: `Authorization=Bearer ${STRONG}` }), 401],
  ['the secret', () => bearing(STRONG), 200],
  ['the secret from a page', () => ({ ...bearing(STRONG), Origin: server.url.origin }), 403],
  ['the secret from a page of nowhere', () => ({ ...bearing(STRONG), Origin: 'null' }), 403],
]

describe('routes for operators', () => {
  it('[trust-18] are all routes that are not for learners', () => {
    expect(routes.filter((route) => !OPEN.includes(route)).toSorted()).toEqual(
      [...Object.keys(ROWS), ...Object.keys(TENANT_ROWS)].toSorted(),
    )
    expect(routes.filter((route) => OPEN.includes(route))).toHaveLength(OPEN.length)
  })

  const ofTenants = Object.entries(TENANT_ROWS).flatMap(([route, [path, status]]) =>
    WHO.map(([who, headers, refusal]) => [route, who, refusal === 200 ? status : refusal, path, headers] as const),
  )
  it.each(oneIn(5, ofTenants))('[trust-18] %s with %s is answered with %d', async (route, _, status, path, headers) => {
    const method = route.split(' ')[0] ?? ''
    const answer = await ask(server, path, { method, headers: headers() })
    expect([answer.status, answer.headers['cache-control']]).toEqual([status, 'no-store'])
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    expect((await ask(without, path, { method, headers: headers() })).status).toBe(404)
  })

  const matrix = Object.entries(ROWS).flatMap(([route, path]) =>
    WHO.map(([who, headers, status]) => [route, who, status, path, headers] as const),
  )
  it.each(oneIn(5, matrix))('[trust-18] %s with %s is answered with %d', async (route, _, status, path, headers) => {
    const method = route.split(' ')[0] ?? ''
    const sent = headers()
    const opens = status === 200 && /\/(?:revoke|state)$/.exec(route)
    // Only a conversation with an assistant has a state.
    const asked = opens
      ? await openSession(server, opens[0] === '/state' ? { scenario: 'page-assistant' } : {})
      : session
    const answer = await ask(server, path(asked), { method, headers: sent })
    expect(answer.status).toBe(status)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    expect(answer.headers['cache-control']).toBe('no-store')
    if (status === 401) expect(answer.headers['www-authenticate']).toBe('Bearer')
    if (status !== 200) expect(answer.body).not.toContain(asked)
    // If no admin secret is configured, these addresses do not exist, whatever the request contains.
    expect((await ask(without, path(asked), { method, headers: sent })).status).toBe(404)
  })

  it('[trust-18] log one line per request with the route, the conversation and the result only', async () => {
    await ask(server, `api/admin/sessions/${session}/log`, { headers: bearing(STRONG) })
    await ask(server, `api/admin/sessions/${session}/log?secret=${WORDS}`.replaceAll(' ', '+'), {
      headers: bearing('wrong'),
    })
    await ask(server, `api/admin/sessions/nonsense/${WORDS}`.replaceAll(' ', '%20'), { headers: bearing(STRONG) })
    await expect
      .poll(() => lastLines(3))
      .toEqual([
        { event: 'admin', method: 'GET', act: 'log', session, status: 200 },
        { event: 'admin', method: 'GET', act: 'log', session, status: 401 },
        { event: 'admin', method: 'GET', act: 'unknown', session: null, status: 404 },
      ])
  })

  it('[trust-18] log whose tokens were listed, made or revoked, but no tenant named by a refused client', async () => {
    const of = (tenant: string) => `api/admin/tenants/${tenant}/tokens`
    await ask(server, of('acme'), { headers: bearing(STRONG) })
    await ask(server, of('acme'), { method: 'POST', headers: bearing(STRONG), body: '{}' })
    await ask(server, `${of('acme')}/tok_none/revoke`, { method: 'POST', headers: bearing(STRONG) })
    await ask(server, of('heron'), { headers: bearing('wrong') })
    await expect
      .poll(() => lastLines(4))
      .toEqual([
        { event: 'admin', method: 'GET', act: 'tokens', tenant: 'acme', status: 200 },
        { event: 'admin', method: 'POST', act: 'tokens', tenant: 'acme', status: 400 },
        { event: 'admin', method: 'POST', act: 'revoke', tenant: 'acme', status: 404 },
        { event: 'admin', method: 'GET', act: 'tokens', session: null, status: 401 },
      ])
  })

  it('[trust-18] show the state of a conversation, and its messages only in the log', async () => {
    const show = async (path: string) => (await ask(server, path, { headers: bearing(STRONG) })).body
    const overview = await show(`api/admin/sessions/${session}`)
    expect(JSON.parse(overview)).toEqual({
      session,
      scenario: 'launch-decision',
      npc: 'maya',
      graph: { id: expect.any(String), version: expect.any(String) },
      engine: 'graph',
      learner: 'anonymous',
      createdAt: expect.any(Number),
      ended: false,
      revoked: 0,
      sockets: 0,
      phase: 'done',
      turns: { done: 1 },
      attempts: 1,
      events: 3,
      sends: {},
    })
    expect(overview).not.toContain(WORDS)
    expect(await show(`api/admin/sessions/${session}/log`)).toContain(WORDS)
    expect(JSON.parse(await show(`api/admin/sessions/${session}/outbox`))).toEqual({ sends: [] })
  })

  it.each(['0'.repeat(64), 'nonsense', '%00'])('[trust-18] know no conversation %s', async (of) => {
    for (const [route, path] of Object.entries(ROWS)) {
      const method = route.split(' ')[0] ?? ''
      expect((await ask(server, path(of), { method, headers: bearing(STRONG) })).status).toBe(404)
    }
  })

  it('[trust-17] are refused after a few attempts per minute from one address', async () => {
    const statuses: number[] = []
    // 9 requests are more than twice the limit of a minute, so they exceed the limit even if a new minute begins
    // between them.
    for (let i = 0; i < 9; i++) {
      const headers = { ...bearing('a guess'), 'CF-Connecting-IP': '203.0.113.77' }
      statuses.push((await ask(server, `api/admin/sessions/${session}`, { headers })).status)
    }
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    expect((await ask(server, `api/admin/sessions/${session}`, { headers: bearing(STRONG) })).status).toBe(200)
  })
})
