import { describe, expect, it } from 'vitest'
import { type Chain, freshChain, idsOf, refusalOf } from './support/call.ts'
import { IS_LONG } from '../support/runs.ts'

const STEPS = ['gather', 'decide', 'tell'].map((purpose) => ({ purpose, memorySpaceId: `${purpose}-agent` }))
const WHOLE = { purpose: 'Process a refund', memorySpaceId: 'sales' }

describe('patterns', () => {
  it('[context-14] the first step of a sequence is active and every other blocked', async () => {
    const chain = await freshChain()
    const steps = STEPS.map((step) => ({ ...step, data: { stepNumber: 9, own: step.purpose } }))
    const sequence = await chain('createPattern', { pattern: 'sequence', ...WHOLE, data: { amount: 500 }, steps })
    expect(sequence.root).toMatchObject({ depth: 0, status: 'active', data: { amount: 500 }, childCount: 3 })
    expect(sequence.root.childIds).toEqual(idsOf(sequence.steps))
    expect(sequence.steps).toMatchObject([
      { purpose: 'gather', status: 'active', depth: 1, version: 1, data: { stepNumber: 1, own: 'gather' } },
      { purpose: 'decide', status: 'blocked', depth: 1, version: 1, data: { stepNumber: 2, own: 'decide' } },
      { purpose: 'tell', status: 'blocked', depth: 1, version: 1, data: { stepNumber: 3, own: 'tell' } },
    ])
    expect(sequence.steps.every(({ rootId, parentId }) => rootId === sequence.root.id && parentId === rootId)).toBe(
      true,
    )
    const { context } = await chain('getContext', { context: sequence.root.id })
    expect(context).toEqual(sequence.root)
  })

  it.runIf(IS_LONG)('[context-14] a hundred steps with the largest data are one transaction', async () => {
    const chain = await freshChain()
    const data = { text: '"'.repeat(32_000) }
    const steps = Array.from({ length: 100 }, (_, n) => ({ purpose: `step ${n}`, memorySpaceId: 'sales', data }))
    const sequence = await chain('createPattern', { pattern: 'sequence', ...WHOLE, steps })
    expect(sequence.steps.map(({ purpose }) => purpose)).toEqual(steps.map(({ purpose }) => purpose))
    expect(sequence.steps.map((step) => step.data['stepNumber'])).toEqual(steps.map((_, n) => n + 1))
    expect(new Set(sequence.steps.map(({ createdAt }) => createdAt))).toEqual(new Set([sequence.root.createdAt]))
  })

  it('[context-15] completing a step makes the next one active, with a new version', async () => {
    const chain = await freshChain()
    const [one, two, three] = await sequenceOf(chain)
    expect(await refusalOf(chain('updateContext', { context: two, status: 'completed' }))).toBe('INVALID_TRANSITION')
    const completed = await chain('updateContext', { context: one, status: 'completed', by: 'bo' })
    expect(await statusesOf(chain, [one, two, three])).toEqual(['completed', 'active', 'blocked'])
    const { context } = await chain('getContext', { context: two })
    expect(context).toMatchObject({ version: 2, updatedBy: 'bo', updatedAt: completed.updatedAt, completedAt: null })
    const { items } = await chain('listVersions', { context: two })
    expect(items.map(({ status }) => status)).toEqual(['blocked', 'active'])
    await chain('updateContext', { context: two, status: 'completed' })
    await chain('updateContext', { context: three, status: 'completed' })
    expect(await statusesOf(chain, [one, two, three])).toEqual(['completed', 'completed', 'completed'])
  })

  it('[context-22] a step that begins after a clock went back is not older than its last change', async () => {
    let now = 2_000
    const chain = await freshChain({ now: () => now })
    const [one, two] = await sequenceOf(chain)
    now = 3_000
    await chain('updateContext', { context: two, data: { late: true } })
    now = 2_500
    await chain('updateContext', { context: one, status: 'completed' })
    const { items } = await chain('listVersions', { context: two })
    expect(items.map(({ timestamp }) => timestamp)).toEqual([2_000, 3_000, 3_000])
  })

  it('[context-15] every operation that completes a step does so', async () => {
    const chain = await freshChain()
    const [one, two, three] = await sequenceOf(chain)
    await chain('updateContexts', { filter: { memorySpaceId: 'gather-agent' }, updates: { status: 'completed' } })
    expect(await statusesOf(chain, [one, two, three])).toEqual(['completed', 'active', 'blocked'])
    const { root, steps: tasks } = await chain('createPattern', {
      pattern: 'parallel',
      ...WHOLE,
      autoComplete: 'all-completed',
      steps: [STEPS[0]!],
    })
    await waitFor(chain, { context: two, before: root.id })
    await chain('updateContext', { context: two, status: 'blocked' })
    await chain('updateContext', { context: tasks[0]!.id, status: 'completed' })
    expect(await statusesOf(chain, [root.id])).toEqual(['completed'])
    expect(await statusesOf(chain, [two, three])).toEqual(['active', 'blocked'])
  })

  it('[context-15] a step that is not blocked stays as it is', async () => {
    const chain = await freshChain()
    const [one, two, three] = await sequenceOf(chain)
    await chain('updateContext', { context: two, status: 'cancelled' })
    await chain('updateContext', { context: three, status: 'active' })
    await chain('updateContext', { context: one, status: 'completed' })
    expect(await statusesOf(chain, [one, two, three])).toEqual(['completed', 'cancelled', 'active'])
  })

  it('cancelling a step begins nothing', async () => {
    const chain = await freshChain()
    const [one, two, three] = await sequenceOf(chain)
    await chain('updateContext', { context: one, status: 'cancelled' })
    expect(await statusesOf(chain, [one, two, three])).toEqual(['cancelled', 'blocked', 'blocked'])
    await chain('updateContext', { context: two, status: 'active' })
    await chain('updateContext', { context: two, status: 'completed' })
    expect(await statusesOf(chain, [one, two, three])).toEqual(['cancelled', 'completed', 'active'])
  })

  it('a step that waited for a deleted one waits for what that one waited for', async () => {
    const chain = await freshChain()
    const [one, two, three] = await sequenceOf(chain)
    await chain('deleteContext', { context: two })
    await chain('updateContext', { context: one, status: 'completed' })
    expect(await statusesOf(chain, [one, three])).toEqual(['completed', 'active'])
    const [first, second, third] = await sequenceOf(chain)
    await chain('deleteContext', { context: first })
    expect(await statusesOf(chain, [second, third])).toEqual(['blocked', 'blocked'])
    await chain('updateContext', { context: second, status: 'active' })
    await chain('updateContext', { context: second, status: 'completed' })
    expect(await statusesOf(chain, [second, third])).toEqual(['completed', 'active'])
  })

  it('also if several steps are deleted at once', async () => {
    const chain = await freshChain()
    const approval = await chain('createPattern', {
      pattern: 'approval',
      ...WHOLE,
      steps: [...STEPS, { ...STEPS[0]!, userId: 'ana' }],
    })
    const [request, ...levels] = idsOf([approval.root, ...approval.steps])
    const last = levels.at(-1)!
    for (const memorySpaceId of STEPS.map((step) => step.memorySpaceId).slice(1)) {
      await chain('deleteContexts', { filter: { memorySpaceId }, mode: 'orphan-to-parent' })
    }
    await chain('deleteContext', { context: levels[0]!, mode: 'orphan-to-parent' })
    await chain('updateContext', { context: request!, status: 'completed' })
    expect((await chain('getContext', { context: last })).context).toMatchObject({
      status: 'active',
      parentId: request,
    })
  })

  it('[context-18] approvals are nested, and each waits for the one above it', async () => {
    const chain = await freshChain()
    const asked = {
      ...WHOLE,
      pattern: 'approval' as const,
      data: { amount: 500, approved: false },
      steps: STEPS.slice(0, 2),
    }
    const approval = await chain('createPattern', asked)
    const ids = idsOf([approval.root, ...approval.steps])
    expect(
      [approval.root, ...approval.steps].map(({ depth, status, data, parentId }) => [depth, status, data, parentId]),
    ).toEqual([
      [0, 'active', asked.data, null],
      [1, 'blocked', {}, ids[0]],
      [2, 'blocked', {}, ids[1]],
    ])
    const { inherited } = await chain('getContext', { context: ids[2]!, inherited: 'true' })
    expect(inherited?.data).toEqual(asked.data)
    await chain('updateContext', { context: ids[0]!, status: 'completed' })
    expect(await statusesOf(chain, ids)).toEqual(['completed', 'active', 'blocked'])
    await chain('updateContext', { context: ids[1]!, status: 'completed', data: { approved: true } })
    expect(await statusesOf(chain, ids)).toEqual(['completed', 'completed', 'active'])
  })

  it('[context-18] ten approvals reach the greatest depth', async () => {
    const chain = await freshChain()
    const approvals = Array.from({ length: 10 }, () => STEPS[0]!)
    const approval = await chain('createPattern', { pattern: 'approval', ...WHOLE, steps: approvals })
    expect(approval.steps.map(({ depth }) => depth)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('all steps of a parallel are active', async () => {
    const chain = await freshChain()
    const { root, steps: tasks } = await chain('createPattern', {
      pattern: 'parallel',
      ...WHOLE,
      autoComplete: 'all-settled',
      steps: STEPS,
    })
    expect(root).toMatchObject({ autoComplete: 'all-settled', childIds: idsOf(tasks) })
    expect(tasks.map(({ status, depth, data }) => [status, depth, data])).toEqual(STEPS.map(() => ['active', 1, {}]))
  })

  it('steps are about the person of the whole, unless they name another', async () => {
    const chain = await freshChain()
    const about = { ...WHOLE, userId: 'ana' }
    const parts = [STEPS[0]!, { ...STEPS[1]!, userId: 'bo' }]
    const { steps } = await chain('createPattern', { pattern: 'sequence', ...about, steps: parts })
    const { steps: tasks } = await chain('createPattern', { pattern: 'parallel', ...about, steps: parts })
    const approval = await chain('createPattern', { pattern: 'approval', ...about, steps: parts })
    for (const made of [steps, tasks, approval.steps]) {
      expect(made.map(({ userId }) => userId)).toEqual(['ana', 'bo'])
    }
    const { steps: ofNobody } = await chain('createPattern', { pattern: 'sequence', ...WHOLE, steps: parts })
    expect(ofNobody.map(({ userId }) => userId)).toEqual([null, 'bo'])
  })
})

async function sequenceOf(chain: Chain): Promise<readonly [string, string, string]> {
  const { steps } = await chain('createPattern', { pattern: 'sequence', ...WHOLE, steps: STEPS })
  const [one, two, three] = idsOf(steps)
  return [one!, two!, three!]
}

/** Makes a context wait for an existing context by a change to the table, because no operation does so. */
async function waitFor({ scope }: Chain, { context, before }: { context: string; before: string }): Promise<void> {
  const sql = 'UPDATE contexts SET waits_for = ?2 WHERE tenant = ?1 AND id = ?3'
  await scope.db.prepare(sql).bind(scope.tenant, before, context).run()
}

function statusesOf(chain: Chain, ids: readonly string[]): Promise<readonly string[]> {
  return Promise.all(ids.map(async (id) => (await chain('getContext', { context: id })).context.status))
}
