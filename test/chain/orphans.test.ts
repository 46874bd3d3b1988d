import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getChain } from '../../worker/chain/contexts/get-chain.ts'
import { listContexts } from '../../worker/chain/contexts/list-contexts.ts'
import { repairOrphans } from '../../worker/chain/contexts/orphans.ts'
import { verifyIntegrity } from '../../worker/chain/contexts/integrity.ts'
import type { Scope } from '../../worker/chain/scope.ts'
import { freshScope } from './support/fresh-scope.ts'
import { change, plant } from './support/plant.ts'
import { runs } from '../support/runs.ts'

const TREE = [
  { id: 'ctx_root' },
  { id: 'ctx_a', parentId: 'ctx_root' },
  { id: 'ctx_a1', parentId: 'ctx_a' },
  { id: 'ctx_a11', parentId: 'ctx_a1' },
  { id: 'ctx_b', parentId: 'ctx_root' },
  { id: 'ctx_other' },
]

async function remove(scope: Scope, ...ids: string[]): Promise<void> {
  const sql = 'DELETE FROM contexts WHERE tenant = ?1 AND id IN (SELECT value FROM json_each(?2))'
  await change(scope, sql, JSON.stringify(ids))
}

async function orphans(scope: Scope, limit = 100): Promise<readonly string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await verifyIntegrity(scope, { kind: 'orphan', limit, cursor })
    ids.push(...page.items.map(({ contextId }) => contextId))
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return ids
}

async function findings(scope: Scope): Promise<readonly unknown[]> {
  const all: unknown[] = []
  let cursor: string | undefined
  do {
    const page = await verifyIntegrity(scope, { limit: 100, cursor })
    all.push(...page.items)
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return all
}

async function remaining(scope: Scope): Promise<readonly string[]> {
  return (await listContexts(scope, { order: 'oldest', limit: 1_000 })).items.map(({ id }) => id)
}

/** Calls `repairOrphans` until no orphan is left, and returns how many contexts each call repaired. */
async function repaired(scope: Scope, mode: 'delete' | 'promote'): Promise<readonly number[]> {
  const cleaned: number[] = []
  for (let left = 1; left > 0;) {
    const done = await repairOrphans(scope, { mode })
    cleaned.push(done.cleaned)
    left = done.left
    if (cleaned.length > 100) throw new Error('no end of it')
  }
  return cleaned
}

describe('orphans', () => {
  it('are the contexts whose parent is missing, without those under them', async () => {
    const scope = await freshScope()
    await plant(scope, TREE)
    expect(await orphans(scope)).toEqual([])
    await remove(scope, 'ctx_a')
    expect(await orphans(scope)).toEqual(['ctx_a1'])
    await remove(scope, 'ctx_root')
    expect(await orphans(scope)).toEqual(['ctx_a1', 'ctx_b'])
    await plant(scope, [{ id: 'ctx_a' }])
    expect(await orphans(scope)).toEqual(['ctx_b'])
  })

  it('are listed in pages of any size', async () => {
    const scope = await freshScope()
    const parents = ['ctx_x', 'ctx_y', 'ctx_z']
    const lost = parents.flatMap((parentId) =>
      Array.from({ length: 4 }, (_, at) => ({ id: `${parentId}_${at}`, parentId, rootId: parentId, depth: 1 })),
    )
    await plant(scope, lost)
    for (const limit of [1, 2, 3, 4, 5, 12, 13]) expect(await orphans(scope, limit)).toEqual(lost.map(({ id }) => id))
  })

  it('are deleted with everything under them, without new orphans', async () => {
    const scope = await freshScope()
    await plant(scope, TREE)
    await remove(scope, 'ctx_a')
    expect(await repairOrphans(scope, { mode: 'delete' })).toEqual({ cleaned: 2, left: 0 })
    expect(await remaining(scope)).toEqual(['ctx_root', 'ctx_b', 'ctx_other'])
    expect(await findings(scope)).toEqual([])
    expect(await repairOrphans(scope, { mode: 'delete' })).toEqual({ cleaned: 0, left: 0 })
  })

  it('[context-75] become roots, and everything under them gets the new root and depth', async () => {
    const scope = await freshScope()
    await plant(scope, TREE)
    await remove(scope, 'ctx_a')
    expect(await repairOrphans(scope, { mode: 'promote' })).toEqual({ cleaned: 1, left: 0 })
    const chain = await getChain(scope, { context: 'ctx_a11', limit: 10 })
    expect(chain).toMatchObject({
      current: { rootId: 'ctx_a1', depth: 1, parentId: 'ctx_a1', version: 1 },
      root: { id: 'ctx_a1', parentId: null, rootId: 'ctx_a1', depth: 0 },
      workflowNodes: 2,
    })
    expect(await findings(scope)).toEqual([])
    expect(await repairOrphans(scope, { mode: 'promote' })).toEqual({ cleaned: 0, left: 0 })
  })

  it.each(['delete', 'promote'] as const)('are repaired in several requests, by: %s', async (mode) => {
    const scope = await freshScope()
    const lost = Array.from({ length: 250 }, (_, at) => ({
      id: `ctx_${at}`,
      parentId: `ctx_gone_${at % 30}`,
      rootId: 'ctx_gone',
      depth: 3,
    }))
    const under = Array.from({ length: 1_500 }, (_, at) => ({ id: `ctx_u${at}`, parentId: `ctx_${at % 5}` }))
    await plant(scope, [...lost, ...under, { id: 'ctx_fine' }])
    const cleaned = await repaired(scope, mode)
    expect(cleaned.length).toBeGreaterThan(2)
    expect(cleaned.reduce((sum, each) => sum + each)).toBe(mode === 'delete' ? 1_750 : 250)
    expect(await orphans(scope)).toEqual([])
    expect(await findings(scope)).toEqual([])
    const { items } = await listContexts(scope, { order: 'newest', limit: 2 })
    expect(items.map(({ id }) => id)).toEqual(mode === 'delete' ? ['ctx_fine'] : ['ctx_fine', 'ctx_u1499'])
  })

  it.each(['delete', 'promote'] as const)('are counted in `left`, by: %s', async (mode) => {
    const scope = await freshScope()
    const ids = Array.from({ length: 130 }, (_, at) => `ctx_${at}`)
    await plant(
      scope,
      ids.map((id) => ({ id, parentId: 'ctx_gone', depth: 1 })),
    )
    expect(await repairOrphans(scope, { mode })).toEqual({ cleaned: 100, left: 30 })
    expect(await repairOrphans(scope, { mode })).toEqual({ cleaned: 30, left: 0 })
  })

  it.each([
    ['', 'delete', [1_000, 100, 100, 2]],
    ['[context-75]', 'promote', [1, 1]],
  ] as const)('%s many under few are repaired bit by bit, by: %s', async (_, mode, parts) => {
    const scope = await freshScope()
    const lost = ['ctx_a', 'ctx_b'].map((id) => ({ id, parentId: 'ctx_gone', rootId: 'ctx_gone', depth: 1 }))
    const under = Array.from({ length: 1_200 }, (_each, at) => ({
      id: `ctx_${at}`,
      parentId: at % 2 ? 'ctx_a' : 'ctx_b',
    }))
    await plant(scope, [...lost, ...under])
    expect(await repaired(scope, mode)).toEqual(parts)
    expect(await findings(scope)).toEqual([])
  })

  it.each(['delete', 'promote'] as const)(
    '[context-75] leave a sound chain, whatever was missing, after: %s',
    async (mode) => {
      const forest = fc
        .array(fc.nat(), { minLength: 1, maxLength: 25 })
        .chain((parents) => fc.record({ parents: fc.constant(parents), gone: fc.subarray(parents.map((_, at) => at)) }))
      await fc.assert(
        fc.asyncProperty(forest, async ({ parents, gone }) => {
          const scope = await freshScope()
          // Each context gets an earlier context as parent. A context that would be deeper than ten becomes a root.
          const depths: number[] = []
          const contexts = parents.map((parent, at) => {
            const above = parent % (at + 1)
            const isRoot = above === at || (depths[above] ?? 0) >= 10
            depths.push(isRoot ? 0 : (depths[above] ?? 0) + 1)
            return { id: `ctx_${at}`, parentId: isRoot ? null : `ctx_${above}` }
          })
          await plant(scope, contexts)
          expect(await findings(scope)).toEqual([])
          await remove(scope, ...gone.map((at) => `ctx_${at}`))
          const lost = await orphans(scope)
          const kept = await remaining(scope)
          await repaired(scope, mode)
          expect(await orphans(scope)).toEqual([])
          expect(await findings(scope)).toEqual([])
          if (mode === 'promote') expect(await remaining(scope)).toEqual(kept)
          else expect((await remaining(scope)).filter((id) => lost.includes(id))).toEqual([])
        }),
        { numRuns: runs('costly') },
      )
    },
  )

  it('are not repaired for another tenant', async () => {
    const [scope, other] = [await freshScope(), await freshScope()]
    await plant(other, [{ id: 'ctx_lost', parentId: 'ctx_gone', depth: 1 }])
    expect(await repairOrphans(scope, { mode: 'delete' })).toEqual({ cleaned: 0, left: 0 })
    expect(await orphans(scope)).toEqual([])
    expect(await orphans(other)).toEqual(['ctx_lost'])
  })
})
