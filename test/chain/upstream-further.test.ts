import { describe, expect, it } from 'vitest'
import { type Chain, childOf, freshChain, idsOf, refusalOf, root } from './support/call.ts'

const MISSING = 'ctx_nobody'

type Case = readonly [what: string, run: (chain: Chain) => Promise<void>]

/** Versions, changes to many, what is asked now and then. */
const CASES: readonly Case[] = [
  [
    'versions: each is read by its number, in a row, and by its time',
    async (chain) => {
      const { id } = await root(chain, { data: { value: 'one' } })
      const second = await chain('updateContext', { context: id, data: { value: 'two' } })
      const third = await chain('updateContext', { context: id, status: 'completed', data: { value: 'three' } })
      const { items } = await chain('listVersions', { context: id })
      expect(items.map(({ version, data }) => [version, data['value']])).toEqual([
        [1, 'one'],
        [2, 'two'],
        [3, 'three'],
      ])
      for (const item of items) {
        expect(await chain('getVersion', { context: id, version: String(item.version) })).toEqual(item)
      }
      const at = async (time: number) => (await chain('getStateAt', { context: id, time: String(time) })).state?.version
      expect([await at(second.updatedAt), await at(third.updatedAt + 1_000)]).toEqual([2, 3])
    },
  ],
  [
    'versions: a number that was never reached',
    async (chain) => {
      const { id } = await root(chain)
      expect(await refusalOf(chain('getVersion', { context: id, version: '999' }))).toBe('VERSION_NOT_FOUND')
    },
  ],
  [
    'versions: of what was never changed there is one',
    async (chain) => {
      const { id } = await root(chain, { data: { value: 'only' } })
      const { items } = await chain('listVersions', { context: id })
      expect(items).toMatchObject([{ version: 1, status: 'active', data: { value: 'only' }, updatedBy: 'tests' }])
    },
  ],
  [
    'versions: no history of what is not there',
    async (chain) => {
      expect(await refusalOf(chain('listVersions', { context: MISSING }))).toBe('CONTEXT_NOT_FOUND')
    },
  ],
  [
    'versions: no version of what is not there',
    async (chain) => {
      expect(await refusalOf(chain('getVersion', { context: MISSING, version: '1' }))).toBe('CONTEXT_NOT_FOUND')
    },
  ],
  [
    'versions: nothing before it was made',
    async (chain) => {
      const { id, createdAt } = await root(chain)
      expect(await chain('getStateAt', { context: id, time: String(createdAt - 1) })).toEqual({ state: null })
    },
  ],
  [
    'versions: no moment of what is not there',
    async (chain) => {
      expect(await refusalOf(chain('getStateAt', { context: MISSING, time: '1' }))).toBe('CONTEXT_NOT_FOUND')
    },
  ],
  [
    'versions: at the very time of a change it is the new one',
    async (chain) => {
      const { id } = await root(chain)
      const { updatedAt } = await chain('updateContext', { context: id, data: { value: 2 } })
      const at = async (time: number) => (await chain('getStateAt', { context: id, time: String(time) })).state?.version
      expect([await at(updatedAt - 1), await at(updatedAt)]).toEqual([1, 2])
    },
  ],
  [
    'many: changed by a filter',
    async (chain) => {
      const first = await root(chain, { userId: 'ana', data: { importance: 50 } })
      const second = await root(chain, { userId: 'ana', data: { importance: 70 } })
      const other = await root(chain, { userId: 'bo' })
      const filter = { userId: 'ana', status: 'active' } as const
      const changed = await chain('updateContexts', { filter, updates: { data: { reviewed: true } } })
      expect(changed).toEqual({ updated: 2, ids: [first.id, second.id], skipped: [], next: null })
      const { items } = await chain('listContexts', { userId: 'ana' })
      expect(items.map(({ version, data }) => [version, data])).toEqual([
        [2, { importance: 50, reviewed: true }],
        [2, { importance: 70, reviewed: true }],
      ])
      expect((await chain('getContext', { context: other.id })).context).toEqual(other)
    },
  ],
  [
    'many: deleted with everything under them',
    async (chain) => {
      const top = await root(chain)
      await childOf(chain, top, { memorySpaceId: 'sales' })
      await childOf(chain, top, { memorySpaceId: 'sales' })
      const other = await root(chain, { memorySpaceId: 'legal' })
      const deleted = await chain('deleteContexts', { filter: { memorySpaceId: 'sales' }, mode: 'cascade' })
      expect(deleted).toMatchObject({ deleted: 3, skipped: [], next: null })
      expect(deleted.ids).toHaveLength(3)
      expect(idsOf((await chain('listContexts', {})).items)).toEqual([other.id])
    },
  ],
  [
    'many: none that fits is none changed',
    async (chain) => {
      const updates = { status: 'completed' } as const
      const changed = await chain('updateContexts', { filter: { memorySpaceId: 'nobody' }, updates })
      expect(changed).toEqual({ updated: 0, ids: [], skipped: [], next: null })
    },
  ],
  [
    'many: none that fits is none deleted',
    async (chain) => {
      const deleted = await chain('deleteContexts', { filter: { memorySpaceId: 'nobody' } })
      expect(deleted).toEqual({ deleted: 0, reparented: 0, promoted: 0, ids: [], skipped: [], next: null })
    },
  ],
  [
    'participants: one who leaves, and one who stays',
    async (chain) => {
      const { id } = await root(chain)
      await chain('addParticipant', { context: id, participant: 'one' })
      await chain('addParticipant', { context: id, participant: 'two' })
      const left = await chain('removeParticipant', { context: id, participant: 'one' })
      expect(left.participants).toEqual(['sales', 'two'])
      expect((await chain('getContext', { context: id })).context.participants).toEqual(['sales', 'two'])
    },
  ],
  [
    'participants: nobody leaves what is not there',
    async (chain) => {
      const leaves = chain('removeParticipant', { context: MISSING, participant: 'one' })
      expect(await refusalOf(leaves)).toBe('CONTEXT_NOT_FOUND')
    },
  ],
  [
    'queries: what came of a conversation',
    async (chain) => {
      const from = (messageId: string) =>
        chain('createFromConversation', {
          purpose: 'Look into it',
          memorySpaceId: 'sales',
          userId: 'ana',
          conversationId: 'conv-1',
          messageIds: [messageId],
        })
      const made = [await from('m-1'), await from('m-2')]
      await root(chain)
      const { items } = await chain('listContexts', { conversationId: 'conv-1' })
      expect(items).toEqual(made)
      expect(items.map(({ conversationRef }) => conversationRef?.messageIds)).toEqual([['m-1'], ['m-2']])
    },
  ],
  [
    'queries: a delete that leaves children alone makes no orphans',
    async (chain) => {
      const parent = await root(chain)
      const child = await childOf(chain, parent, { memorySpaceId: 'sales' })
      const deleted = await chain('deleteContexts', { filter: { memorySpaceId: 'sales', depth: 0 }, mode: 'leaf' })
      expect(deleted).toMatchObject({ deleted: 0, skipped: [{ id: parent.id, code: 'HAS_CHILDREN' }] })
      expect((await chain('getContext', { context: child.id })).context.parentId).toBe(parent.id)
      expect(await chain('listOrphans', {})).toEqual({ items: [], next: null })
    },
  ],
  [
    'export: as JSON',
    async (chain) => {
      const made = [await root(chain, { userId: 'ana' }), await root(chain, { userId: 'ana' })]
      await root(chain, { userId: 'bo' })
      expect(await chain('exportContexts', { userId: 'ana' })).toEqual({ items: made, next: null })
    },
  ],
  [
    'export: as a table',
    async (chain) => {
      const made = await root(chain, { purpose: 'In a table' })
      const { csv, next } = await chain('exportContextsCsv', { memorySpaceId: 'sales' })
      const [head = '', row = '', ...rest] = csv.trimEnd().split('\r\n')
      expect(head.split(',')).toEqual(expect.arrayContaining(['id', 'purpose']))
      expect([row.includes(made.id), row.includes('In a table'), rest, next]).toEqual([true, true, [], null])
    },
  ],
  [
    'export: with what each has been',
    async (chain) => {
      const { id } = await root(chain)
      await chain('updateContext', { context: id, data: { update: 1 } })
      await chain('updateContext', { context: id, data: { update: 2 } })
      const { items } = await chain('exportContexts', { memorySpaceId: 'sales', history: 'true' })
      expect(items).toMatchObject([{ version: 3, data: { update: 2 } }])
      expect(items[0]?.previousVersions).toMatchObject([
        { version: 1, data: {} },
        { version: 2, data: { update: 1 } },
      ])
    },
  ],
]

describe('what else contexts are for', () => {
  it.each(CASES.map(([what, run], index) => ({ n: index + 1, what, run })))(
    '[context-113] further operation $n: $what',
    async ({ run }) => {
      await run(await freshChain())
    },
  )

  it('[context-113] there are 19 of them', () => {
    expect(new Set(CASES.map(([what]) => what)).size).toBe(19)
  })

  it('[context-113] what one tenant deletes is nothing to another, whose tree still grows', async () => {
    const chain = await freshChain()
    const other = await freshChain()
    const parent = await root(other)
    await root(chain)
    await chain('deleteContexts', { filter: { memorySpaceId: 'sales' }, mode: 'cascade' })
    expect(await chain('countContexts', {})).toEqual({ count: 0, exact: true })
    expect((await childOf(other, parent)).parentId).toBe(parent.id)
  })
})
