import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { examples } from '../../worker/chain/api/examples.ts'
import { type OperationName, operations } from '../../worker/chain/api/operations.ts'
import type { Permission } from '../../worker/chain/api/operation.ts'
import type { TokenRecord } from '../../worker/chain/tokens/tokens.ts'
import { hashOfToken } from '../../worker/chain/tokens/token-text.ts'
import { ChainApi, type GivenToken, requestFor, type WrittenRequest } from '../support/chain-api.ts'
import { oneIn } from '../support/runs.ts'
import { IS_LONG } from '../support/runs.ts'

const NEEDS: readonly Permission[] = ['read', 'write', 'people']

let api: ChainApi
let all: GivenToken
let foreign: GivenToken
let expired: GivenToken
let revoked: GivenToken
const without = new Map<Permission, GivenToken>()
beforeAll(async () => {
  api = await ChainApi.start()
  ;[all, foreign, expired, revoked] = await Promise.all([
    api.token('acme'),
    api.token('other'),
    api.token('acme', NEEDS, { days: 1 }),
    api.token('acme'),
  ])
  for (const need of NEEDS) {
    const others = NEEDS.filter((other) => other !== need)
    without.set(need, await api.token('acme', others, { name: `no-${need}` }))
  }
  await api.server.fetch(`doors/expire/${expired.id}`)
  await api.admin(`tenants/acme/tokens/${revoked.id}/revoke`, { method: 'POST' })
})
afterAll(() => api.server.stop())

interface Who {
  readonly who: string
  readonly headers: (needs: Permission) => Record<string, string>
  readonly status: number
  readonly code: string
}

const bearing = (token: string) => ({ Authorization: `Bearer ${token}` })
const NOT_ADMITTED = { status: 401, code: 'not-admitted' }

/**
 * Senders that the server refuses. The server does not parse their requests, so the content of a request does not
 * matter.
 */
const WHO: readonly Who[] = [
  { who: 'nobody', headers: () => ({}), ...NOT_ADMITTED },
  { who: 'an expired token', headers: () => bearing(expired.token), ...NOT_ADMITTED },
  { who: 'a revoked token', headers: () => bearing(revoked.token), ...NOT_ADMITTED },
  { who: 'a token nobody was given', headers: () => bearing(`wkn_${'A'.repeat(49)}`), ...NOT_ADMITTED },
  { who: 'a token cut short', headers: () => bearing(all.token.slice(0, -1)), ...NOT_ADMITTED },
  { who: 'more than a token', headers: () => bearing(`${all.token}A`), ...NOT_ADMITTED },
  { who: 'a token in another case', headers: () => bearing(all.token.toUpperCase()), ...NOT_ADMITTED },
  { who: 'a token by another scheme', headers: () => ({ Authorization: `Basic ${all.token}` }), ...NOT_ADMITTED },
  { who: 'a token without a scheme', headers: () => ({ Authorization: all.token }), ...NOT_ADMITTED },
  {
    who: 'the token of development',
    headers: () => bearing('wkn_development-token-known-to-everybody-000000RTSdXA'),
    ...NOT_ADMITTED,
  },
  {
    who: 'a token that allows everything else',
    headers: (needs) => bearing(without.get(needs)?.token ?? ''),
    status: 403,
    code: 'not-permitted',
  },
  {
    who: 'a token from a page of elsewhere',
    headers: () => ({ ...bearing(all.token), Origin: 'https://elsewhere.example' }),
    status: 403,
    code: 'forbidden-origin',
  },
  {
    who: 'a token from a page of nowhere',
    headers: () => ({ ...bearing(all.token), Origin: 'null' }),
    status: 403,
    code: 'forbidden-origin',
  },
  {
    who: 'a token from a page that another site sent',
    headers: () => ({ ...bearing(all.token), 'Sec-Fetch-Site': 'cross-site' }),
    status: 403,
    code: 'forbidden-origin',
  },
]

const names = Object.keys(operations) as OperationName[]

describe('tokens', { timeout: 60_000 }, () => {
  it.each(oneIn(4, names))(
    '[api-6] [api-7] [api-5] %s refuses every request without a token that allows it',
    async (name) => {
      const before = await api.hash()
      const { path, init } = requestFor(name, examples[name] as WrittenRequest)
      for (const { who, headers, status, code } of WHO) {
        const sent = { 'Content-Type': 'application/json', ...headers(operations[name].needs) }
        const response = await api.server.fetch(path, { ...init, headers: sent })
        const { error } = (await response.json()) as { error: { code: string } }
        expect([who, response.status, error.code]).toEqual([who, status, code])
        expect(response.headers.get('access-control-allow-origin')).toBeNull()
        expect(response.headers.get('cache-control')).toBe('no-store')
        expect(response.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null)
      }
      expect(await api.hash()).toBe(before)
    },
  )

  it.each(oneIn(4, names))('[api-7] %s accepts a token that allows nothing else', async (name) => {
    const { token } = await api.token('acme', [operations[name].needs])
    const { path, init } = requestFor(name, examples[name] as WrittenRequest)
    const response = await api.server.fetch(path, {
      ...init,
      headers: { ...bearing(token), 'Content-Type': 'application/json' },
    })
    expect([401, 403]).not.toContain(response.status)
    await response.text()
  })

  it.each(
    oneIn(
      3,
      names.filter((name) => Object.hasOwn(operations[name], 'params')),
    ),
  )('[api-8] %s of another tenant does not find this tenant’s data', async (name) => {
    // The tenant of this test creates data with the same ids as the example request.
    const own = { ...bearing(all.token), 'Content-Type': 'application/json' }
    await seed(own)
    const before = await api.hash()
    const { path, init } = requestFor(name, examples[name] as WrittenRequest)
    const response = await api.server.fetch(path, { ...init, headers: { ...own, ...bearing(foreign.token) } })
    const text = await response.text()
    expect(text).not.toContain('canary')
    if (/^\/api\/(contexts|memories|erasures)/.test(operations[name].path)) expect(response.status).toBe(404)
    if (operations[name].method === 'GET') expect(await api.hash()).toBe(before)
    const seen = await api.server.fetch('api/contexts/ctx_7hK2pQd9sWxYz0aB', { headers: own })
    expect(await seen.json()).toMatchObject({
      context: { purpose: 'canary', status: 'active', participants: ['canary-space'] },
    })
  })

  async function seed(headers: Record<string, string>): Promise<void> {
    const context = {
      id: 'ctx_7hK2pQd9sWxYz0aB',
      purpose: 'canary',
      memorySpaceId: 'canary-space',
      data: { canary: 1 },
    }
    await api.server.fetch('api/contexts', { method: 'POST', headers, body: JSON.stringify(context) })
    const memory = { id: 'mem_4fR8tLmN1vCbXe6G', content: 'canary', memorySpaceId: 'canary-space', userId: 'user-123' }
    await api.server.fetch('api/memories', { method: 'POST', headers, body: JSON.stringify(memory) })
  }

  it('[api-6] are shown once, and only their hashes are stored', async () => {
    const { token, id } = await api.token('acme', ['read'], { name: 'shown-once', days: 30 })
    expect(token).toMatch(/^wkn_[\w-]{49}$/)
    const stored = JSON.stringify(await api.tables())
    expect(stored).not.toContain(token)
    expect(stored).toContain(await hashOfToken(token))
    const listed = (await (await api.admin('tenants/acme/tokens')).json()) as { tokens: TokenRecord[] }
    expect(JSON.stringify(listed)).not.toContain(token)
    const record = listed.tokens.find((each) => each.id === id)
    expect(Math.round(((record?.expiresAt ?? 0) - (record?.createdAt ?? 0)) / 86_400_000)).toBe(30)
    expect(record).toEqual({
      id,
      name: 'shown-once',
      permissions: ['read'],
      createdAt: expect.any(Number),
      expiresAt: expect.any(Number),
      revokedAt: null,
      lastUsedDay: null,
    })
    // A tenant's list of tokens does not show those of another tenant.
    const others = (await (await api.admin('tenants/other/tokens')).json()) as { tokens: { id: string }[] }
    expect(others.tokens.map((each) => each.id)).toEqual([foreign.id])
    await (await api.server.fetch('api/contexts/count', { headers: bearing(token) })).text()
    const logged = () => api.server.logs().join('\n')
    await expect.poll(logged).toContain('"token":"shown-once"')
    expect(logged()).not.toContain(token.slice(4, 20))
  })

  it('[api-6] record the day of their last use, with one write per day', async () => {
    const db = await api.server.database()
    await db.prepare('CREATE TABLE uses (id TEXT)').all()
    await db.prepare('CREATE TRIGGER use AFTER UPDATE ON tokens BEGIN INSERT INTO uses (id) VALUES (new.id); END').all()
    const use = async ({ token }: GivenToken) =>
      (await api.server.fetch('api/contexts/count', { headers: bearing(token) })).text()
    const dayOf = async ({ id }: GivenToken) => {
      const { tokens } = (await (await api.admin('tenants/acme/tokens')).json()) as {
        tokens: { id: string; lastUsedDay: string | null }[]
      }
      return tokens.find((each) => each.id === id)?.lastUsedDay
    }
    const today = new Date().toISOString().slice(0, 10)
    const [often, once] = await Promise.all(['often', 'once'].map((name) => api.token('acme', ['read'], { name })))
    if (!often || !once) throw new Error('no tokens')
    await use(often)
    await expect.poll(() => dayOf(often)).toBe(today)
    for (let i = 0; i < 5; i++) await use(often)
    // When the use of the second token is stored, the server has handled the earlier uses of the first token, too.
    await use(once)
    await expect.poll(() => dayOf(once)).toBe(today)
    const { results } = await db.prepare('SELECT id FROM uses').all<{ id: string }>()
    expect(results.map(({ id }) => id).toSorted()).toEqual([often.id, once.id].toSorted())
    await db.prepare('DROP TRIGGER use').all()
    await db.prepare('DROP TABLE uses').all()
  })

  it('[api-6] are refused as soon as they are revoked, and a second revocation changes nothing', async () => {
    const { token, id } = await api.token('acme', ['read'], { name: 'ended' })
    const status = async () => (await api.server.fetch('api/contexts/count', { headers: bearing(token) })).status
    expect(await status()).toBe(200)
    const end = async () =>
      (await (await api.admin(`tenants/acme/tokens/${id}/revoke`, { method: 'POST' })).json()) as { revokedAt: number }
    const { revokedAt } = await end()
    expect(await status()).toBe(401)
    expect((await end()).revokedAt).toBe(revokedAt)
  })

  it('[scale-3] with a database of its own has its data there, and its tokens where all are', async () => {
    const moved = await api.client('moved.away')
    const { id } = await moved.createContext({ purpose: 'Kept apart', memorySpaceId: 'apart' })
    expect(await moved.getContext({ context: id })).toMatchObject({ context: { purpose: 'Kept apart' } })
    const ids = async (of: string) => (await api.tables(of))['contexts']?.map((row) => row['id']) ?? []
    expect(await ids('DB_MOVED_AWAY')).toEqual([id])
    expect(await ids('DB')).not.toContain(id)
    expect((await api.tables('DB_MOVED_AWAY'))['tokens']).toEqual([])
    expect((await api.tables('DB'))['tokens']).toContainEqual(expect.objectContaining({ tenant: 'moved.away' }))
  })

  it('[api-6] of one tenant cannot be revoked through another tenant’s address', async () => {
    const response = await api.admin(`tenants/other/tokens/${all.id}/revoke`, { method: 'POST' })
    expect(response.status).toBe(404)
    expect((await api.server.fetch('api/contexts/count', { headers: bearing(all.token) })).status).toBe(200)
  })

  it.each([
    ['{}', '/body/name', 'MISSING_REQUIRED_FIELD'],
    ['{"name":"a b","permissions":["read"]}', '/body/name', 'INVALID_FORMAT'],
    ['{"name":"a","permissions":[]}', '/body/permissions', 'EMPTY_ARRAY'],
    ['{"name":"a","permissions":["admin"]}', '/body/permissions/0', 'INVALID_FORMAT'],
    ['{"name":"a","permissions":["read"],"days":0}', '/body/days', 'INVALID_RANGE'],
    ['{"name":"a","permissions":["read"],"tenant":"b"}', '/body/tenant', 'UNKNOWN_FIELD'],
    ['{', '/body', 'MALFORMED_JSON'],
  ])('[api-6] are not created from %s', async (body, pointer, code) => {
    const before = await api.hash()
    const response = await api.admin('tenants/acme/tokens', { method: 'POST', body })
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { error: { issues: object[] } }
    expect(error.issues).toContainEqual(expect.objectContaining({ pointer, code }))
    expect(await api.hash()).toBe(before)
  })

  it.each(['a%20b', 'x'.repeat(65), '%00', 'ä'])('[api-6] there is no tenant %s', async (tenant) => {
    expect((await api.admin(`tenants/${tenant}/tokens`)).status).toBe(404)
  })
})

describe('development', { timeout: 180_000 }, () => {
  it.runIf(IS_LONG)('[api-13] has a public token for the chain of its own deployment', async () => {
    const local = await ChainApi.startDevelopment()
    try {
      const headers = bearing('wkn_development-token-known-to-everybody-000000RTSdXA')
      expect((await local.server.fetch('api/contexts/count', { headers })).status).toBe(200)
      const outside = await local.server.fetch('api/contexts/count', {
        headers: { ...headers, 'X-Forwarded-Host': 'walkon.example' },
      })
      expect(outside.status).toBe(500)
      const first = () => local.server.logs().find((line) => line.includes('"event":"chain"')) ?? 'null'
      await expect
        .poll(() => JSON.parse(first()) as unknown)
        .toEqual({
          event: 'chain',
          operation: 'countContexts',
          tenant: 'walkon',
          token: 'development',
          status: 200,
        })
    } finally {
      await local.server.stop()
    }
  })
})
