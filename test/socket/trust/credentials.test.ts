import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Claims, Kind } from '../../../worker/trust/credential.ts'
import { DEVELOPMENT_KEYS } from '../../../worker/trust/token-keys.ts'
import { issueResult, readResult } from '../../../worker/trust/game-credentials.ts'
import type { Refusal } from '../../../worker/wire/messages.ts'
import type { ResultView } from '../../../worker/wire/run.ts'
import { WIRE_VERSION } from '../../../worker/wire/version.ts'
import { credentialsOf, renewCredentials } from '../../support/credentials.ts'
import { openSession, Player } from '../../support/player.ts'
import { rawRequest } from '../../support/raw-request.ts'
import { DEVELOPMENT, signOne } from '../../support/sign-session.ts'
import { connectClient } from '../../support/socket-client.ts'
import { startWorkerServer, type WorkerServer } from '../../support/worker-server.ts'
import { base64url, drawn } from './secrets.ts'
import { oneIn } from '../../support/runs.ts'

const CONFIG = 'test/socket/trust/wrangler.toml'
const PAGE = 'https://school.example'
const [KEY] = DEVELOPMENT_KEYS.keys

let server: WorkerServer
let begun = ''
/** The id of the current session: the session that has begun, or a session whose object was never woken. */
let session = ''
let other = ''
beforeAll(async () => {
  server = await startWorkerServer({
    configPath: CONFIG,
    vars: { WALKON_ORIGINS: `self none ${PAGE}`, WALKON_REHEARSAL_PACE_MS: '0' },
  })
  begun = await openSession(server, {})
  session = begun
  other = await openSession(server, {})
})
afterAll(() => server.stop())

const wokenAll = async () => Number((await rawRequest(new URL('doors/woken', server.url))).body)
const seconds = () => Math.floor(Date.now() / 1000)

/** Connects with a token and the given ticket, or with a valid ticket. Returns the outcome of CONNECT. */
async function connect(token: string | undefined, { ticket = '', origin = '' } = {}) {
  const page = origin === '' ? null : origin
  const client = connectClient(new URL('socket.io/', server.url), {
    query: {
      session,
      hb: '1',
      ticket: ticket === '' ? await signOne('ticket', session, { ori: page, ep: 0 }) : ticket,
    },
    auth: { v: WIRE_VERSION, ...(token !== undefined && { token }) },
    reconnection: false,
    ...(page !== null && { extraHeaders: { Origin: page } }),
  })
  const outcome = await Promise.race([
    client.next('hello').then(() => 'in' as const),
    client.next('connect_error').then((error) => (error as Error & { data?: Refusal }).data ?? String(error)),
  ])
  client.stop()
  return outcome
}

/** Switches to a session whose object was never woken, so that the test notices any request that wakes the object. */
async function neverWoken() {
  if (session === begun) session = JSON.parse((await rawRequest(new URL('doors/new', server.url))).body) as string
}

const exchange = (key: unknown, at = session) =>
  rawRequest(new URL(`api/sessions/${at}/credentials`, server.url), { method: 'POST', body: JSON.stringify({ key }) })

const RESULT: ResultView = {
  run: 'ctx_of-a-run',
  scenario: 'launch-decision',
  title: 'The launch decision',
  version: 1,
  nickname: 'Åsa 🦉',
  class: null,
  again: false,
  option: 'hold-back-medical',
  optionTitle: 'Ship on Thursday, with medical questions going to the nurse line',
  verdict: 'right',
  facts: { deciding: 6, heard: 5, cited: 4 },
  objectives: { met: 3, of: 4 },
  startedAt: 1_790_000_000_000,
  decidedAt: 1_790_000_600_000,
}

/** Valid claims for each kind of credential. */
const CLAIMS: { readonly [K in Kind]: () => Claims[K] } = {
  token: () => ({ ori: null, ep: 0, life: seconds() + 600 }),
  ticket: () => ({ ori: null, ep: 0 }),
  key: () => ({ ep: 0 }),
  run: () => ({ scn: 'launch-decision', lrn: '6f9619ff-8b86-4d01-b42d-00c04fc964ff', knd: 'anonymous' }),
  class: () => ({ scn: 'launch-decision' }),
  result: () => ({ res: RESULT }),
}

/** Returns the subject of a credential of this kind: a session, a run or a class. */
const subjectFor = (kind: Kind) =>
  kind === 'class' ? 'cls_of-a-class' : kind === 'run' || kind === 'result' ? 'ctx_of-a-run' : session

/** Makes a credential with changed claims or headers. A value `undefined` leaves out the claim or header. */
async function forge(
  kind: Kind,
  {
    header = {},
    claims = {},
    secret = KEY.secret,
  }: { header?: Record<string, unknown>; claims?: Record<string, unknown>; secret?: Uint8Array } = {},
): Promise<string> {
  const at = seconds()
  const all: Record<string, unknown> = {
    ...CLAIMS[kind](),
    iss: 'walkon',
    aud: 'walkon',
    sub: subjectFor(kind),
    jti: 'j',
    iat: at,
    nbf: at,
    exp: at + 60,
    ...claims,
  }
  const head = { alg: 'HS256', typ: `walkon-${kind}+jwt`, kid: KEY.kid, ...header }
  const crit = 'crit' in header ? { crit: { 'x-ours': true } } : undefined
  return new SignJWT(all).setProtectedHeader(head as { alg: string }).sign(secret, crit)
}

const retyped = (text: string, header: object) => {
  const [, payload, signature] = text.split('.')
  return `${base64url(Buffer.from(JSON.stringify(header)))}.${payload}.${signature}`
}

/** Changes the last character of a signature so that the signature still decodes to the same bytes. */
function respelled(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = alphabet.indexOf(text.at(-1) ?? '')
  return text.slice(0, -1) + alphabet[last + 1]
}

type Make = (kind: Kind) => Promise<string> | string
const good: readonly (readonly [string, Make])[] = [
  ['as it is signed', (kind) => signOne(kind, subjectFor(kind), CLAIMS[kind]())],
  ['as it is forged with nothing changed', (kind) => forge(kind)],
  ['with one second left', (kind) => forge(kind, { claims: { exp: seconds() + 1 } })],
  ['that has just ended, within the leeway', (kind) => forge(kind, { claims: { exp: seconds() } })],
  ['of a clock a little ahead', (kind) => forge(kind, { claims: { nbf: seconds() + 3, iat: seconds() + 3 } })],
  ['with a claim that nobody reads', (kind) => forge(kind, { claims: { extra: 'x' } })],
  ['for several deployments, this one too', (kind) => forge(kind, { claims: { aud: ['another', 'walkon'] } })],
]

const HEADERS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['the type of a JWT', { typ: 'JWT' }],
  ['no type', { typ: undefined }],
  ['an empty type', { typ: '' }],
  ['no key id', { kid: undefined }],
  ['the id of another key', { kid: 'production' }],
  ['an id from the prototype', { kid: '__proto__' }],
  ['an id that is a path', { kid: '../../dev/null' }],
  ['an id that is a query', { kid: "' OR 1=1 --" }],
  ['a critical extension', { crit: ['x-ours'], 'x-ours': 1 }],
]

const CHANGES: readonly (readonly [string, () => Record<string, unknown>])[] = [
  ['ended a while ago', () => ({ exp: seconds() - 7 })],
  ['ended long ago', () => ({ exp: seconds() - 86_400 })],
  ['ended in 1970', () => ({ exp: 0 })],
  ['without an end', () => ({ exp: undefined })],
  ['with an end that is text', () => ({ exp: '9999999999' })],
  ['with an end that is no number', () => ({ exp: null })],
  ['not valid yet', () => ({ nbf: seconds() + 60 })],
  ['without a beginning', () => ({ nbf: undefined })],
  ['without the time it was issued', () => ({ iat: undefined })],
  ['without an id of its own', () => ({ jti: undefined })],
  ['of another issuer', () => ({ iss: 'walkon.example' })],
  ['of no issuer', () => ({ iss: undefined })],
  ['for another deployment', () => ({ aud: 'staging' })],
  ['for no deployment', () => ({ aud: undefined })],
  ['for a deployment in another case', () => ({ aud: 'Walkon' })],
  ['for another session', () => ({ sub: other })],
  ['for no session', () => ({ sub: undefined })],
  ['for a session in another case', () => ({ sub: session.toUpperCase() })],
  ['for a list of sessions', () => ({ sub: [session] })],
]

const secretText = () => new TextDecoder().decode(KEY.secret)

/** Defects that any kind of credential can have. */
const bad: readonly (readonly [string, Make])[] = [
  ...HEADERS.map(([name, header]) => [`with ${name}`, (kind: Kind) => forge(kind, { header })] as const),
  ...CHANGES.map(([name, change]) => [name, (kind: Kind) => forge(kind, { claims: change() })] as const),
  ...(['token', 'ticket', 'key', 'run', 'class', 'result'] as const).map(
    (of) =>
      [
        `of the kind ${of}, if that is another`,
        (kind: Kind) => (kind === of ? 'x.y.z' : signOne(of, subjectFor(kind), CLAIMS[of]())),
      ] as const,
  ),
  ['that is empty', () => ''],
  ['that is no text of its form', () => 'nonsense'],
  ['of two parts', async (kind) => (await forge(kind)).split('.').slice(0, 2).join('.')],
  ['of four parts', async (kind) => `${await forge(kind)}.x`],
  ['of five parts, as an encrypted one', () => 'a.b.c.d.e'],
  ['without its signature', async (kind) => (await forge(kind)).replace(/[^.]*$/, '')],
  [
    'unsigned',
    async (kind) => {
      const claims = { ...CLAIMS[kind]() }
      const unsigned = new UnsecuredJWT(claims)
        .setIssuer('walkon')
        .setAudience('walkon')
        .setSubject(subjectFor(kind))
        .setJti('j')
      return unsigned.setIssuedAt().setNotBefore('0s').setExpirationTime('1m').encode()
    },
  ],
  [
    'whose header says none',
    async (kind) => retyped(await forge(kind), { alg: 'none', typ: `walkon-${kind}+jwt`, kid: KEY.kid }),
  ],
  [
    'whose header says None',
    async (kind) => retyped(await forge(kind), { alg: 'None', typ: `walkon-${kind}+jwt`, kid: KEY.kid }),
  ],
  ['whose header says HS512, with our key', (kind) => forge(kind, { header: { alg: 'HS512' } })],
  ['whose header says HS384, with our key', (kind) => forge(kind, { header: { alg: 'HS384' } })],
  [
    'signed with RS256',
    async (kind) => {
      const { privateKey } = await generateKeyPair('RS256')
      return new SignJWT({ ...CLAIMS[kind](), sub: subjectFor(kind) })
        .setProtectedHeader({ alg: 'RS256', kid: KEY.kid, typ: `walkon-${kind}+jwt` })
        .sign(privateKey)
    },
  ],
  [
    'signed with EdDSA',
    async (kind) => {
      const { privateKey } = await generateKeyPair('EdDSA')
      return new SignJWT({ ...CLAIMS[kind](), sub: subjectFor(kind) })
        .setProtectedHeader({ alg: 'EdDSA', kid: KEY.kid, typ: `walkon-${kind}+jwt` })
        .sign(privateKey)
    },
  ],
  ['signed with another key', (kind) => forge(kind, { secret: drawn(32, 11) })],
  ['signed with the name of the key', (kind) => forge(kind, { secret: new TextEncoder().encode(KEY.kid) })],
  [
    'signed with the key as base64url',
    (kind) => forge(kind, { secret: new TextEncoder().encode(base64url(KEY.secret)) }),
  ],
  ['signed with nothing', (kind) => forge(kind, { secret: new Uint8Array(32) })],
  [
    'that brings its key along (jwk)',
    (kind) => {
      const secret = drawn(32, 12)
      return forge(kind, { secret, header: { kid: 'own', jwk: { kty: 'oct', k: base64url(secret) } } })
    },
  ],
  [
    'that says where its key is (jku)',
    (kind) => forge(kind, { secret: drawn(32, 12), header: { kid: 'own', jku: 'https://evil.example/keys' } }),
  ],
  [
    'that says where its certificate is (x5u)',
    (kind) => forge(kind, { secret: drawn(32, 12), header: { kid: 'own', x5u: 'https://evil.example/cert' } }),
  ],
  [
    'with a byte of its claims changed',
    async (kind) => (await forge(kind)).replace(/\.(.{20})./, (_, head: string) => `.${head}A`),
  ],
  ['with its signature spelled otherwise', async (kind) => respelled(await forge(kind))],
  ['with its signature padded', async (kind) => `${await forge(kind)}=`],
  [
    'in the other alphabet of base64',
    async (kind) => (await forge(kind)).replaceAll('-', '+').replaceAll('_', '/') + '+',
  ],
  ['with a blank before it', async (kind) => ` ${await forge(kind)}`],
  ['with a blank behind it', async (kind) => `${await forge(kind)} `],
  ['with a line break behind it', async (kind) => `${await forge(kind)}\n`],
  ['with a zero byte behind it', async (kind) => `${await forge(kind)}\0`],
  ['cut short by one character', async (kind) => (await forge(kind)).slice(0, -1)],
  ['with one character too many', async (kind) => `${await forge(kind)}A`],
  ['twice', async (kind) => `${await forge(kind)}${await forge(kind)}`],
  ['called a bearer', async (kind) => `Bearer ${await forge(kind)}`],
  ['of eight thousand characters', (kind) => forge(kind, { claims: { padding: 'x'.repeat(6_000) } })],
  ['of the secret itself', () => secretText()],
]

/** Defects in claims that only one kind of credential has. */
const worse: { readonly [K in Kind]: readonly (readonly [string, () => Record<string, unknown>])[] } = {
  token: [
    ['for another page', () => ({ ori: PAGE })],
    ['for a page that is empty', () => ({ ori: '' })],
    ['for no page that is said', () => ({ ori: undefined })],
    ['of the epoch to come', () => ({ ep: 1 })],
    ['of an epoch before', () => ({ ep: -1 })],
    ['of no epoch', () => ({ ep: undefined })],
    ['of an epoch that is text', () => ({ ep: '0' })],
    ['of no life', () => ({ life: undefined })],
  ],
  ticket: [
    ['for no page that is said', () => ({ ori: undefined })],
    ['of no epoch', () => ({ ep: undefined })],
    ['of an epoch before', () => ({ ep: -1 })],
    ['of an epoch that is text', () => ({ ep: '0' })],
  ],
  key: [
    ['of no epoch', () => ({ ep: undefined })],
    ['of an epoch that is text', () => ({ ep: '0' })],
  ],
  run: [
    ['of no scenario', () => ({ scn: undefined })],
    ['of nobody', () => ({ lrn: undefined })],
    ['of nobody by name', () => ({ lrn: '' })],
    ['of somebody in another way', () => ({ knd: 'trusted' })],
    ['of an id that no run has', () => ({ sub: 'run' })],
  ],
  class: [
    ['of no scenario', () => ({ scn: undefined })],
    ['of a scenario that is none', () => ({ scn: 7 })],
    ['of an id that no class has', () => ({ sub: 'ctx_of-a-run' })],
  ],
  result: [
    ['that says nothing', () => ({ res: undefined })],
    ['of another verdict than there are', () => ({ res: { ...RESULT, verdict: 'perfect' } })],
    ['of less than no facts', () => ({ res: { ...RESULT, facts: { deciding: 6, heard: -1, cited: 0 } } })],
    ['without a time', () => ({ res: { ...RESULT, decidedAt: undefined } })],
    ['of an id that no run has', () => ({ sub: 'run' })],
  ],
}

const ONE_REFUSAL = { ok: false, next: 'sign-in', code: 'not-admitted', message: expect.any(String) }

describe('a client whose library adds an Origin to its WebSocket alone', () => {
  it('[message-2] [trust-6] is refused with the name of the header that differs', async () => {
    session = begun
    const ticket = await signOne('ticket', session, { ori: null, ep: 0 })
    expect(await connect(undefined, { ticket, origin: PAGE })).toMatchObject({
      code: 'not-admitted',
      message: `The ticket was given to a request without an Origin header; this request has the Origin ${PAGE}. Send the same Origin with every request.`,
    })
  })
})

describe('a token', () => {
  it.each(good)('[trust-7] %s is accepted', async (_, make) => {
    expect(await connect(await make('token'))).toBe('in')
  })

  it.each(oneIn(3, bad))('[trust-4] %s gets the same refusal as any other', async (_, make) => {
    expect(await connect(await make('token'))).toEqual(ONE_REFUSAL)
  })

  it.each(worse.token)('[trust-7] %s gets the same refusal as any other', async (_, change) => {
    expect(await connect(await forge('token', { claims: change() }))).toEqual(ONE_REFUSAL)
  })

  it('[trust-7] is required', async () => {
    expect(await connect(undefined)).toEqual(ONE_REFUSAL)
  })

  it('[trust-7] of a page is accepted from that page only', async () => {
    const token = await forge('token', { claims: { ori: PAGE } })
    expect(await connect(token, { origin: PAGE })).toBe('in')
    expect(await connect(token)).toEqual(ONE_REFUSAL)
    expect(await connect(await forge('token'), { origin: PAGE })).toEqual(ONE_REFUSAL)
    // The worker sets this header itself and ignores what a client sends.
    const pretending = connectClient(new URL('socket.io/', server.url), {
      query: { session, hb: '1', ticket: await forge('ticket') },
      auth: { v: WIRE_VERSION, token },
      extraHeaders: { 'Walkon-Origin': PAGE },
    })
    expect(((await pretending.next('connect_error')) as Error & { data: unknown }).data).toEqual(ONE_REFUSAL)
    pretending.stop()
  })
})

describe('a ticket', () => {
  /**
   * Tries a ticket on both transports. A socket is refused with CONNECT_ERROR and a poll with its status. Returns both
   * outcomes, and how many objects were woken.
   */
  async function pass(ticket: string) {
    const before = await wokenAll()
    const socket = await connect(await forge('token'), { ticket: ticket === '' ? 'none' : ticket })
    const query = new URLSearchParams({ EIO: '4', transport: 'polling', session, ticket })
    const poll = await rawRequest(new URL(`socket.io/?${query}`, server.url))
    return { socket, poll: { status: poll.status, body: poll.body }, woken: (await wokenAll()) - before }
  }

  it.each(good)('[trust-6] %s is accepted', async (_, make) => {
    expect(await pass(await make('ticket'))).toMatchObject({ socket: 'in', poll: { status: 200 } })
  })

  const all = [
    ...bad,
    ...worse.ticket.map(([name, change]) => [name, () => forge('ticket', { claims: change() })] as const),
  ]
  it.each(oneIn(3, all))('[trust-6] %s is refused without waking an object', async (_, make) => {
    await neverWoken()
    const { socket, poll, woken } = await pass(await make('ticket'))
    expect(socket).toEqual(ONE_REFUSAL)
    expect(poll.status).toBe(401)
    expect(JSON.parse(poll.body)).toEqual({ code: 4, message: expect.any(String), data: ONE_REFUSAL })
    expect(woken).toBe(0)
  })

  it('[trust-6] that has expired works 12 more hours for a client that is already polling, but for no other', async () => {
    session = begun
    const poll = async (ticket: string, sid?: string) => {
      const query = new URLSearchParams({ EIO: '4', transport: 'polling', session, ticket, ...(sid && { sid }) })
      return rawRequest(new URL(`socket.io/?${query}`, server.url), sid ? { method: 'POST', body: '2' } : {})
    }
    const ended = (ago: number) => forge('ticket', { claims: { exp: seconds() - ago } })
    const { body } = await poll(await forge('ticket'))
    const { sid } = JSON.parse(body.slice(1)) as { sid: string }
    expect((await poll(await ended(60), sid)).body).toBe('ok')
    expect((await poll(await ended(12 * 3600 - 60), sid)).body).toBe('ok')
    expect((await poll(await ended(12 * 3600 + 60), sid)).status).toBe(401)
    expect((await poll(await ended(60))).status).toBe(401)
  })

  it('[trust-6] alone opens no conversation', async () => {
    expect(await connect(await forge('ticket'))).toEqual(ONE_REFUSAL)
  })

  it('[trust-6] of another session opens neither session', async () => {
    const query = new URLSearchParams({ EIO: '4', transport: 'polling', session: other, ticket: await forge('ticket') })
    expect((await rawRequest(new URL(`socket.io/?${query}`, server.url))).status).toBe(401)
  })
})

describe('a key', () => {
  beforeAll(() => {
    session = begun
  })

  it.each(good)('[trust-5] %s is exchanged', async (_, make) => {
    const { status, body } = await exchange(await make('key'))
    expect(status).toBe(200)
    const given = JSON.parse(body) as { token: string; ticket: string; lastsMs: number }
    expect(Object.keys(given)).toEqual(['token', 'ticket', 'lastsMs'])
    expect(given.lastsMs).toBeLessThanOrEqual(900_000)
    if (given.lastsMs > 0) expect(await connect(given.token, { ticket: given.ticket })).toBe('in')
  })

  const all = [...bad, ...worse.key.map(([name, change]) => [name, () => forge('key', { claims: change() })] as const)]
  it.each(oneIn(5, all))('[trust-5] %s is refused without waking an object', async (_, make) => {
    await neverWoken()
    const before = await wokenAll()
    const { status, body } = await exchange(await make('key'))
    // The server does not read bodies beyond 4 KiB.
    expect(body.includes('too-long') ? 413 : 401).toBe(status)
    if (status === 401) expect(JSON.parse(body)).toEqual({ error: { ...ONE_REFUSAL, ok: undefined } })
    expect(await wokenAll()).toBe(before)
  })

  it.each([[null], [7], [{}], [[]]])('[trust-5] such as %j is malformed', async (key) => {
    expect((await exchange(key)).status).toBe(400)
  })

  it('[trust-5] opens no other session, and no invalid one', async () => {
    for (const at of [other, session.toUpperCase(), 'x', '%00', '..%2f..']) {
      expect((await exchange(await forge('key'), at)).status).toBe(401)
    }
  })

  it('[trust-5] lets a page reopen its conversation', async () => {
    const mine = await openSession(server, {})
    const before = credentialsOf(mine)
    const after = await renewCredentials(server.url, mine)
    expect(after.key).toBe(before.key)
    expect(after.token).not.toBe(before.token)
    const player = await Player.join(server, mine)
    expect((await player.say('Hello, Maya.')).outcome).toBe('complete')
    player.leave()
  })

  it('[trust-8] gives credentials that can be renewed for half a day, however long the key lasts', async () => {
    const lifeOf = (token: string) => {
      const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { life: number }
      return claims.life - seconds()
    }
    const mine = await openSession(server, {})
    const begun = credentialsOf(mine)
    const exchanged = await renewCredentials(server.url, mine)
    for (const { token } of [begun, exchanged]) {
      expect(lifeOf(token)).toBeLessThanOrEqual(12 * 3600)
      expect(lifeOf(token)).toBeGreaterThan(12 * 3600 - 60)
    }
  })

  it('[trust-5] gives no credentials that outlive it', async () => {
    const { body } = await exchange(await forge('key', { claims: { exp: seconds() + 100 } }))
    expect((JSON.parse(body) as { lastsMs: number }).lastsMs).toBeLessThanOrEqual(100_000)
  })
})

describe("a run's key", () => {
  const begin = (run: unknown) =>
    rawRequest(new URL('api/sessions', server.url), { method: 'POST', body: JSON.stringify({ run }) })

  it.each(good)('[run-3] %s is accepted, and its run is looked up', async (_, make) => {
    const { status, body } = await begin(await make('run'))
    expect([status, JSON.parse(body)]).toMatchObject([404, { error: { code: 'unknown-run', next: 'start-over' } }])
  })

  const all = [...bad, ...worse.run.map(([name, change]) => [name, () => forge('run', { claims: change() })] as const)]
  it.each(oneIn(5, all))('[run-3] [trust-4] %s is refused without waking an object', async (_, make) => {
    await neverWoken()
    const before = await wokenAll()
    const { status, body } = await begin(await make('run'))
    expect(body.includes('too-long') ? 413 : 401).toBe(status)
    if (status === 401) expect(JSON.parse(body)).toEqual({ error: { ...ONE_REFUSAL, ok: undefined } })
    expect(await wokenAll()).toBe(before)
  })

  it.each([[null], [7], [{}], [[]]])('[run-3] such as %j is malformed', async (run) => {
    expect((await begin(run)).status).toBe(400)
  })

  it('[run-3] begins nothing of another scenario', async () => {
    const body = JSON.stringify({ run: await forge('run'), scenario: 'week-three' })
    expect((await rawRequest(new URL('api/sessions', server.url), { method: 'POST', body })).status).toBe(404)
  })
})

describe("a teacher's key", () => {
  const ask = (key: string) =>
    server.fetch('api/class', { headers: { Authorization: `Bearer ${key}` } }).then(
      async (response) => ({ status: response.status, body: await response.text() }),
      // `fetch` rejects an invalid header and sends nothing. The test counts this as a refusal.
      () => ({ status: 401, body: JSON.stringify({ error: { ...NOT_ADMITTED, message: '' } }) }),
    )
  const NOT_ADMITTED = { next: 'sign-in', code: 'not-admitted' }

  it.each(good)('[class-3] %s is accepted, and its class is looked up', async (_, make) => {
    const { status, body } = await ask(await make('class'))
    expect([status, JSON.parse(body)]).toMatchObject([404, { error: { code: 'unknown-class', next: 'give-up' } }])
  })

  // Blanks around a header's value are not part of the value, so these defects do not exist in a header.
  const PLAIN = new Set(['with a blank before it', 'with a blank behind it', 'with a line break behind it'])
  const all = [
    ...bad.filter(([name]) => !PLAIN.has(name)),
    ...worse.class.map(([name, change]) => [name, () => forge('class', { claims: change() })] as const),
  ]
  it.each(oneIn(5, all))('[class-3] [trust-4] %s is refused without waking an object', async (_, make) => {
    const before = await wokenAll()
    const { status, body } = await ask(await make('class'))
    expect([status, JSON.parse(body)]).toMatchObject([401, { error: NOT_ADMITTED }])
    expect(await wokenAll()).toBe(before)
  })
})

describe('a signed result', () => {
  const ask = (result: unknown) =>
    rawRequest(new URL('api/results', server.url), { method: 'POST', body: JSON.stringify({ result }) })

  it.each(good)('[debrief-17] %s is confirmed for anyone', async (_, make) => {
    const { status, body } = await ask(await make('result'))
    expect([status, JSON.parse(body)]).toEqual([200, RESULT])
  })

  const all = [
    ...bad,
    ...worse.result.map(([name, change]) => [name, () => forge('result', { claims: change() })] as const),
  ]
  it.each(oneIn(5, all))(
    '[debrief-17] [trust-4] %s is reported as not genuine, without waking an object',
    async (_, make) => {
      const before = await wokenAll()
      const { status, body } = await ask(await make('result'))
      expect(body.includes('too-long') ? 413 : 400).toBe(status)
      const refusal = { code: 'not-genuine', next: 'give-up', message: expect.any(String) }
      if (status === 400) expect(JSON.parse(body)).toEqual({ error: refusal })
      expect(await wokenAll()).toBe(before)
    },
  )

  it.each([[null], [7], [{}], [[]]])('[debrief-17] such as %j is malformed', async (result) => {
    const { status, body } = await ask(result)
    expect([status, JSON.parse(body)]).toMatchObject([400, { error: { code: 'malformed', next: 'give-up' } }])
  })

  it('[debrief-17] gives access to nothing', async () => {
    const run = await signOne('result', 'ctx_of-a-run', { res: RESULT })
    expect((await exchange(run)).status).toBe(401)
    const asRun = await rawRequest(new URL('api/sessions', server.url), {
      method: 'POST',
      body: JSON.stringify({ run }),
    })
    expect(asRun.status).toBe(401)
  })

  it('[debrief-18] never expires, and stays genuine while its signing key is configured, also after a newer one', async () => {
    const now = Date.now()
    const text = await issueResult(DEVELOPMENT, RESULT, now)
    const newer = { kid: 'newer', secret: drawn(32, 13) }
    const rotated = { ...DEVELOPMENT, keys: [newer, ...DEVELOPMENT.keys] } as const
    const inAHundredYears = now + 100 * 366 * 86_400_000
    for (const signing of [DEVELOPMENT, rotated])
      expect(await readResult(signing, text, inAHundredYears)).toEqual(RESULT)
    expect(await readResult({ ...DEVELOPMENT, keys: [newer] }, text, now)).toBeNull()
    expect(await readResult({ ...DEVELOPMENT, deployment: 'another' }, text, now)).toBeNull()
  })

  it('[debrief-19] names the run it was signed for, whatever its content says, and an older one counts as a first run', async () => {
    const { again: _, ...before } = RESULT
    const text = await forge('result', { claims: { sub: 'ctx_of-another', res: before } })
    expect(JSON.parse((await ask(text)).body)).toEqual({ ...RESULT, run: 'ctx_of-another' })
  })

  it('[debrief-16] is short enough for a request, whatever its titles are', async () => {
    const long = '🦉'.repeat(3_000)
    const result = { ...RESULT, title: long, optionTitle: long, class: long, nickname: '語'.repeat(24) }
    const text = await issueResult(DEVELOPMENT, result, Date.now())
    const { status, body } = await ask(text)
    expect(status).toBe(200)
    const said = JSON.parse(body) as ResultView
    expect(said.nickname).toBe(result.nickname)
    for (const title of [said.title, said.optionTitle, said.class ?? ''])
      expect([long.startsWith(title), title.length, title.isWellFormed()]).toEqual([true, 160, true])
  })
})
