import { describe, expect, it } from 'vitest'
import type { AutoComplete } from '../../worker/chain/context.ts'
import { type Chain, childOf, freshChain, idsOf, refusalOf, root } from './support/call.ts'
import { beginErasing } from './support/erasure-running.ts'
import { overtaken } from './support/overtaken.ts'

const STEP = { purpose: 'Do it', memorySpaceId: 'sales' }

describe('completing the parents', () => {
  it.each([
    { autoComplete: 'never', one: 'completed', other: 'completed', status: 'active' },
    { autoComplete: 'all-completed', one: 'completed', other: 'completed', status: 'completed' },
    { autoComplete: 'all-completed', one: 'completed', other: 'cancelled', status: 'active' },
    { autoComplete: 'all-completed', one: 'cancelled', other: 'completed', status: 'active' },
    { autoComplete: 'all-completed', one: 'completed', other: 'active', status: 'active' },
    { autoComplete: 'all-completed', one: 'active', other: 'completed', status: 'active' },
    { autoComplete: 'all-settled', one: 'completed', other: 'cancelled', status: 'completed' },
    { autoComplete: 'all-settled', one: 'cancelled', other: 'cancelled', status: 'completed' },
    { autoComplete: 'all-settled', one: 'blocked', other: 'completed', status: 'active' },
  ] as const)(
    '[context-27] $autoComplete: with one child $one and then one $other it is $status',
    async ({ autoComplete, one, other, status }) => {
      const chain = await freshChain()
      const parent = await root(chain, { autoComplete })
      const children = [await childOf(chain, parent), await childOf(chain, parent)]
      for (const [at, become] of [one, other].entries())
        if (become !== 'active') await chain('updateContext', { context: children[at]!.id, status: become, by: 'bo' })
      const { context } = await chain('getContext', { context: parent.id })
      expect(context).toMatchObject(
        status === 'active'
          ? { status, version: 1, completedAt: null }
          : { status, version: 2, completedAt: context.updatedAt, updatedBy: 'bo' },
      )
    },
  )

  it.each(['blocked', 'cancelled', 'completed'] as const)(
    '[context-27] a parent that is %s is left as it is',
    async (status) => {
      const chain = await freshChain()
      const [parent, child] = await chainOf(chain, ['all-settled', 'never'])
      await chain('updateContext', { context: parent!, status })
      await chain('updateContext', { context: child!, status: 'completed' })
      expect((await chain('getContext', { context: parent! })).context).toMatchObject({ status, version: 2 })
    },
  )

  it('[context-27] a change to a status that is not final completes nothing', async () => {
    const chain = await freshChain()
    const [parent, child, last] = await chainOf(chain, ['all-settled', 'never', 'never'])
    await chain('updateContext', { context: parent!, status: 'blocked' })
    await chain('updateContext', { context: child!, status: 'cancelled' })
    await chain('updateContext', { context: parent!, status: 'active' })
    await chain('updateContext', { context: child!, data: { late: true } })
    await chain('updateContext', { context: last!, status: 'blocked' })
    expect(await statusesOf(chain, [parent!])).toEqual(['active'])
  })

  it('[context-28] continues up to the root', async () => {
    const chain = await freshChain()
    const ids = await chainOf(
      chain,
      Array.from({ length: 11 }, () => 'all-completed' as const),
    )
    await chain('updateContext', { context: ids.at(-1)!, status: 'completed' })
    expect(await chain('countContexts', { status: 'completed' })).toEqual({ count: 11, exact: true })
  })

  it('[context-28] stops at a parent with an open child', async () => {
    const chain = await freshChain()
    const [top, upper, middle, low] = await chainOf(chain, ['all-settled', 'all-settled', 'all-settled', 'never'])
    const open = await childOf(chain, { id: upper! })
    await chain('updateContext', { context: low!, status: 'cancelled' })
    expect(await statusesOf(chain, [middle!, upper!, top!])).toEqual(['completed', 'active', 'active'])
    await chain('updateContext', { context: open.id, status: 'cancelled' })
    expect(await statusesOf(chain, [upper!, top!])).toEqual(['completed', 'completed'])
  })

  it('[context-27] completes a sequence with its last step', async () => {
    const chain = await freshChain()
    const asked = {
      ...STEP,
      pattern: 'sequence' as const,
      autoComplete: 'all-completed' as const,
      steps: [STEP, STEP, STEP],
    }
    const { root: whole, steps } = await chain('createPattern', asked)
    for (const { id } of steps) {
      expect(await statusesOf(chain, [whole.id])).toEqual(['active'])
      await chain('updateContext', { context: id, status: 'completed' })
    }
    expect(await statusesOf(chain, [whole.id])).toEqual(['completed'])
  })

  it.each([
    ['all-completed', 'completed', 'completed'],
    ['all-completed', 'cancelled', 'active'],
    ['all-settled', 'cancelled', 'completed'],
  ] as const)(
    '[context-27] [context-18] a request that asks for %s, with its last approval %s, is %s',
    async (autoComplete, last, status) => {
      const chain = await freshChain()
      const asked = { ...STEP, pattern: 'approval' as const, autoComplete, steps: [STEP, STEP, STEP] }
      const { root: request, steps } = await chain('createPattern', asked)
      expect(steps.map((step) => step.status)).toEqual(['active', 'blocked', 'blocked'])
      const [one, two, three] = idsOf(steps)
      await chain('updateContext', { context: one!, status: 'completed' })
      await chain('updateContext', { context: two!, status: 'completed' })
      expect(await statusesOf(chain, [request.id, three!])).toEqual(['active', 'active'])
      await chain('updateContext', { context: three!, status: last })
      expect(await statusesOf(chain, [request.id])).toEqual([status])
    },
  )

  it('[context-27] does not complete a waiting approval when the one under it ends', async () => {
    const chain = await freshChain()
    const asked = { ...STEP, pattern: 'approval' as const, autoComplete: 'all-settled' as const, steps: [STEP, STEP] }
    const { root: request, steps } = await chain('createPattern', asked)
    const [manager, finance] = idsOf(steps)
    await chain('updateContext', { context: manager!, status: 'blocked' })
    await chain('updateContext', { context: finance!, status: 'active' })
    await chain('updateContext', { context: finance!, status: 'completed' })
    expect(await statusesOf(chain, [manager!, request.id])).toEqual(['blocked', 'active'])
  })

  it('[context-27] updateContexts completes the parents too', async () => {
    const chain = await freshChain()
    const [top, upper] = await chainOf(chain, ['all-completed', 'all-completed'])
    for (const parentId of [top!, upper!, upper!]) await childOf(chain, { id: parentId }, { memorySpaceId: 'legal' })
    const filter = { memorySpaceId: 'legal' }
    const first = await chain('updateContexts', { filter, updates: { status: 'completed' }, limit: 2 })
    expect(await statusesOf(chain, [upper!, top!])).toEqual(['active', 'active'])
    await chain('updateContexts', { filter, updates: { status: 'completed' }, limit: 2, cursor: first.next! })
    expect(await statusesOf(chain, [upper!, top!])).toEqual(['completed', 'completed'])
    expect((await chain('getContext', { context: top! })).context.version).toBe(2)
  })

  it('[context-29] the change and all completions are one transaction', async () => {
    const chain = await freshChain()
    const [top, middle, low] = await chainOf(chain, ['all-completed', 'all-completed', 'never'])
    let batches = 0
    const counted = await overtaken(chain, () => Promise.resolve((batches += 1)), 'always')
    const done = await counted('updateContext', { context: low!, status: 'completed' })
    expect(batches).toBe(1)
    const times = [top!, middle!].map(async (id) => (await chain('getContext', { context: id })).context.updatedAt)
    expect(await Promise.all(times)).toEqual([done.updatedAt, done.updatedAt])
  })

  it('[context-29] if the last two children end at once, one of them completes the parent', async () => {
    const chain = await freshChain()
    for (let turn = 0; turn < 5; turn += 1) {
      const [top, middle] = await chainOf(chain, ['all-completed', 'all-completed'])
      const lows = [await childOf(chain, { id: middle! }), await childOf(chain, { id: middle! })]
      await Promise.all(lows.map(({ id }) => chain('updateContext', { context: id, status: 'completed' })))
      expect(await statusesOf(chain, [middle!, top!])).toEqual(['completed', 'completed'])
      expect((await chain('getContext', { context: top! })).context.version).toBe(2)
    }
  })

  it('[context-29] a child created meanwhile keeps the parent open', async () => {
    const chain = await freshChain()
    const [top, middle, low] = await chainOf(chain, ['all-completed', 'all-completed', 'never'])
    const late = await overtaken(chain, () => childOf(chain, { id: top! }))
    await late('updateContext', { context: low!, status: 'completed' })
    expect(await statusesOf(chain, [middle!, top!])).toEqual(['completed', 'active'])
  })

  it('[context-29] a parent that becomes active meanwhile is completed', async () => {
    const chain = await freshChain()
    const [top, middle, low] = await chainOf(chain, ['all-completed', 'all-completed', 'never'])
    await chain('updateContext', { context: top!, status: 'blocked' })
    const late = await overtaken(chain, () => chain('updateContext', { context: top!, status: 'active' }))
    await late('updateContext', { context: low!, status: 'completed' })
    expect(await statusesOf(chain, [middle!, top!])).toEqual(['completed', 'completed'])
  })

  it('[context-6] refuses a change that would complete a context about a person being erased', async () => {
    const chain = await freshChain()
    const parent = await root(chain, { userId: 'ana', autoComplete: 'all-settled' })
    const child = await childOf(chain, parent)
    await beginErasing(chain.scope, 'ana')
    const ends = [
      chain('updateContext', { context: child.id, status: 'completed' }),
      chain('updateContexts', { filter: { parentId: parent.id }, updates: { status: 'completed' } }),
    ]
    expect(await Promise.all(ends.map(refusalOf))).toEqual(['ERASURE_RUNNING', 'ERASURE_RUNNING'])
    expect(await statusesOf(chain, [parent.id, child.id])).toEqual(['active', 'active'])
  })
})

/** Creates contexts, each a child of the previous one, with these values of `autoComplete`. */
async function chainOf(chain: Chain, each: readonly AutoComplete[]): Promise<readonly string[]> {
  const ids: string[] = []
  for (const autoComplete of each) {
    const parentId = ids.at(-1)
    const { id } = await root(chain, { autoComplete, ...(parentId && { parentId }) })
    ids.push(id)
  }
  return ids
}

function statusesOf(chain: Chain, ids: readonly string[]): Promise<readonly string[]> {
  return Promise.all(ids.map(async (id) => (await chain('getContext', { context: id })).context.status))
}
