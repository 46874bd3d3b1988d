import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countContexts } from '../../worker/chain/contexts/count-contexts.ts'
import { getContext } from '../../worker/chain/contexts/get-context.ts'
import { listContexts } from '../../worker/chain/contexts/list-contexts.ts'
import { verifyIntegrity } from '../../worker/chain/contexts/integrity.ts'
import { rows, type Scope } from '../../worker/chain/scope.ts'
import { freshScope } from './support/fresh-scope.ts'
import { change, plant, PLANTED_AT } from './support/plant.ts'
import { watched } from './support/watched.ts'
import { runs } from '../support/runs.ts'

const SOME = {
  'all of them': {},
  'of a space': { memorySpaceId: 'desk' },
  'of a status': { status: 'blocked' },
  'of a space and a status': { memorySpaceId: 'desk', status: 'blocked' },
  'of a depth': { depth: 1 },
  leaves: { leaf: true },
  'with children': { leaf: false },
  'of a space, a status and a depth, without children': {
    memorySpaceId: 'desk',
    status: 'blocked',
    depth: 2,
    leaf: true,
  },
  'of a user': { userId: 'ada' },
  'of a parent': { parentId: 'ctx_0' },
  'of a root, of a status': { rootId: 'ctx_0', status: 'blocked' },
  'of a conversation': { conversationId: 'talk' },
  'created in between': { createdAfter: PLANTED_AT + 5, createdBefore: PLANTED_AT + 20 },
  'completed in between': { completedAfter: 1_000, completedBefore: 1_020 },
} as const

async function forest(scope: Scope, count: number): Promise<void> {
  await plant(
    scope,
    Array.from({ length: count }, (_, at) => ({
      id: `ctx_${at}`,
      parentId: at < 3 ? null : `ctx_${Math.floor(at / 3) - 1}`,
      space: at % 3 ? 'desk' : 'other',
      userId: at % 4 ? 'ada' : null,
      conversationId: at % 7 ? null : 'talk',
      status: at % 2 ? ('blocked' as const) : ('completed' as const),
      completedAt: at % 2 ? null : 1_000 + at,
    })),
  )
}

describe('counting contexts', () => {
  it.each(Object.entries(SOME))('equals the number of listed contexts: %s', async (_, filter) => {
    const scope = await freshScope()
    expect(await countContexts(scope, filter)).toEqual({ count: 0, exact: true })
    await forest(scope, 40)
    const { items } = await listContexts(scope, { ...filter, order: 'oldest', limit: 1_000 })
    expect(items.length).toBeGreaterThan(0)
    expect(items.length).toBeLessThan(41)
    expect(await countContexts(scope, filter)).toEqual({ count: items.length, exact: true })
  })

  it('stops after 2,000 rows, and says so', async () => {
    const scope = await freshScope()
    const planted = (from: number, to: number) =>
      plant(
        scope,
        Array.from({ length: to - from }, (_, at) => ({
          id: `ctx_${from + at}`,
          userId: 'ada',
          space: (from + at) % 2 ? 'desk' : 'other',
          status: 'completed' as const,
          completedAt: 1_000 + from + at,
          createdAt: PLANTED_AT + from + at,
        })),
      )
    const costly = [
      { userId: 'ada' },
      { userId: 'ada', memorySpaceId: 'desk' },
      { createdAfter: 0 },
      { createdAfter: 0, leaf: false },
      { completedAfter: 0 },
      { completedAfter: 0, createdBefore: 1 },
    ]
    const counts = async (watching?: (rows: number) => void) => {
      const found = []
      for (const filter of costly) {
        const { scope: seen, watch } = watched(scope)
        found.push(await countContexts(seen, filter))
        watching?.(watch.rows)
      }
      return found
    }
    const all = [2_000, 1_000, 2_000, 0, 2_000, 0].map((count) => ({ count, exact: true }))
    await planted(0, 2_000)
    expect(await counts()).toEqual(all)
    await planted(2_000, 2_001)
    expect(await counts()).toEqual(all.map(({ count }) => ({ count, exact: false })))
    await planted(2_001, 5_000)
    // Each count reads 2,001 entries of an index and, if the index does not cover a condition, also the rows of these
    // entries. The 2,001st entry shows that the exact count is larger than 2,000.
    const reads: number[] = []
    expect(await counts((rows) => reads.push(rows))).toEqual(all.map(({ count }) => ({ count, exact: false })))
    expect(reads).toEqual([1, 2, 1, 2, 1, 2].map((each) => each * 2_001))
    expect(await countContexts(scope, { memorySpaceId: 'desk' })).toEqual({ count: 2_500, exact: true })
  })

  it('uses the narrower of two time ranges', async () => {
    const scope = await freshScope()
    await plant(
      scope,
      Array.from({ length: 2_500 }, (_, at) => ({
        id: `ctx_${at}`,
        status: 'completed' as const,
        // The order of completion is the reverse of the order of creation.
        completedAt: PLANTED_AT + 10_000 - at,
      })),
    )
    const created = { createdAfter: PLANTED_AT + 2_400, createdBefore: PLANTED_AT + 2_411 }
    const completed = { completedAfter: PLANTED_AT + 7_499, completedBefore: PLANTED_AT + 7_510 }
    expect(await countContexts(scope, { ...created, completedAfter: 0 })).toEqual({ count: 10, exact: true })
    expect(await countContexts(scope, { ...completed, createdAfter: 0 })).toEqual({ count: 9, exact: true })
  })

  it('reads no context for a count by space, status, depth and leaf', async () => {
    const scope = await freshScope()
    await forest(scope, 60)
    const reads = async () => {
      const { scope: seen, watch } = watched(scope)
      for (const filter of [
        {},
        { memorySpaceId: 'desk' },
        { status: 'blocked' },
        { depth: 1 },
        { leaf: true },
      ] as const)
        await countContexts(seen, filter)
      return { rows: watch.rows, onContexts: watch.asked.filter(({ sql }) => /\bcontexts\b/.test(sql)) }
    }
    const before = await reads()
    await plant(
      scope,
      Array.from({ length: 600 }, (_, at) => ({
        id: `ctx_more_${at}`,
        parentId: 'ctx_0',
        depth: 1,
        status: 'blocked',
      })),
    )
    const after = await reads()
    expect(before.onContexts).toEqual([])
    // The new contexts add at most one row of counts for their space and one row of counts for all spaces together. A
    // query may read each of these rows.
    expect(after.rows - before.rows).toBeLessThanOrEqual(5)
    expect(await countContexts(scope, {})).toEqual({ count: 660, exact: true })
  })

  it('counters agree with the contexts after any sequence of writes', async () => {
    const ids = ['ctx_0', 'ctx_1', 'ctx_2', 'ctx_3', 'ctx_4', 'ctx_5']
    const one = fc.constantFrom(...ids)
    const write = fc.oneof(
      fc.record({ do: fc.constant('create' as const), id: one, parent: fc.option(one) }),
      fc.record({ do: fc.constant('delete' as const), some: fc.subarray(ids, { minLength: 1 }) }),
      fc.record({ do: fc.constant('move' as const), some: fc.subarray(ids, { minLength: 1 }), parent: fc.option(one) }),
      fc.record({ do: fc.constant('status' as const), id: one, status: fc.constantFrom('active', 'completed') }),
      fc.record({ do: fc.constant('all-at-once' as const), status: fc.constantFrom('active', 'blocked') }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 12 }), async (writes) => {
        const scope = await freshScope()
        for (const each of writes)
          if (each.do === 'create') {
            const found = await rows(scope, 'SELECT 1 FROM contexts WHERE tenant = ?1 AND id = ?2', each.id)
            if (found.length === 0) await plant(scope, [{ id: each.id, parentId: each.parent, space: each.id }])
          } else if (each.do === 'delete')
            await change(
              scope,
              'DELETE FROM contexts WHERE tenant = ?1 AND id IN (SELECT value FROM json_each(?2))',
              JSON.stringify(each.some),
            )
          else if (each.do === 'move')
            await change(
              scope,
              `UPDATE contexts SET parent_id = ?3, depth = depth + 1
               WHERE tenant = ?1 AND id IN (SELECT value FROM json_each(?2))`,
              JSON.stringify(each.some),
              each.parent,
            )
          else if (each.do === 'status')
            await change(scope, 'UPDATE contexts SET status = ?3 WHERE tenant = ?1 AND id = ?2', each.id, each.status)
          else await change(scope, "UPDATE contexts SET status = ?2, space = 'one' WHERE tenant = ?1", each.status)
        const { items, next } = await verifyIntegrity(scope, { limit: 1_000 })
        expect(items.filter(({ kind }) => kind === 'wrong-count')).toEqual([])
        const rest = await verifyIntegrity(scope, { limit: 1_000, cursor: next ?? undefined })
        expect(rest.items).toEqual([])
        expect(await rows(scope, 'SELECT * FROM context_counts WHERE tenant = ?1 AND n < 1')).toEqual([])
        expect(await rows(scope, 'SELECT * FROM missing_parents WHERE tenant = ?1 AND children < 1')).toEqual([])
      }),
      { numRuns: runs('costly') },
    )
  })

  it('a counter of zero has no row, so that no unused name remains', async () => {
    const scope = await freshScope()
    await plant(scope, [
      { id: 'ctx_a', space: 'desk of ada' },
      { id: 'ctx_b', parentId: 'ctx_a', space: 'desk of ada' },
    ])
    expect((await getContext(scope, { context: 'ctx_a', children: false, inherited: false })).context.childCount).toBe(
      1,
    )
    await change(scope, 'DELETE FROM contexts WHERE tenant = ?1')
    expect(await rows(scope, 'SELECT * FROM context_counts WHERE tenant = ?1')).toEqual([])
    expect(await rows(scope, 'SELECT * FROM missing_parents WHERE tenant = ?1')).toEqual([])
  })
})
