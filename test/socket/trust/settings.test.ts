import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../../../worker/env.ts'
import { clientGroup } from '../../../worker/http/doors.ts'
import { hmacHex, sameText } from '../../../worker/trust/hmac.ts'
import { verifiedLearner } from '../../../worker/trust/learner.ts'
import { isPrivateHost } from '../../../worker/trust/origin.ts'
import { base64url, drawn, STRONG } from './secrets.ts'

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

/** A deployment with token keys also needs this secret. */
const LEARNERS = { WALKON_LEARNER_SECRET: STRONG }

describe('the settings', () => {
  it('[trust-2] allow the Worker’s own page and programs by default', () => {
    expect(readConfig({}).trust.origins).toEqual({ self: true, none: true, exact: new Set() })
    expect(readConfig({ WALKON_ORIGINS: ' https://a.example,\n none https://b.example:8443 ' }).trust.origins).toEqual({
      self: false,
      none: true,
      exact: new Set(['https://a.example', 'https://b.example:8443']),
    })
  })

  it.each([
    '*',
    'null',
    'https://*.example',
    'https://a.example/',
    'https://A.example',
    'https://a.example:443',
    'a.example',
    'ftp://a.example',
    'https://user@a.example',
    'https://a.example.',
    'https://bücher.example',
    'self https://a.example/path',
    ',',
  ])('[trust-2] refuse `%s` as a list of exact origins', (value) => {
    expect(problemsOf({ WALKON_ORIGINS: value })).toEqual([
      expect.stringMatching(/^WALKON_ORIGINS must list exact origins/),
    ])
  })

  it('[trust-10] accept up to eight keys, of which the first signs', () => {
    const keys = Array.from({ length: 8 }, (_, i) => `k${i}:${base64url(drawn(32, i + 1))}`)
    const { trust } = readConfig({ ...LEARNERS, WALKON_TOKEN_KEYS: keys.join(' ') })
    expect(trust.isDevelopment).toBe(false)
    expect(trust.signing.keys.map(({ kid }) => kid)).toEqual(['k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7'])
    expect(trust.signing.keys[0].secret).toEqual(drawn(32, 1))
    expect(readConfig({}).trust.isDevelopment).toBe(true)
    const nine = [...keys, `k8:${base64url(drawn(32, 9))}`].join(' ')
    expect(problemsOf({ ...LEARNERS, WALKON_TOKEN_KEYS: nine })).toHaveLength(1)
  })

  const words = (text: string) => base64url(new TextEncoder().encode(text))
  it.each([
    ['no name', base64url(drawn(32, 1))],
    ['an empty name', `:${base64url(drawn(32, 1))}`],
    ['a name with a blank in it', `a b:${base64url(drawn(32, 1))}`],
    ['31 bytes', `a:${base64url(drawn(31, 1))}`],
    ['nothing', 'a:'],
    ['no base64url', `a:${'!'.repeat(44)}`],
    ['base64 of another alphabet', `a:${'+/'.repeat(22)}`],
    ['a length that no bytes have', `a:${'A'.repeat(45)}`],
    ['zeros', `a:${base64url(new Uint8Array(32))}`],
    ['one byte over and over', `a:${base64url(new Uint8Array(32).fill(0xa7))}`],
    ['a few bytes over and over', `a:${base64url(Uint8Array.from({ length: 48 }, (_, i) => (i * 37) % 12))}`],
    ['bytes in order', `a:${base64url(Uint8Array.from({ length: 32 }, (_, i) => i))}`],
    ['bytes in falling order', `a:${base64url(Uint8Array.from({ length: 32 }, (_, i) => 200 - i))}`],
    ['words', `a:${words('please changeme before going to production')}`],
    ['a placeholder', `a:${words('<put 32 bytes of randomness right here>')}`],
    ['the development key', `a:${words('walkon development key, known to everybody')}`],
    ['a weak key beside a good one', `a:${base64url(drawn(32, 1))} b:${base64url(new Uint8Array(32))}`],
    ['one name twice', `a:${base64url(drawn(32, 1))} a:${base64url(drawn(32, 2))}`],
  ])('[trust-11] refuse a signing key that is %s, without repeating its value', (_, value) => {
    const problems = problemsOf({ ...LEARNERS, WALKON_TOKEN_KEYS: value })
    expect(problems).toEqual([expect.stringMatching(/^WALKON_TOKEN_KEYS (must|holds)/)])
    const told = value.split(/[: ]/).filter((part) => part.length > 4)
    expect(told.filter((part) => problems.join().includes(part))).toEqual([])
  })

  const secrets = ['WALKON_ADMIN_SECRET', 'WALKON_IDENTITY_SECRET', 'WALKON_LEARNER_SECRET']
  const weak = [
    'short-but-Quite_mixed!9',
    'a'.repeat(40),
    'abcabcabcabcabcabcabcabcabcabcabcabc',
    'changeme-changeme-changeme-changeme!',
    'this-is-my-Password-for-production-1',
    '0123456789abcdef0123456789abcdef0123',
    'XfQ7pLm2XfQ7pLm2XfQ7pLm2XfQ7pLm2XfQ7pLm2',
    // This secret has only seven different characters, in a random order.
    'XfQ7pLmmLp7QfXpXLfmQ7XXmfpLQ77fLmpQX',
    'example-value-QW8zR5tY2uI9oP3aS6dF1gH',
  ]
  it.each(secrets.flatMap((name) => weak.map((value) => [name, value] as const)))(
    '[trust-11] refuse %s when it is `%s`',
    (name, value) => {
      const problems = problemsOf({ WALKON_IDENTITY: 'off', [name]: value })
      expect(problems).toEqual([expect.stringContaining(`${name} can be guessed`)])
      expect(problems.join()).not.toContain(value)
    },
  )

  it('[trust-11] accept random secrets in any encoding', () => {
    for (let seed = 1; seed <= 500; seed++) {
      const bytes = drawn(32, seed)
      const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
      expect(problemsOf({ WALKON_ADMIN_SECRET: hex, WALKON_LEARNER_SECRET: base64url(bytes) })).toEqual([])
      expect(problemsOf({ ...LEARNERS, WALKON_TOKEN_KEYS: `a:${base64url(bytes)}` })).toEqual([])
    }
  })

  it('[trust-12] require identity keys or an identity secret, and a learner secret, where an identity is used', () => {
    expect(problemsOf({ WALKON_IDENTITY: 'required' })).toEqual([expect.stringMatching(/WALKON_IDENTITY_KEYS or/)])
    const keys = { WALKON_TOKEN_KEYS: `a:${base64url(drawn(32, 1))}` }
    expect(problemsOf({ WALKON_IDENTITY: 'optional', WALKON_IDENTITY_SECRET: STRONG, ...keys })).toEqual([
      expect.stringMatching(/^WALKON_LEARNER_SECRET is missing/),
    ])
    expect(problemsOf({ WALKON_IDENTITY: 'sometimes' })).toEqual(['WALKON_IDENTITY must be off, optional or required'])
  })

  it('[trust-23] require a learner secret in a deployment with keys', () => {
    const keys = { WALKON_TOKEN_KEYS: `a:${base64url(drawn(32, 1))}` }
    for (const identity of [{}, { WALKON_IDENTITY: 'off' }])
      expect(problemsOf({ ...keys, ...identity })).toEqual([expect.stringMatching(/^WALKON_LEARNER_SECRET is missing/)])
    expect(problemsOf({ ...keys, ...LEARNERS })).toEqual([])
    expect(readConfig({ ...keys, ...LEARNERS }).trust.learnerSecret).toBe(STRONG)
    expect(problemsOf({})).toEqual([])
  })

  it('[trust-12] refuse identity keys or an identity secret without WALKON_IDENTITY', () => {
    for (const [name, value] of [
      ['WALKON_IDENTITY_SECRET', STRONG],
      ['WALKON_IDENTITY_KEYS', JSON.stringify({ keys: [{ kty: 'oct', alg: 'HS256', k: base64url(drawn(32, 1)) }] })],
    ] as const) {
      expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(/^WALKON_IDENTITY is missing/)])
      for (const WALKON_IDENTITY of ['off', 'optional', 'required'])
        expect(problemsOf({ WALKON_IDENTITY, [name]: value })).toEqual([])
    }
  })

  const rsa = { kty: 'RSA', e: 'AQAB', n: 'x'.repeat(342) }
  it.each([
    ['no JSON', 'keys'],
    ['no set', '[]'],
    ['an empty set', '{"keys":[]}'],
    ['without an algorithm', { kty: 'OKP', crv: 'Ed25519', x: 'abc' }],
    ['for no algorithm at all', { kty: 'oct', alg: 'none', k: base64url(drawn(32, 1)) }],
    ['an algorithm of another type', { kty: 'oct', alg: 'RS256', k: base64url(drawn(32, 1)) }],
    ['a weak HMAC key', { kty: 'oct', alg: 'HS256', k: base64url(new Uint8Array(32)) }],
    ['a short HMAC key', { kty: 'oct', alg: 'HS256', k: base64url(drawn(16, 1)) }],
    ['a short RSA key', { ...rsa, alg: 'RS256', n: 'x'.repeat(171) }],
    ['RS512', { ...rsa, alg: 'RS512' }],
    ['another curve', { kty: 'EC', alg: 'ES256', crv: 'P-384', x: 'abc', y: 'abc' }],
    ['a private key', { kty: 'OKP', alg: 'EdDSA', crv: 'Ed25519', x: 'abc', d: 'def' }],
  ])('[trust-13] refuse keys of a host that are %s', (_, value) => {
    const text = typeof value === 'string' ? value : JSON.stringify({ keys: [value] })
    expect(problemsOf({ WALKON_IDENTITY: 'optional', WALKON_IDENTITY_KEYS: text })).toEqual([
      expect.stringMatching(/^WALKON_IDENTITY_KEYS (must|holds)/),
    ])
  })
})

describe('keys of a host', () => {
  const key = (kid?: string) => ({ kty: 'OKP', alg: 'EdDSA', crv: 'Ed25519', x: 'abc', ...(kid && { kid }) })
  const problemsWith = (...keys: object[]) =>
    problemsOf({ WALKON_IDENTITY: 'optional', WALKON_IDENTITY_KEYS: JSON.stringify({ keys }) })

  it('[trust-13] each need a name of their own if there are several', () => {
    for (const keys of [[key('a'), key('b')], [key('a'), key()], [key()]]) expect(problemsWith(...keys)).toEqual([])
    for (const keys of [
      [key('a'), key('a')],
      [key(), key()],
      [key(), key('a'), key()],
    ])
      expect(problemsWith(...keys)).toEqual(['WALKON_IDENTITY_KEYS must give every key a kid of its own'])
  })
})

describe('a verified learner', () => {
  it('[trust-14] has a different id in another deployment and under another secret, and no id is a code of the name', async () => {
    const { id } = await verifiedLearner(STRONG, 'walkon', 'ada')
    expect(id).toMatch(/^[0-9a-f]{64}$/)
    expect(await verifiedLearner(STRONG, 'walkon', 'ada')).toEqual({ kind: 'verified', id })
    const others = [
      verifiedLearner(STRONG, 'staging', 'ada'),
      verifiedLearner(`${STRONG}x`, 'walkon', 'ada'),
      verifiedLearner(STRONG, 'walkon', 'Ada'),
    ]
    // The codes that a website computes for a user's name. If an id were equal to a code, anyone who reads the id in a
    // credential could use the id as that code.
    const codes = [hmacHex(STRONG, 'ada'), hmacHex(STRONG, 'walkonada')]
    const all = [id, ...(await Promise.all(others)).map((learner) => learner.id), ...(await Promise.all(codes))]
    expect(new Set(all).size).toBe(all.length)
  })
})

describe('hosts', () => {
  const own = [
    'localhost',
    'a.localhost',
    'my-mac.local',
    '127.0.0.1',
    '127.255.0.9',
    '[::1]',
    '10.0.0.1',
    '172.16.0.1',
  ]
  const more = ['172.31.255.255', '192.168.1.20', '[fd00::1]', '[fd12:3456::7]']
  const foreign = [
    'example.com',
    'localhost.example.com',
    'notlocalhost',
    'local',
    '128.0.0.1',
    '11.0.0.1',
    '172.15.0.1',
  ]
  const others = [
    '172.32.0.1',
    '192.169.0.1',
    '8.8.8.8',
    '[2001:db8::1]',
    '[fc00::1]',
    '[fe80::1]',
    '127.0.0.1.nip.io',
    '',
  ]
  it.each([...own, ...more])('[trust-9] %s is private', (host) => expect(isPrivateHost(host)).toBe(true))
  it.each([...foreign, ...others])('[trust-9] `%s` is not private', (host) => expect(isPrivateHost(host)).toBe(false))

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::2', '2001:db8:0:0::/64'],
    ['::ffff:203.0.113.7', 'cb00:7107'],
    ['127.0.0.1', null],
    ['::1', null],
    ['', null],
    ['no address', null],
    [undefined, null],
  ])('[trust-17] address %s counts as %s', (address, group) => expect(clientGroup(address)).toBe(group))

  it('[trust-18] texts are compared correctly, whatever their lengths', async () => {
    const texts = ['', 'a', 'b', 'aa', STRONG, `${STRONG}x`, STRONG.toLowerCase()]
    for (const a of texts) for (const b of texts) expect(await sameText(a, b)).toBe(a === b)
  })
})
