import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { admission, credentialsOf, passage } from '../../support/credentials.ts'
import { startGame } from '../../support/game-client.ts'
import { openSession } from '../../support/player.ts'
import { type RawAsk, rawRequest, UPGRADE } from '../../support/raw-request.ts'
import { startWorkerServer, type WorkerServer } from '../../support/worker-server.ts'
import { STRONG } from './secrets.ts'

const CONFIG = 'test/socket/trust/wrangler.toml'

let server: WorkerServer
let broken: WorkerServer
/** A server with the deployed worker and its static files. */
let deployed: WorkerServer
let session = ''
beforeAll(async () => {
  server = await startWorkerServer({ configPath: CONFIG, vars: { WALKON_ADMIN_SECRET: STRONG } })
  broken = await startWorkerServer({
    configPath: CONFIG,
    vars: { WALKON_ORIGINS: '*', OPENAI_MODEL: 'a model of nowhere' },
  })
  deployed = await startWorkerServer({ configPath: 'wrangler.toml', vars: {} })
  session = await openSession(server, {})
})
afterAll(() => Promise.all([server.stop(), broken.stop(), deployed.stop()]))

const ask = (path: string, asked: RawAsk = {}, at = server) => rawRequest(new URL(path, at.url), asked)
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  ask(path, { method: 'POST', body, headers })

const statuses = (answers: readonly { status: number }[]) => new Set(answers.map(({ status }) => status))

describe('every response', () => {
  const asked: readonly (readonly [string, () => Promise<Awaited<ReturnType<typeof ask>>>, number])[] = [
    ['a conversation begun', () => post('api/sessions', '{}'), 201],
    [
      'credentials',
      () => post(`api/sessions/${session}/credentials`, JSON.stringify({ key: credentialsOf(session).key })),
      200,
    ],
    [
      'a poll',
      () => ask(`socket.io/?${new URLSearchParams({ EIO: '4', transport: 'polling', ...passage(session) })}`),
      200,
    ],
    [
      'a preflight',
      () =>
        ask('api/sessions', {
          method: 'OPTIONS',
          headers: { Origin: server.url.origin, 'Access-Control-Request-Method': 'POST' },
        }),
      204,
    ],
    ['what is no JSON', () => post('api/sessions', 'nonsense'), 400],
    ['a wrong key', () => post(`api/sessions/${session}/credentials`, '{"key":"x"}'), 401],
    ['a poll without a ticket', () => ask('socket.io/?EIO=4&transport=polling'), 401],
    ['a foreign page', () => post('api/sessions', '{}', { Origin: 'https://evil.example' }), 403],
    ['nothing', () => ask('api/nothing'), 404],
    ['another method', () => ask('api/sessions', { method: 'PUT' }), 404],
    ['a body too large', () => post('api/sessions', 'x'.repeat(5_000)), 413],
    ['a socket without an upgrade', () => ask('socket.io/?EIO=4&transport=websocket'), 426],
    ['a defect', () => ask('api/sessions', { method: 'POST', body: '{}' }, broken), 500],
    ['a foreign host', () => post('api/sessions', '{}', { Host: 'evil.example' }), 500],
    [
      'an overview',
      () => ask(`api/admin/sessions/${session}`, { headers: { Authorization: `Bearer ${STRONG}` } }),
      200,
    ],
  ]
  it.each(asked)(
    '[trust-19] to %s is private and uncached, and no browser runs or frames it',
    async (_, answer, status) => {
      const { headers, status: answered } = await answer()
      expect(answered).toBe(status)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      })
      expect(headers['access-control-allow-origin']).not.toBe('*')
      // A browser ignores this header over http, so the server does not send it.
      expect(headers['strict-transport-security']).toBeUndefined()
      expect(headers['x-powered-by']).toBeUndefined()
    },
  )

  it('[trust-19] an upgrade sets no cookie', async () => {
    const query = new URLSearchParams({ EIO: '4', transport: 'websocket', ...passage(session) })
    const { status, headers } = await ask(`socket.io/?${query}`, { headers: UPGRADE })
    expect(status).toBe(101)
    expect(headers['set-cookie']).toBeUndefined()
  })

  it('[trust-19] with a file has its own headers, and every page can load the embedded files', async () => {
    const page = await ask('', {}, deployed)
    expect(page.status).toBe(200)
    expect(page.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'strict-transport-security': expect.stringContaining('max-age='),
    })
    expect(page.headers['content-security-policy']).toContain("require-trusted-types-for 'script'")
    for (const file of ['embed.js', 'widget.js', 'polling.js']) {
      const { status, headers } = await ask(file, { headers: { Origin: 'https://any.example' } }, deployed)
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      })
    }
    const missing = await ask('no-such-file.js', {}, deployed)
    expect(missing.status).toBe(404)
    expect(missing.headers['x-content-type-options']).toBe('nosniff')
  })

  it('[trust-11] a deployment with bad settings serves no request and names the problems only in its log', async () => {
    const answer = await ask('api/sessions', { method: 'POST', body: '{}' }, broken)
    expect(answer.body).not.toMatch(/WALKON|OPENAI/)
    const logged = () => broken.logs().join('\n')
    // A log line may arrive later than the response to its request.
    await expect.poll(logged).toContain('WALKON_ORIGINS must list exact origins')
    await expect.poll(logged).toContain('OPENAI_MODEL names a model')
    expect(logged()).not.toContain('a model of nowhere')
  })
})

describe('a request body', () => {
  it.each([
    ['at once', { 'Content-Length': '5000' }],
    ['in pieces', { 'Transfer-Encoding': 'chunked' }],
  ])('[trust-22] of more than 4 KiB is refused, sent %s', async (_, headers) => {
    for (const path of ['api/sessions', `api/sessions/${session}/credentials`]) {
      const { status, body } = await post(path, JSON.stringify({ key: 'x'.repeat(4_990 - 10) }).padEnd(5_000), headers)
      expect([status, JSON.parse(body)]).toMatchObject([413, { error: { code: 'too-long', next: 'give-up' } }])
    }
  })

  it('[trust-22] that is too long fails no other request, whatever its own response is', async () => {
    const body = Array.from({ length: 8 }, () => 'x'.repeat(16_384))
    const refusals: readonly (readonly [string, Record<string, string>, number])[] = [
      ['api/sessions', {}, 413],
      ['api/sessions', { Origin: 'https://evil.example' }, 403],
      ['api/nothing', {}, 404],
      ['socket.io/?EIO=4&transport=polling&sid=x', {}, 401],
    ]
    for (const [path, headers, status] of [...refusals, ...refusals]) {
      const large = ask(path, { method: 'POST', body, headers })
      const others = Array.from({ length: 4 }, () => ask('api/openapi.json'))
      expect((await large).status).toBe(status)
      expect(statuses([...(await Promise.all(others)), await ask('api/openapi.json')])).toEqual(new Set([200]))
    }
  })

  it.each([
    '',
    'null',
    '7',
    '"x"',
    '[]',
    '[{}]',
    '{"key":1}',
    '{"scenario":{}}',
    '{"__proto__":1',
    '\0',
    '\ufeff{',
    '{"key":"a"',
  ])('[trust-22] %j is refused by every route that takes one, with a message', async (text) => {
    for (const path of ['api/sessions', `api/sessions/${session}/credentials`]) {
      const { status, body } = await post(path, text)
      if (status === 201) expect([path, text]).toEqual(['api/sessions', '{"key":1}'])
      else expect([status, JSON.parse(body)]).toMatchObject([400, { error: { code: 'malformed', next: 'give-up' } }])
    }
  })
})

describe('a rate limit', () => {
  /**
   * Sends more requests than the limits of two minutes allow, so the server must refuse one even if a new minute begins
   * between them.
   */
  async function hurry(times: number, headers: (i: number) => Record<string, string>, path: string, body = '{}') {
    const answers = []
    for (let i = 0; i < times; i++) answers.push(await post(path, body, headers(i)))
    return answers
  }
  it('[trust-17] refuses only the client that begins too many conversations, with the time to wait', async () => {
    const from = (address: string) => ({ 'CF-Connecting-IP': address, Origin: server.url.origin })
    const answers = await hurry(7, () => from('203.0.113.1'), 'api/sessions')
    expect(statuses(answers)).toEqual(new Set([201, 429]))
    const held = answers.find(({ status }) => status === 429)
    expect(held?.headers['retry-after']).toBe('60')
    expect(held?.headers['access-control-allow-origin']).toBe(server.url.origin)
    expect(JSON.parse(held?.body ?? '')).toMatchObject({
      error: { next: 'retry-after', code: 'rate-limited', retryAfterMs: 60_000 },
    })
    expect((await post('api/sessions', '{}', from('203.0.113.2'))).status).toBe(201)
  })

  it('[trust-17] counts all addresses of a /64 network as one client', async () => {
    const of = (i: number) => ({ 'CF-Connecting-IP': `2001:db8:5:5::${i + 1}` })
    expect(statuses(await hurry(7, of, 'api/sessions'))).toEqual(new Set([201, 429]))
    expect((await post('api/sessions', '{}', { 'CF-Connecting-IP': '2001:db8:5:6::1' })).status).toBe(201)
  })

  it('[trust-17] [game-1] counts a new run as a conversation, and requests to runs as requests', async () => {
    const of = (address: string) => () => ({ 'CF-Connecting-IP': address })
    expect(statuses(await hurry(7, of('203.0.113.21'), 'api/runs'))).toEqual(new Set([400, 429]))
    expect(statuses(await hurry(11, of('203.0.113.22'), 'api/run/talk'))).toEqual(new Set([401, 429]))
  })

  it('[trust-17] counts a run’s conversation when it begins, but not when it is opened again', async () => {
    // One address begins more conversations than the limits of two minutes allow. The server must therefore refuse one,
    // even if a new minute begins between them.
    const burst = async (address: string) => {
      const { key } = await startGame(server)
      const open = (npc: string) =>
        post('api/run/talk', JSON.stringify({ npc }), { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': address })
      const answers = []
      for (const npc of ['otto', 'maya', 'marcus', 'ines']) answers.push((await open(npc)).status)
      return { answers, again: (await open('otto')).status }
    }
    const bursts = [await burst('203.0.113.27'), await burst('203.0.113.28'), await burst('203.0.113.29')]
    expect(bursts).toContainEqual({ answers: [200, 200, 200, 429], again: 200 })
  })

  it('[trust-17] [debrief-17] counts checks of results', async () => {
    const of = () => ({ 'CF-Connecting-IP': '203.0.113.23' })
    expect(statuses(await hurry(11, of, 'api/results', '{"result":"x"}'))).toEqual(new Set([400, 429]))
  })

  it('[trust-17] [class-9] counts a new class as a conversation, and guesses of a code or a key as requests', async () => {
    const of = (address: string) => () => ({ 'CF-Connecting-IP': address })
    expect(statuses(await hurry(7, of('203.0.113.24'), 'api/classes'))).toEqual(new Set([400, 429]))
    expect(statuses(await hurry(11, of('203.0.113.25'), 'api/class'))).toEqual(new Set([401, 429]))
    const guess = new URL('api/classes/0123456789AB', server.url)
    const guesses = []
    for (let i = 0; i < 11; i++) guesses.push(await rawRequest(guess, { headers: of('203.0.113.26')() }))
    expect(statuses(guesses)).toEqual(new Set([404, 429]))
  })

  it('[trust-17] counts guesses of a key and of a ticket', async () => {
    const of = () => ({ 'CF-Connecting-IP': '203.0.113.9' })
    const guesses = await hurry(11, of, `api/sessions/${session}/credentials`, '{"key":"x"}')
    expect(statuses(guesses)).toEqual(new Set([401, 429]))
    const polls = []
    const path = `socket.io/?${new URLSearchParams({ EIO: '4', transport: 'polling', session, ...admission(session), ticket: 'x' })}`
    for (let i = 0; i < 11; i++) polls.push(await ask(path, { headers: { 'CF-Connecting-IP': '203.0.113.10' } }))
    expect(statuses(polls)).toEqual(new Set([401, 429]))
  })

  it('[trust-17] refuses no request from this machine, and is set in the deployed configuration', async () => {
    expect(statuses(await hurry(9, () => ({}), 'api/sessions'))).toEqual(new Set([201]))
    const configuration = await readFile('wrangler.toml', 'utf8')
    for (const [name, limit] of [
      ['LIMIT_SESSIONS', 120],
      ['LIMIT_REQUESTS', 3_000],
      ['LIMIT_ADMIN', 30],
    ])
      expect(configuration).toMatch(
        new RegExp(
          String.raw`\[\[ratelimits\]\]\nname = "${name}"\nnamespace_id = "\d+"\nsimple = \{ limit = ${limit}, period = 60 \}`,
        ),
      )
  })
})
