import { describe, expect, it } from 'vitest'
import { MOST_DATA_BYTES } from '../../worker/chain/api/shapes.ts'
import type { ContextStatus } from '../../worker/chain/context.ts'
import { updateContext } from '../../worker/chain/contexts/update-context.ts'
import { updateContexts } from '../../worker/chain/contexts/change-many.ts'
import { mergedData } from '../../worker/chain/contexts/change-context.ts'
import { type Chain, freshChain, idsOf, refusalOf, root } from './support/call.ts'
import { beginErasing } from './support/erasure-running.ts'
import { overtaken } from './support/overtaken.ts'

const STATUSES = ['active', 'blocked', 'completed', 'cancelled'] as const
const LEGAL = new Set(['active completed', 'active cancelled', 'active blocked', 'blocked active', 'blocked cancelled'])
const MOVES = STATUSES.flatMap((from) => STATUSES.map((to) => ({ from, to })))

describe('changing a context', () => {
  it.each(MOVES)('[context-21] $from -> $to', async ({ from, to }) => {
    const chain = await freshChain()
    const { id } = await contextIn(chain, from)
    const moving = chain('updateContext', { context: id, status: to })
    if (LEGAL.has(`${from} ${to}`)) {
      expect(await moving).toMatchObject({ status: to })
    } else {
      await expect(moving).rejects.toMatchObject({
        code: 'INVALID_TRANSITION',
        message: `Invalid transition: ${from} -> ${to}`,
        pointer: '/body/status',
      })
      expect((await chain('getContext', { context: id })).context.status).toBe(from)
    }
  })

  it('[context-22] keeps the earlier state as a version, with time and author', async () => {
    const chain = await freshChain()
    const first = await root(chain, { data: { amount: 500 }, description: 'first' })
    const second = await chain('updateContext', { context: first.id, status: 'blocked', description: null, by: 'bo' })
    const third = await chain('updateContext', { context: first.id, purpose: 'Again', data: { amount: 1 } })
    expect([second.version, second.updatedBy, third.version, third.updatedBy]).toEqual([2, 'bo', 3, 'tests'])
    expect(third.createdAt).toBe(first.createdAt)
    const { items } = await chain('listVersions', { context: first.id })
    const of = ({ version, status, purpose, description, data, updatedAt, updatedBy }: typeof first) => ({
      version,
      status,
      purpose,
      description,
      data,
      timestamp: updatedAt,
      updatedBy,
    })
    expect(items).toEqual([of(first), of(second), of(third)])
    expect(items.map(({ status, description }) => [status, description])).toEqual([
      ['active', 'first'],
      ['blocked', null],
      ['blocked', null],
    ])
  })

  it('[context-22] a clock that goes back makes no version older than the one before it', async () => {
    let now = 1_000
    const chain = await freshChain({ now: () => (now -= 10) })
    const { id, createdAt } = await root(chain)
    const changed = await chain('updateContext', { context: id, status: 'completed' })
    expect([changed.updatedAt, changed.completedAt]).toEqual([createdAt, createdAt])
  })

  it('[context-23] merges data key by key and no deeper', async () => {
    const chain = await freshChain()
    const { id } = await root(chain, { data: { kept: 1, replaced: { a: 1 }, emptied: 'x' } })
    const { data } = await chain('updateContext', {
      context: id,
      data: { replaced: { b: 2 }, emptied: null, added: [] },
    })
    expect(data).toEqual({ kept: 1, replaced: { b: 2 }, emptied: null, added: [] })
  })

  it('[context-23] refuses merged data that is too large, and changes nothing', async () => {
    const chain = await freshChain()
    const half = 'x'.repeat(MOST_DATA_BYTES / 2)
    const { id } = await root(chain, { data: { a: half } })
    expect(await refusalOf(chain('updateContext', { context: id, data: { b: half } }))).toBe('TOO_LONG')
    expect((await chain('getContext', { context: id })).context.version).toBe(1)
  })

  it('makes every merged key an own key', () => {
    const merged = mergedData(
      JSON.parse('{"a":1,"__proto__":{"x":1}}'),
      JSON.parse('{"__proto__":{"spoilt":1},"constructor":2}'),
    )
    expect(Object.entries(merged)).toEqual([
      ['a', 1],
      ['__proto__', { spoilt: 1 }],
      ['constructor', 2],
    ])
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
    expect(Reflect.get({}, 'spoilt')).toBeUndefined()
  })

  it('refuses a change of nothing first; data without keys is a change', async () => {
    const chain = await freshChain()
    expect(await refusalOf(updateContext(chain.scope, { context: 'ctx_missing', by: 'bo' }))).toBe('EMPTY_UPDATES')
    expect(await refusalOf(updateContexts(chain.scope, { filter: { depth: 0 }, updates: {}, limit: 1 }))).toBe(
      'EMPTY_UPDATES',
    )
    const { id } = await root(chain, { data: { a: 1 } })
    expect(await chain('updateContext', { context: id, data: {} })).toMatchObject({ version: 2, data: { a: 1 } })
  })

  it('[context-25] refuses a change of another version than expected', async () => {
    const chain = await freshChain()
    const { id } = await root(chain)
    const stale = { context: id, purpose: 'stale', expectedVersion: 1 }
    await chain('updateContext', { ...stale, purpose: 'fresh' })
    expect(await refusalOf(chain('updateContext', stale))).toBe('VERSION_CONFLICT')
    // The chain checks the version first and the change second. A client that reads the context again may find that the
    // change is no longer possible.
    await chain('updateContext', { context: id, status: 'cancelled' })
    expect(await refusalOf(chain('updateContext', { ...stale, status: 'active' }))).toBe('VERSION_CONFLICT')
    expect((await chain('getContext', { context: id })).context).toMatchObject({ version: 3, purpose: 'fresh' })
  })

  it('[context-25] makes one of several changes at once from one version', async () => {
    const chain = await freshChain()
    for (let turn = 0; turn < 5; turn += 1) {
      const { id } = await root(chain)
      const change = (n: number) => chain('updateContext', { context: id, data: { [`k${n}`]: n }, expectedVersion: 1 })
      const told = await Promise.allSettled([1, 2, 3, 4].map(change))
      expect(told.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const { context } = await chain('getContext', { context: id })
      expect([context.version, Object.keys(context.data)]).toEqual([2, [expect.any(String)]])
    }
  })

  it('[context-3] [context-25] without an expected version, makes all changes at once', async () => {
    const chain = await freshChain()
    const { id } = await root(chain)
    const change = (n: number) => chain('updateContext', { context: id, data: { [`k${n}`]: n } })
    await Promise.all([0, 1, 2, 3, 4, 5].map(change))
    const { context } = await chain('getContext', { context: id })
    expect(context).toMatchObject({ version: 7, data: { k0: 0, k1: 1, k2: 2, k3: 3, k4: 4, k5: 5 } })
    const { items } = await chain('listVersions', { context: id })
    expect(items.map(({ version, data }) => [version, Object.keys(data).length])).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((keys) => [keys + 1, keys]),
    )
  })

  it('[context-3] throws BUSY and writes nothing if others are always faster', async () => {
    const chain = await freshChain()
    const { id } = await root(chain)
    const theirs = () => chain('updateContext', { context: id, data: { theirs: true } })
    const late = await overtaken(chain, theirs, 'always')
    expect(await refusalOf(late('updateContext', { context: id, data: { mine: true } }))).toBe('BUSY')
    const { context } = await chain('getContext', { context: id })
    expect(context).toMatchObject({ version: 9, data: { theirs: true } })
  })

  it('a context that changes its status leaves one list and count for another, and a deleted one leaves all', async () => {
    const chain = await freshChain()
    const { id } = await root(chain)
    const found = async (status: ContextStatus) => {
      const filter = { memorySpaceId: 'sales', status }
      const { count } = await chain('countContexts', filter)
      return [idsOf((await chain('listContexts', filter)).items), count]
    }
    expect([await found('active'), await found('completed')]).toEqual([
      [[id], 1],
      [[], 0],
    ])
    expect((await chain('listVersions', { context: id })).items).toMatchObject([{ version: 1, updatedBy: 'tests' }])
    await chain('updateContext', { context: id, status: 'completed' })
    expect([await found('active'), await found('completed')]).toEqual([
      [[], 0],
      [[id], 1],
    ])
    await chain('deleteContext', { context: id })
    expect(await found('completed')).toEqual([[], 0])
    expect(await refusalOf(chain('getContext', { context: id }))).toBe('CONTEXT_NOT_FOUND')
  })

  it('keeps completedAt, whatever changes later', async () => {
    const chain = await freshChain()
    const { id } = await root(chain)
    const completed = await chain('updateContext', { context: id, status: 'completed' })
    expect(completed.completedAt).toBe(completed.updatedAt)
    const later = await chain('updateContext', { context: id, data: { note: 'afterwards' } })
    expect(later).toMatchObject({ completedAt: completed.completedAt, status: 'completed', version: 3 })
    const other = await root(chain)
    expect(await chain('updateContext', { context: other.id, status: 'cancelled' })).toMatchObject({
      completedAt: null,
    })
  })

  it('[context-5] [context-6] refuses a missing context, another tenant’s, and one about a person being erased', async () => {
    const [chain, theirs] = [await freshChain(), await freshChain()]
    const change = { status: 'blocked' } as const
    expect(await refusalOf(chain('updateContext', { context: 'ctx_missing', ...change }))).toBe('CONTEXT_NOT_FOUND')
    const { id } = await root(theirs)
    expect(await refusalOf(chain('updateContext', { context: id, ...change }))).toBe('CONTEXT_NOT_FOUND')
    const about = await root(chain, { userId: 'ana' })
    await beginErasing(chain.scope, 'ana')
    expect(await refusalOf(chain('updateContext', { context: about.id, ...change }))).toBe('ERASURE_RUNNING')
    expect((await chain('getContext', { context: about.id })).context).toEqual(about)
  })
})

async function contextIn(chain: Chain, status: ContextStatus) {
  const context = await root(chain)
  return status === 'active' ? context : await chain('updateContext', { context: context.id, status })
}
