import { describe, expect, it } from 'vitest'
import { MAX_CONTEXT_DEPTH } from '../../worker/chain/context.ts'
import { rows } from '../../worker/chain/scope.ts'
import { childOf, freshChain, idsOf, refusalOf, root } from './support/call.ts'
import { beginErasing } from './support/erasure-running.ts'
import { overtaken } from './support/overtaken.ts'

const MISSING = 'ctx_missing'

describe('creating a context', () => {
  it('a root is its own root, active, at version 1, with its own space as the only participant', async () => {
    const chain = await freshChain()
    const given = {
      description: 'of last week',
      userId: 'ana',
      data: { amount: 500 },
      autoComplete: 'all-settled' as const,
    }
    const created = await root(chain, given)
    expect(created).toEqual({
      id: created.id,
      parentId: null,
      rootId: created.id,
      depth: 0,
      purpose: 'Process a refund',
      memorySpaceId: 'sales',
      ...given,
      childIds: [],
      childCount: 0,
      participants: ['sales'],
      conversationRef: null,
      status: 'active',
      createdAt: created.createdAt,
      updatedAt: created.createdAt,
      completedAt: null,
      version: 1,
      updatedBy: 'tests',
    })
    expect(created.id).toMatch(/^ctx_[\w-]{22}$/)
    expect(await chain('getContext', { context: created.id })).toEqual({ context: created })
  })

  it('[context-8] a child has its parent’s root, one more depth, and is among its children', async () => {
    const chain = await freshChain()
    const top = await root(chain)
    const child = await childOf(chain, top)
    const other = await childOf(chain, top)
    const grandchild = await childOf(chain, child)
    expect([child, grandchild]).toMatchObject([
      { parentId: top.id, rootId: top.id, depth: 1, participants: ['finance'] },
      { parentId: child.id, rootId: top.id, depth: 2 },
    ])
    const { context } = await chain('getContext', { context: top.id })
    expect(context).toMatchObject({
      childIds: [child.id, other.id],
      childCount: 2,
      version: 1,
      participants: ['sales'],
    })
  })

  it('[context-9] refuses a missing parent and a parent at the greatest depth', async () => {
    const chain = await freshChain()
    expect(await refusalOf(childOf(chain, { id: MISSING }))).toBe('PARENT_NOT_FOUND')
    let deepest = await root(chain)
    for (let depth = 1; depth <= MAX_CONTEXT_DEPTH; depth += 1) deepest = await childOf(chain, deepest)
    expect(deepest.depth).toBe(10)
    expect(await refusalOf(childOf(chain, deepest))).toBe('MAX_DEPTH')
  })

  it.each(['completed', 'cancelled'] as const)(
    '[context-9] a parent that is %s takes a child only with underTerminal',
    async (status) => {
      const chain = await freshChain()
      const parent = await root(chain)
      await chain('updateContext', { context: parent.id, status })
      expect(await refusalOf(childOf(chain, parent))).toBe('PARENT_TERMINAL')
      expect(await childOf(chain, parent, { underTerminal: true })).toMatchObject({
        parentId: parent.id,
        status: 'active',
      })
    },
  )

  it.each(['blocked', 'active'] as const)('[context-9] a parent that is %s takes a child', async (status) => {
    const chain = await freshChain()
    const parent = await root(chain)
    if (status === 'blocked') await chain('updateContext', { context: parent.id, status })
    expect(await childOf(chain, parent)).toMatchObject({ depth: 1 })
  })

  it('no child is created under a context that is deleted at the same time', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const chain = await freshChain()
      const parent = await root(chain)
      const [deleted, ...created] = await Promise.allSettled([
        chain('deleteContext', { context: parent.id, mode: turn % 2 ? 'cascade' : 'leaf' }),
        ...[1, 2, 3].map(() => childOf(chain, parent)),
      ])
      const { items: orphans } = await chain('verifyIntegrity', { kind: 'orphan' })
      expect(orphans).toEqual([])
      const refused = created.filter(({ status }) => status === 'rejected')
      const left = await chain('countContexts', {})
      if (turn % 2) expect(left.count).toBe(0)
      else expect([deleted?.status, left.count]).toEqual(refused.length === 3 ? ['fulfilled', 0] : ['rejected', 4])
    }
  })

  it.each([
    { meanwhile: 'is deleted', code: 'PARENT_NOT_FOUND' },
    { meanwhile: 'is cancelled', code: 'PARENT_TERMINAL' },
    { meanwhile: 'sinks to the bottom', code: 'MAX_DEPTH' },
  ])('a parent that $meanwhile while a child is being created', async ({ meanwhile, code }) => {
    const chain = await freshChain()
    const parent = await root(chain)
    const late = await overtaken(chain, async () => {
      if (meanwhile === 'is deleted') await chain('deleteContext', { context: parent.id })
      else if (meanwhile === 'is cancelled') await chain('updateContext', { context: parent.id, status: 'cancelled' })
      else await rows(chain.scope, 'UPDATE contexts SET depth = 10 WHERE tenant = ?1')
    })
    expect(await refusalOf(childOf(late, parent))).toBe(code)
    expect((await chain('listContexts', { parentId: parent.id })).items).toEqual([])
  })

  it('[context-11] a used id is refused, also if the parent takes no more children', async () => {
    const chain = await freshChain()
    const parent = await root(chain, { id: 'ctx_mine' })
    const sent = { id: 'ctx_child' }
    expect(await childOf(chain, parent, sent)).toMatchObject({ id: 'ctx_child', parentId: 'ctx_mine' })
    await chain('updateContext', { context: parent.id, status: 'cancelled' })
    expect(await refusalOf(childOf(chain, parent, sent))).toBe('CONTEXT_EXISTS')
    expect(await refusalOf(childOf(chain, { id: MISSING }, sent))).toBe('CONTEXT_EXISTS')
    expect(await refusalOf(chain('createContext', { ...ASKED, id: 'ctx_mine' }))).toBe('CONTEXT_EXISTS')
  })

  it('[context-11] of several requests at once with one id, one succeeds', async () => {
    const chain = await freshChain()
    const told = await Promise.allSettled([1, 2, 3, 4].map(() => root(chain, { id: 'ctx_mine' })))
    expect(told.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await chain('countContexts', {})).toEqual({ count: 1, exact: true })
  })

  it('keeps the conversation and the messages that caused it', async () => {
    const chain = await freshChain()
    const created = await chain('createContext', ASKED)
    expect(created).toMatchObject({
      parentId: null,
      rootId: created.id,
      userId: 'ana',
      conversationRef: { conversationId: 'conv-456', messageIds: ['msg-089', 'msg-090'] },
    })
    const { items } = await chain('listContexts', { conversationId: 'conv-456' })
    expect(items).toEqual([created])
  })

  it('keeps data unchanged, whatever its keys', async () => {
    const chain = await freshChain()
    const data = JSON.parse(
      '{"constructor":{"prototype":{"spoilt":1}},"prototype":2,"a\\"b":[null,{"x":1.5e300}],"":"","ключ":"\\u0000"}',
    )
    const { id } = await root(chain, { data })
    const { context } = await chain('getContext', { context: id })
    expect(context.data).toEqual(data)
    expect(Reflect.get({}, 'spoilt')).toBeUndefined()
  })

  it('[context-5] does not find a parent of another tenant', async () => {
    const [mine, theirs] = [await freshChain(), await freshChain()]
    expect(await refusalOf(childOf(mine, await root(theirs)))).toBe('PARENT_NOT_FOUND')
    await root(theirs, { id: 'ctx_same' })
    expect(await root(mine, { id: 'ctx_same' })).toMatchObject({ id: 'ctx_same' })
  })

  it('[context-6] refuses a context about a person who is being erased', async () => {
    const chain = await freshChain()
    await beginErasing(chain.scope, 'ana')
    const steps = [
      { purpose: 'one', memorySpaceId: 'sales' },
      { purpose: 'two', memorySpaceId: 'sales', userId: 'ana' },
    ]
    const pattern = { purpose: 'all', memorySpaceId: 'sales' }
    const creating = [
      root(chain, { userId: 'ana' }),
      chain('createContext', ASKED),
      chain('createPattern', { pattern: 'sequence', ...pattern, steps }),
      chain('createPattern', { pattern: 'approval', ...pattern, steps }),
      chain('createPattern', { pattern: 'parallel', ...pattern, steps }),
    ]
    expect(new Set(await Promise.all(creating.map(refusalOf)))).toEqual(new Set(['ERASURE_RUNNING']))
    expect(await chain('countContexts', {})).toEqual({ count: 0, exact: true })
    expect(await root(chain, { userId: 'bo' })).toMatchObject({ userId: 'bo' })
  })

  it('[context-6] refuses it also if the erasure begins meanwhile', async () => {
    const chain = await freshChain()
    const late = await overtaken(chain, () => beginErasing(chain.scope, 'ana'))
    expect(await refusalOf(root(late, { userId: 'ana' }))).toBe('ERASURE_RUNNING')
    expect(await chain('countContexts', {})).toEqual({ count: 0, exact: true })
  })

  it('[context-2] writes several contexts together or not at all', async () => {
    const chain = await freshChain()
    let ids = 0
    const twice = await freshChain({ ...chain.scope, newId: () => `ctx_${Math.min((ids += 1), 3)}` })
    const steps = [1, 2, 3].map((step) => ({ purpose: `step ${step}`, memorySpaceId: 'sales' }))
    await expect(
      twice('createPattern', { pattern: 'sequence', purpose: 'all', memorySpaceId: 'sales', steps }),
    ).rejects.toThrow(/UNIQUE/)
    expect(idsOf((await chain('listContexts', {})).items)).toEqual([])
  })
})

const ASKED = {
  purpose: 'Answer them',
  memorySpaceId: 'support',
  userId: 'ana',
  conversationRef: { conversationId: 'conv-456', messageIds: ['msg-089', 'msg-090'] },
}
