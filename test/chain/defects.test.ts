import { describe, expect, it } from 'vitest'
import { openScope } from '../../worker/chain/open-scope.ts'
import { childOf, freshChain, refusalOf, root } from './support/call.ts'
import { misplaced } from './support/broken-laws.ts'
import { storedIn } from './support/stored.ts'

/** Bugs of an earlier system for records of this kind. The chain must not have these bugs. */
describe('mistakes of an earlier system', () => {
  it.each([
    ['completed', 'active'],
    ['completed', 'blocked'],
    ['completed', 'cancelled'],
    ['completed', 'completed'],
    ['cancelled', 'active'],
    ['cancelled', 'completed'],
    ['blocked', 'completed'],
    ['blocked', 'blocked'],
  ] as const)('any status after any other: %s to %s is refused', async (from, to) => {
    const chain = await freshChain()
    const { id } = await root(chain)
    const before = await chain('updateContext', { context: id, status: from })
    const update = chain('updateContext', { context: id, status: to })
    await expect(update).rejects.toMatchObject({
      code: 'INVALID_TRANSITION',
      message: `Invalid transition: ${from} -> ${to}`,
    })
    expect((await chain('getContext', { context: id })).context).toEqual(before)
  })

  it('no limit to depth: depth 10 is the deepest', async () => {
    const chain = await freshChain()
    let deepest = await root(chain)
    while (deepest.depth < 10) deepest = await childOf(chain, deepest)
    expect(await refusalOf(childOf(chain, deepest))).toBe('MAX_DEPTH')
    expect(await chain('countContexts', {})).toEqual({ count: 11, exact: true })
  })

  it('wrong roots and depths of grandchildren after a move: they change too', async () => {
    const chain = await freshChain()
    const top = await root(chain)
    const middle = await childOf(chain, top)
    const child = await childOf(chain, middle)
    const grandchild = await childOf(chain, child)
    await chain('deleteContext', { context: middle.id, mode: 'orphan-to-root' })
    const { context } = await chain('getContext', { context: grandchild.id })
    expect(context).toMatchObject({ parentId: child.id, rootId: child.id, depth: 1 })
    expect(misplaced(await storedIn(chain.scope))).toEqual([])
  })

  it('children counted twice: each descendant is counted once', async () => {
    const chain = await freshChain()
    const top = await root(chain)
    const child = await childOf(chain, top)
    await childOf(chain, child)
    await childOf(chain, top)
    const ofTop = await chain('getChain', { context: top.id })
    const ofChild = await chain('getChain', { context: child.id })
    expect([ofTop.lineageNodes, ofTop.workflowNodes]).toEqual([4, 4])
    expect([ofChild.lineageNodes, ofChild.workflowNodes]).toEqual([3, 4])
  })

  it('deleting many fails at contexts that are deleted already: each is deleted once', async () => {
    const chain = await freshChain()
    const top = await root(chain)
    const child = await childOf(chain, top, { memorySpaceId: 'sales' })
    await childOf(chain, child, { memorySpaceId: 'sales' })
    const deleted = await chain('deleteContexts', { filter: { memorySpaceId: 'sales' }, mode: 'cascade' })
    expect([deleted.deleted, new Set(deleted.ids).size, deleted.skipped]).toEqual([3, 3, []])
  })

  it('a parent names deleted children: it names existing ones only', async () => {
    const chain = await freshChain()
    const top = await root(chain)
    const stays = await childOf(chain, top)
    await childOf(chain, top, { memorySpaceId: 'gone' })
    await chain('deleteContexts', { filter: { memorySpaceId: 'gone' } })
    const { context } = await chain('getContext', { context: top.id })
    expect([context.childIds, context.childCount]).toEqual([[stays.id], 1])
  })

  it('a text breaks the CSV: a purpose stays in its cell', async () => {
    const chain = await freshChain()
    const purpose = 'Ask "why", then\nwait; =1+1'
    await root(chain, { purpose, description: '=HYPERLINK("http://example.com")' })
    const { csv } = await chain('exportContexts', {})
    const [head = [], row = [], ...rest] = cellsOf(csv)
    expect([rest, row.length]).toEqual([[], head.length])
    expect(row[head.indexOf('purpose')]).toBe(purpose)
    expect(row[head.indexOf('description')]).toMatch(/^'=HYPERLINK/)
  })

  it('a bound of 0 is ignored: nothing was completed before 1970', async () => {
    const chain = await freshChain()
    const { id } = await root(chain)
    await chain('updateContext', { context: id, status: 'completed' })
    for (const bound of ['completedBefore', 'createdBefore'] as const) {
      expect((await chain('listContexts', { [bound]: '0' })).items).toEqual([])
      expect(await chain('countContexts', { [bound]: '0' })).toEqual({ count: 0, exact: true })
    }
  })

  it('ids can be guessed: they have 128 bits of the platform, not of Math.random', async () => {
    const { scope } = await freshChain()
    const fresh = openScope(scope)
    const random = Math.random
    Math.random = () => 0.5
    try {
      const ids = Array.from({ length: 1_000 }, () => fresh.newId('ctx'))
      expect(new Set(ids).size).toBe(1_000)
      expect(ids.filter((id) => !/^ctx_[\w-]{22}$/.test(id))).toEqual([])
    } finally {
      Math.random = random
    }
  })
})

/** Parses a CSV (RFC 4180) and returns the cells of each row. */
function cellsOf(csv: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') rows.push([])
  }
  return rows.filter((cells) => cells.length > 1)
}
