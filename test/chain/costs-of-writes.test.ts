import { beforeAll, describe, expect, it } from 'vitest'
import { type Chain, childOf, freshChain, root } from './support/call.ts'
import { metered, type Meter } from './support/metered.ts'

const OTHERS = 2_000
const COUNTS = 10

interface Measured {
  readonly chain: Chain
  readonly meter: Meter
}

const OPERATIONS: Readonly<Record<string, (chain: Chain) => Promise<() => Promise<unknown>>>> = {
  createContext: async (chain) => {
    const parent = await child(chain)
    return () => childOf(chain, parent, ABOUT)
  },
  'createPattern sequence': async (chain) => () =>
    chain('createPattern', { pattern: 'sequence', ...WHOLE, ...ABOUT, steps: [WHOLE, WHOLE] }),
  'createPattern approval': async (chain) => () =>
    chain('createPattern', { pattern: 'approval', ...WHOLE, ...ABOUT, steps: [WHOLE, WHOLE] }),
  'createPattern parallel': async (chain) => () =>
    chain('createPattern', { pattern: 'parallel', ...WHOLE, ...ABOUT, steps: [WHOLE, WHOLE] }),
  updateContext: async (chain) => {
    const { steps } = await chain('createPattern', { pattern: 'sequence', ...WHOLE, ...ABOUT, steps: [WHOLE, WHOLE] })
    return () => chain('updateContext', { context: steps[0]!.id, status: 'completed', data: { a: 1 } })
  },
  'updateContext, completing what is above': async (chain) => {
    const top = await root(chain, { ...ABOUT, autoComplete: 'all-completed' })
    const middle = await childOf(chain, top, { ...ABOUT, autoComplete: 'all-completed' })
    const low = await childOf(chain, middle, ABOUT)
    return () => chain('updateContext', { context: low.id, status: 'completed' })
  },
  'deleteContext leaf': async (chain) => {
    const { id } = await child(chain)
    return () => chain('deleteContext', { context: id })
  },
  'deleteContext cascade': (chain) => deleting(chain, 'cascade'),
  'deleteContext orphan-to-root': (chain) => deleting(chain, 'orphan-to-root'),
  'deleteContext orphan-to-parent': (chain) => deleting(chain, 'orphan-to-parent'),
  updateContexts: async (chain) => {
    const { id } = await tree(chain)
    return () => chain('updateContexts', { filter: { rootId: id, status: 'active' }, updates: { data: { a: 1 } } })
  },
  'updateContexts, a page of all': async (chain) => () =>
    chain('updateContexts', { filter: { status: 'active' }, updates: { data: { a: 1 } }, limit: 1 }),
  deleteContexts: async (chain) => {
    const { id } = await tree(chain)
    return () => chain('deleteContexts', { filter: { parentId: id }, mode: 'orphan-to-parent' })
  },
  addParticipant: async (chain) => {
    const { id } = await child(chain)
    return () => chain('addParticipant', { context: id, participant: 'legal' })
  },
  removeParticipant: async (chain) => {
    const { id } = await tree(chain)
    return () => chain('removeParticipant', { context: id, participant: 'legal' })
  },
}

describe('the cost of a write', () => {
  let alone: Measured
  let crowded: Measured

  beforeAll(async () => {
    alone = await measured()
    crowded = await measured()
    await crowd(crowded.chain)
    expect(await crowded.chain('countContexts', {})).toEqual({ count: OTHERS, exact: true })
    expect(await crowded.chain('countContexts', { status: 'blocked', memorySpaceId: 'sales' })).toMatchObject({
      count: 95,
    })
  })

  it.each(Object.keys(OPERATIONS))('[context-4] %s costs the same among 2,000 others', async (name) => {
    const [few, many] = [await costOf(alone, name), await costOf(crowded, name)]
    expect(many.trips).toBe(few.trips)
    // The table of counts has a row for each combination of space, status, depth, and whether a context has children.
    // The first context with a combination adds the row. When the last context with this combination is gone, the row
    // is removed.
    expect(Math.abs(many.read - few.read)).toBeLessThanOrEqual(COUNTS)
    // The limit for a chain with few contexts excludes table scans: all tenants share one table, so a scan would read
    // the rows of every tenant.
    expect(few.read).toBeLessThan(500)
  })
})

async function measured(): Promise<Measured> {
  const { scope, meter } = metered((await freshChain()).scope)
  return { chain: await freshChain(scope), meter }
}

async function costOf({ chain, meter }: Measured, name: string) {
  const run = await OPERATIONS[name]!(chain)
  meter.reset()
  await run()
  return { ...meter.spent }
}

const WHOLE = { purpose: 'Process a refund', memorySpaceId: 'sales' }
const ABOUT = { userId: 'ana' }

/** Adds contexts with the same space, person and purpose, in all statuses. */
async function crowd(chain: Chain): Promise<void> {
  for (let n = 0; n < 20; n += 1) {
    const parts = Array.from({ length: 99 }, () => WHOLE)
    if (n % 20 === 0) await chain('createPattern', { pattern: 'sequence', ...WHOLE, ...ABOUT, steps: parts })
    else await chain('createPattern', { pattern: 'parallel', ...WHOLE, ...ABOUT, steps: parts })
  }
  await chain('updateContexts', { filter: { status: 'blocked' }, updates: { status: 'active' }, limit: 3 })
}

async function child(chain: Chain) {
  return await childOf(chain, await root(chain, ABOUT), ABOUT)
}

/** Creates a root with two children, one of which has two children of its own. */
async function tree(chain: Chain) {
  const top = await root(chain, ABOUT)
  const middle = await childOf(chain, top, ABOUT)
  await childOf(chain, top, ABOUT)
  await childOf(chain, middle, ABOUT)
  await childOf(chain, middle, ABOUT)
  await chain('addParticipant', { context: middle.id, participant: 'legal' })
  return top
}

async function deleting(chain: Chain, mode: 'cascade' | 'orphan-to-root' | 'orphan-to-parent') {
  const { id } = await tree(chain)
  return () => chain('deleteContext', { context: id, mode })
}
