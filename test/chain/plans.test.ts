import { describe, expect, it } from 'vitest'
import { operations } from '../../worker/chain/api/operations.ts'
import { countContexts } from '../../worker/chain/contexts/count-contexts.ts'
import { exportContexts } from '../../worker/chain/contexts/export-contexts.ts'
import { getChain } from '../../worker/chain/contexts/get-chain.ts'
import { getContext, getConversation } from '../../worker/chain/contexts/get-context.ts'
import { listContexts } from '../../worker/chain/contexts/list-contexts.ts'
import { repairOrphans } from '../../worker/chain/contexts/orphans.ts'
import { listVersions } from '../../worker/chain/contexts/versions.ts'
import { verifyIntegrity } from '../../worker/chain/contexts/integrity.ts'
import type { Page } from '../../worker/chain/context.ts'
import type { Scope } from '../../worker/chain/scope.ts'
import { freshScope } from './support/fresh-scope.ts'
import { change, plant } from './support/plant.ts'
import { plansOf, watched } from './support/watched.ts'

const FILTERS = {
  nothing: {},
  'a space': { memorySpaceId: 'desk' },
  'a space and a status': { memorySpaceId: 'desk', status: 'active' },
  'a status': { status: 'active' },
  'a user': { userId: 'ada' },
  'a parent': { parentId: 'ctx_root' },
  'a parent and a status': { parentId: 'ctx_root', status: 'active' },
  'a root': { rootId: 'ctx_root' },
  'an ancestor': { ancestorId: 'ctx_root' },
  'an ancestor and a root': { ancestorId: 'ctx_child', rootId: 'ctx_root' },
  'a conversation': { conversationId: 'c1' },
  'a depth': { depth: 1 },
  leaves: { leaf: true },
  'times of creation': { createdAfter: 1, createdBefore: 9_999_999_999_999 },
  'times of completion': { completedAfter: 1, completedBefore: 9_999_999_999_999 },
  'everything at once': {
    memorySpaceId: 'desk',
    status: 'active',
    userId: 'ada',
    parentId: 'ctx_root',
    rootId: 'ctx_root',
    conversationId: 'c1',
    depth: 1,
    leaf: true,
    createdAfter: 1,
    createdBefore: 9_999_999_999_999,
    completedAfter: 1,
    completedBefore: 9_999_999_999_999,
  },
} as const

type Reads = Readonly<Record<string, (scope: Scope) => Promise<unknown>>>

const paging = { limit: 2 }
const one = { context: 'ctx_child' }
const past = { history: true, at: 9_999_999_999_999 }

/** Reads the first page and the next page, because the query for a later page is different. */
async function twice(ask: (cursor: string | undefined) => Promise<Page<unknown>>): Promise<void> {
  const { next } = await ask(undefined)
  if (next !== null) await ask(next)
}

const byFilter = Object.entries(FILTERS).flatMap(([name, filter]): [string, Reads[string]][] => [
  ...(['oldest', 'newest'] as const).map((order): [string, Reads[string]] => [
    `listContexts by ${name}, ${order} first`,
    (scope) => twice((cursor) => listContexts(scope, { ...filter, order, ...paging, cursor })),
  ]),
  [`countContexts by ${name}`, (scope) => countContexts(scope, filter)],
  [
    `listContexts by words and ${name}`,
    (scope) => twice((cursor) => listContexts(scope, { q: 'work', ...filter, ...paging, cursor })),
  ],
  [
    `listContexts with the past by ${name}`,
    (scope) => twice((cursor) => listContexts(scope, { ...filter, ...past, ...paging, cursor })),
  ],
  [`exportContexts by ${name}`, (scope) => exportContexts(scope, { ...filter, history: false, ...paging })],
])

const READS: Reads = {
  ...Object.fromEntries(byFilter),
  getContext: (scope) => getContext(scope, { ...one, children: true, inherited: true }),
  'getContext at a version': (scope) => getContext(scope, { ...one, children: false, inherited: false, version: 1 }),
  'getContext at a time': (scope) =>
    getContext(scope, { ...one, children: false, inherited: false, at: 9_999_999_999_999 }),
  getConversation: (scope) => getConversation(scope, one),
  getChain: (scope) => getChain(scope, { context: 'ctx_child', limit: 1 }),
  listVersions: (scope) => twice((cursor) => listVersions(scope, { ...one, limit: 1, cursor })),
  'verifyIntegrity of orphans': (scope) =>
    twice((cursor) => verifyIntegrity(scope, { kind: 'orphan', limit: 1, cursor })),
  repairOrphans: async (scope) => {
    await repairOrphans(scope, { mode: 'promote' })
    await repairOrphans(scope, { mode: 'delete' })
  },
  verifyIntegrity: (scope) => twice((cursor) => verifyIntegrity(scope, { limit: 100, cursor })),
}

/** Tables and aliases that grow with the chain. The other names in a statement stand for at most one page of rows. */
const LARGE = /\b(?:contexts|context_versions|context_counts|child|above|below|begun|orphan|parent|missing_parents)\b/

/**
 * Operations whose queries group rows to count them. A query groups at most a hundred orphans, or a few thousand
 * contexts of some spaces.
 */
const COUNTING = new Set(['repairOrphans', 'verifyIntegrity'])

async function small(): Promise<Scope> {
  const scope = await freshScope()
  await plant(scope, [
    { id: 'ctx_root', conversationId: 'c1', userId: 'ada' },
    { id: 'ctx_child', parentId: 'ctx_root', conversationId: 'c1', userId: 'ada' },
    { id: 'ctx_other', parentId: 'ctx_root' },
    { id: 'ctx_third', parentId: 'ctx_root' },
    { id: 'ctx_grandchild', parentId: 'ctx_child' },
    { id: 'ctx_lost', parentId: 'ctx_gone', rootId: 'ctx_gone', depth: 1 },
    { id: 'ctx_lost_too', parentId: 'ctx_gone', rootId: 'ctx_gone', depth: 1 },
  ])
  await change(scope, "UPDATE contexts SET status = 'blocked', version = 2 WHERE tenant = ?1 AND id = 'ctx_child'")
  return scope
}

describe('SQLite’s plans', () => {
  it.each(Object.keys(READS))('[context-51] %s scans no table and sorts nothing large', async (name) => {
    const { scope, watch } = watched(await small())
    await READS[name]?.(scope)
    const plans = await plansOf((await freshScope()).db, watch)
    expect(plans.length).toBeGreaterThan(0)
    expect(plans.filter((step) => step.startsWith('SCAN ') && LARGE.test(step))).toEqual([])
    const sorting = plans.filter((step) => step.includes('TEMP B-TREE'))
    expect(COUNTING.has(name) ? sorting.filter((step) => !step.endsWith('FOR GROUP BY')) : sorting).toEqual([])
  })

  it('[context-51] cover every operation that reads contexts', () => {
    const names = Object.keys(READS).map((name) => name.replace(/ .*/, ''))
    const reading = Object.entries(operations).filter(
      ([, { method, path }]) => method === 'GET' && path.startsWith('/api/contexts'),
    )
    expect(reading.map(([name]) => name).filter((name) => !names.includes(name))).toEqual([])
  })
})
