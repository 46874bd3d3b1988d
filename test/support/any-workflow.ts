import fc from 'fast-check'
import type { Known, State, Status } from '../../sims/operator/workflow/history.ts'

const STATUSES: readonly Status[] = ['active', 'blocked', 'completed', 'cancelled']

/**
 * Generates values as `JSON.parse` returns them. Some of the keys are names with a special meaning in JavaScript, such
 * as `__proto__`.
 */
export const anyData = fc
  .jsonValue({ maxDepth: 3 })
  .chain((value) =>
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b', '__proto__', 'constructor', ''), fc.jsonValue({ maxDepth: 2 })))
      .map((entries) => JSON.parse(JSON.stringify(Object.fromEntries([...entries, ['c', value]]))) as State['data']),
  )

/** Returns a context with the given fields, and with default values for all other fields. */
export function known(own: Partial<Known> & Pick<Known, 'id'>): Known {
  return {
    parentId: null,
    rootId: own.id,
    depth: 0,
    purpose: own.id,
    description: null,
    memorySpaceId: 'maya',
    userId: null,
    childIds: [],
    childCount: 0,
    participants: ['maya'],
    conversationRef: null,
    data: {},
    status: 'active',
    autoComplete: 'never',
    createdAt: 1_000,
    updatedAt: 1_000,
    completedAt: null,
    version: 1,
    updatedBy: 'tests',
    ...own,
  }
}

/**
 * Generates contexts. The parent of a context is null, any of the contexts, or one that does not exist. So some
 * contexts form trees, and some form cycles.
 */
export const anyParents = fc
  .integer({ min: 0, max: 30 })
  .chain((size) =>
    fc.array(fc.option(fc.integer({ min: 0, max: size + 2 }), { freq: 5 }), { minLength: size, maxLength: size }),
  )
  .map((parents) =>
    parents.map((parent, index) => known({ id: `ctx_${index}`, parentId: parent === null ? null : `ctx_${parent}` })),
  )

/**
 * Generates a context with all its versions. The versions count from 1. No version is older than the version before it.
 */
export const anyHistory = fc
  .tuple(
    fc.integer({ min: 0, max: 50 }),
    fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom(...STATUSES)), { minLength: 1, maxLength: 8 }),
    fc.uuid(),
  )
  .map(([begun, steps, id]): Known => {
    let timestamp = begun
    const states = steps.map(([later, status], index): State => {
      timestamp += index === 0 ? 0 : later
      return {
        version: index + 1,
        status,
        purpose: `as of ${index + 1}`,
        description: null,
        data: { version: index + 1 },
        timestamp,
        updatedBy: 'tests',
      }
    })
    const last = states.at(-1) as State
    return known({
      ...last,
      id: `ctx_${id}`,
      createdAt: begun,
      updatedAt: last.timestamp,
      previousVersions: states.slice(0, -1),
    })
  })
