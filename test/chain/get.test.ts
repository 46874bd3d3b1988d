import { describe, expect, it } from 'vitest'
import { getContext, getConversation, inheritedData } from '../../worker/chain/contexts/get-context.ts'
import { freshScope } from './support/fresh-scope.ts'
import { change, plant, PLANTED_AT } from './support/plant.ts'

const alone = { children: false, inherited: false }

describe('getting a context', () => {
  it('gives the context alone by default', async () => {
    const scope = await freshScope()
    await plant(scope, [
      { id: 'ctx_root', userId: 'ada', conversationId: 'talk', messageIds: ['m1'], data: { amount: 500 } },
      { id: 'ctx_a', parentId: 'ctx_root' },
      { id: 'ctx_b', parentId: 'ctx_root' },
    ])
    const { context, ...more } = await getContext(scope, { context: 'ctx_root', ...alone })
    expect(more).toEqual({})
    expect(context).toEqual({
      id: 'ctx_root',
      parentId: null,
      rootId: 'ctx_root',
      depth: 0,
      purpose: 'work on ctx_root',
      description: null,
      memorySpaceId: 'desk',
      userId: 'ada',
      childIds: ['ctx_a', 'ctx_b'],
      childCount: 2,
      participants: ['desk'],
      conversationRef: { conversationId: 'talk', messageIds: ['m1'] },
      data: { amount: 500 },
      status: 'active',
      autoComplete: 'never',
      createdAt: PLANTED_AT,
      updatedAt: PLANTED_AT,
      completedAt: null,
      version: 1,
      updatedBy: 'tests',
    })
    await expect(getContext(scope, { context: 'ctx_nobody', ...alone })).rejects.toMatchObject({
      code: 'CONTEXT_NOT_FOUND',
    })
    await expect(getContext(scope, { context: 'ctx_nobody', children: true, inherited: true })).rejects.toMatchObject({
      code: 'CONTEXT_NOT_FOUND',
    })
  })

  it('names a thousand child ids, counts all children, and gives a hundred', async () => {
    const scope = await freshScope()
    const children = Array.from({ length: 1_003 }, (_, at) => `ctx_${at}`)
    await plant(scope, [{ id: 'ctx_root' }, ...children.map((id) => ({ id, parentId: 'ctx_root' }))])
    const got = await getContext(scope, { context: 'ctx_root', children: true, inherited: false })
    expect(got.context.childIds).toEqual(children.slice(0, 1_000))
    expect(got.context.childCount).toBe(1_003)
    expect(got.children?.map(({ id }) => id)).toEqual(children.slice(0, 100))
  })

  it('[context-57] inherits the nearest value of each key, with its source', async () => {
    const scope = await freshScope()
    await plant(scope, [
      { id: 'ctx_root', data: { amount: 500, approved: true, from: { deep: 1 } } },
      { id: 'ctx_mid', parentId: 'ctx_root', data: { approved: null, by: 'finance' } },
      { id: 'ctx_leaf', parentId: 'ctx_mid', data: { from: { other: 2 } } },
    ])
    const { context, inherited } = await getContext(scope, { context: 'ctx_leaf', children: false, inherited: true })
    expect(context.data).toEqual({ from: { other: 2 } })
    expect({ ...inherited?.data }).toEqual({ amount: 500, approved: null, by: 'finance', from: { other: 2 } })
    expect({ ...inherited?.from }).toEqual({
      amount: 'ctx_root',
      approved: 'ctx_mid',
      by: 'ctx_mid',
      from: 'ctx_leaf',
    })
    expect(inherited?.chain.map(({ id }) => id)).toEqual(['ctx_root', 'ctx_mid', 'ctx_leaf'])
  })

  it('[context-57] ignores undefined, and no key changes a prototype', () => {
    const hostile = JSON.parse('{"__proto__": {"admin": true}, "constructor": 1, "prototype": 2, "own": 3}')
    const { data, from } = inheritedData([
      { id: 'ctx_a', data: { kept: 1, toString: 'mine' } },
      { id: 'ctx_b', data: { kept: undefined, ...hostile } },
      { id: 'ctx_c', data: hostile },
    ])
    expect(Object.getPrototypeOf(data)).toBeNull()
    expect(Object.getPrototypeOf(from)).toBeNull()
    expect(JSON.parse(JSON.stringify({ data, from }))).toEqual({
      data: { kept: 1, toString: 'mine', own: 3 },
      from: { kept: 'ctx_a', toString: 'ctx_a', own: 'ctx_c' },
    })
    expect('admin' in {}).toBe(false)
    expect(Object.keys(hostile)).toContain('__proto__')
  })

  it('gives the conversation it came from, with the messages that caused it', async () => {
    const messages = ['m1', 'm2', 'm3'].map((id, at) => ({ id, who: 'learner' as const, text: `says ${id}`, at }))
    const asked: string[] = []
    const scope = await freshScope({
      conversations: {
        transcript: (session) => {
          asked.push(session)
          return Promise.resolve(session === 'talk' ? messages : null)
        },
      },
    })
    await plant(scope, [
      { id: 'ctx_a', conversationId: 'talk', messageIds: ['m3', 'm1', 'm9'] },
      { id: 'ctx_b', conversationId: 'gone', messageIds: ['m1'] },
      { id: 'ctx_c' },
    ])
    expect(await getConversation(scope, { context: 'ctx_a' })).toMatchObject({
      context: { id: 'ctx_a' },
      conversation: { conversationId: 'talk', messages },
      triggerMessages: [{ id: 'm1' }, { id: 'm3' }],
    })
    for (const context of ['ctx_b', 'ctx_c'])
      expect(await getConversation(scope, { context })).toMatchObject({ conversation: null, triggerMessages: [] })
    expect(asked).toEqual(['talk', 'gone'])
    await change(scope, "DELETE FROM contexts WHERE tenant = ?1 AND id = 'ctx_a'")
    await expect(getConversation(scope, { context: 'ctx_a' })).rejects.toMatchObject({ code: 'CONTEXT_NOT_FOUND' })
  })
})
