import * as fc from 'fast-check'
import { addParticipant } from '../../../worker/chain/contexts/participants.ts'
import { createContext } from '../../../worker/chain/contexts/create-context.ts'
import { updateContext } from '../../../worker/chain/contexts/update-context.ts'
import { putFact } from '../../../worker/chain/memories/facts.ts'
import { storeMemory } from '../../../worker/chain/memories/store-memory.ts'
import { rowsTogether, type Scope, statement } from '../../../worker/chain/scope.ts'
import { verifiedLearner } from '../../../worker/trust/learner.ts'

/**
 * The number of people. Tests erase the first person. Each person has a name, and a code that is derived from the name.
 */
const PEOPLE = 3

/** The data that a test generates for a tenant. A `user` is the number of a person, or null for no person. */
export interface Forest {
  readonly contexts: readonly {
    /**
     * The distance from the context back to its parent in the list: 1 for the context just before. 0 means that the
     * context is a root.
     */
    readonly under: number
    readonly user: number | null
    readonly isCoded: boolean
    readonly conversation: number | null
    readonly updates: readonly (number | null)[]
    readonly participants: readonly { readonly who: number; readonly isCoded: boolean }[]
    readonly isOfTheirSpace: boolean
  }[]
  readonly memories: readonly {
    readonly user: number | null
    readonly context: number | null
    readonly conversation: number | null
    readonly isOfTheirSpace: boolean
  }[]
  readonly facts: readonly { readonly user: number; readonly key: number; readonly source: number | null }[]
  readonly sessions: readonly { readonly user: number }[]
}

const person = fc.nat({ max: PEOPLE - 1 })
/**
 * Generates the erased person more often than the others, so that along a branch contexts of this person and of others
 * alternate.
 */
const owner = fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: person })
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null })

export const anyForest: fc.Arbitrary<Forest> = fc.record({
  contexts: fc.array(
    fc.record({
      // Most contexts are children of one of the three previous contexts. The trees become deep, and the owners
      // alternate.
      under: fc.oneof(
        { weight: 1, arbitrary: fc.constant(0) },
        { weight: 6, arbitrary: fc.integer({ min: 1, max: 3 }) },
      ),
      user: maybe(owner),
      isCoded: fc.boolean(),
      conversation: maybe(fc.nat({ max: 3 })),
      updates: fc.array(maybe(person), { maxLength: 2 }),
      participants: fc.array(fc.record({ who: person, isCoded: fc.boolean() }), { maxLength: 3 }),
      isOfTheirSpace: fc.boolean(),
    }),
    { minLength: 1, maxLength: 14 },
  ),
  memories: fc.array(
    fc.record({
      user: maybe(person),
      context: maybe(fc.nat({ max: 13 })),
      conversation: maybe(fc.nat({ max: 3 })),
      isOfTheirSpace: fc.boolean(),
    }),
    { maxLength: 6 },
  ),
  facts: fc.array(fc.record({ user: person, key: fc.nat({ max: 3 }), source: maybe(person) }), { maxLength: 6 }),
  sessions: fc.array(fc.record({ user: person }), { minLength: 4, maxLength: 4 }),
})

/**
 * Returns a person's name and code in one tenant. The `word` belongs only to that person and occurs in all their data.
 */
export async function namesOf(scope: Scope, user: number): Promise<{ name: string; code: string; word: string }> {
  const name = `user-${user}-${scope.tenant}`
  return {
    name,
    code: (await verifiedLearner(scope.secret, scope.tenant, name)).id,
    word: `word${user}of${wordOf(scope)}`,
  }
}

export function sessionName(scope: Scope, place: number): string {
  return `session-${place}-${scope.tenant}`
}

/** Stores the generated data with ordinary operations of the chain. */
export async function plant(scope: Scope, forest: Forest): Promise<void> {
  const people = await Promise.all(Array.from({ length: PEOPLE }, (_, user) => namesOf(scope, user)))
  const calledBy = (user: number | null, isCoded = false) => {
    const found = user === null ? undefined : people[user]
    return isCoded ? found?.code : found?.name
  }
  const ids: { readonly id: string; readonly depth: number }[] = []
  for (const each of forest.contexts) {
    const parent = each.under === 0 ? undefined : ids.at(-each.under)
    const userId = calledBy(each.user, each.isCoded)
    const word = each.user === null ? 'nobody' : (people[each.user]?.word ?? '')
    const made = await createContext(scope, {
      purpose: `talk about ${word}`,
      memorySpaceId: each.isOfTheirSpace ? (calledBy(each.user) ?? 'team') : 'team',
      ...(userId === undefined ? {} : { userId }),
      ...(parent === undefined || parent.depth === 10 ? {} : { parentId: parent.id }),
      ...(each.conversation === null
        ? {}
        : { conversationRef: { conversationId: sessionName(scope, each.conversation), messageIds: ['m1'] } }),
      data: { note: word },
      autoComplete: 'never',
      underTerminal: true,
    })
    ids.push(made)
    for (const [place, by] of each.updates.entries()) {
      const who = calledBy(by)
      await updateContext(scope, {
        context: made.id,
        data: { [`note${place}`]: word },
        ...(who === undefined ? {} : { by: who }),
      })
    }
    for (const { who, isCoded } of each.participants)
      await addParticipant(scope, { context: made.id, participant: calledBy(who, isCoded) ?? '' })
  }
  for (const each of forest.memories) {
    const userId = calledBy(each.user)
    const context = each.context === null ? undefined : ids[each.context % ids.length]?.id
    await storeMemory(scope, {
      memorySpaceId: each.isOfTheirSpace ? (calledBy(each.user) ?? 'team') : 'team',
      content: `remember ${each.user === null ? 'nobody' : people[each.user]?.word}`,
      kind: 'note',
      importance: 50,
      ...(userId === undefined ? {} : { userId }),
      ...(context === undefined ? {} : { contextId: context }),
      ...(each.conversation === null
        ? {}
        : { conversationRef: { conversationId: sessionName(scope, each.conversation), messageIds: [] } }),
      metadata: {},
    })
  }
  for (const { user, key, source } of forest.facts)
    await putFact(scope, {
      user: calledBy(user) ?? '',
      key: `key${key}`,
      value: people[user]?.word ?? '',
      source: calledBy(source) ?? 'tests',
      confidence: 1,
    })
  const insert = `INSERT INTO sessions (tenant, session, user_id, learner, scenario, npc, run_id, context_id, created_at, active_at)
    VALUES (?1, ?2, ?3, 'verified', 'scenario', 'npc', 'ctx_run', 'ctx_context', 1, 1)`
  if (forest.sessions.length === 0) return
  await rowsTogether(
    scope,
    forest.sessions.map(({ user }, place) =>
      statement(scope, insert, sessionName(scope, place), calledBy(user, true) ?? ''),
    ),
  )
}

/** All rows of a tenant, for each table. The tables of counts and of indexes are left out. */
export type Tables = Readonly<Record<(typeof TABLES)[number], readonly Row[]>>
export type Row = Readonly<Record<string, string | number | null>>

export const TABLES = ['contexts', 'context_versions', 'memories', 'facts', 'sessions'] as const

export async function tablesOf(scope: Scope): Promise<Tables> {
  const all = await rowsTogether(
    scope,
    TABLES.map((table) => statement(scope, `SELECT * FROM ${table} WHERE tenant = ?1 ORDER BY 1, 2, 3`)),
  )
  return Object.fromEntries(TABLES.map((table, place) => [table, all[place]])) as unknown as Tables
}

function wordOf({ tenant }: Scope): string {
  return tenant.replaceAll(/[^a-z0-9]/g, '')
}
