import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { secondsOf, sign } from '../../../worker/trust/credential.ts'
import { openSession } from '../../support/player.ts'
import { signSession } from '../../support/sign-session.ts'
import { rawRequest, UPGRADE } from '../../support/raw-request.ts'
import { IS_LONG, oneIn } from '../../support/runs.ts'
import { startWorkerServer, type WorkerServer } from '../../support/worker-server.ts'
import { base64url, drawn, STRONG } from './secrets.ts'

const LISTED = [
  'https://school.example',
  'https://app.school.example:8443',
  'http://intranet.school.example',
  'http://[2001:db8::7]:8080',
  'https://xn--bcher-kva.example',
]
const CONFIG = 'test/socket/trust/wrangler.toml'

let server: WorkerServer
/** A server that allows only the listed pages, and neither its own page nor programs. */
let strict: WorkerServer
beforeAll(async () => {
  server = await startWorkerServer({
    configPath: CONFIG,
    vars: { WALKON_ORIGINS: `self none ${LISTED.join(', ')}`, WALKON_REHEARSAL_PACE_MS: '0' },
  })
  strict = await startWorkerServer({ configPath: CONFIG, vars: { WALKON_ORIGINS: LISTED.join(' ') } })
})
afterAll(() => Promise.all([server.stop(), strict.stop()]))

type Sent = Record<string, string | string[]>

const wokenAt = async (at: WorkerServer) => Number((await rawRequest(new URL('doors/woken', at.url))).body)

/**
 * Sends one request to each public route and to each transport, and returns the responses. The credentials are those of
 * the page `origin`. Also returns how many objects were woken.
 */
async function knock(at: WorkerServer, headers: Sent, origin: string | null) {
  const { body: id } = await rawRequest(new URL('doors/new', at.url))
  const session = JSON.parse(id) as string
  const { key, ticket } = await signSession(session, { origin })
  const socket = (transport: string) =>
    new URL(`socket.io/?EIO=4&transport=${transport}&session=${session}&ticket=${ticket}`, at.url)
  const before = await wokenAt(at)
  const begun = await rawRequest(new URL('api/sessions', at.url), { method: 'POST', body: '{}', headers })
  const given = await rawRequest(new URL(`api/sessions/${session}/credentials`, at.url), {
    method: 'POST',
    body: JSON.stringify({ key }),
    headers,
  })
  const upgraded = await rawRequest(socket('websocket'), { headers: { ...UPGRADE, ...headers } })
  const polled = await rawRequest(socket('polling'), { headers })
  return { answers: [begun, given, upgraded, polled], woken: (await wokenAt(at)) - before }
}

const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status)

describe('a request', () => {
  const good: readonly (readonly [Sent, string | null])[] = [
    ...LISTED.map((origin) => [{ Origin: origin }, origin] as const),
    [{ Origin: 'https://school.example', 'Sec-Fetch-Site': 'cross-site' }, 'https://school.example'],
    [{ Origin: 'https://school.example', 'Sec-Fetch-Site': 'same-site' }, 'https://school.example'],
    [{}, null],
    [{ 'Sec-Fetch-Site': 'none' }, null],
    [{ Origin: '' }, null],
    [{ Referer: 'https://evil.example/' }, null],
  ]
  it.each(good)('[trust-1] with %j is accepted at every door', async (headers, origin) => {
    const { answers, woken } = await knock(server, headers, origin)
    expect(statuses(answers)).toEqual([201, 200, 101, 200])
    expect(woken).toBe(2)
  })

  it('[trust-1] from the Worker’s own page is accepted, also if the browser sends no origin', async () => {
    const own = server.url.origin
    expect(statuses((await knock(server, { Origin: own }, own)).answers)).toEqual([201, 200, 101, 200])
    const unnamed = await knock(server, { 'Sec-Fetch-Site': 'same-origin' }, own)
    expect(statuses(unnamed.answers)).toEqual([201, 200, 101, 200])
  })

  const bad: readonly Sent[] = [
    ...[
      'null',
      '*',
      'https://evil.example',
      'http://school.example',
      'https://school.example:443',
      'https://school.example:8443',
      'https://school.example:444',
      'https://school.example/',
      'https://school.example/path',
      'https://school.example?a',
      'https://school.example#a',
      'https://school.example.',
      'https://school.example..',
      'https://.school.example',
      'https://SCHOOL.example',
      'https://School.Example',
      'HTTPS://school.example',
      'https:school.example',
      'https:/school.example',
      'https:\\\\school.example',
      '//school.example',
      'school.example',
      'https://school.example@evil.example',
      'https://user@school.example',
      'https://user:pass@school.example',
      'https://@school.example',
      'https://school.example.evil.example',
      'https://schoolexample',
      'https://notschool.example',
      'https://evil-school.example',
      'https://a.school.example',
      'https://www.school.example',
      'https://school.example%00.evil.example',
      'https://school.example%2eevil.example',
      'https://school%2eexample',
      'https://schoo\u006c.example.evil',
      'https://sch\u00f6ol.example',
      'https://b\u00fccher.example',
      'https://xn--bcher-kva.example.',
      'http://xn--bcher-kva.example',
      'https://app.school.example',
      'https://app.school.example:443',
      'https://app.school.example:08443',
      'https://app.school.example:84430',
      'http://app.school.example:8443',
      'https://intranet.school.example',
      'http://intranet.school.example:80',
      'http://[2001:db8::7]',
      'http://[2001:db8:0:0:0:0:0:7]:8080',
      'http://[2001:DB8::7]:8080',
      'http://2001:db8::7:8080',
      'http://localhost',
      'http://127.0.0.1',
      'http://127.0.0.1:1',
      'file://',
      'chrome-extension://abcdefghijklmnop',
      'moz-extension://school.example',
      'data:',
      'about:blank',
      'blob:https://school.example/1',
      'ws://school.example',
      'wss://school.example',
      'javascript://school.example',
      'https://school.example, https://school.example',
      'https://school.example https://evil.example',
      'https://evil.example,https://school.example',
      `https://${'a.'.repeat(4000)}school.example`,
    ].map((Origin) => ({ Origin })),
    { Origin: ['https://school.example', 'https://evil.example'] },
    { Origin: ['https://evil.example', 'https://school.example'] },
    { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' },
    { Origin: 'https://evil.example', Host: 'evil.example' },
    { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'nonsense' },
    { 'Sec-Fetch-Site': 'cross-site', Referer: 'https://school.example/' },
  ]
  it.each(oneIn(4, bad).map((headers) => [headers] as const))(
    '[trust-1] with %j is refused at every door, without waking an object',
    async (headers) => {
      // Sends the header as UTF-8 bytes. A browser would not send such a header, but another program can.
      const sent = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          typeof value === 'string' ? Buffer.from(value).toString('latin1') : value,
        ]),
      )
      const { answers, woken } = await knock(server, sent, 'https://school.example')
      // Without configured keys, the server does not serve this host name ([trust-9]).
      const status = 'Host' in headers ? 500 : 403
      expect(statuses(answers)).toEqual([status, status, status, status])
      expect(woken).toBe(0)
      for (const { headers: told, body } of answers) {
        expect(told['access-control-allow-origin']).toBeUndefined()
        if (status === 403)
          expect(JSON.parse(body)).toMatchObject({ error: { code: 'forbidden-origin', next: 'give-up' } })
      }
    },
  )

  it('[trust-1] from a page is accepted with a ticket of that page only', async () => {
    const [one = '', other = ''] = LISTED
    for (const [sent, of] of [
      [one, other],
      [one, null],
      [null, one],
    ] as const) {
      const { answers, woken } = await knock(server, sent === null ? {} : { Origin: sent }, of)
      // The worker accepts the WebSocket upgrade and then refuses with CONNECT_ERROR.
      expect(statuses(answers)).toEqual([201, 200, 101, 401])
      expect(woken).toBe(1)
    }
  })

  it('[trust-1] without an origin may be a poll of the Worker’s own page, whose browser may send none', async () => {
    const { answers, woken } = await knock(server, {}, server.url.origin)
    expect(statuses(answers)).toEqual([201, 200, 101, 200])
    expect(woken).toBe(2)
    const foreign = await knock(server, { Origin: 'https://school.example' }, server.url.origin)
    expect(statuses(foreign.answers)).toEqual([201, 200, 101, 401])
    // Every browser sends an `Origin` header with a WebSocket upgrade.
    const { body: id } = await rawRequest(new URL('doors/new', server.url))
    const session = JSON.parse(id) as string
    const { ticket } = await signSession(session, { origin: server.url.origin })
    const upgrade = new URL(`socket.io/?EIO=4&transport=websocket&session=${session}&ticket=${ticket}`, server.url)
    const before = await wokenAt(server)
    await rawRequest(upgrade, { headers: UPGRADE })
    expect(await wokenAt(server)).toBe(before)
    await rawRequest(upgrade, { headers: { ...UPGRADE, Origin: server.url.origin } })
    expect(await wokenAt(server)).toBe(before + 1)
    expect(statuses((await knock(server, {}, server.url.origin.replace('127', '128'))).answers)).toEqual([
      201, 200, 101, 401,
    ])
  })

  it.runIf(IS_LONG)(
    '[trust-2] from the own page behind an https proxy may be a poll if the page is listed',
    async () => {
      const secret = drawn(32, 3)
      const page = 'https://school.example'
      const behind = await startWorkerServer({
        configPath: CONFIG,
        vars: {
          WALKON_TOKEN_KEYS: `a:${base64url(secret)}`,
          WALKON_LEARNER_SECRET: STRONG,
          WALKON_ORIGINS: `none ${page}`,
        },
      })
      try {
        const session = await openSession(behind, {})
        const now = Date.now()
        const poll = async (headers: Sent, ori = page) => {
          const ticket = await sign({ deployment: 'walkon', keys: [{ kid: 'a', secret }] }, 'ticket', {
            session,
            claims: { ori, ep: 0 },
            now,
            until: secondsOf(now) + 600,
          })
          const query = new URLSearchParams({ EIO: '4', transport: 'polling', session, ticket })
          return (await rawRequest(new URL(`socket.io/?${query}`, behind.url), { headers })).status
        }
        // Over https, a browser sends `Sec-Fetch-Site`. The proxy forwards the request over http and keeps the host name.
        expect(await poll({ Host: 'school.example', 'Sec-Fetch-Site': 'same-origin' })).toBe(200)
        expect(await poll({ Host: 'school.example' })).toBe(200)
        expect(await poll({ Host: 'school.example', 'Sec-Fetch-Site': 'same-site' })).toBe(403)
        expect(await poll({ Host: 'other.example', 'Sec-Fetch-Site': 'same-origin' })).toBe(403)
        expect(await poll({ Host: 'other.example' })).toBe(401)
        // If a proxy rewrites the `Origin` header, as wrangler's proxy does, the credentials name the page's origin with
        // `http` although the browser's page uses `https`.
        const other = 'http://school.example'
        expect(await poll({ Host: 'school.example', 'Sec-Fetch-Site': 'same-origin' }, other)).toBe(200)
        expect(await poll({ Host: 'elsewhere.example', Origin: page }, other)).toBe(401)
        expect(await poll({ Host: 'elsewhere.example', Origin: page })).toBe(200)
      } finally {
        await behind.stop()
      }
    },
    120_000,
  )

  it('[trust-2] from the own page or from a program is refused where they are not listed', async () => {
    for (const headers of [{ Origin: strict.url.origin }, { 'Sec-Fetch-Site': 'same-origin' }, {}]) {
      const { answers, woken } = await knock(strict, headers, strict.url.origin)
      expect(statuses(answers)).toEqual([403, 403, 403, 403])
      expect(woken).toBe(0)
    }
    expect(
      statuses((await knock(strict, { Origin: 'https://school.example' }, 'https://school.example')).answers),
    ).toEqual([201, 200, 101, 200])
  })
})

describe('the CORS headers', () => {
  const ask = (path: string, Origin: string, method: string) =>
    rawRequest(new URL(path, server.url), { method, headers: { Origin, 'Access-Control-Request-Method': 'POST' } })

  it.each(['api/sessions', `api/sessions/${'0'.repeat(64)}/credentials`, 'socket.io/?EIO=4&transport=polling'])(
    '[trust-3] allow a listed page’s request to %s in the preflight',
    async (path) => {
      const told = await ask(path, 'https://school.example', 'OPTIONS')
      expect(told.status).toBe(204)
      expect(told.headers).toMatchObject({
        'access-control-allow-origin': 'https://school.example',
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'Authorization, Content-Type',
        vary: 'Origin',
      })
      expect(told.headers['access-control-allow-credentials']).toBeUndefined()
      const refused = await ask(path, 'https://evil.example', 'OPTIONS')
      expect(refused.status).toBe(403)
      expect(refused.headers['access-control-allow-origin']).toBeUndefined()
      expect(refused.headers['vary']).toBe('Origin')
    },
  )

  it('[trust-3] let a listed page read each response, refusals too', async () => {
    for (const [path, status] of [
      ['api/sessions', 400],
      ['api/sessions/nonsense/credentials', 400],
      ['socket.io/?EIO=4&transport=polling', 400],
    ] as const) {
      const told = await ask(path, 'https://school.example', 'POST')
      expect(told.status).toBe(status)
      expect(told.headers['access-control-allow-origin']).toBe('https://school.example')
      expect(told.headers['vary']).toContain('Origin')
    }
  })

  it('[trust-3] are missing in a response to a program', async () => {
    const told = await rawRequest(new URL('api/sessions', server.url), { method: 'POST', body: '{}' })
    expect(told.status).toBe(201)
    expect(told.headers['access-control-allow-origin']).toBeUndefined()
    expect(told.headers['vary']).toBe('Origin')
  })
})
