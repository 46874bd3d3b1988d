import { describe, expect, it } from 'vitest'
import { MOST_DATA_BYTES } from '../../worker/chain/api/shapes.ts'
import { childOf, freshChain, idsOf, refusalOf, root } from './support/call.ts'
import { beginErasing } from './support/erasure-running.ts'
import { overtaken } from './support/overtaken.ts'

describe('changing many', () => {
  it('goes page by page, oldest first, until nothing is left', async () => {
    const chain = await freshChain()
    const { root: top, steps: tasks } = await chain('createPattern', {
      pattern: 'parallel',
      ...WHOLE,
      steps: tasksOf(5),
    })
    const filter = { parentId: top.id, status: 'active' } as const
    const asked = { filter, updates: { status: 'completed', data: { bulk: true } }, by: 'bo', limit: 2 } as const
    const pages = [await chain('updateContexts', asked)]
    for (let next = pages[0]!.next; next !== null; next = pages.at(-1)!.next) {
      pages.push(await chain('updateContexts', { ...asked, cursor: next }))
    }
    expect(pages.map(({ ids }) => ids)).toEqual([idsOf(tasks.slice(0, 2)), idsOf(tasks.slice(2, 4)), [tasks[4]!.id]])
    expect(pages.map(({ updated, skipped }) => [updated, skipped])).toEqual([
      [2, []],
      [2, []],
      [1, []],
    ])
    const { items } = await chain('listContexts', { parentId: top.id })
    const done = { status: 'completed', version: 2, updatedBy: 'bo', data: { own: 1, bulk: true } }
    expect(items).toMatchObject(tasks.map(() => done))
    expect((await chain('listVersions', { context: tasks[0]!.id })).items).toHaveLength(2)
  })

  it('decides a page by its state at the beginning', async () => {
    const chain = await freshChain()
    const { root: top, steps } = await chain('createPattern', { pattern: 'sequence', ...WHOLE, steps: tasksOf(3) })
    const asked = { filter: { parentId: top.id }, updates: { status: 'completed' } } as const
    const [one, two, three] = idsOf(steps)
    const waiting = (id: string | undefined) => ({ id, code: 'INVALID_TRANSITION' })
    expect(await chain('updateContexts', asked)).toMatchObject({ ids: [one], skipped: [waiting(two), waiting(three)] })
    expect(await chain('updateContexts', asked)).toMatchObject({ ids: [two], skipped: [waiting(one), waiting(three)] })
  })

  it('reads a page again if its contexts change meanwhile', async () => {
    const chain = await freshChain()
    const { steps: tasks } = await chain('createPattern', { pattern: 'parallel', ...WHOLE, steps: tasksOf(3) })
    const [one, two, three] = idsOf(tasks)
    const late = await overtaken(chain, () => chain('updateContext', { context: one!, status: 'cancelled' }))
    const told = await late('updateContexts', {
      filter: { depth: 1, status: 'active' },
      updates: { status: 'blocked' },
    })
    expect(told).toEqual({ updated: 2, ids: [two, three], skipped: [], next: null })
    const deleted = await overtaken(chain, () => chain('updateContext', { context: two!, status: 'active' }))
    expect(await deleted('deleteContexts', { filter: { status: 'blocked' } })).toMatchObject({
      ids: [three],
      deleted: 1,
    })
  })

  it('refuses a cursor of another list', async () => {
    const chain = await freshChain()
    await chain('createPattern', { pattern: 'parallel', ...WHOLE, steps: tasksOf(3) })
    const { next } = await chain('updateContexts', { filter: { depth: 1 }, updates: { data: {} }, limit: 1 })
    const cursor = next!
    expect(await refusalOf(chain('deleteContexts', { filter: { depth: 1 }, cursor }))).toBe('INVALID_CURSOR')
    expect(await refusalOf(chain('updateContexts', { filter: { depth: 0 }, updates: { data: {} }, cursor }))).toBe(
      'INVALID_CURSOR',
    )
  })

  it('[context-36] names each skipped context with its code', async () => {
    const chain = await freshChain()
    const fine = await root(chain)
    const full = await root(chain, { data: { a: 'x'.repeat(MOST_DATA_BYTES / 2) } })
    const done = await root(chain)
    await chain('updateContext', { context: done.id, status: 'completed' })
    const erased = await root(chain, { userId: 'ana' })
    await beginErasing(chain.scope, 'ana')
    const updates = { status: 'blocked', data: { b: 'x'.repeat(MOST_DATA_BYTES / 2) } } as const
    expect(await chain('updateContexts', { filter: { depth: 0 }, updates })).toEqual({
      updated: 1,
      ids: [fine.id],
      skipped: [
        { id: full.id, code: 'TOO_LONG' },
        { id: done.id, code: 'INVALID_TRANSITION' },
        { id: erased.id, code: 'ERASURE_RUNNING' },
      ],
      next: null,
    })
    expect((await chain('getContext', { context: erased.id })).context).toEqual(erased)
  })

  it('[context-6] skips a context whose person begins to be erased meanwhile', async () => {
    const chain = await freshChain()
    const about = await root(chain, { userId: 'ana' })
    const late = await overtaken(chain, () => beginErasing(chain.scope, 'ana'))
    const told = await late('updateContexts', { filter: { userId: 'ana' }, updates: { data: {} } })
    expect(told).toMatchObject({ updated: 0, skipped: [{ id: about.id, code: 'ERASURE_RUNNING' }] })
  })

  it('[context-36] changes nothing if no context fits', async () => {
    const [chain, theirs] = [await freshChain(), await freshChain()]
    await root(theirs)
    const nobody = { filter: { depth: 0 } } as const
    const none = { ids: [], skipped: [], next: null }
    expect(await chain('updateContexts', { ...nobody, updates: { data: {} } })).toEqual({ updated: 0, ...none })
    const told = await chain('deleteContexts', { ...nobody, mode: 'cascade' })
    expect(told).toEqual({ deleted: 0, reparented: 0, promoted: 0, ...none })
    expect(await theirs('countContexts', {})).toEqual({ count: 1, exact: true })
  })

  it('[context-36] changes contexts with the largest data in pages', async () => {
    const chain = await freshChain()
    const data = { text: 'x'.repeat(60_000) }
    const tasks = tasksOf(100).map((task) => ({ ...task, data }))
    const parallel = await chain('createPattern', { pattern: 'parallel', ...WHOLE, steps: tasks })
    let cursor: string | undefined
    let changed = 0
    let pages = 0
    do {
      const asked = { filter: { depth: 1 }, updates: { data: { more: 1 } }, limit: 500, ...(cursor && { cursor }) }
      const told = await chain('updateContexts', asked)
      changed += told.updated
      pages += 1
      cursor = told.next ?? undefined
    } while (cursor !== undefined)
    expect(changed).toBe(100)
    expect(pages).toBe(2)
    expect(await chain('countContexts', { depth: '1' })).toEqual({ count: 100, exact: true })
    const { items } = await chain('listVersions', { context: parallel.steps.at(-1)!.id })
    expect(items.map((each) => Object.keys(each.data))).toEqual([['text'], ['text', 'more']])
  })
})

describe('deleting many', () => {
  it('cascade handles contexts that it has deleted already', async () => {
    const chain = await freshChain()
    const top = await root(chain)
    const child = await childOf(chain, top)
    const low = await childOf(chain, child)
    const told = await chain('deleteContexts', { filter: { rootId: top.id }, mode: 'cascade' })
    const ids = [top.id, child.id, low.id]
    expect(told).toEqual({ deleted: 3, reparented: 0, promoted: 0, ids, skipped: [], next: null })
    expect(await chain('countContexts', {})).toEqual({ count: 0, exact: true })
  })

  it('cascade deletes children that do not fit, and its pages continue', async () => {
    const chain = await freshChain()
    const { root: top, steps: tasks } = await chain('createPattern', {
      pattern: 'parallel',
      ...WHOLE,
      steps: tasksOf(3),
    })
    const under = await childOf(chain, tasks[0]!, { memorySpaceId: 'other' })
    const asked = { filter: { memorySpaceId: 'sales', depth: 1 }, mode: 'cascade', limit: 2 } as const
    const first = await chain('deleteContexts', asked)
    expect(first).toMatchObject({ deleted: 3, ids: [tasks[0]!.id, tasks[1]!.id, under.id] })
    const second = await chain('deleteContexts', { ...asked, cursor: first.next! })
    expect(second).toMatchObject({ deleted: 1, ids: [tasks[2]!.id], next: null })
    expect((await chain('getContext', { context: top.id })).context).toMatchObject({ childIds: [], childCount: 0 })
  })

  it('leaf keeps a parent whose child does not fit, and makes no orphan', async () => {
    const chain = await freshChain()
    const parent = await root(chain)
    const child = await childOf(chain, parent)
    const deleted = await chain('deleteContexts', { filter: { depth: 0 }, mode: 'leaf' })
    expect(deleted).toMatchObject({ deleted: 0, skipped: [{ id: parent.id, code: 'HAS_CHILDREN' }] })
    expect((await chain('getContext', { context: child.id })).context.parentId).toBe(parent.id)
    expect((await chain('verifyIntegrity', { kind: 'orphan' })).items).toEqual([])
  })

  it('[context-5] deletes nothing of another tenant, whose tree still grows', async () => {
    const [chain, theirs] = [await freshChain(), await freshChain()]
    const parent = await root(theirs)
    await root(chain)
    await chain('deleteContexts', { filter: { memorySpaceId: 'sales' }, mode: 'cascade' })
    expect(await chain('countContexts', {})).toEqual({ count: 0, exact: true })
    expect((await childOf(theirs, parent)).parentId).toBe(parent.id)
  })

  it('leaf skips contexts with children', async () => {
    const chain = await freshChain()
    const top = await root(chain)
    const child = await childOf(chain, top)
    const skipped = [{ id: top.id, code: 'HAS_CHILDREN' }]
    const told = await chain('deleteContexts', { filter: { rootId: top.id } })
    expect(told).toEqual({ deleted: 1, reparented: 0, promoted: 0, ids: [child.id], skipped, next: null })
    expect(await chain('deleteContexts', { filter: { rootId: top.id } })).toMatchObject({ ids: [top.id] })
  })

  it.each([
    { mode: 'orphan-to-parent', c: ['a', 'a', 1], e: ['c', 'a', 2], told: { reparented: 2, promoted: 0 } },
    { mode: 'orphan-to-root', c: [null, 'c', 0], e: [null, 'e', 0], told: { reparented: 0, promoted: 2 } },
  ] as const)('$mode moves remaining children past all deleted contexts', async ({ mode, c, e, told }) => {
    const chain = await freshChain()
    // The tree is a > b > b2 > c > d > e; b, b2 and d are deleted.
    const names = ['a', 'b', 'b2', 'c', 'd', 'e']
    const ids: Record<string, string> = {}
    let above: { readonly id: string } | undefined
    for (const name of names) {
      const memorySpaceId = ['b', 'b2', 'd'].includes(name) ? 'going' : 'staying'
      above = await root(chain, { memorySpaceId, ...(above && { parentId: above.id }) })
      ids[name] = above.id
    }
    const deleted = await chain('deleteContexts', { filter: { memorySpaceId: 'going' }, mode })
    expect(deleted).toEqual({ deleted: 3, ids: [ids['b'], ids['b2'], ids['d']], ...told, skipped: [], next: null })
    const nameOf = (id: string | null) => names.find((name) => ids[name] === id) ?? id
    const { items } = await chain('listContexts', {})
    const places = items.map((each) => [nameOf(each.parentId), nameOf(each.rootId), each.depth])
    expect(places).toEqual([[null, 'a', 0], c, e])
    expect((await chain('verifyIntegrity', {})).items).toEqual([])
  })
})

const WHOLE = { purpose: 'All of it', memorySpaceId: 'sales' }

function tasksOf(count: number) {
  return Array.from({ length: count }, (_, n) => ({ purpose: `task ${n}`, memorySpaceId: 'sales', data: { own: 1 } }))
}
