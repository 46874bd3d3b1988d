import { getContext } from '../../worker/chain/contexts/get-context.ts'
import { listContexts } from '../../worker/chain/contexts/list-contexts.ts'
import { describe, expect, it } from 'vitest'
import { listVersions } from '../../worker/chain/contexts/versions.ts'
import type { ContextStatus } from '../../worker/chain/context.ts'
import type { Scope } from '../../worker/chain/scope.ts'
import { freshScope } from './support/fresh-scope.ts'
import { change, plant, PLANTED_AT } from './support/plant.ts'

/** Changes a context's status and data at a given time. */
async function become(scope: Scope, id: string, status: ContextStatus, at: number, data: object = {}): Promise<void> {
  await change(
    scope,
    `UPDATE contexts SET status = ?3, updated_at = ?4, data = ?5, updated_by = 'later', version = version + 1
     WHERE tenant = ?1 AND id = ?2`,
    id,
    status,
    at,
    JSON.stringify(data),
  )
}

const first = {
  version: 1,
  status: 'active',
  purpose: 'work on ctx_a',
  description: null,
  data: {},
  timestamp: PLANTED_AT,
  updatedBy: 'tests',
}

/** Creates a context with five states, two of them in the same millisecond. */
async function history(): Promise<Scope> {
  const scope = await freshScope()
  await plant(scope, [{ id: 'ctx_a' }])
  await become(scope, 'ctx_a', 'blocked', PLANTED_AT + 10)
  await become(scope, 'ctx_a', 'active', PLANTED_AT + 20)
  await become(scope, 'ctx_a', 'blocked', PLANTED_AT + 20, { same: 'moment' })
  await become(scope, 'ctx_a', 'cancelled', PLANTED_AT + 30)
  return scope
}

describe('versions of a context', () => {
  it('are listed oldest first, up to the present one, in pages of any size', async () => {
    const scope = await history()
    for (const limit of [1, 2, 4, 5, 6]) {
      const versions: number[] = []
      let pages = 0
      let cursor: string | undefined
      do {
        const page = await listVersions(scope, { context: 'ctx_a', limit, cursor })
        expect(page.items.length).toBeLessThanOrEqual(limit)
        versions.push(...page.items.map(({ version }) => version))
        pages += 1
        cursor = page.next ?? undefined
      } while (cursor !== undefined)
      expect({ versions, pages }).toEqual({ versions: [1, 2, 3, 4, 5], pages: Math.ceil(5 / limit) })
    }
    const { items } = await listVersions(scope, { context: 'ctx_a', limit: 10 })
    expect(items[0]).toEqual(first)
    expect(items[4]).toMatchObject({ version: 5, status: 'cancelled', timestamp: PLANTED_AT + 30, updatedBy: 'later' })
    await expect(listVersions(scope, { context: 'ctx_b', limit: 1 })).rejects.toMatchObject({
      code: 'CONTEXT_NOT_FOUND',
    })
  })

  it('are limited in bytes for each page', async () => {
    const scope = await freshScope()
    await plant(scope, [{ id: 'ctx_a' }])
    for (let at = 1; at <= 5; at += 1)
      await become(scope, 'ctx_a', at % 2 ? 'blocked' : 'active', PLANTED_AT + at, { large: 'x'.repeat(1_500_000) })
    const versions: (readonly number[])[] = []
    let cursor: string | undefined
    do {
      const page = await listVersions(scope, { context: 'ctx_a', limit: 100, cursor })
      versions.push(page.items.map(({ version }) => version))
      cursor = page.next ?? undefined
    } while (cursor !== undefined)
    expect(versions.flat()).toEqual([1, 2, 3, 4, 5, 6])
    expect(versions.length).toBeGreaterThan(1)
  })

  it('are found by number', async () => {
    const scope = await history()
    expect(await stateOf(scope, 'ctx_a', { version: 1 })).toEqual(first)
    expect(await stateOf(scope, 'ctx_a', { version: 4 })).toMatchObject({ data: { same: 'moment' } })
    expect(await stateOf(scope, 'ctx_a', { version: 5 })).toMatchObject({ status: 'cancelled' })
    await expect(stateOf(scope, 'ctx_a', { version: 6 })).rejects.toMatchObject({
      code: 'VERSION_NOT_FOUND',
      pointer: '/query/version',
    })
    await expect(stateOf(scope, 'ctx_b', { version: 1 })).rejects.toMatchObject({
      code: 'CONTEXT_NOT_FOUND',
    })
  })

  it('[context-69] at a time give the last one made by then, of two at one moment the later', async () => {
    const scope = await history()
    const at = async (time: number) => (await stateOf(scope, 'ctx_a', { at: PLANTED_AT + time }))?.version ?? null
    expect(await at(-1)).toBeNull()
    expect(await at(-PLANTED_AT)).toBeNull()
    expect(await Promise.all([0, 9, 10, 19, 20, 29, 30, 1_000].map(at))).toEqual([1, 1, 2, 2, 4, 4, 5, 5])
    await expect(stateOf(scope, 'ctx_b', { at: 1 })).rejects.toMatchObject({ code: 'CONTEXT_NOT_FOUND' })
  })

  it('show a whole workflow as it was at a time', async () => {
    const scope = await freshScope()
    await plant(scope, [
      { id: 'ctx_a' },
      { id: 'ctx_b', parentId: 'ctx_a', createdAt: PLANTED_AT + 5 },
      { id: 'ctx_c', parentId: 'ctx_b', createdAt: PLANTED_AT + 15 },
      { id: 'ctx_elsewhere' },
    ])
    await become(scope, 'ctx_b', 'blocked', PLANTED_AT + 10)
    await become(scope, 'ctx_b', 'active', PLANTED_AT + 20)
    await become(scope, 'ctx_a', 'completed', PLANTED_AT + 20)
    const at = async (time: number) => {
      const states: unknown[] = []
      let cursor: string | undefined
      do {
        const page = await listContexts(scope, { rootId: 'ctx_a', at: PLANTED_AT + time, limit: 2, cursor })
        states.push(...page.items.map(({ id, state }) => `${id} ${state?.version} ${state?.status}`))
        cursor = page.next ?? undefined
      } while (cursor !== undefined)
      return states
    }
    expect(await at(-1)).toEqual([])
    expect(await at(0)).toEqual(['ctx_a 1 active'])
    expect(await at(5)).toEqual(['ctx_a 1 active', 'ctx_b 1 active'])
    expect(await at(15)).toEqual(['ctx_a 1 active', 'ctx_b 2 blocked', 'ctx_c 1 active'])
    expect(await at(20)).toEqual(['ctx_a 2 completed', 'ctx_b 3 active', 'ctx_c 1 active'])
    const { items } = await listContexts(scope, { rootId: 'ctx_a', at: PLANTED_AT + 12, limit: 10 })
    expect(items[1]).toMatchObject({
      id: 'ctx_b',
      parentId: 'ctx_a',
      depth: 1,
      memorySpaceId: 'desk',
      createdAt: PLANTED_AT + 5,
      state: {
        version: 2,
        status: 'blocked',
        purpose: 'work on ctx_b',
        description: null,
        data: {},
        timestamp: PLANTED_AT + 10,
        updatedBy: 'later',
      },
    })
  })

  it('are not mixed up with those of a context that took the id later', async () => {
    const scope = await freshScope()
    await plant(scope, [{ id: 'ctx_a' }])
    for (const at of [1, 2]) await become(scope, 'ctx_a', 'blocked', PLANTED_AT + at)
    const { next } = await listVersions(scope, { context: 'ctx_a', limit: 2 })
    await change(scope, 'DELETE FROM contexts WHERE tenant = ?1')
    await plant(scope, [{ id: 'ctx_a' }])
    expect(await listVersions(scope, { context: 'ctx_a', limit: 2, cursor: next ?? '' })).toEqual({
      items: [],
      next: null,
    })
  })

  it('limit a page of a workflow at a time by the sizes of that time', async () => {
    const scope = await freshScope()
    const big = { text: 'x'.repeat(60_000) }
    await plant(scope, [
      { id: 'ctx_a' },
      ...Array.from({ length: 99 }, (_, at) => ({ id: `ctx_${at}`, parentId: 'ctx_a' })),
    ])
    await change(scope, 'UPDATE contexts SET data = ?2 WHERE tenant = ?1', JSON.stringify(big))
    await change(
      scope,
      "UPDATE contexts SET data = '{}', version = version + 1, updated_at = created_at + 1000 WHERE tenant = ?1",
    )
    const sizes: number[] = []
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const page = await listContexts(scope, { rootId: 'ctx_a', at: PLANTED_AT + 500, limit: 1_000, cursor })
      sizes.push(JSON.stringify(page).length)
      ids.push(...page.items.map(({ id }) => id))
      cursor = page.next ?? undefined
    } while (cursor !== undefined)
    expect(new Set(ids).size).toBe(100)
    expect(sizes.length).toBe(2)
    expect(Math.max(...sizes)).toBeLessThan(4_200_000)
  })
})

async function stateOf(scope: Scope, context: string, past: { readonly version?: number; readonly at?: number }) {
  const { state } = await getContext(scope, { context, children: false, inherited: false, ...past })
  return state
}
