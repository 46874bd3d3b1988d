import { describe, expect, it } from 'vitest'
import { ask } from './support/ask.ts'
import { misplaced } from './support/broken-laws.ts'
import { type Chain, childOf, freshChain, idsOf, refusalOf, root } from './support/call.ts'
import { write } from './support/damage.ts'
import { eraseWhole, foreseen } from './support/erase.ts'
import { problemsFound } from './support/problems-found.ts'
import { storedIn } from './support/stored.ts'
import { plansOf, watched } from './support/watched.ts'

const STEP = { purpose: 'Do it', memorySpaceId: 'sales' }

/** What the source document says that cannot be, and what is instead: the rows B2-1 to B2-18. */
describe('contradictions of the source document', () => {
  it('[context-115] B2-1: a root never has another root than itself, from its first row on', async () => {
    const chain = await freshChain()
    const made = await root(chain)
    expect(made.rootId).toBe(made.id)
    expect(await storedIn(chain.scope)).toMatchObject({
      contexts: [{ id: made.id, root_id: made.id, version: 1 }],
      versions: [],
    })
  })

  it('[context-115] B2-2: whose it is has one name, in requests, answers, filters and participants', async () => {
    expect(problemsFound('createContext', 'body', { purpose: 'Audit', agentId: 'sales' })).toEqual([
      'MISSING_REQUIRED_FIELD /body/memorySpaceId',
      'UNKNOWN_FIELD /body/agentId',
    ])
    const chain = await freshChain()
    const made = await root(chain, { memorySpaceId: 'legal' })
    expect([made.memorySpaceId, made.participants]).toEqual(['legal', ['legal']])
    const { items } = await chain('listContexts', { memorySpaceId: 'legal', status: 'active' })
    expect(items).toEqual([made])
  })

  it('[context-115] B2-3: a parent has a child once, from the moment the child is there, and none that was refused', async () => {
    const chain = await freshChain()
    const parent = await root(chain)
    const child = await childOf(chain, parent, { id: 'ctx_mine' })
    expect(await refusalOf(childOf(chain, parent, { id: 'ctx_mine' }))).toBe('CONTEXT_EXISTS')
    const { context } = await chain('getContext', { context: parent.id })
    expect([context.childIds, context.childCount]).toEqual([[child.id], 1])
  })

  it.each(['completed', 'cancelled'] as const)(
    '[context-115] B2-4: nothing is begun under what is %s, unless that is asked for',
    async (status) => {
      const chain = await freshChain()
      const parent = await root(chain)
      await chain('updateContext', { context: parent.id, status })
      expect(await refusalOf(childOf(chain, parent))).toBe('PARENT_TERMINAL')
      expect((await childOf(chain, parent, { underTerminal: true })).parentId).toBe(parent.id)
    },
  )

  it.each(['blocked', 'cancelled'] as const)(
    '[context-115] B2-5: a parent that is %s is not completed with its children, and that is no error',
    async (status) => {
      const chain = await freshChain()
      const parent = await root(chain, { autoComplete: 'all-completed' })
      const child = await childOf(chain, parent)
      await chain('updateContext', { context: child.id, status: 'completed' })
      await chain('updateContext', { context: parent.id, status })
      const answer = await chain('completeParents', { context: child.id })
      expect(answer).toEqual({ completed: [], skipped: { id: parent.id, reason: 'not-active' } })
    },
  )

  it.each([
    ['never', 'never'],
    ['all-completed', 'children-open'],
    ['all-settled', null],
  ] as const)(
    '[context-115] B2-5: with a child that was cancelled, %s is skipped for %s',
    async (autoComplete, reason) => {
      const chain = await freshChain()
      const parent = await root(chain, { autoComplete })
      const child = await childOf(chain, parent)
      await chain('updateContext', { context: child.id, status: 'cancelled' })
      const { completed, skipped } = await chain('completeParents', { context: child.id })
      expect([completed, skipped?.reason ?? null]).toEqual([reason === null ? [parent.id] : [], reason])
    },
  )

  it('[context-115] B2-5: an approval that has still to be given is not given by the one under it', async () => {
    const chain = await freshChain()
    const { chain: levels } = await chain('createApproval', { ...STEP, approvals: [STEP, STEP] })
    const [request, manager, finance] = idsOf(levels)
    await chain('updateContext', { context: request!, status: 'completed' })
    await chain('updateContext', { context: manager!, status: 'blocked' })
    await chain('updateContext', { context: finance!, status: 'active' })
    await chain('updateContext', { context: finance!, status: 'completed' })
    const { completed, skipped } = await chain('completeParents', { context: finance! })
    expect([completed, skipped]).toEqual([[], { id: manager, reason: 'never' }])
    expect((await chain('getContext', { context: manager! })).context).toMatchObject({ status: 'blocked', data: {} })
  })

  it('[context-115] B2-6: a change says who made it, wants what is there, and can insist on the version it is based on', async () => {
    const chain = await freshChain()
    const { id } = await root(chain)
    expect(await refusalOf(chain('updateContext', { context: 'ctx_nobody', status: 'blocked' }))).toBe(
      'CONTEXT_NOT_FOUND',
    )
    const changed = await chain('updateContext', { context: id, data: { a: 1 }, by: 'ana', expectedVersion: 1 })
    expect(changed).toMatchObject({ version: 2, updatedBy: 'ana' })
    const late = chain('updateContext', { context: id, data: { a: 2 }, by: 'bo', expectedVersion: 1 })
    expect(await refusalOf(late)).toBe('VERSION_CONFLICT')
    const { items } = await chain('listVersions', { context: id })
    expect(items.map(({ updatedBy }) => updatedBy)).toEqual(['tests', 'ana'])
  })

  it('[context-115] B2-7: of a lineage and of a workflow each has its own count', async () => {
    const chain = await freshChain()
    const top = await root(chain)
    const middle = await childOf(chain, top)
    await childOf(chain, middle)
    await childOf(chain, await childOf(chain, top))
    const { lineageNodes, workflowNodes } = await chain('getChain', { context: middle.id })
    expect([lineageNodes, workflowNodes]).toEqual([3, 5])
  })

  it('[context-115] B2-8: a circle and a parent that is gone end every way up and down', async () => {
    const chain = await freshChain()
    const top = await root(chain)
    const middle = await childOf(chain, top)
    const leaf = await childOf(chain, middle)
    await write(chain.scope, 'UPDATE contexts SET parent_id = ?2 WHERE tenant = ?1 AND id = ?3', leaf.id, top.id)
    const circle = await chain('getChain', { context: middle.id })
    expect(idsOf(circle.descendants.items)).toContain(leaf.id)
    expect(idsOf(circle.ancestors)).toContain(top.id)
    await write(chain.scope, "UPDATE contexts SET parent_id = 'ctx_gone' WHERE tenant = ?1 AND id = ?2", top.id)
    const dangling = await chain('getChain', { context: leaf.id })
    expect(idsOf(dangling.ancestors)).toEqual([top.id, middle.id])
    expect((await chain('getContext', { context: leaf.id, inherited: 'true' })).inherited?.chain).toHaveLength(3)
  })

  it('[context-115] B2-9: the nearer value holds, null too; what is not said hides nothing; no key reaches beyond the data', async () => {
    const chain = await freshChain()
    const above = JSON.parse('{"amount":500,"approved":true,"__proto__":{"polluted":true},"constructor":1}')
    const top = await root(chain, { data: above })
    const middle = await childOf(chain, top, { data: { approved: null, by: 'manager' } })
    const leaf = await childOf(chain, middle, { data: { by: 'finance' } })
    const { inherited } = await chain('getContext', { context: leaf.id, inherited: 'true' })
    expect(inherited?.data).toEqual({ amount: 500, approved: null, by: 'finance' })
    expect(inherited?.from).toEqual({ amount: top.id, approved: middle.id, by: leaf.id })
    expect([{}, inherited?.data].filter((each) => 'polluted' in Object(each))).toEqual([])
  })

  it('[context-115] B2-9: an approval that was not given yet hides nothing of the request', async () => {
    const chain = await freshChain()
    const { chain: levels } = await chain('createApproval', {
      ...STEP,
      data: { approved: 'so far' },
      approvals: [STEP],
    })
    const { inherited } = await chain('getContext', { context: levels[1]!.id, inherited: 'true' })
    expect(inherited?.data).toEqual({ approved: 'so far' })
  })

  it('[context-115] B2-10: of a workflow all memories are found, those of its children too', async () => {
    const chain = await freshChain()
    const top = await root(chain)
    const child = await childOf(chain, top)
    const other = await root(chain)
    const of = ({ id }: { readonly id: string }, content: string) =>
      chain('storeMemory', { memorySpaceId: 'sales', content, contextId: id })
    const stored = [await of(top, 'Asked for 500'), await of(child, 'Approved')]
    await of(other, 'Something else')
    expect(idsOf((await chain('listMemories', { rootId: top.id })).items)).toEqual(idsOf(stored))
  })

  it('[context-115] B2-11: steps go one after the other', async () => {
    const chain = await freshChain()
    const { steps } = await chain('createSequence', { ...STEP, steps: [STEP, STEP, STEP] })
    const statuses = async () => {
      const { items } = await chain('listChildren', { context: steps[0]!.parentId! })
      return items.map(({ status }) => status)
    }
    expect(await statuses()).toEqual(['active', 'blocked', 'blocked'])
    await chain('updateContext', { context: steps[0]!.id, status: 'completed' })
    expect(await statuses()).toEqual(['completed', 'active', 'blocked'])
    await chain('updateContext', { context: steps[1]!.id, status: 'completed' })
    expect(await statuses()).toEqual(['completed', 'completed', 'active'])
  })

  it('[context-115] B2-12: three levels are two deep', async () => {
    const chain = await freshChain()
    const { levels, maxDepth, chain: made } = await chain('createApproval', { ...STEP, approvals: [STEP, STEP] })
    expect([levels, maxDepth, made.map(({ depth }) => depth)]).toEqual([3, 2, [0, 1, 2]])
  })

  it('[context-115] B2-13: tasks that go on at once belong to somebody and stand under their root', async () => {
    const chain = await freshChain()
    const made = await chain('createParallel', { ...STEP, tasks: [STEP, { ...STEP, memorySpaceId: 'legal' }] })
    expect(made.root).toMatchObject({ memorySpaceId: 'sales', childCount: 2 })
    expect(made.tasks).toMatchObject([
      { memorySpaceId: 'sales', parentId: made.root.id, status: 'active' },
      { memorySpaceId: 'legal', parentId: made.root.id, status: 'active' },
    ])
  })

  it.each([
    ['delete', 0],
    ['promote', 2],
  ] as const)(
    '[context-115] B2-14: a cleaning of orphans by %s leaves none behind, and %i contexts',
    async (mode, left) => {
      const chain = await freshChain()
      await orphaned(chain)
      expect(await chain('repairOrphans', { mode })).toEqual({ cleaned: mode === 'delete' ? 2 : 1, left: 0 })
      expect(await chain('countContexts', {})).toEqual({ count: left, exact: true })
      expect(misplaced(await storedIn(chain.scope))).toEqual([])
      expect((await chain('listOrphans', {})).items).toEqual([])
    },
  )

  it('[context-115] B2-15: what does not fit is told by what it is, not by its parent alone', async () => {
    const chain = await freshChain()
    const { orphan } = await orphaned(chain)
    const top = await root(chain)
    const deep = await childOf(chain, top)
    const lost = await childOf(chain, top)
    await write(chain.scope, 'UPDATE contexts SET depth = 7 WHERE tenant = ?1 AND id = ?2', deep.id)
    await write(chain.scope, 'UPDATE contexts SET root_id = id WHERE tenant = ?1 AND id = ?2', lost.id)
    const self = await root(chain)
    await write(chain.scope, 'UPDATE contexts SET parent_id = id WHERE tenant = ?1 AND id = ?2', self.id)
    const found = (await chain('verifyIntegrity', {})).items.map(({ kind, contextId }) => [kind, contextId])
    expect(found).toEqual([
      ['orphan', orphan.id],
      ['wrong-depth', deep.id],
      ['wrong-root', lost.id],
      ['cycle', self.id],
    ])
  })

  it('[context-115] B2-16: erasing a person leaves what others have under it, whole, and nothing of the person', async () => {
    const chain = await freshChain()
    const top = await root(chain, { memorySpaceId: 'desk' })
    const theirs = await childOf(chain, top, { userId: 'ana', data: { said: 'my secret' } })
    await chain('updateContext', { context: theirs.id, data: { said: 'my other secret' } })
    const others = await childOf(chain, theirs, { userId: 'bo', data: { kept: true } })
    const nobodys = await childOf(chain, others)
    const plan = await foreseen(chain.scope, 'ana')
    const { effect } = await eraseWhole(chain.scope, 'ana')
    expect(effect.contexts).toMatchObject({ deleted: 1, reparented: 1, promoted: 0 })
    expect(effect).toEqual(plan)
    const left = (await chain('listContexts', {})).items
    expect(left).toEqual([
      { ...top, childIds: [others.id], childCount: 1 },
      { ...others, parentId: top.id, depth: 1, childIds: [nobodys.id], childCount: 1 },
      { ...nobodys, depth: 2 },
    ])
    expect(JSON.stringify(await storedIn(chain.scope))).not.toMatch(/secret|ana/)
    expect((await eraseWhole(chain.scope, 'ana')).effect.contexts.deleted).toBe(0)
  })

  it('[context-115] B2-17: roots are found by an index, however many contexts there are under them', async () => {
    const chain = await freshChain()
    const made = await root(chain)
    await childOf(chain, made)
    const { scope, watch } = watched(chain.scope)
    const told = await ask(scope, 'listContexts', { depth: '0' })
    expect(told).toMatchObject({ answer: { items: [{ id: made.id }] } })
    const plans = await plansOf(chain.scope.db, watch)
    expect(plans.some((line) => line.includes('contexts_by_depth'))).toBe(true)
    expect(plans.filter((line) => /SCAN contexts\b/.test(line))).toEqual([])
  })

  it('[context-115] B2-18: moves, depth, completion and inherited data are all kept here', async () => {
    const chain = await freshChain()
    const { id } = await root(chain, { autoComplete: 'all-completed', data: { from: 'the root' } })
    const approvals = Array.from({ length: 9 }, () => STEP)
    const deepest = (await chain('createApproval', { ...STEP, approvals })).chain.at(-1)!
    const last = await childOf(chain, deepest)
    const child = await childOf(chain, { id })
    const { inherited } = await chain('getContext', { context: child.id, inherited: 'true' })
    expect(await refusalOf(childOf(chain, last))).toBe('MAX_DEPTH')
    expect(await refusalOf(chain('updateContext', { context: child.id, status: 'active' }))).toBe('INVALID_TRANSITION')
    await chain('updateContext', { context: child.id, status: 'completed' })
    expect((await chain('completeParents', { context: child.id })).completed).toEqual([id])
    expect(inherited?.data).toEqual({ from: 'the root' })
  })
})

/** An orphan with a child, whose parent was lost without anybody being told. */
async function orphaned(chain: Chain) {
  const gone = await root(chain)
  const orphan = await childOf(chain, gone)
  const below = await childOf(chain, orphan)
  await write(chain.scope, 'DELETE FROM contexts WHERE tenant = ?1 AND id = ?2', gone.id)
  return { orphan, below }
}
