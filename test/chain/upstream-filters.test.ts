import { describe, expect, it } from 'vitest'
import { type ContextStatus } from '../../worker/chain/context.ts'
import { type Chain, childOf, freshChain, idsOf, root } from './support/call.ts'

const STATUSES: readonly ContextStatus[] = ['active', 'completed', 'cancelled', 'blocked']

describe.each(STATUSES)('filters by the status %s', (status) => {
  it('[context-112] filter 1: a list holds those and no others', async () => {
    const chain = await freshChain()
    const asked = await oneOf(chain, status)
    for (const other of STATUSES.filter((each) => each !== status)) await oneOf(chain, other)
    const { items } = await chain('listContexts', { memorySpaceId: 'sales', status })
    expect(idsOf(items)).toEqual([asked.id])
  })

  it('[context-112] filter 2: a count counts those and no others', async () => {
    const chain = await freshChain()
    for (const each of [...STATUSES, status]) await oneOf(chain, each)
    expect(await chain('countContexts', { memorySpaceId: 'sales', status })).toEqual({ count: 2, exact: true })
  })
})

describe('filters together', () => {
  it('[context-112] filter 3: what nothing fits is an empty list', async () => {
    const chain = await freshChain()
    await oneOf(chain, 'active')
    const filter = { memorySpaceId: 'sales', status: 'blocked' } as const
    expect(await chain('listContexts', filter)).toEqual({ items: [], next: null })
    expect(await chain('countContexts', filter)).toEqual({ count: 0, exact: true })
  })

  it('[context-112] filter 4: who moves on leaves one list for the other', async () => {
    const chain = await freshChain()
    const made = await root(chain)
    const listed = async (status: ContextStatus) => idsOf((await chain('listContexts', { status })).items)
    expect([await listed('active'), await listed('completed')]).toEqual([[made.id], []])
    await chain('updateContext', { context: made.id, status: 'completed' })
    expect([await listed('active'), await listed('completed')]).toEqual([[], [made.id]])
  })

  it('[context-112] filter 5: a status and a person', async () => {
    const chain = await freshChain()
    const asked = await oneOf(chain, 'active', { userId: 'ana' })
    await oneOf(chain, 'active', { userId: 'bo' })
    await oneOf(chain, 'completed', { userId: 'ana' })
    const filter = { status: 'active', userId: 'ana' } as const
    expect(idsOf((await chain('listContexts', filter)).items)).toEqual([asked.id])
    expect(await chain('countContexts', filter)).toEqual({ count: 1, exact: true })
  })

  it('[context-112] filter 6: of all statuses in one space each is found by its own', async () => {
    const chain = await freshChain()
    const made = new Map<ContextStatus, string>()
    for (const status of STATUSES) made.set(status, (await oneOf(chain, status)).id)
    for (const status of STATUSES) {
      const { items } = await chain('listContexts', { memorySpaceId: 'sales', status })
      expect(idsOf(items)).toEqual([made.get(status)])
    }
  })

  it('[context-112] filter 7: a count with a status and one without', async () => {
    const chain = await freshChain()
    for (const status of ['active', 'active', 'active', 'completed', 'completed'] as const) await oneOf(chain, status)
    const count = async (status?: ContextStatus) =>
      (await chain('countContexts', { memorySpaceId: 'sales', status })).count
    expect([await count('active'), await count('completed'), await count()]).toEqual([3, 2, 5])
  })

  it('[context-112] filter 8: a status and a parent', async () => {
    const chain = await freshChain()
    const parent = await root(chain)
    const asked = await childOf(chain, parent)
    const done = await childOf(chain, parent)
    await chain('updateContext', { context: done.id, status: 'completed' })
    const filter = { status: 'active', parentId: parent.id } as const
    expect(idsOf((await chain('listContexts', filter)).items)).toEqual([asked.id])
    expect(await chain('countContexts', filter)).toEqual({ count: 1, exact: true })
  })
})

/** A context that has come to a status: all are active to begin with. */
async function oneOf(chain: Chain, status: ContextStatus, own: { readonly userId?: string } = {}) {
  const made = await root(chain, own)
  return status === 'active' ? made : await chain('updateContext', { context: made.id, status })
}
