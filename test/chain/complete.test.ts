import { describe, expect, it } from 'vitest'
import type { AutoComplete } from '../../worker/chain/context.ts'
import { parentsToComplete } from '../../worker/chain/contexts/complete-parents.ts'
import { type Chain, childOf, freshChain, refusalOf, root } from './support/call.ts'
import { beginErasing } from './support/erasure-running.ts'
import { overtaken } from './support/overtaken.ts'

describe('completing parents', () => {
  it.each([
    { autoComplete: 'never', one: 'completed', other: 'completed', reason: 'never' },
    { autoComplete: 'all-completed', one: 'completed', other: 'completed', reason: null },
    { autoComplete: 'all-completed', one: 'completed', other: 'cancelled', reason: 'children-open' },
    { autoComplete: 'all-completed', one: 'completed', other: 'active', reason: 'children-open' },
    { autoComplete: 'all-completed', one: 'active', other: 'completed', reason: 'children-open' },
    { autoComplete: 'all-settled', one: 'completed', other: 'cancelled', reason: null },
    { autoComplete: 'all-settled', one: 'cancelled', other: 'cancelled', reason: null },
    { autoComplete: 'all-settled', one: 'completed', other: 'blocked', reason: 'children-open' },
  ] as const)(
    '[context-27] $autoComplete: with one child $one and one $other',
    async ({ autoComplete, one, other, reason }) => {
      const chain = await freshChain()
      const parent = await root(chain, { autoComplete })
      const first = await childOf(chain, parent)
      const second = await childOf(chain, parent)
      for (const [{ id }, status] of [
        [first, one],
        [second, other],
      ] as const) {
        if (status !== 'active') await chain('updateContext', { context: id, status })
      }
      expect(await chain('completeParents', { context: first.id, by: 'bo' })).toEqual(
        reason ? { completed: [], skipped: { id: parent.id, reason } } : { completed: [parent.id], skipped: null },
      )
      const { context } = await chain('getContext', { context: parent.id })
      expect(context).toMatchObject(
        reason
          ? { status: 'active', version: 1, completedAt: null }
          : { status: 'completed', version: 2, completedAt: context.updatedAt, updatedBy: 'bo' },
      )
    },
  )

  it.each(['blocked', 'cancelled', 'completed'] as const)(
    '[context-27] a parent that is %s is left as it is',
    async (status) => {
      const chain = await freshChain()
      const [parent, child] = await chainOf(chain, ['all-settled', 'never'])
      await chain('updateContext', { context: child!, status: 'completed' })
      await chain('updateContext', { context: parent!, status })
      const told = await chain('completeParents', { context: child! })
      expect(told).toEqual({ completed: [], skipped: { id: parent, reason: 'not-active' } })
      expect((await chain('getContext', { context: parent! })).context).toMatchObject({ status, version: 2 })
    },
  )

  it('[context-27] nothing is completed but on request', async () => {
    const chain = await freshChain()
    const [parent, child] = await chainOf(chain, ['all-completed', 'never'])
    await chain('updateContext', { context: child!, status: 'completed' })
    expect((await chain('getContext', { context: parent! })).context.status).toBe('active')
  })

  it('[context-28] goes up to the root, and says so', async () => {
    const chain = await freshChain()
    const ids = await chainOf(
      chain,
      Array.from({ length: 11 }, () => 'all-completed' as const),
    )
    const lowest = ids.at(-1)!
    await chain('updateContext', { context: lowest, status: 'completed' })
    const told = await chain('completeParents', { context: lowest })
    expect(told).toEqual({ completed: ids.slice(0, -1).toReversed(), skipped: null })
    expect(await chain('countContexts', { status: 'completed' })).toEqual({ count: 11, exact: true })
    expect(await chain('completeParents', { context: ids[0]! })).toEqual({ completed: [], skipped: null })
  })

  it('[context-28] stops at the first that may not be completed', async () => {
    const chain = await freshChain()
    const [top, upper, middle, low] = await chainOf(chain, ['all-settled', 'all-settled', 'all-settled', 'never'])
    const open = await childOf(chain, { id: upper! })
    await chain('updateContext', { context: low!, status: 'cancelled' })
    const skipped = { id: upper, reason: 'children-open' }
    expect(await chain('completeParents', { context: low! })).toEqual({ completed: [middle], skipped })
    await chain('updateContext', { context: open.id, status: 'cancelled' })
    expect(await chain('completeParents', { context: open.id })).toEqual({ completed: [upper, top], skipped: null })
  })

  it('[context-28] of what has no children, nothing is ever completed', () => {
    const childless = { id: 'a', status: 'active', autoComplete: 'all-settled', children: 0, open: false } as const
    expect(parentsToComplete([childless])).toEqual({ completed: [], skipped: { id: 'a', reason: 'no-children' } })
  })

  it('[context-29] a second time it completes nothing', async () => {
    const chain = await freshChain()
    const [top, middle, low] = await chainOf(chain, ['all-completed', 'all-completed', 'never'])
    await chain('updateContext', { context: low!, status: 'completed' })
    await chain('completeParents', { context: low! })
    const again = await chain('completeParents', { context: low! })
    expect(again).toEqual({ completed: [], skipped: { id: middle, reason: 'not-active' } })
    expect((await chain('getContext', { context: top! })).context.version).toBe(2)
  })

  it('[context-29] all of it is one transaction', async () => {
    const chain = await freshChain()
    const [top, middle, low] = await chainOf(chain, ['all-completed', 'all-completed', 'never'])
    await chain('updateContext', { context: low!, status: 'completed' })
    await chain('completeParents', { context: low! })
    const upper = await chain('getContext', { context: top! })
    const lower = await chain('getContext', { context: middle! })
    expect(upper.context.updatedAt).toBe(lower.context.updatedAt)
    // One batch: whoever begins a second one would be told here.
    let batches = 0
    const counted = await overtaken(chain, () => Promise.resolve((batches += 1)), 'always')
    const [, , deep] = await chainOf(chain, ['all-completed', 'all-completed', 'never'])
    await chain('updateContext', { context: deep!, status: 'completed' })
    expect((await counted('completeParents', { context: deep! })).completed).toHaveLength(2)
    expect(batches).toBe(1)
  })

  it('[context-29] of several at once, one completes', async () => {
    const chain = await freshChain()
    for (let turn = 0; turn < 5; turn += 1) {
      const [top, middle, low] = await chainOf(chain, ['all-completed', 'all-completed', 'never'])
      await chain('updateContext', { context: low!, status: 'completed' })
      const told = await Promise.all([1, 2, 3].map(() => chain('completeParents', { context: low! })))
      expect(told.flatMap(({ completed }) => completed)).toEqual([middle, top])
      expect((await chain('getContext', { context: top! })).context.version).toBe(2)
    }
  })

  it('[context-29] a child that comes meanwhile keeps its parent open', async () => {
    const chain = await freshChain()
    const [top, middle, low] = await chainOf(chain, ['all-completed', 'all-completed', 'never'])
    await chain('updateContext', { context: low!, status: 'completed' })
    const late = await overtaken(chain, () => childOf(chain, { id: top! }))
    const skipped = { id: top, reason: 'children-open' }
    expect(await late('completeParents', { context: low! })).toEqual({ completed: [middle], skipped })
  })

  it('[context-29] a parent that becomes active meanwhile is completed too', async () => {
    const chain = await freshChain()
    const [top, middle, low] = await chainOf(chain, ['all-completed', 'all-completed', 'never'])
    await chain('updateContext', { context: low!, status: 'completed' })
    await chain('updateContext', { context: top!, status: 'blocked' })
    const late = await overtaken(chain, () => chain('updateContext', { context: top!, status: 'active' }))
    expect(await late('completeParents', { context: low! })).toEqual({ completed: [middle, top], skipped: null })
  })

  it('[context-5] [context-6] what is not there, and what is about somebody who is being erased', async () => {
    const [chain, theirs] = [await freshChain(), await freshChain()]
    const { id } = await root(theirs)
    expect(await refusalOf(chain('completeParents', { context: id }))).toBe('CONTEXT_NOT_FOUND')
    const parent = await root(chain, { userId: 'ana', autoComplete: 'all-settled' })
    const child = await childOf(chain, parent)
    await chain('updateContext', { context: child.id, status: 'completed' })
    await beginErasing(chain.scope, 'ana')
    expect(await refusalOf(chain('completeParents', { context: child.id }))).toBe('ERASURE_RUNNING')
    expect((await chain('getContext', { context: parent.id })).context).toMatchObject({ status: 'active', version: 1 })
  })
})

/** Contexts under one another, from the root down, each to be completed as it says. */
async function chainOf(chain: Chain, each: readonly AutoComplete[]): Promise<readonly string[]> {
  const ids: string[] = []
  for (const autoComplete of each) {
    const parentId = ids.at(-1)
    const { id } = await root(chain, { autoComplete, ...(parentId && { parentId }) })
    ids.push(id)
  }
  return ids
}
