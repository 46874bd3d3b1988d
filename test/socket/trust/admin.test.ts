import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { app } from '../../../worker/http/app.ts'
import { credentialsOf } from '../../support/credentials.ts'
import { openSession, Player } from '../../support/player.ts'
import { type RawAsk, rawRequest } from '../../support/raw-request.ts'
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
const bearing = (secret: string) => ({ Authorization: `Bearer ${secret}` })

/** Every route of the table that is for whoever runs the service, as it is asked for. A route without a row here fails. */
const ROWS: Readonly<Record<string, (session: string) => string>> = {
  'GET /api/admin/sessions/:session': (of) => `api/admin/sessions/${of}`,
  'GET /api/admin/sessions/:session/log': (of) => `api/admin/sessions/${of}/log`,
  'GET /api/admin/sessions/:session/outbox': (of) => `api/admin/sessions/${of}/outbox`,
  'POST /api/admin/sessions/:session/revoke': (of) => `api/admin/sessions/${of}/revoke`,
}

/** Routes that are for learners, each proved elsewhere. */
const OPEN = ['POST /api/sessions', 'POST /api/sessions/:session/credentials', 'ALL /socket.io/*']

const routes = [
  ...new Set(
    app.routes
      .map(({ method, path }) => `${method} ${path}`)
      // Middlewares are routes for all methods, whose paths end in a star.
      .filter((route) => !/^ALL .*\*$/.test(route) || route === 'ALL /socket.io/*'),
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

describe('routes for whoever runs the service', () => {
  it('[U18] are all of the table that are not for learners', () => {
    expect(routes.filter((route) => !OPEN.includes(route)).toSorted()).toEqual(Object.keys(ROWS).toSorted())
    expect(routes.filter((route) => OPEN.includes(route))).toHaveLength(OPEN.length)
  })

  const matrix = Object.entries(ROWS).flatMap(([route, path]) =>
    WHO.map(([who, headers, status]) => [route, who, status, path, headers] as const),
  )
  it.each(matrix)('[U18] %s with %s is answered with %d', async (route, _, status, path, headers) => {
    const method = route.split(' ')[0] ?? ''
    const sent = headers()
    const asked = route.endsWith('/revoke') && status === 200 ? await openSession(server, {}) : session
    const answer = await ask(server, path(asked), { method, headers: sent })
    expect(answer.status).toBe(status)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    expect(answer.headers['cache-control']).toBe('no-store')
    if (status === 401) expect(answer.headers['www-authenticate']).toBe('Bearer')
    if (status !== 200) expect(answer.body).not.toContain(asked)
    // Without a secret there is no such address, whatever is brought.
    expect((await ask(without, path(asked), { method, headers: sent })).status).toBe(404)
  })

  it('[U18] leave a line each: which route, which conversation, what became of it, and nothing else', async () => {
    await ask(server, `api/admin/sessions/${session}/log`, { headers: bearing(STRONG) })
    await ask(server, `api/admin/sessions/${session}/log?secret=${WORDS}`.replaceAll(' ', '+'), {
      headers: bearing('wrong'),
    })
    await ask(server, `api/admin/sessions/nonsense/${WORDS}`.replaceAll(' ', '%20'), { headers: bearing(STRONG) })
    const lines = server.logs().filter((line) => line.includes('"event":"admin"'))
    expect(lines.slice(-3).map((line) => JSON.parse(line) as unknown)).toEqual([
      { event: 'admin', method: 'GET', act: 'log', session, status: 200 },
      { event: 'admin', method: 'GET', act: 'log', session, status: 401 },
      { event: 'admin', method: 'GET', act: 'unknown', session: null, status: 404 },
    ])
  })

  it('[U18] tell where a conversation stands without a word of it, but for the log', async () => {
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
      events: 2,
      sends: {},
    })
    expect(overview).not.toContain(WORDS)
    expect(await show(`api/admin/sessions/${session}/log`)).toContain(WORDS)
    expect(JSON.parse(await show(`api/admin/sessions/${session}/outbox`))).toEqual({ sends: [] })
  })

  it.each(['0'.repeat(64), 'nonsense', '%00'])('[U18] know no conversation %s', async (of) => {
    for (const [route, path] of Object.entries(ROWS)) {
      const method = route.split(' ')[0] ?? ''
      expect((await ask(server, path(of), { method, headers: bearing(STRONG) })).status).toBe(404)
    }
  })

  it('[U17] are held off after a few tries a minute from one address', async () => {
    const statuses: number[] = []
    // Twice the limit and one more are too many, wherever the minute began.
    for (let i = 0; i < 9; i++) {
      const headers = { ...bearing('a guess'), 'CF-Connecting-IP': '203.0.113.77' }
      statuses.push((await ask(server, `api/admin/sessions/${session}`, { headers })).status)
    }
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    expect((await ask(server, `api/admin/sessions/${session}`, { headers: bearing(STRONG) })).status).toBe(200)
  })
})
