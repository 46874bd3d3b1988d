import { createHmac } from 'node:crypto'
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rawRequest } from '../../support/raw-request.ts'
import { startWorkerServer, type WorkerServer } from '../../support/worker-server.ts'
import { base64url, drawn, STRONG } from './secrets.ts'
import { IS_LONG, oneIn } from '../../support/runs.ts'

const CONFIG = 'test/socket/trust/wrangler.toml'
const LEARNER_SECRET = base64url(drawn(36, 21))
const HMAC_KEY = drawn(32, 22)
const HOST = { WALKON_IDENTITY_ISSUER: 'https://school.example', WALKON_IDENTITY_AUDIENCE: 'walkon-school' }

interface Pair {
  readonly alg: string
  readonly kid: string
  readonly key: CryptoKey | Uint8Array
}
let pairs: Pair[] = []
let stranger: Pair
/** The public RSA key in PEM format. */
let publicText = ''
let required: WorkerServer
let optional: WorkerServer
let off: WorkerServer

beforeAll(async () => {
  const made = await Promise.all(['EdDSA', 'ES256', 'RS256'].map((alg) => generateKeyPair(alg, { extractable: true })))
  pairs = made.map(({ privateKey }, i) => ({
    alg: ['EdDSA', 'ES256', 'RS256'][i] ?? '',
    kid: `k${i}`,
    key: privateKey,
  }))
  pairs.push({ alg: 'HS256', kid: 'k3', key: HMAC_KEY })
  const { privateKey } = await generateKeyPair('ES256')
  stranger = { alg: 'ES256', kid: 'k1', key: privateKey }
  publicText = await exportSPKI(made[2]?.publicKey as CryptoKey)
  const jwks = await Promise.all(made.map(({ publicKey }) => exportJWK(publicKey)))
  const keys = [...jwks, { kty: 'oct', k: base64url(HMAC_KEY) }].map((jwk, i) => ({
    ...jwk,
    kid: `k${i}`,
    alg: pairs[i]?.alg,
  }))
  const vars = {
    ...HOST,
    WALKON_IDENTITY_KEYS: JSON.stringify({ keys }),
    WALKON_IDENTITY_SECRET: STRONG,
    WALKON_LEARNER_SECRET: LEARNER_SECRET,
  }
  const start = (WALKON_IDENTITY: string) =>
    startWorkerServer({ configPath: CONFIG, vars: { ...vars, WALKON_IDENTITY } })
  ;[required, optional, off] = await Promise.all([start('required'), start('optional'), start('off')])
})
afterAll(() => Promise.all([required, optional, off].map((server) => server.stop())))

interface Begun {
  readonly session: string
  readonly key: string
}

const post = (at: WorkerServer, path: string, body: object) =>
  rawRequest(new URL(path, at.url), { method: 'POST', body: JSON.stringify(body) })

const begin = (at: WorkerServer, identity?: unknown) => post(at, 'api/sessions', { identity })

async function begun(at: WorkerServer, identity?: unknown): Promise<Begun> {
  const { status, body } = await begin(at, identity)
  expect(status).toBe(201)
  return JSON.parse(body) as Begun
}

async function learnerOf(at: WorkerServer, { session }: Begun) {
  const { body } = await rawRequest(new URL(`doors/${session}/learner`, at.url))
  return JSON.parse(body) as { kind: string; id: string }
}

const wokenAt = async (at: WorkerServer) => Number((await rawRequest(new URL('doors/woken', at.url))).body)
const seconds = () => Math.floor(Date.now() / 1000)
const hash = (user: string, secret = STRONG) => createHmac('sha256', secret).update(user).digest('hex')
const byCode = (user: string, code = hash(user)) => ({ user, hash: code })

function jwtOf(
  user: string,
  { alg, kid, key }: Pair,
  { claims = {}, header = {} }: { claims?: Record<string, unknown>; header?: Record<string, unknown> } = {},
): Promise<string> {
  const all = {
    sub: user,
    iss: HOST.WALKON_IDENTITY_ISSUER,
    aud: HOST.WALKON_IDENTITY_AUDIENCE,
    exp: seconds() + 60,
    ...claims,
  }
  return new SignJWT(all).setProtectedHeader({ alg, kid, ...header }).sign(key)
}

const pair = (i: number): Pair => pairs[i] as Pair

describe('a learner whom the host identifies', () => {
  it('[trust-13] has the same id by a token of any of the host’s keys and by a code', async () => {
    const ids = new Set<string>()
    for (const each of pairs)
      ids.add((await learnerOf(required, await begun(required, { jwt: await jwtOf('ada', each) }))).id)
    ids.add((await learnerOf(optional, await begun(optional, byCode('ada')))).id)
    expect([...ids]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
  })

  it('[trust-14] has a unique id that does not reveal who they are', async () => {
    const learners = await Promise.all(
      ['ada', 'Ada', 'ad a', 'bob', 'learner'].map(async (user) =>
        learnerOf(required, await begun(required, byCode(user))),
      ),
    )
    expect(new Set(learners.map(({ id }) => id)).size).toBe(5)
    expect(learners.every(({ kind }) => kind === 'verified')).toBe(true)
    const guessed = ['ada', 'walkon:ada', 'walkonada'].map((text) =>
      createHmac('sha256', STRONG).update(text).digest('hex'),
    )
    expect(guessed).not.toContain(learners[0]?.id)
  })

  it('[trust-14] differs from every anonymous learner, and anonymous learners differ from each other', async () => {
    const nobodies = [await begun(optional), await begun(optional), await begun(off, byCode('ada'))]
    const learners = [
      await learnerOf(optional, nobodies[0] as Begun),
      await learnerOf(optional, nobodies[1] as Begun),
      await learnerOf(off, nobodies[2] as Begun),
    ]
    expect(learners.every(({ kind }) => kind === 'anonymous')).toBe(true)
    expect(new Set(learners.map(({ id }) => id)).size).toBe(3)
    for (const { id } of learners) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
  })
})

describe('an identity', () => {
  type Make = () => unknown
  const bad: readonly (readonly [string, Make])[] = [
    ['a wrong code', () => byCode('ada', hash('ada', 'another secret'))],
    ['a blank code', () => byCode('ada', '')],
    ["another learner's code", () => byCode('bob', hash('ada'))],
    ['a code cut short', () => byCode('ada', hash('ada').slice(0, -2))],
    ['a code with more behind it', () => byCode('ada', `${hash('ada')}00`)],
    ['a code that is no hexadecimal', () => byCode('ada', 'z'.repeat(64))],
    ['a code for the user with a blank', () => byCode('ada ', hash('ada'))],
    ['a code of no user', () => byCode('', hash(''))],
    // The API could not address these users, and could confuse some of them with ada.
    ...[' ada', 'ada ', '\u00a0ada', ' ', '.', '..', 'a\0da', 'ad\ud800a', 'a'.repeat(201)].map(
      (user) => [`a right code of ${JSON.stringify(user)}`, () => byCode(user)] as const,
    ),
    ['a right token of a name with a blank', async () => ({ jwt: await jwtOf('ada ', pair(0)) })],
    ['a user alone', () => ({ user: 'ada' })],
    ['a code alone', () => ({ hash: hash('ada') })],
    ['an empty object', () => ({})],
    ['text', () => 'ada'],
    ['a list', () => [byCode('ada')]],
    ['true', () => true],
    ['both proofs at once', async () => ({ ...byCode('ada'), jwt: await jwtOf('ada', pair(0)) })],
    ['an empty token', () => ({ jwt: '' })],
    ['a token that is none', () => ({ jwt: 'nonsense' })],
    ['an unsigned token', () => ({ jwt: new UnsecuredJWT({ sub: 'ada' }).setExpirationTime('1m').encode() })],
    ['a token of a stranger', async () => ({ jwt: await jwtOf('ada', stranger) })],
    ['a token of an unknown key', async () => ({ jwt: await jwtOf('ada', { ...pair(1), kid: 'k9' }) })],
    [
      'a token that names no key, where there are more',
      async () => ({ jwt: await jwtOf('ada', { ...pair(1), kid: undefined as unknown as string }) }),
    ],
    [
      'a token that names another key than it was signed with',
      async () => ({ jwt: await jwtOf('ada', { ...pair(1), kid: 'k0' }) }),
    ],
    [
      'a token signed with a public key as if it were a secret',
      async () => {
        const key = new TextEncoder().encode(publicText)
        return { jwt: await jwtOf('ada', { alg: 'HS256', kid: 'k2', key }) }
      },
    ],
    [
      'a token of another algorithm than its key',
      async () => ({ jwt: await jwtOf('ada', { alg: 'HS512', kid: 'k3', key: HMAC_KEY }) }),
    ],
    ...['jku', 'jwk', 'x5u', 'x5c'].map(
      (name) =>
        [
          `a token with ${name}`,
          async () => ({
            jwt: await jwtOf('ada', pair(0), {
              header: { [name]: name === 'x5c' ? ['x'] : name === 'jwk' ? {} : 'https://evil.example' },
            }),
          }),
        ] as const,
    ),
    ['a token that has ended', async () => ({ jwt: await jwtOf('ada', pair(0), { claims: { exp: seconds() - 10 } }) })],
    ['a token without an end', async () => ({ jwt: await jwtOf('ada', pair(0), { claims: { exp: undefined } }) })],
    [
      'a token that begins later',
      async () => ({ jwt: await jwtOf('ada', pair(0), { claims: { nbf: seconds() + 60 } }) }),
    ],
    [
      'a token of another issuer',
      async () => ({ jwt: await jwtOf('ada', pair(0), { claims: { iss: 'https://evil.example' } }) }),
    ],
    ['a token for somebody else', async () => ({ jwt: await jwtOf('ada', pair(0), { claims: { aud: 'another' } }) })],
    ['a token of nobody', async () => ({ jwt: await jwtOf('', pair(0)) })],
    ['a token of a number', async () => ({ jwt: await jwtOf('ada', pair(0), { claims: { sub: 7 } }) })],
    ['a token of a name without an end', async () => ({ jwt: await jwtOf('a'.repeat(300), pair(0)) })],
  ]
  it.each(oneIn(4, bad))('[trust-13] of %s is refused by every deployment that uses identities', async (_, make) => {
    const identity = await make()
    for (const at of [required, optional]) {
      const before = await wokenAt(at)
      const { status, body } = await begin(at, identity)
      expect(status).toBe(401)
      expect(JSON.parse(body)).toEqual({
        error: { next: 'sign-in', code: 'identity-required', message: expect.any(String) },
      })
      expect(await wokenAt(at)).toBe(before)
    }
    expect((await begin(off, identity)).status).toBe(201)
  })

  const four: readonly (readonly [string, number, Make])[] = [
    ['the right code', 201, () => byCode('ada')],
    ['a wrong code', 401, () => byCode('ada', hash('bob'))],
    ['a blank code', 401, () => byCode('ada', '')],
    ['no code', 401, () => undefined],
  ]
  it.each(four)('[trust-12] where it is required: %s is answered with %d', async (_, status, make) => {
    expect((await begin(required, make())).status).toBe(status)
  })

  it('[trust-12] may be missing if it is optional, for an anonymous learner, and is ignored if it is off', async () => {
    for (const absent of [undefined, null]) {
      expect((await begin(required, absent)).status).toBe(401)
      expect((await learnerOf(optional, await begun(optional, absent))).kind).toBe('anonymous')
    }
    expect((await learnerOf(off, await begun(off, byCode('ada')))).kind).toBe('anonymous')
  })

  it.runIf(IS_LONG)(
    '[trust-13] of a host with one key need not name the key',
    async () => {
      const alone = await startWorkerServer({
        configPath: CONFIG,
        vars: {
          WALKON_IDENTITY: 'required',
          WALKON_IDENTITY_KEYS: JSON.stringify({ keys: [{ kty: 'oct', alg: 'HS256', k: base64url(HMAC_KEY) }] }),
        },
      })
      try {
        const sign = (header: object) =>
          new SignJWT({ sub: 'ada', exp: seconds() + 60 })
            .setProtectedHeader({ alg: 'HS256', ...header })
            .sign(HMAC_KEY)
        for (const header of [{}, { kid: 'whatever' }])
          expect((await begin(alone, { jwt: await sign(header) })).status).toBe(201)
        // A server needs a secret to check the code, and this server has none.
        expect((await begin(alone, byCode('ada'))).status).toBe(401)
      } finally {
        await alone.stop()
      }
    },
    120_000,
  )
})

describe('the key of a verified learner', () => {
  const exchange = (at: WorkerServer, { session, key }: Begun, identity?: unknown): ReturnType<typeof post> =>
    post(at, `api/sessions/${session}/credentials`, { key, identity })

  it('[trust-16] is exchanged for that learner alone, where an identity is required', async () => {
    const mine = await begun(required, byCode('ada'))
    expect((await exchange(required, mine, byCode('ada'))).status).toBe(200)
    expect((await exchange(required, mine, { jwt: await jwtOf('ada', pair(1)) })).status).toBe(200)
    for (const other of [undefined, byCode('bob'), byCode('ada', hash('bob')), { jwt: await jwtOf('bob', pair(1)) }]) {
      const before = await wokenAt(required)
      const { status, body } = await exchange(required, mine, other)
      expect([status, JSON.parse(body)]).toMatchObject([401, { error: { code: 'identity-required', next: 'sign-in' } }])
      expect(await wokenAt(required)).toBe(before)
    }
  })

  it('[trust-16] is exchanged without an identity if none is required, and never for another learner', async () => {
    const mine = await begun(optional, byCode('ada'))
    expect((await exchange(optional, mine)).status).toBe(200)
    expect((await exchange(optional, mine, byCode('ada'))).status).toBe(200)
    expect((await exchange(optional, mine, byCode('bob'))).status).toBe(401)
  })

  it('[trust-16] of an anonymous learner is refused once an identity is required', async () => {
    const nobodys = await begun(optional)
    expect((await exchange(optional, nobodys)).status).toBe(200)
    expect((await exchange(optional, nobodys, byCode('ada'))).status).toBe(200)
    expect((await exchange(required, nobodys, byCode('ada'))).status).toBe(401)
    expect((await exchange(required, nobodys)).status).toBe(401)
  })
})
