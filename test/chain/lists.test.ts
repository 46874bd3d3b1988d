import { getChain } from '../../worker/chain/contexts/get-chain.ts'
import { describe, expect, it } from 'vitest'
import { cursorOf } from '../../worker/chain/contexts/cursor.ts'
import { deleteContexts } from '../../worker/chain/contexts/change-many.ts'
import { listContexts } from '../../worker/chain/contexts/list-contexts.ts'
import type { Context, Page } from '../../worker/chain/context.ts'
import { freshScope } from './support/fresh-scope.ts'
import { change, plant, type Planted, PLANTED_AT } from './support/plant.ts'
import { watched } from './support/watched.ts'
import { IS_LONG } from '../support/runs.ts'

type Ask = (cursor: string | undefined) => Promise<Page<Context>>

async function pages(ask: Ask): Promise<readonly (readonly string[])[]> {
  const all: (readonly string[])[] = []
  let cursor: string | undefined
  do {
    const { items, next } = await ask(cursor)
    all.push(items.map(({ id }) => id))
    cursor = next ?? undefined
  } while (cursor !== undefined)
  return all
}

async function everything(ask: Ask): Promise<readonly string[]> {
  return (await pages(ask)).flat()
}

/** Returns `count` contexts. `made` gets a context's number, from 0, and returns the context's fields. */
function many(count: number, made: (at: number) => Omit<Planted, 'id'>): Planted[] {
  return Array.from({ length: count }, (_, at) => ({ id: `ctx_${at}`, ...made(at) }))
}

function ids(contexts: readonly Planted[], fits: (at: number) => boolean = () => true): string[] {
  return contexts.map(({ id }) => id).filter((_, at) => fits(at))
}

describe('lists of contexts', () => {
  it('are in the order of creation, then of writing; or reversed', async () => {
    const scope = await freshScope()
    const contexts = many(7, (at) => ({ createdAt: PLANTED_AT - (at % 3) }))
    await plant(scope, contexts)
    const oldest = ['ctx_2', 'ctx_5', 'ctx_1', 'ctx_4', 'ctx_0', 'ctx_3', 'ctx_6']
    for (const limit of [1, 2, 3, 6, 7, 8]) {
      const asked = (order: 'oldest' | 'newest') => pages((cursor) => listContexts(scope, { order, limit, cursor }))
      expect((await asked('oldest')).flat()).toEqual(oldest)
      expect((await asked('newest')).flat()).toEqual(oldest.toReversed())
      expect(await asked('oldest')).toHaveLength(Math.ceil(7 / limit))
    }
  })

  it('repeat and lose nothing if contexts are created or deleted between two pages', async () => {
    const scope = await freshScope()
    await plant(
      scope,
      many(6, () => ({})),
    )
    const first = await listContexts(scope, { order: 'oldest', limit: 3 })
    await change(scope, "DELETE FROM contexts WHERE tenant = ?1 AND id IN ('ctx_1', 'ctx_2', 'ctx_4')")
    await plant(scope, [
      { id: 'ctx_late', createdAt: PLANTED_AT + 100 },
      { id: 'ctx_early', createdAt: 1 },
    ])
    const second = await listContexts(scope, { order: 'oldest', limit: 3, cursor: first.next ?? undefined })
    expect(second.items.map(({ id }) => id)).toEqual(['ctx_3', 'ctx_5', 'ctx_late'])
    expect(second.next).toBeNull()
  })

  it.runIf(IS_LONG)('[context-55] fit every part of a filter, alone and with every other part', async () => {
    const scope = await freshScope()
    const statuses = ['active', 'blocked', 'completed', 'cancelled'] as const
    const contexts: Planted[] = [
      { id: 'ctx_a', conversationId: 'talk-1' },
      { id: 'ctx_b', space: 'other' },
      ...many(48, (at) => ({
        parentId: at % 2 ? 'ctx_a' : 'ctx_b',
        space: at % 3 ? 'desk' : 'other',
        userId: at % 4 ? 'ada' : null,
        conversationId: at % 5 ? null : 'talk-1',
        status: statuses[at % 4] ?? 'active',
        completedAt: at % 4 === 2 ? 1_000 + at : null,
      })),
      { id: 'ctx_deep', parentId: 'ctx_0', space: 'desk', userId: 'ada' },
    ]
    await plant(scope, contexts)
    const all = (await listContexts(scope, { order: 'oldest', limit: 1_000 })).items
    const parts = {
      memorySpaceId: ['desk', (context: Context) => context.memorySpaceId === 'desk'],
      userId: ['ada', (context: Context) => context.userId === 'ada'],
      status: ['completed', (context: Context) => context.status === 'completed'],
      parentId: ['ctx_a', (context: Context) => context.parentId === 'ctx_a'],
      rootId: ['ctx_b', (context: Context) => context.rootId === 'ctx_b'],
      conversationId: ['talk-1', (context: Context) => context.conversationRef?.conversationId === 'talk-1'],
      depth: [1, (context: Context) => context.depth === 1],
      leaf: [true, (context: Context) => context.childCount === 0],
      createdAfter: [PLANTED_AT + 10, (context: Context) => context.createdAt > PLANTED_AT + 10],
      createdBefore: [PLANTED_AT + 30, (context: Context) => context.createdAt < PLANTED_AT + 30],
      completedAfter: [1_010, (context: Context) => context.completedAt !== null && context.completedAt > 1_010],
      completedBefore: [1_030, (context: Context) => context.completedAt !== null && context.completedAt < 1_030],
    } as const
    const names = Object.keys(parts) as (keyof typeof parts)[]
    for (const one of names)
      for (const other of names) {
        const filter = { [one]: parts[one][0], [other]: parts[other][0] }
        const expected = all.filter((context) => parts[one][1](context) && parts[other][1](context)).map(({ id }) => id)
        const found = (order: 'oldest' | 'newest') =>
          everything((cursor) => listContexts(scope, { ...filter, order, limit: 20, cursor }))
        expect({ filter, found: await found('oldest') }).toEqual({ filter, found: expected })
        expect({ filter, found: await found('newest') }).toEqual({ filter, found: expected.toReversed() })
      }
  })

  it('[context-55] exclude the bounds of a time range, and take 0 as a time', async () => {
    const scope = await freshScope()
    await plant(scope, [
      { id: 'ctx_a', createdAt: 5, status: 'completed', completedAt: 5 },
      { id: 'ctx_b', createdAt: 6, status: 'completed', completedAt: 6 },
    ])
    const found = async (filter: object) =>
      (await listContexts(scope, { ...filter, order: 'oldest', limit: 10 })).items.map(({ id }) => id)
    expect(await found({ createdAfter: 5 })).toEqual(['ctx_b'])
    expect(await found({ createdBefore: 6 })).toEqual(['ctx_a'])
    expect(await found({ completedBefore: 0 })).toEqual([])
    expect(await found({ createdBefore: 0 })).toEqual([])
    expect(await found({ completedAfter: 0 })).toEqual(['ctx_a', 'ctx_b'])
    expect(await found({ completedAfter: 5, completedBefore: 7 })).toEqual(['ctx_b'])
  })

  it('[context-52] look at a limited number of rows for a page, which may be empty; all pages are complete', async () => {
    const scope = await freshScope()
    const fits = (at: number) => at === 10 || at === 2_500 || at === 4_400
    const contexts = many(4_500, (at) => ({ userId: fits(at) ? 'ada' : 'bob', space: 'desk' }))
    await plant(scope, contexts)
    const found = await pages((cursor) =>
      // The index contains the context's space. Whether the context is a leaf (has no children) is only in the
      // context's row, so the query must read the row.
      listContexts(scope, { memorySpaceId: 'desk', leaf: true, order: 'oldest', limit: 1_000, cursor }),
    )
    expect(found.flat()).toEqual(ids(contexts))
    const rare = await pages((cursor) =>
      listContexts(scope, {
        memorySpaceId: 'desk',
        depth: 0,
        createdAfter: PLANTED_AT - 1,
        leaf: false,
        order: 'oldest',
        limit: 100,
        cursor,
      }),
    )
    expect(rare).toEqual([[], [], []])
    await change(scope, "UPDATE contexts SET depth = 1 WHERE tenant = ?1 AND user_id = 'ada'")
    const few = await pages((cursor) =>
      listContexts(scope, { memorySpaceId: 'desk', depth: 1, order: 'newest', limit: 2, cursor }),
    )
    expect(few).toEqual([['ctx_4400', 'ctx_2500'], [], ['ctx_10']])
    const { scope: seen, watch } = watched(scope)
    await listContexts(seen, { leaf: false, order: 'oldest', limit: 1_000 })
    expect(watch.calls).toBe(1)
    // The query reads each context three times: from the index, from the table, and to check the condition. It reads
    // one more context to find where the next page begins.
    expect(watch.rows).toBeLessThan(3 * 2_000 + 10)
  })

  it('[context-52] leave out nothing where a page stops looking', async () => {
    const scope = await freshScope()
    await plant(
      scope,
      many(4_001, (at) => ({ depth: [1_999, 2_000, 3_999, 4_000].includes(at) ? 1 : 0 })),
    )
    for (const order of ['oldest', 'newest'] as const) {
      const found = await pages((cursor) =>
        listContexts(scope, { memorySpaceId: 'desk', depth: 1, order, limit: 10, cursor }),
      )
      expect(found).toEqual(
        order === 'oldest'
          ? [['ctx_1999'], ['ctx_2000', 'ctx_3999'], ['ctx_4000']]
          : [['ctx_4000', 'ctx_3999'], ['ctx_2000', 'ctx_1999'], []],
      )
    }
    // A deletion by filter takes its contexts page by page, as a list does.
    const deleted: (readonly string[])[] = []
    let cursor: string | undefined
    do {
      const filter = { memorySpaceId: 'desk', depth: 1 }
      const page = await deleteContexts(scope, { filter, mode: 'leaf', limit: 10, cursor })
      deleted.push(page.ids)
      cursor = page.next ?? undefined
    } while (cursor !== undefined)
    expect(deleted).toEqual([['ctx_1999'], ['ctx_2000', 'ctx_3999'], ['ctx_4000']])
  })

  it('limit a page in bytes too, and give one context whole', async () => {
    const scope = await freshScope()
    const large = 'x'.repeat(1_500_000)
    for (const id of ['ctx_0', 'ctx_1', 'ctx_2', 'ctx_3']) await plant(scope, [{ id, data: { large } }])
    await plant(scope, [{ id: 'ctx_4' }])
    expect(await pages((cursor) => listContexts(scope, { order: 'oldest', limit: 100, cursor }))).toEqual([
      ['ctx_0', 'ctx_1', 'ctx_2'],
      ['ctx_3', 'ctx_4'],
    ])
    expect(await pages((cursor) => listContexts(scope, { leaf: true, order: 'newest', limit: 100, cursor }))).toEqual([
      ['ctx_4', 'ctx_3', 'ctx_2', 'ctx_1'],
      ['ctx_0'],
    ])
  })

  it('[context-54] accept a cursor of the same list only, with any limit', async () => {
    const scope = await freshScope()
    const other = await freshScope()
    const contexts = many(4, () => ({}))
    await plant(scope, contexts)
    await plant(other, contexts)
    const { next } = await listContexts(scope, { memorySpaceId: 'desk', order: 'oldest', limit: 2 })
    const cursor = next ?? ''
    const again = await listContexts(scope, { memorySpaceId: 'desk', order: 'oldest', limit: 1, cursor })
    expect(again.items.map(({ id }) => id)).toEqual(['ctx_2'])
    const invalid = { code: 'INVALID_CURSOR', pointer: '/query/cursor' }
    for (const filter of [{}, { memorySpaceId: 'other' }, { memorySpaceId: 'desk', depth: 0 }])
      await expect(async () =>
        listContexts(scope, { ...filter, order: 'oldest', limit: 2, cursor }),
      ).rejects.toMatchObject(invalid)
    const wrong: (() => Promise<unknown>)[] = [
      () => listContexts(scope, { memorySpaceId: 'desk', order: 'newest', limit: 2, cursor }),
      () => listContexts(other, { memorySpaceId: 'desk', order: 'oldest', limit: 2, cursor }),
      () => listContexts(scope, { parentId: 'ctx_0', limit: 2, cursor }),
      () => listContexts(scope, { ancestorId: 'ctx_0', limit: 2, cursor }),
      () => listContexts(scope, { memorySpaceId: 'desk', q: 'work', limit: 2, cursor }),
      () => listContexts(scope, { memorySpaceId: 'desk', at: PLANTED_AT, limit: 2, cursor }),
      ...['', 'x', '!!!!', '%', cursor.slice(1), `${cursor}AAAA`, btoa('{}'), btoa('[1,2,3]'), btoa('[null]'), 'é'].map(
        (text) => () => listContexts(scope, { memorySpaceId: 'desk', order: 'oldest', limit: 2, cursor: text }),
      ),
    ]
    for (const ask of wrong) await expect(async () => ask()).rejects.toMatchObject(invalid)
    // These cursors are made for this list but contain no valid position.
    for (const place of [[], [1], [1, 1, 1], ['1', 1], [1, '1']]) {
      const made = cursorOf(scope, { list: 'contexts', of: { memorySpaceId: 'desk', order: 'oldest' } }, place)
      await expect(async () =>
        listContexts(scope, { memorySpaceId: 'desk', order: 'oldest', limit: 2, cursor: made }),
      ).rejects.toMatchObject(invalid)
    }
  })

  it('give children, also of one status, and siblings without the context itself', async () => {
    const scope = await freshScope()
    await plant(scope, [
      { id: 'ctx_root' },
      ...many(5, (at) => ({ parentId: 'ctx_root', status: at % 2 ? 'blocked' : 'active' }) as const),
      { id: 'ctx_grandchild', parentId: 'ctx_1' },
      { id: 'ctx_alone' },
    ])
    const children = (own: object) =>
      everything((cursor) => listContexts(scope, { parentId: 'ctx_root', limit: 2, cursor, ...own }))
    const siblings = async (context: string) => {
      const { siblings: found } = await getChain(scope, { context, limit: 100 })
      return found.items.map(({ id }) => id)
    }
    expect(await children({})).toEqual(['ctx_0', 'ctx_1', 'ctx_2', 'ctx_3', 'ctx_4'])
    expect(await children({ status: 'blocked' })).toEqual(['ctx_1', 'ctx_3'])
    expect(await children({ parentId: 'ctx_4' })).toEqual([])
    expect(await siblings('ctx_2')).toEqual(['ctx_0', 'ctx_1', 'ctx_3', 'ctx_4'])
    expect(await siblings('ctx_grandchild')).toEqual([])
    expect(await siblings('ctx_root')).toEqual([])
    expect(await children({ parentId: 'ctx_nobody' })).toEqual([])
  })

  it('give descendants oldest first, and none of another branch', async () => {
    const scope = await freshScope()
    await plant(scope, [
      { id: 'ctx_root' },
      { id: 'ctx_a', parentId: 'ctx_root' },
      { id: 'ctx_a1', parentId: 'ctx_a' },
      { id: 'ctx_a11', parentId: 'ctx_a1' },
      { id: 'ctx_b', parentId: 'ctx_root' },
      { id: 'ctx_b1', parentId: 'ctx_b', status: 'blocked' },
      { id: 'ctx_a2', parentId: 'ctx_a', status: 'blocked' },
      { id: 'ctx_c', parentId: 'ctx_root' },
    ])
    const below = (own: { ancestorId: string; status?: 'blocked' }, limit: number) =>
      everything((cursor) => listContexts(scope, { ...own, limit, cursor }))
    for (const limit of [1, 2, 3, 100]) {
      expect(await below({ ancestorId: 'ctx_root' }, limit)).toEqual([
        'ctx_a',
        'ctx_a1',
        'ctx_a11',
        'ctx_b',
        'ctx_b1',
        'ctx_a2',
        'ctx_c',
      ])
      expect(await below({ ancestorId: 'ctx_a' }, limit)).toEqual(['ctx_a1', 'ctx_a11', 'ctx_a2'])
      expect(await below({ ancestorId: 'ctx_root', status: 'blocked' }, limit)).toEqual(['ctx_b1', 'ctx_a2'])
      expect(await below({ ancestorId: 'ctx_a11' }, limit)).toEqual([])
    }
  })

  it('show nothing of another tenant', async () => {
    const scope = await freshScope()
    const other = await freshScope()
    await plant(other, [{ id: 'ctx_root' }, { id: 'ctx_child', parentId: 'ctx_root' }])
    await plant(scope, [{ id: 'ctx_root' }])
    expect((await listContexts(scope, { order: 'oldest', limit: 10 })).items).toMatchObject([
      { id: 'ctx_root', childCount: 0, childIds: [] },
    ])
    expect((await listContexts(scope, { parentId: 'ctx_root', limit: 10 })).items).toEqual([])
    expect((await listContexts(scope, { ancestorId: 'ctx_root', limit: 10 })).items).toEqual([])
  })
})
