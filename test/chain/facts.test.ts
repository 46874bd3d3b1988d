import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commit } from '../../worker/chain/commit.ts'
import { deleteFact, factWrite, listFacts, putFact } from '../../worker/chain/memories/facts.ts'
import { hasMet } from '../../worker/chain/memories/has-met.ts'
import type { PersonFact } from '../../worker/chain/memory.ts'
import { subjectOf } from '../../worker/chain/people/tombstones.ts'
import { type Scope, statement } from '../../worker/chain/scope.ts'
import { verifiedLearner } from '../../worker/trust/learner.ts'
import { freshScope } from './support/fresh-scope.ts'
import { plansOf, watched } from './support/watched.ts'
import { runs } from '../support/runs.ts'

const factsOf = async (scope: Scope, user: string) => (await listFacts(scope, { user, limit: 100 })).items
const put = (scope: Scope, { key, ...fact }: PersonFact, user = 'ada') => putFact(scope, { user, key, ...fact })

describe('facts about a person', () => {
  it('[memory-9] the newest of one key holds, and an older one changes nothing', async () => {
    const scope = await freshScope()
    const newer = { key: 'role', value: 'lead', source: 'crm', confidence: 0.2, at: 20 }
    expect(await put(scope, newer)).toEqual(newer)
    expect(await put(scope, { ...newer, value: 'engineer', confidence: 1, at: 10 })).toEqual(newer)
    expect(await factsOf(scope, 'ada')).toEqual([newer])
    expect(await factsOf(scope, 'bo')).toEqual([])
    expect(await factsOf(await freshScope(), 'ada')).toEqual([])
  })

  it('[memory-9] the same one holds in any order of writing', async () => {
    const fact = fc.record({
      key: fc.constantFrom('name', 'role'),
      value: fc.constantFrom('a', 'b', 'B'),
      source: fc.constantFrom('crm', 'conversation 1'),
      confidence: fc.constantFrom(0, 0.5, 1),
      at: fc.nat(3),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fact, { minLength: 1, maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        async (facts, lots) => {
          const scope = await freshScope()
          for (const each of facts) await put(scope, each, 'ada')
          const shuffled = facts
            .map((each) => ({ each, lot: lots.next().value }))
            .toSorted((a, b) => a.lot - b.lot)
            .map(({ each }) => each)
          // The test stores every fact twice. Storing a fact again changes nothing.
          for (const each of [...shuffled, ...facts]) await put(scope, each, 'bo')
          const held = await factsOf(scope, 'ada')
          expect(await factsOf(scope, 'bo')).toEqual(held)
          for (const key of new Set(facts.map((each) => each.key)))
            expect(held.find((each) => each.key === key)).toEqual(
              facts.filter((each) => each.key === key).reduce<PersonFact | null>(later, null),
            )
        },
      ),
      { numRuns: runs('costly') },
    )
  }, 60_000)

  it('[memory-9] a time in the future counts as now', async () => {
    const scope = await freshScope({ now: () => 1_000 })
    const fact = { key: 'role', value: 'lead', source: 'crm', confidence: 1 }
    expect(await put(scope, { ...fact, at: 9_999 })).toEqual({ ...fact, at: 1_000 })
    expect(await putFact(scope, { user: 'bo', ...fact })).toEqual({ ...fact, at: 1_000 })
  })

  it('[memory-9] are listed by key, page by page, and can be deleted', async () => {
    const scope = await freshScope()
    for (const key of ['c', 'a', 'b.x', 'b_x']) await put(scope, { key, value: key, source: 's', confidence: 1, at: 1 })
    const first = await listFacts(scope, { user: 'ada', limit: 3 })
    expect(first.items.map(({ key }) => key)).toEqual(['a', 'b.x', 'b_x'])
    const second = await listFacts(scope, { user: 'ada', limit: 3, cursor: first.next ?? '' })
    expect(second).toMatchObject({ items: [{ key: 'c' }], next: null })
    await expect(listFacts(scope, { user: 'ada', limit: 3, cursor: "' OR 1" })).rejects.toMatchObject({
      code: 'INVALID_CURSOR',
    })
    expect(await deleteFact(scope, { user: 'ada', key: 'c' })).toEqual({ deleted: 1 })
    await expect(deleteFact(scope, { user: 'ada', key: 'c' })).rejects.toMatchObject({ code: 'FACT_NOT_FOUND' })
    await expect(deleteFact(scope, { user: 'bo', key: 'a' })).rejects.toMatchObject({ code: 'FACT_NOT_FOUND' })
  })

  it('[memory-9] [person-1] under a name include those under its code, one for each key', async () => {
    const scope = await freshScope()
    const { id: code } = await verifiedLearner(scope.secret, scope.tenant, 'ada')
    const told = (fact: PersonFact) => commit(scope, { guards: [], writes: [factWrite(scope, code, fact)] })
    const role = { key: 'role', value: 'lead', source: 'conversation 1', confidence: 0.9, at: 20 }
    const goal = { ...role, key: 'goal', value: 'ship' }
    const team = { key: 'team', value: 'core', source: 'crm', confidence: 1, at: 5 }
    for (const fact of [role, goal]) await told(fact)
    await put(scope, team)
    expect(await factsOf(scope, 'ada')).toEqual([goal, role, team])
    expect(await factsOf(scope, code)).toEqual([goal, role])

    // A person has two ids. Facts are found under either id, and a fact that is stored under both ids counts once.
    expect(await put(scope, { ...role, value: 'engineer', at: 10 })).toEqual(role)
    expect(await put(scope, goal)).toEqual(goal)
    await told({ ...team, value: 'platform', at: 6 })
    expect(await factsOf(scope, 'ada')).toEqual([goal, role, { ...team, value: 'platform', at: 6 }])
    const newer = { ...role, value: 'founder', at: 30 }
    expect(await put(scope, newer)).toEqual(newer)
    const paged: PersonFact[] = []
    for (let cursor: string | undefined; ;) {
      const page = await listFacts(scope, { user: 'ada', limit: 1, ...(cursor === undefined ? {} : { cursor }) })
      paged.push(...page.items)
      if (page.next === null) break
      cursor = page.next
    }
    expect(paged).toEqual([goal, newer, { ...team, value: 'platform', at: 6 }])

    expect(await deleteFact(scope, { user: 'ada', key: 'role' })).toEqual({ deleted: 1 })
    await expect(deleteFact(scope, { user: code, key: 'role' })).rejects.toMatchObject({ code: 'FACT_NOT_FOUND' })
    expect((await factsOf(scope, 'ada')).map(({ key }) => key)).toEqual(['goal', 'team'])
  })

  it('[memory-3] pages are read from the index, in order', async () => {
    const scope = await freshScope()
    const { scope: seen, watch } = watched(scope)
    await listFacts(seen, { user: 'ada', limit: 10, cursor: 'a' })
    const steps = await plansOf(env.DB, watch)
    expect(steps).toContain('MERGE (UNION ALL)')
    expect(steps.filter((step) => /facts|SCAN|TEMP/.test(step))).toEqual([
      'SEARCH facts USING PRIMARY KEY (tenant=? AND user_id=? AND key>?)',
      'SEARCH facts USING PRIMARY KEY (tenant=? AND user_id=? AND key>?)',
    ])
  })

  it('[memory-10] are not written about a person who is being erased', async () => {
    const scope = await freshScope()
    const mark = "INSERT INTO tombstones (tenant, subject, kind, at, running) VALUES (?1, ?2, 'person', 1, 1)"
    await commit(scope, { guards: [], writes: [statement(scope, mark, await subjectOf(scope, 'ada'))] })
    const fact = { key: 'role', value: 'lead', source: 'crm', confidence: 1, at: 1 }
    await expect(put(scope, fact)).rejects.toMatchObject({ code: 'ERASURE_RUNNING' })
    expect(await put(scope, fact, 'bo')).toEqual(fact)
    expect(await factsOf(scope, 'ada')).toEqual([])
  })
})

describe('a returning learner', () => {
  it('[memory-18] is known by a colleague to whom they have said something, and by no other', async () => {
    const scope = await freshScope()
    const who = { userId: 'ada', scenario: 'launch-decision', npc: 'maya' }
    await sessionOf(scope, 's1', who, null)
    expect(await hasMet(scope, who)).toBe(false)
    await sessionOf(scope, 's2', who, 5)
    expect(await hasMet(scope, who)).toBe(true)
    // An anonymous learner is known only within their run; in another run they are new.
    expect(await hasMet(scope, { ...who, run: 'ctx_run' })).toBe(true)
    expect(await hasMet(scope, { ...who, run: 'ctx_again' })).toBe(false)
    expect(await hasMet(scope, { ...who, npc: 'marcus' })).toBe(false)
    expect(await hasMet(scope, { ...who, scenario: 'week-three' })).toBe(false)
    expect(await hasMet(scope, { ...who, userId: 'bo' })).toBe(false)
    expect(await hasMet(await freshScope(), who)).toBe(false)
  })
})

function sessionOf(
  scope: Scope,
  session: string,
  { userId, scenario, npc }: { userId: string; scenario: string; npc: string },
  metAt: number | null,
) {
  const sql = `INSERT INTO sessions (tenant, session, user_id, learner, scenario, npc, run_id, context_id, created_at, met_at, active_at)
    VALUES (?1, ?2, ?3, 'verified', ?4, ?5, 'ctx_run', 'ctx_c', 1, ?6, 1)`
  return commit(scope, { guards: [], writes: [statement(scope, sql, session, userId, scenario, npc, metAt)] })
}

/** Returns which of two facts with the same key is valid. */
function later(a: PersonFact | null, b: PersonFact): PersonFact {
  if (a === null) return b
  const order = (fact: PersonFact) => [fact.at, fact.confidence, fact.source, fact.value] as const
  for (const [place, one] of order(a).entries()) {
    const other = order(b)[place] ?? one
    if (one !== other) return one > other ? a : b
  }
  return a
}
