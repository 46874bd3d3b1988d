import { describe, expect, it } from 'vitest'
import { getChain } from '../../worker/chain/contexts/get-chain.ts'
import { listContexts } from '../../worker/chain/contexts/list-contexts.ts'
import { getContext } from '../../worker/chain/contexts/get-context.ts'
import { freshScope } from './support/fresh-scope.ts'
import { change, plant } from './support/plant.ts'

/** A root with two branches. The left branch has two more levels. */
const TREE = [
  { id: 'ctx_root' },
  { id: 'ctx_left', parentId: 'ctx_root' },
  { id: 'ctx_right', parentId: 'ctx_root' },
  { id: 'ctx_mid', parentId: 'ctx_left' },
  { id: 'ctx_cousin', parentId: 'ctx_right' },
  { id: 'ctx_leaf', parentId: 'ctx_mid' },
  { id: 'ctx_twin', parentId: 'ctx_left' },
]

type Chain = Awaited<ReturnType<typeof getChain>>

function names({ current, root, parent, ancestors, children, siblings, descendants, ...numbers }: Chain) {
  const ids = (contexts: readonly { id: string }[]) => contexts.map(({ id }) => id)
  return {
    current: current.id,
    root: root.id,
    parent: parent?.id ?? null,
    ancestors: ids(ancestors),
    children: ids(children.items),
    siblings: ids(siblings.items),
    descendants: ids(descendants.items),
    ...numbers,
  }
}

describe('the chain around a context', () => {
  it('[context-59] is right from the middle, from the root and from a leaf', async () => {
    const scope = await freshScope()
    await plant(scope, TREE)
    expect(names(await getChain(scope, { context: 'ctx_mid', limit: 100 }))).toEqual({
      current: 'ctx_mid',
      root: 'ctx_root',
      parent: 'ctx_left',
      ancestors: ['ctx_root', 'ctx_left'],
      children: ['ctx_leaf'],
      siblings: ['ctx_twin'],
      descendants: ['ctx_leaf'],
      depth: 2,
      lineageNodes: 4,
      workflowNodes: 7,
    })
    expect(names(await getChain(scope, { context: 'ctx_root', limit: 100 }))).toEqual({
      current: 'ctx_root',
      root: 'ctx_root',
      parent: null,
      ancestors: [],
      children: ['ctx_left', 'ctx_right'],
      siblings: [],
      descendants: ['ctx_left', 'ctx_right', 'ctx_mid', 'ctx_cousin', 'ctx_leaf', 'ctx_twin'],
      depth: 0,
      lineageNodes: 7,
      workflowNodes: 7,
    })
    expect(names(await getChain(scope, { context: 'ctx_leaf', limit: 100 }))).toEqual({
      current: 'ctx_leaf',
      root: 'ctx_root',
      parent: 'ctx_mid',
      ancestors: ['ctx_root', 'ctx_left', 'ctx_mid'],
      children: [],
      siblings: [],
      descendants: [],
      depth: 3,
      lineageNodes: 4,
      workflowNodes: 7,
    })
    await expect(getChain(scope, { context: 'ctx_nobody', limit: 1 })).rejects.toMatchObject({
      code: 'CONTEXT_NOT_FOUND',
    })
  })

  it('[context-59] ends long lists after the limit, and listContexts continues them', async () => {
    const scope = await freshScope()
    await plant(scope, [...TREE, { id: 'ctx_third', parentId: 'ctx_root' }])
    const root = await getChain(scope, { context: 'ctx_root', limit: 1 })
    const left = await getChain(scope, { context: 'ctx_left', limit: 1 })
    expect(names(root)).toMatchObject({ children: ['ctx_left'], descendants: ['ctx_left'], lineageNodes: 8 })
    expect(names(left)).toMatchObject({ siblings: ['ctx_right'] })
    const on = { limit: 100 }
    const rest = async (page: Promise<{ items: readonly { id: string }[] }>) => (await page).items.map(({ id }) => id)
    const cursorOf = (list: { next: string | null }) => list.next ?? undefined
    expect(await rest(listContexts(scope, { parentId: 'ctx_root', ...on, cursor: cursorOf(root.children) }))).toEqual([
      'ctx_right',
      'ctx_third',
    ])
    expect(
      await rest(listContexts(scope, { ancestorId: 'ctx_root', ...on, cursor: cursorOf(root.descendants) })),
    ).toEqual(['ctx_right', 'ctx_mid', 'ctx_cousin', 'ctx_leaf', 'ctx_twin', 'ctx_third'])
    expect(await rest(listContexts(scope, { parentId: 'ctx_root', ...on, cursor: cursorOf(left.siblings) }))).toEqual([
      'ctx_third',
    ])
  })

  it('ends in a circle', async () => {
    const scope = await freshScope()
    await plant(scope, TREE)
    await change(scope, "UPDATE contexts SET parent_id = 'ctx_mid' WHERE tenant = ?1 AND id = 'ctx_root'")
    const chain = names(await getChain(scope, { context: 'ctx_mid', limit: 100 }))
    expect(chain).toMatchObject({ ancestors: ['ctx_root', 'ctx_left'], parent: 'ctx_left', workflowNodes: 7 })
    expect(chain.children.toSorted()).toEqual(['ctx_leaf', 'ctx_root'])
    await change(scope, "UPDATE contexts SET parent_id = id WHERE tenant = ?1 AND id = 'ctx_twin'")
    expect(names(await getChain(scope, { context: 'ctx_twin', limit: 100 }))).toMatchObject({
      ancestors: [],
      siblings: [],
      descendants: [],
      lineageNodes: 1,
    })
    const { inherited } = await getContext(scope, { context: 'ctx_leaf', children: false, inherited: true })
    expect(inherited?.chain.map(({ id }) => id)).toEqual(['ctx_root', 'ctx_left', 'ctx_mid', 'ctx_leaf'])
  })

  it('leaves out missing contexts, and gives the topmost existing one as the root', async () => {
    const scope = await freshScope()
    await plant(scope, TREE)
    await change(scope, "DELETE FROM contexts WHERE tenant = ?1 AND id = 'ctx_root'")
    expect(names(await getChain(scope, { context: 'ctx_leaf', limit: 100 }))).toMatchObject({
      root: 'ctx_left',
      ancestors: ['ctx_left', 'ctx_mid'],
      lineageNodes: 3,
    })
    expect(names(await getChain(scope, { context: 'ctx_left', limit: 100 }))).toMatchObject({
      root: 'ctx_left',
      parent: null,
      siblings: ['ctx_right'],
    })
    expect((await getChain(scope, { context: 'ctx_leaf', limit: 1 })).root.id).toBe('ctx_left')
  })

  it('has the same root from any depth', async () => {
    const scope = await freshScope()
    await plant(scope, TREE)
    for (const { id } of TREE) expect((await getChain(scope, { context: id, limit: 1 })).root.id).toBe('ctx_root')
    await expect(getChain(scope, { context: 'ctx_nobody', limit: 1 })).rejects.toMatchObject({
      code: 'CONTEXT_NOT_FOUND',
    })
  })
})
