import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChainClient } from '../../worker/chain/client/chain-client.ts'
import { createChainClient } from '../../worker/chain/client/chain-client.ts'
import { ChainApi, type GivenToken } from '../support/chain-api.ts'

let api: ChainApi
let own: ChainClient
/** A token that allows nothing but what is granted to it, and a person on whose behalf the tenant's server reads. */
let guest: GivenToken
let asGuest: ChainClient
let asAna: ChainClient

beforeAll(async () => {
  api = await ChainApi.start()
  const baseUrl = api.server.url.href
  const [all, reading] = await Promise.all([api.token('acme'), api.token('acme', ['read'])])
  guest = await api.token('acme', ['granted'], { name: 'auditor' })
  own = createChainClient({ baseUrl, token: all.token })
  asGuest = createChainClient({ baseUrl, token: guest.token })
  asAna = createChainClient({ baseUrl, token: reading.token, person: 'Ana Ø' })
})
afterAll(() => api.server.stop())

/** Makes a root with a child and a grandchild, and returns their ids. */
async function tree(): Promise<readonly [string, string, string]> {
  const made = { purpose: 'Refund', memorySpaceId: 'desk', data: { amount: 500 } }
  const root = await own.createContext(made)
  const child = await own.createContext({ ...made, parentId: root.id })
  const leaf = await own.createContext({ ...made, parentId: child.id })
  return [root.id, child.id, leaf.id]
}

const refused = (code: string) => expect.objectContaining({ code })
const readers = () => [
  { reader: asGuest, to: { token: guest.id } },
  { reader: asAna, to: { person: 'Ana Ø' } },
]

describe('a reader of granted contexts', () => {
  it('[grant-1] [grant-2] reads what was granted, and nothing else exists', async () => {
    const [root, child, leaf] = await tree()
    for (const { reader, to } of readers()) {
      await expect(reader.getContext({ context: child })).rejects.toEqual(refused('CONTEXT_NOT_FOUND'))
      await own.grantAccess({ contextId: child, ...to })
      expect((await reader.getContext({ context: child })).context).toMatchObject({ id: child, data: { amount: 500 } })
      for (const context of [root, leaf, 'ctx_nowhere'])
        await expect(reader.getContext({ context })).rejects.toEqual(refused('CONTEXT_NOT_FOUND'))
      // What lies around it, its past and what it inherits were not granted.
      for (const more of [{ inherited: true }, { children: true }, { version: 1 }, { at: Date.now() }])
        await expect(reader.getContext({ context: child, ...more })).rejects.toEqual(refused('CONTEXT_NOT_FOUND'))
      await expect(reader.listVersions({ context: child })).rejects.toEqual(refused('CONTEXT_NOT_FOUND'))
      await expect(reader.listContexts({ parentId: child })).rejects.toEqual(refused('CONTEXT_NOT_FOUND'))
    }
  })

  it('[grant-2] reads everything under a context, if that was granted, and not what is above or beside it', async () => {
    for (const { reader, to } of readers()) {
      const [root, child, leaf] = await tree()
      const [other] = await tree()
      const operations = ['getContext', 'listContexts', 'listVersions'] as const
      await own.grantAccess({ contextId: child, ...to, operations: [...operations], under: true })
      expect((await reader.getContext({ context: leaf, version: 1 })).state).toMatchObject({ version: 1 })
      expect((await reader.getContext({ context: child, children: true })).children).toMatchObject([{ id: leaf }])
      expect((await reader.listContexts({ ancestorId: child, history: true })).items).toMatchObject([{ id: leaf }])
      expect((await reader.listVersions({ context: leaf })).items).toHaveLength(1)
      for (const filter of [{}, { q: 'refund' }, { rootId: root }, { parentId: root }, { ancestorId: other }])
        await expect(reader.listContexts(filter)).rejects.toEqual(refused('CONTEXT_NOT_FOUND'))
      await expect(reader.getContext({ context: leaf, inherited: true })).rejects.toEqual(refused('CONTEXT_NOT_FOUND'))
      // What has moved away is not under it, and a new context of its id is another one.
      await own.deleteContext({ context: child, mode: 'orphan-to-root' })
      await expect(reader.getContext({ context: leaf })).rejects.toEqual(refused('CONTEXT_NOT_FOUND'))
      await own.createContext({ id: child, parentId: root, purpose: 'Again', memorySpaceId: 'desk' })
      await expect(reader.getContext({ context: child })).rejects.toEqual(refused('CONTEXT_NOT_FOUND'))
    }
  })

  it('[grant-3] is listed, and reads nothing more once the grant is revoked or over', async () => {
    const [, child] = await tree()
    for (const { reader, to } of readers()) {
      const given = await own.grantAccess({ contextId: child, ...to, by: 'Bo' })
      const past = await own.grantAccess({ contextId: child, ...to, expiresAt: Date.now() - 1 })
      await reader.getContext({ context: child })
      const revoked = await own.revokeGrant({ grant: given.id })
      expect(revoked).toEqual({ ...given, revokedAt: expect.any(Number) })
      expect(await own.revokeGrant({ grant: given.id })).toEqual(revoked)
      await expect(reader.getContext({ context: child })).rejects.toEqual(refused('CONTEXT_NOT_FOUND'))
      const here = (await own.listGrants({ contextId: child })).items.filter(({ token, person }) => {
        return 'token' in to ? token === to.token : person === to.person
      })
      expect(here).toEqual([revoked, past])
      const all = (await own.listGrants(to)).items
      expect(all.slice(-2)).toEqual([revoked, past])
      const paged = await own.listGrants({ ...to, limit: 1 })
      expect(paged.items).toEqual([all[0]])
      const next = await own.listGrants({ ...to, limit: 1, cursor: paged.next ?? '' })
      expect(next.items).toEqual([all[1]])
      await expect(own.listGrants({ contextId: child, cursor: paged.next ?? '' })).rejects.toEqual(
        refused('INVALID_CURSOR'),
      )
    }
    await expect(own.revokeGrant({ grant: 'grt_none' })).rejects.toEqual(refused('GRANT_NOT_FOUND'))
  })

  it('[grant-1] may call nothing else, and only a server that may read names a person', async () => {
    const [root] = await tree()
    const granting = { contextId: root, operations: ['getContext' as const] }
    await own.grantAccess({ ...granting, token: guest.id })
    const others: readonly ((client: ChainClient) => Promise<unknown>)[] = [
      (client) => client.getChain({ context: root }),
      (client) => client.countContexts({}),
      (client) => client.exportContexts({}),
      (client) => client.updateContext({ context: root, purpose: 'Mine' }),
      (client) => client.grantAccess({ ...granting, person: 'Ana Ø' }),
      (client) => client.listGrants({ contextId: root }),
      (client) => client.getPerson({ user: 'Ana Ø' }),
      (client) => client.listMemories({ memorySpaceId: 'desk' }),
    ]
    for (const call of others)
      for (const client of [asGuest, asAna]) await expect(call(client)).rejects.toEqual(refused('not-permitted'))
    await own.grantAccess({ ...granting, person: 'Ana Ø' })
    const headers = { Authorization: `Bearer ${guest.token}`, 'Walkon-Person': 'Ana%20%C3%98' }
    for (const person of [headers['Walkon-Person'], '%', ''])
      expect(
        (await api.server.fetch(`api/contexts/${root}`, { headers: { ...headers, 'Walkon-Person': person } })).status,
      ).toBe(403)
    // Nothing of another tenant.
    const foreign = await api.client('other')
    await expect(foreign.grantAccess({ ...granting, person: 'Ana Ø' })).rejects.toEqual(refused('CONTEXT_NOT_FOUND'))
    expect((await foreign.listGrants({ person: 'Ana Ø' })).items).toEqual([])
  })

  it('[grant-1] is exactly one token or one person', async () => {
    const [root] = await tree()
    const bad: readonly object[] = [
      { contextId: root },
      { contextId: root, token: guest.id, person: 'Ana Ø' },
      { contextId: root, person: 'Ana Ø', operations: [] },
      { contextId: root, person: 'Ana Ø', operations: ['deleteContext'] },
      { contextId: root, token: 'wkn_x' },
    ]
    for (const body of bad) await expect(own.grantAccess(body as never)).rejects.toMatchObject({ status: 400 })
    await expect(own.listGrants({})).rejects.toEqual(refused('MISSING_REQUIRED_FIELD'))
  })
})
