import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { commit } from '../../worker/chain/commit.ts'
import { deleteMemory, getMemory } from '../../worker/chain/memories/read-memory.ts'
import { listMemories } from '../../worker/chain/memories/list-memories.ts'
import type { MemoryWhere } from '../../worker/chain/memories/memory-where.ts'
import { memoryInsert } from '../../worker/chain/memories/store-memory.ts'
import { subjectOf } from '../../worker/chain/people/tombstones.ts'
import { type Scope, statement } from '../../worker/chain/scope.ts'
import { freshScope } from './support/fresh-scope.ts'
import { remember } from './support/memories.ts'
import { plant } from './support/plant.ts'
import { plansOf, watched } from './support/watched.ts'

const ALL = { limit: 100 }
const contentsOf = async (scope: Scope, where: MemoryWhere) =>
  (await listMemories(scope, { ...ALL, ...where })).items.map(({ content }) => content)

describe('remembering', () => {
  it('[memory-1] keeps everything unchanged', async () => {
    const scope = await freshScope()
    const given = {
      id: 'mem_1',
      userId: 'ada',
      kind: 'said',
      importance: 80,
      conversationRef: { conversationId: 'conv', messageIds: ['a'] },
      metadata: { tags: ['x'], deep: { nothing: null } },
    } as const
    const memory = await remember(scope, 'Ships on Thursday', given)
    expect(memory).toEqual({
      ...given,
      memorySpaceId: 'maya',
      content: 'Ships on Thursday',
      contextId: null,
      rootId: null,
      workflowPurpose: null,
      createdAt: 1_800_000_000_001,
    })
    expect(await getMemory(scope, { memory: 'mem_1' })).toEqual(memory)
    expect((await remember(scope, 'no id')).id).toMatch(/^mem_[\w-]{22}$/)
  })

  it('[memory-1] takes root, purpose, conversation and person from its context', async () => {
    const scope = await freshScope()
    await plant(scope, [
      { id: 'ctx_root' },
      {
        id: 'ctx_child',
        rootId: 'ctx_root',
        userId: 'ada',
        purpose: 'Hear it out',
        conversationId: 'conv',
        messageIds: ['m1', 'm2'],
      },
    ])
    const taken = { contextId: 'ctx_child', rootId: 'ctx_root', workflowPurpose: 'Hear it out', userId: 'ada' }
    const conversationRef = { conversationId: 'conv', messageIds: ['m1', 'm2'] }
    const contextId = 'ctx_child'
    expect(await remember(scope, 'one', { contextId })).toMatchObject({ ...taken, conversationRef })
    const own = { conversationRef: { conversationId: 'other', messageIds: [] }, userId: 'bo' }
    expect(await remember(scope, 'two', { contextId, ...own })).toMatchObject({ ...taken, ...own })
    expect(await remember(scope, 'three', { contextId: 'ctx_root' })).toMatchObject({
      userId: null,
      conversationRef: null,
    })
  })

  it('[memory-1] refuses a missing context and a used id, and changes nothing', async () => {
    const scope = await freshScope()
    const other = await freshScope()
    await plant(other, [{ id: 'ctx_theirs' }])
    await expect(remember(scope, 'x', { contextId: 'ctx_theirs' })).rejects.toMatchObject({
      code: 'CONTEXT_NOT_FOUND',
      pointer: '/body/contextId',
    })
    await remember(scope, 'first', { id: 'mem_1' })
    await expect(remember(scope, 'second', { id: 'mem_1' })).rejects.toMatchObject({ code: 'MEMORY_EXISTS' })
    await remember(other, 'another tenant has ids of its own', { id: 'mem_1' })
    expect(await contentsOf(scope, {})).toEqual(['first'])
  })

  it('[memory-1] of two requests at once with one id, one succeeds', async () => {
    const scope = await freshScope()
    const asked = ['a', 'b', 'c', 'd'].map((content) => remember(scope, content, { id: 'mem_1' }))
    const came = await Promise.allSettled(asked)
    expect(came.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await contentsOf(scope, {})).toHaveLength(1)
  })

  it('[memory-10] writes nothing about a person who is being erased, by their context neither', async () => {
    const scope = await freshScope()
    await plant(scope, [{ id: 'ctx_root', userId: 'ada' }])
    const mark = "INSERT INTO tombstones (tenant, subject, kind, at, running) VALUES (?1, ?2, 'person', 1, 1)"
    await commit(scope, { guards: [], writes: [statement(scope, mark, await subjectOf(scope, 'ada'))] })
    for (const own of [{ userId: 'ada' }, { contextId: 'ctx_root' }])
      await expect(remember(scope, 'x', own)).rejects.toMatchObject({ code: 'ERASURE_RUNNING' })
    await remember(scope, 'about somebody else', { userId: 'bo' })
    expect(await contentsOf(scope, {})).toEqual(['about somebody else'])
  })
})

describe('finding what is remembered', () => {
  it('[memory-2] a workflow has the memories of all its contexts, in order of time', async () => {
    const scope = await freshScope()
    const tree = [{ id: 'ctx_root' }, { id: 'ctx_a', rootId: 'ctx_root' }, { id: 'ctx_b', rootId: 'ctx_root' }]
    await plant(scope, [...tree, { id: 'ctx_other' }])
    const wanted = ['ctx_b', 'ctx_other', 'ctx_root', 'ctx_a', 'ctx_b']
    for (const [at, contextId] of wanted.entries())
      await remember(scope, `${at} ${contextId}`, { contextId, memorySpaceId: `space-${at}` })
    expect(await contentsOf(scope, { rootId: 'ctx_root' })).toEqual(['0 ctx_b', '2 ctx_root', '3 ctx_a', '4 ctx_b'])
    expect(await contentsOf(scope, { contextId: 'ctx_b' })).toEqual(['0 ctx_b', '4 ctx_b'])
    expect(await contentsOf(scope, { rootId: 'ctx_root', memorySpaceId: 'space-3' })).toEqual(['3 ctx_a'])
  })

  it('[memory-2] memories move with their context, and outlive it', async () => {
    const scope = await freshScope()
    await plant(scope, [{ id: 'ctx_root' }, { id: 'ctx_a', rootId: 'ctx_root', purpose: 'secret' }])
    await remember(scope, 'told', { contextId: 'ctx_a' })
    const promote = "UPDATE contexts SET root_id = id, parent_id = NULL, depth = 0 WHERE tenant = ?1 AND id = 'ctx_a'"
    await commit(scope, { guards: [], writes: [statement(scope, promote)] })
    expect(await contentsOf(scope, { rootId: 'ctx_root' })).toEqual([])
    expect(await contentsOf(scope, { rootId: 'ctx_a' })).toEqual(['told'])
    const remove = "DELETE FROM contexts WHERE tenant = ?1 AND id = 'ctx_a'"
    await commit(scope, { guards: [], writes: [statement(scope, remove)] })
    expect((await listMemories(scope, ALL)).items).toMatchObject([
      { content: 'told', contextId: null, rootId: null, workflowPurpose: null },
    ])
    expect(await contentsOf(scope, { rootId: 'ctx_a' })).toEqual([])
  })

  it('[memory-3] pages hold every memory once, also if new ones come in between', async () => {
    const scope = await freshScope({ now: () => 7 })
    for (let i = 0; i < 7; i += 1) await remember(scope, `${i}`, { userId: i % 2 === 0 ? 'ada' : 'bo' })
    const seen: string[] = []
    let cursor: string | undefined
    for (;;) {
      const page = await listMemories(scope, { limit: 2, userId: 'ada', ...(cursor === undefined ? {} : { cursor }) })
      seen.push(...page.items.map(({ content }) => content))
      if (seen.length === 2) await remember(scope, 'late', { userId: 'ada' })
      if (page.next === null) break
      cursor = page.next
    }
    expect(seen).toEqual(['0', '2', '4', '6', 'late'])
    for (const wrong of ['x', '1', '1.2.3', "1.2' OR 1=1", `${10 ** 16}.1`])
      await expect(listMemories(scope, { limit: 2, cursor: wrong })).rejects.toMatchObject({ code: 'INVALID_CURSOR' })
  })

  it('[memory-3] a late memory is at its own time, and shifts no later page', async () => {
    const scope = await freshScope()
    for (const content of ['1', '2', '3', '4']) await remember(scope, content, { id: `mem_${content}` })
    const first = await listMemories(scope, { limit: 2 })
    const { createdAt } = await getMemory(scope, { memory: 'mem_1' })
    const late = { id: 'mem_late', memorySpaceId: 'maya', userId: null, content: 'late', kind: 'note' } as const
    const rest = { importance: 50, rootId: null, purpose: null, conversationRef: null, metadata: {}, createdAt }
    await commit(scope, { guards: [], writes: [memoryInsert(scope, { ...late, ...rest })] })
    const second = await listMemories(scope, { limit: 9, cursor: first.next ?? '' })
    expect([...first.items, ...second.items].map(({ content }) => content)).toEqual(['1', '2', '3', '4'])
    expect(await contentsOf(scope, {})).toEqual(['1', 'late', '2', '3', '4'])
  })

  it.each<[string, MemoryWhere]>([
    ['memories_by_time', {}],
    ['memories_by_space', { memorySpaceId: 'x' }],
    ['memories_by_user', { userId: 'x' }],
    ['memories_by_context', { contextId: 'x' }],
    ['memories_by_root', { rootId: 'x' }],
    ['memories_by_conversation', { conversationId: 'x' }],
  ])('[memory-3] a page by %s is read off its index, in order', async (index, where) => {
    const scope = await freshScope()
    const { scope: seen, watch } = watched(scope)
    await listMemories(seen, { ...where, limit: 10, cursor: '1.1' })
    expect(await plansOf(env.DB, watch)).toEqual([
      expect.stringMatching(new RegExp(`^SEARCH memories USING INDEX ${index} \\(tenant=`)),
    ])
  })

  it('[memory-8] a deleted memory is gone everywhere', async () => {
    const scope = await freshScope()
    const { id } = await remember(scope, 'Ships on Thursday')
    const other = await freshScope()
    await expect(deleteMemory(other, { memory: id })).rejects.toMatchObject({ code: 'MEMORY_NOT_FOUND' })
    await expect(getMemory(other, { memory: id })).rejects.toMatchObject({ code: 'MEMORY_NOT_FOUND' })
    expect(await deleteMemory(scope, { memory: id })).toEqual({ deleted: 1 })
    await expect(deleteMemory(scope, { memory: id })).rejects.toMatchObject({ code: 'MEMORY_NOT_FOUND' })
    await expect(getMemory(scope, { memory: id })).rejects.toMatchObject({ code: 'MEMORY_NOT_FOUND' })
  })
})
