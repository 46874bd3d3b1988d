import { describe, expect, it } from 'vitest'
import { type Chain, childOf, freshChain, idsOf, refusalOf, root } from './support/call.ts'

const MISSING = 'ctx_nobody'

type Case = readonly [what: string, run: (chain: Chain) => Promise<void>]

/** What contexts are for, one thing at a time. */
const CASES: readonly Case[] = [
  [
    'create: a root is its own root, active, at depth 0',
    async (chain) => {
      const made = await root(chain, { userId: 'ana', data: { amount: 500 } })
      expect(made).toMatchObject({ rootId: made.id, depth: 0, parentId: null, status: 'active', version: 1 })
      expect(made).toMatchObject({ purpose: 'Process a refund', memorySpaceId: 'sales', data: { amount: 500 } })
      expect(made.id).toMatch(/^ctx_/)
    },
  ],
  [
    'create: a child has the root of its parent, one level deeper',
    async (chain) => {
      const top = await root(chain)
      expect(await childOf(chain, top)).toMatchObject({ parentId: top.id, rootId: top.id, depth: 1 })
    },
  ],
  [
    'create: a context says which conversation it came from',
    async (chain) => {
      const conversationRef = { conversationId: 'conv-1', messageIds: ['m-1'] }
      const made = await root(chain, { conversationRef })
      expect((await chain('getContext', { context: made.id })).context.conversationRef).toEqual(conversationRef)
    },
  ],
  [
    'create: not under what is not there',
    async (chain) => {
      expect(await refusalOf(childOf(chain, { id: MISSING }))).toBe('PARENT_NOT_FOUND')
      expect(await chain('countContexts', {})).toEqual({ count: 0, exact: true })
    },
  ],
  [
    'get: what was made is read again',
    async (chain) => {
      const made = await root(chain)
      expect(await chain('getContext', { context: made.id })).toEqual({ context: made })
    },
  ],
  [
    'get: what is not there is not found',
    async (chain) => {
      expect(await refusalOf(chain('getContext', { context: MISSING }))).toBe('CONTEXT_NOT_FOUND')
    },
  ],
  [
    'get: with everything around it',
    async (chain) => {
      const { top, left, right } = await family(chain)
      const around = await chain('getChain', { context: left.id })
      expect([around.current.id, around.root.id, around.parent?.id]).toEqual([left.id, top.id, top.id])
      expect(idsOf(around.siblings.items)).toEqual([right.id])
    },
  ],
  [
    'update: completed, and when',
    async (chain) => {
      const made = await root(chain)
      const done = await chain('updateContext', { context: made.id, status: 'completed' })
      expect(done).toMatchObject({ status: 'completed', version: 2, completedAt: done.updatedAt })
    },
  ],
  [
    'update: data is merged key by key',
    async (chain) => {
      const made = await root(chain, { data: { stage: 1, kept: true } })
      const { data } = await chain('updateContext', { context: made.id, data: { stage: 2, progress: '50%' } })
      expect(data).toEqual({ stage: 2, progress: '50%', kept: true })
    },
  ],
  [
    'update: not what is not there',
    async (chain) => {
      const update = chain('updateContext', { context: MISSING, status: 'completed' })
      expect(await refusalOf(update)).toBe('CONTEXT_NOT_FOUND')
    },
  ],
  [
    'delete: a leaf',
    async (chain) => {
      const made = await root(chain)
      expect(await chain('deleteContext', { context: made.id })).toEqual({ deleted: 1, reparented: 0, promoted: 0 })
      expect(await refusalOf(chain('getContext', { context: made.id }))).toBe('CONTEXT_NOT_FOUND')
    },
  ],
  [
    'delete: not what has children',
    async (chain) => {
      const { top } = await family(chain)
      expect(await refusalOf(chain('deleteContext', { context: top.id }))).toBe('HAS_CHILDREN')
    },
  ],
  [
    'delete: with everything under it',
    async (chain) => {
      const { top } = await family(chain)
      const deleted = await chain('deleteContext', { context: top.id, mode: 'cascade' })
      expect(deleted).toEqual({ deleted: 4, reparented: 0, promoted: 0 })
      expect(await chain('countContexts', {})).toEqual({ count: 0, exact: true })
    },
  ],
  [
    'delete: leaving its children as roots',
    async (chain) => {
      const { top, left, right } = await family(chain)
      const deleted = await chain('deleteContext', { context: top.id, mode: 'orphan-to-root' })
      expect(deleted).toEqual({ deleted: 1, reparented: 0, promoted: 2 })
      for (const { id } of [left, right]) {
        const { context } = await chain('getContext', { context: id })
        expect(context).toMatchObject({ parentId: null, rootId: id, depth: 0 })
      }
    },
  ],
  [
    'delete: leaving its children to its parent',
    async (chain) => {
      const { top, left, grandchild } = await family(chain)
      const deleted = await chain('deleteContext', { context: left.id, mode: 'orphan-to-parent' })
      expect(deleted).toEqual({ deleted: 1, reparented: 1, promoted: 0 })
      const { context } = await chain('getContext', { context: grandchild.id })
      expect(context).toMatchObject({ parentId: top.id, rootId: top.id, depth: 1 })
    },
  ],
  [
    'delete: not what is not there',
    async (chain) => {
      expect(await refusalOf(chain('deleteContext', { context: MISSING }))).toBe('CONTEXT_NOT_FOUND')
    },
  ],
  [
    'list: all, oldest first',
    async (chain) => {
      const { top, left, right, grandchild } = await family(chain)
      const { items, next } = await chain('listContexts', {})
      expect(idsOf(items)).toEqual(idsOf([top, left, right, grandchild]))
      expect(next).toBeNull()
    },
  ],
  [
    'list: those of one memory space',
    async (chain) => {
      const { top } = await family(chain)
      expect(idsOf((await chain('listContexts', { memorySpaceId: 'sales' })).items)).toEqual([top.id])
    },
  ],
  [
    'list: those of one status',
    async (chain) => {
      const { left } = await family(chain)
      await chain('updateContext', { context: left.id, status: 'blocked' })
      expect(idsOf((await chain('listContexts', { status: 'blocked' })).items)).toEqual([left.id])
      expect((await chain('listContexts', { status: 'active' })).items).toHaveLength(3)
    },
  ],
  [
    'list: those of one depth',
    async (chain) => {
      const { top, grandchild } = await family(chain)
      expect(idsOf((await chain('listContexts', { depth: '0' })).items)).toEqual([top.id])
      expect(idsOf((await chain('listContexts', { depth: '2' })).items)).toEqual([grandchild.id])
    },
  ],
  [
    'count: all',
    async (chain) => {
      await family(chain)
      expect(await chain('countContexts', {})).toEqual({ count: 4, exact: true })
    },
  ],
  [
    'count: those of one memory space',
    async (chain) => {
      await family(chain)
      expect(await chain('countContexts', { memorySpaceId: 'finance' })).toEqual({ count: 3, exact: true })
    },
  ],
  [
    'count: those of one status',
    async (chain) => {
      const { left } = await family(chain)
      await chain('updateContext', { context: left.id, status: 'cancelled' })
      expect(await chain('countContexts', { status: 'cancelled' })).toEqual({ count: 1, exact: true })
    },
  ],
  [
    'search: by a word of the purpose',
    async (chain) => {
      const { top } = await family(chain)
      expect(idsOf((await chain('searchContexts', { q: 'REFUND' })).items)).toEqual([top.id])
    },
  ],
  [
    'search: within a filter',
    async (chain) => {
      const { left } = await family(chain)
      await chain('updateContext', { context: left.id, status: 'completed' })
      expect(idsOf((await chain('searchContexts', { q: 'approve', status: 'completed' })).items)).toEqual([left.id])
    },
  ],
  [
    'search: for what nobody has said',
    async (chain) => {
      await family(chain)
      expect(await chain('searchContexts', { q: 'submarine' })).toEqual({ items: [], next: null })
    },
  ],
  [
    'chain: from the middle',
    async (chain) => {
      const { top, left, right, grandchild } = await family(chain)
      const around = await chain('getChain', { context: left.id })
      expect([around.root.id, around.parent?.id, around.depth]).toEqual([top.id, top.id, 1])
      expect(idsOf(around.ancestors)).toEqual([top.id])
      expect(idsOf(around.children.items)).toEqual([grandchild.id])
      expect(idsOf(around.siblings.items)).toEqual([right.id])
    },
  ],
  [
    'chain: from the root',
    async (chain) => {
      const { top, left, right, grandchild } = await family(chain)
      const around = await chain('getChain', { context: top.id })
      expect([around.depth, around.parent, around.ancestors]).toEqual([0, null, []])
      expect(idsOf(around.children.items)).toEqual([left.id, right.id])
      expect(idsOf(around.descendants.items)).toEqual([left.id, right.id, grandchild.id])
    },
  ],
  [
    'chain: from a leaf',
    async (chain) => {
      const { top, left, grandchild } = await family(chain)
      const around = await chain('getChain', { context: grandchild.id })
      expect(around.depth).toBe(2)
      expect(idsOf(around.ancestors)).toEqual([top.id, left.id])
      expect(around.children.items).toEqual([])
    },
  ],
  [
    'chain: not of what is not there',
    async (chain) => {
      expect(await refusalOf(chain('getChain', { context: MISSING }))).toBe('CONTEXT_NOT_FOUND')
    },
  ],
  [
    'root: from any depth',
    async (chain) => {
      const { top, left, grandchild } = await family(chain)
      for (const { id } of [top, left, grandchild]) {
        expect(await chain('getRoot', { context: id })).toMatchObject({ id: top.id, depth: 0 })
      }
    },
  ],
  [
    'root: not of what is not there',
    async (chain) => {
      expect(await refusalOf(chain('getRoot', { context: MISSING }))).toBe('CONTEXT_NOT_FOUND')
    },
  ],
  [
    'children: those right under it',
    async (chain) => {
      const { top, left, right } = await family(chain)
      expect(idsOf((await chain('listChildren', { context: top.id })).items)).toEqual([left.id, right.id])
    },
  ],
  [
    'children: those of one status',
    async (chain) => {
      const { top, left, right } = await family(chain)
      await chain('updateContext', { context: left.id, status: 'completed' })
      const { items } = await chain('listChildren', { context: top.id, status: 'active' })
      expect(idsOf(items)).toEqual([right.id])
    },
  ],
  [
    'children: and theirs, level by level',
    async (chain) => {
      const { top, left, right, grandchild } = await family(chain)
      const { items } = await chain('listDescendants', { context: top.id })
      expect(idsOf(items)).toEqual([left.id, right.id, grandchild.id])
    },
  ],
  [
    'participants: one who joins',
    async (chain) => {
      const made = await root(chain)
      const { participants } = await chain('addParticipant', { context: made.id, participant: 'legal' })
      expect(participants).toEqual(['sales', 'legal'])
    },
  ],
  [
    'participants: not in what is not there',
    async (chain) => {
      const joins = chain('addParticipant', { context: MISSING, participant: 'legal' })
      expect(await refusalOf(joins)).toBe('CONTEXT_NOT_FOUND')
    },
  ],
  [
    'participants: one who joins twice',
    async (chain) => {
      const made = await root(chain)
      await chain('addParticipant', { context: made.id, participant: 'legal' })
      const { participants } = await chain('addParticipant', { context: made.id, participant: 'legal' })
      expect(participants).toEqual(['sales', 'legal'])
    },
  ],
  [
    'access: another memory space may see it',
    async (chain) => {
      const made = await root(chain)
      const { grants } = await chain('grantAccess', { context: made.id, memorySpaceId: 'partner', access: 'read' })
      expect(grants).toMatchObject([{ memorySpaceId: 'partner', access: 'read', givenBy: 'tests' }])
    },
  ],
  [
    'access: not to what is not there',
    async (chain) => {
      const grant = chain('grantAccess', { context: MISSING, memorySpaceId: 'partner' })
      expect(await refusalOf(grant)).toBe('CONTEXT_NOT_FOUND')
    },
  ],
  [
    'tree: a parent names its children',
    async (chain) => {
      const { top, left, right } = await family(chain)
      const { context } = await chain('getContext', { context: top.id })
      expect([context.childIds, context.childCount]).toEqual([[left.id, right.id], 2])
    },
  ],
  [
    'tree: each level is one deeper',
    async (chain) => {
      const { top, left, grandchild } = await family(chain)
      expect([top.depth, left.depth, grandchild.depth]).toEqual([0, 1, 2])
    },
  ],
  [
    'all together: made, changed, listed, counted, deleted',
    async (chain) => {
      const made = await root(chain, { data: { tag: 'marked' } })
      const done = await chain('updateContext', { context: made.id, status: 'completed' })
      expect((await chain('listContexts', { memorySpaceId: 'sales' })).items).toEqual([done])
      expect(await chain('countContexts', { memorySpaceId: 'sales', status: 'completed' })).toEqual({
        count: 1,
        exact: true,
      })
      await chain('deleteContext', { context: made.id })
      expect(await refusalOf(chain('getContext', { context: made.id }))).toBe('CONTEXT_NOT_FOUND')
      expect(await chain('countContexts', { memorySpaceId: 'sales' })).toEqual({ count: 0, exact: true })
    },
  ],
]

describe('what contexts are for', () => {
  it.each(CASES.map(([what, run], index) => ({ n: index + 1, what, run })))(
    '[context-110] operation $n: $what',
    async ({ run }) => {
      await run(await freshChain())
    },
  )

  it('[context-110] there are 43 of them: with the 59 of upstream-validation 102', () => {
    expect(new Set(CASES.map(([what]) => what)).size).toBe(43)
  })
})

/** A root, two children, and a child of the first. */
async function family(chain: Chain) {
  const top = await root(chain)
  const left = await childOf(chain, top)
  const right = await childOf(chain, top)
  const grandchild = await childOf(chain, left, { purpose: 'Pay it out' })
  return { top, left, right, grandchild }
}
