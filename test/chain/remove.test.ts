import { describe, expect, it } from 'vitest'
import { rows } from '../../worker/chain/scope.ts'
import { type Chain, childOf, freshChain, idsOf, refusalOf, root } from './support/call.ts'
import { overtaken } from './support/overtaken.ts'

const MODES = ['leaf', 'cascade', 'orphan-to-root', 'orphan-to-parent'] as const

describe('deleting a context', () => {
  it.each(MODES)('[context-30] deletes one without children in the mode %s', async (mode) => {
    const chain = await freshChain()
    const top = await root(chain)
    const { id } = await childOf(chain, top)
    const told = await chain('deleteContext', { context: id, mode })
    expect(told).toEqual({ deleted: 1, reparented: 0, promoted: 0 })
    expect((await chain('getContext', { context: top.id })).context).toMatchObject({ childIds: [], childCount: 0 })
    expect(await refusalOf(chain('deleteContext', { context: id, mode }))).toBe('CONTEXT_NOT_FOUND')
  })

  it('[context-30] refuses one with children in the mode leaf', async () => {
    const chain = await freshChain()
    const { ids } = await treeOf(chain)
    expect(await refusalOf(chain('deleteContext', { context: ids.b }))).toBe('HAS_CHILDREN')
    expect(await chain('countContexts', {})).toEqual({ count: 7, exact: true })
  })

  it('[context-30] refuses it also if the child is created meanwhile', async () => {
    const chain = await freshChain()
    const { id } = await root(chain)
    const late = await overtaken(chain, () => childOf(chain, { id }))
    expect(await refusalOf(late('deleteContext', { context: id }))).toBe('HAS_CHILDREN')
    expect(await chain('countContexts', {})).toEqual({ count: 2, exact: true })
  })

  it('cascade deletes everything under it', async () => {
    const chain = await freshChain()
    const { ids, treeNow } = await treeOf(chain)
    const told = await chain('deleteContext', { context: ids.b, mode: 'cascade' })
    expect(told).toEqual({ deleted: 5, reparented: 0, promoted: 0 })
    expect(await treeNow()).toEqual({ a: [null, 'a', 0], g: ['a', 'a', 1] })
    await isSound(chain)
  })

  it('[context-32] orphan-to-root makes its children roots, with everything under them', async () => {
    const chain = await freshChain()
    const { ids, treeNow } = await treeOf(chain)
    const told = await chain('deleteContext', { context: ids.b, mode: 'orphan-to-root' })
    expect(told).toEqual({ deleted: 1, reparented: 0, promoted: 2 })
    expect(await treeNow()).toEqual({
      a: [null, 'a', 0],
      g: ['a', 'a', 1],
      c: [null, 'c', 0],
      d: ['c', 'c', 1],
      e: ['d', 'c', 2],
      f: [null, 'f', 0],
    })
    await isSound(chain)
  })

  it('[context-32] orphan-to-parent moves its children to its parent, with everything under them', async () => {
    const chain = await freshChain()
    const { ids, treeNow } = await treeOf(chain)
    const told = await chain('deleteContext', { context: ids.b, mode: 'orphan-to-parent' })
    expect(told).toEqual({ deleted: 1, reparented: 2, promoted: 0 })
    expect(await treeNow()).toEqual({
      a: [null, 'a', 0],
      g: ['a', 'a', 1],
      c: ['a', 'a', 1],
      d: ['c', 'a', 2],
      e: ['d', 'a', 3],
      f: ['a', 'a', 1],
    })
    await isSound(chain)
  })

  it.each(['orphan-to-root', 'orphan-to-parent'] as const)(
    '[context-32] the children of a root become roots in the mode %s',
    async (mode) => {
      const chain = await freshChain()
      const { ids, treeNow } = await treeOf(chain)
      const told = await chain('deleteContext', { context: ids.a, mode })
      expect(told).toEqual({ deleted: 1, reparented: 0, promoted: 2 })
      expect(await treeNow()).toEqual({
        b: [null, 'b', 0],
        c: ['b', 'b', 1],
        d: ['c', 'b', 2],
        e: ['d', 'b', 3],
        f: ['b', 'b', 1],
        g: [null, 'g', 0],
      })
      await isSound(chain)
    },
  )

  it('[context-32] the children of an orphan become roots, not orphans', async () => {
    const chain = await freshChain()
    const { ids } = await treeOf(chain)
    await rows(chain.scope, "UPDATE contexts SET parent_id = 'ctx_gone' WHERE tenant = ?1 AND id = ?2", ids.b)
    const told = await chain('deleteContext', { context: ids.b, mode: 'orphan-to-parent' })
    expect(told).toEqual({ deleted: 1, reparented: 0, promoted: 2 })
    await isSound(chain)
  })

  it('[context-32] a moved context keeps its versions and times', async () => {
    const chain = await freshChain()
    const { ids } = await treeOf(chain)
    const before = await chain('updateContext', { context: ids.c, data: { seen: true } })
    await chain('deleteContext', { context: ids.b, mode: 'orphan-to-root' })
    const { context } = await chain('getContext', { context: ids.c })
    expect(context).toEqual({ ...before, parentId: null, rootId: ids.c, depth: 0 })
    expect((await chain('listVersions', { context: ids.c })).items).toHaveLength(2)
  })

  it.each(MODES.slice(1))('[context-33] leaves nothing of its own in the mode %s', async (mode) => {
    const chain = await freshChain()
    const { ids } = await treeOf(chain)
    await chain('updateContext', { context: ids.b, status: 'blocked', purpose: 'Find the unicorn' })
    await chain('deleteContext', { context: ids.b, mode })
    expect(
      await rows(chain.scope, 'SELECT * FROM context_versions WHERE tenant = ?1 AND context_id = ?2', ids.b),
    ).toEqual([])
    expect((await chain('listContexts', { q: 'unicorn' })).items).toEqual([])
    const left = await chain('listContexts', {})
    expect(await chain('countContexts', {})).toEqual({ count: left.items.length, exact: true })
    expect(await chain('countContexts', { status: 'blocked' })).toEqual({ count: 0, exact: true })
    const again = await root(chain, { id: ids.b })
    expect(again).toMatchObject({ version: 1, childIds: [], parentId: null })
    expect((await chain('listVersions', { context: ids.b })).items).toHaveLength(1)
  })

  it.each(MODES.slice(1))('[context-34] ends in a circle in the mode %s', async (mode) => {
    const chain = await freshChain()
    const { ids } = await treeOf(chain)
    // No operation makes a cycle, because an operation moves a context only to one of its own ancestors. So the test
    // makes the cycle by a change to the table.
    await rows(chain.scope, 'UPDATE contexts SET parent_id = ?2 WHERE tenant = ?1 AND id = ?3', ids.e, ids.b)
    const told = await chain('deleteContext', { context: ids.c, mode })
    expect(told.deleted).toBe(mode === 'cascade' ? 5 : 1)
    expect(await refusalOf(chain('getContext', { context: ids.c }))).toBe('CONTEXT_NOT_FOUND')
  })

  it.each(MODES.slice(2))('[context-34] puts the rest of a circle under roots in the mode %s', async (mode) => {
    const chain = await freshChain()
    const { ids } = await treeOf(chain)
    await rows(chain.scope, 'UPDATE contexts SET parent_id = ?2 WHERE tenant = ?1 AND id = ?3', ids.e, ids.b)
    await rows(chain.scope, "UPDATE contexts SET space = 'go' WHERE tenant = ?1 AND id IN (?2, ?3)", ids.b, ids.d)
    await rows(chain.scope, 'UPDATE contexts SET depth = depth + 40 WHERE tenant = ?1 AND id = ?2', ids.e)
    const told = await chain('deleteContexts', { filter: { memorySpaceId: 'go' }, mode })
    // Three contexts get a new parent: c and f, the children of b, and e, the child of d.
    expect([told.deleted, told.reparented + told.promoted]).toEqual([2, 3])
    await isSound(chain)
  })

  it.each(MODES.slice(2))('[context-34] leaves no orphans despite damaged depths in the mode %s', async (mode) => {
    const chain = await freshChain()
    const { ids } = await treeOf(chain)
    await rows(chain.scope, 'UPDATE contexts SET depth = depth + 40 WHERE tenant = ?1')
    await chain('deleteContext', { context: ids.c, mode })
    expect((await chain('verifyIntegrity', { kind: 'orphan' })).items).toEqual([])
    const [moved] = (await chain('listContexts', {})).items.filter(({ id }) => id === ids.d)
    expect(moved).toMatchObject(
      mode === 'orphan-to-root' ? { parentId: null, rootId: ids.d, depth: 0 } : { parentId: ids.b, depth: 42 },
    )
  })

  it('[context-34] other operations end in a circle too', async () => {
    const chain = await freshChain()
    const { ids } = await treeOf(chain)
    await rows(chain.scope, 'UPDATE contexts SET parent_id = ?2 WHERE tenant = ?1 AND id = ?3', ids.e, ids.b)
    await chain('addParticipant', { context: ids.d, participant: 'legal' })
    const { participants } = await chain('removeParticipant', { context: ids.b, participant: 'legal' })
    expect(participants).toEqual(['finance'])
    const everywhere = await chain('listContexts', {})
    expect(everywhere.items.flatMap((each) => each.participants)).not.toContain('legal')
    await chain('updateContext', { context: ids.d, status: 'completed' })
  })

  it('[context-5] deletes nothing of another tenant', async () => {
    const [chain, theirs] = [await freshChain(), await freshChain()]
    const { ids } = await treeOf(chain)
    for (const mode of MODES) {
      expect(await refusalOf(theirs('deleteContext', { context: ids.a, mode }))).toBe('CONTEXT_NOT_FOUND')
    }
    expect(await chain('countContexts', {})).toEqual({ count: 7, exact: true })
  })
})

type Names = Readonly<Record<'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g', string>>

/**
 * Creates this tree. `treeNow` returns the current parent, root and depth of each context by name.
 *
 * a
 * ├── b
 * │   ├── c
 * │   │   └── d
 * │   │       └── e
 * │   └── f
 * └── g
 */
async function treeOf(chain: Chain) {
  const a = await root(chain)
  const b = await childOf(chain, a)
  const c = await childOf(chain, b)
  const d = await childOf(chain, c)
  const e = await childOf(chain, d)
  const f = await childOf(chain, b)
  const g = await childOf(chain, a)
  const ids: Names = { a: a.id, b: b.id, c: c.id, d: d.id, e: e.id, f: f.id, g: g.id }
  const nameOf = (id: string | null) => Object.entries(ids).find(([, each]) => each === id)?.[0] ?? id
  const treeNow = async () => {
    const { items } = await chain('listContexts', {})
    return Object.fromEntries(
      items.map((each) => [nameOf(each.id), [nameOf(each.parentId), nameOf(each.rootId), each.depth]]),
    )
  }
  return { ids, treeNow }
}

async function isSound(chain: Chain): Promise<void> {
  expect((await chain('verifyIntegrity', {})).items).toEqual([])
  const { items } = await chain('listContexts', {})
  const children = items.filter(({ parentId }) => parentId !== null)
  expect(items.flatMap(({ childIds }) => childIds).toSorted()).toEqual(idsOf(children).toSorted())
}
