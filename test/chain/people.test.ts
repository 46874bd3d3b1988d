import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { personExport } from '../../worker/chain/api/people-operations.ts'
import { addParticipant, removeParticipant } from '../../worker/chain/contexts/participants.ts'
import { createContext } from '../../worker/chain/contexts/create-context.ts'
import { updateContext } from '../../worker/chain/contexts/update-context.ts'
import { updateContexts } from '../../worker/chain/contexts/change-many.ts'
import { verifyIntegrity } from '../../worker/chain/contexts/integrity.ts'
import { putFact } from '../../worker/chain/memories/facts.ts'
import { storeMemory } from '../../worker/chain/memories/store-memory.ts'
import { beginErasure } from '../../worker/chain/people/begin-erasure.ts'
import { erasePerson } from '../../worker/chain/people/erasure.ts'
import { type ErasureJob, NOT_ERASING } from '../../worker/chain/people/erasing.ts'
import {
  exportPerson,
  exportPersonStream,
  PERSON_EXPORT_SCHEMA,
  personExportSchema,
} from '../../worker/chain/people/export-person.ts'
import { getPerson } from '../../worker/chain/people/get-person.ts'
import { nextPiece } from '../../worker/chain/people/next-piece.ts'
import { personOf } from '../../worker/chain/people/person.ts'
import { retain } from '../../worker/chain/people/retain.ts'
import { notErasedSession } from '../../worker/chain/people/tombstones.ts'
import { commit } from '../../worker/chain/commit.ts'
import { rows, rowsTogether, type Scope, statement } from '../../worker/chain/scope.ts'
import { write } from './support/damage.ts'
import { eraseWhole } from './support/erase.ts'
import { freshScope } from './support/fresh-scope.ts'
import { metered } from './support/metered.ts'
import { anyForest, namesOf, plant, tablesOf } from './support/people-forest.ts'
import { plansOf, watched } from './support/watched.ts'
import { IS_LONG, runs } from '../support/runs.ts'

const DAY_MS = 86_400_000

const context = (own: object = {}) => ({
  purpose: 'some work',
  memorySpaceId: 'team',
  data: {},
  autoComplete: 'never' as const,
  underTerminal: false,
  ...own,
})
const memory = (own: object = {}) => ({
  memorySpaceId: 'team',
  content: 'something',
  kind: 'note' as const,
  importance: 50,
  metadata: {},
  ...own,
})

async function beginSession(
  scope: Scope,
  session: string,
  userId: string,
  contextId: string,
  activeAt: number,
  run = contextId,
) {
  await rowsTogether(scope, [
    statement(
      scope,
      `INSERT INTO sessions (tenant, session, user_id, learner, scenario, npc, run_id, context_id, created_at, active_at)
       VALUES (?1, ?2, ?3, 'verified', 's', 'n', ?6, ?4, 1, ?5)`,
      session,
      userId,
      contextId,
      activeAt,
      run,
    ),
  ])
}

async function erasingScope(): Promise<Scope> {
  const scope: Scope = await freshScope({
    erasing: { ...NOT_ERASING, begin: (job) => beginErasure(scope, job), countLedgers: async () => 0 },
  })
  return scope
}

const erase = (scope: Scope, user: string) => erasePerson(scope, { user, dryRun: false, mode: 'preserve' })

describe('a person', () => {
  it('[person-1] is found by their name and by its code', async () => {
    const scope = await freshScope()
    const { name, code } = await namesOf(scope, 0)
    await createContext(scope, context({ userId: name }))
    await createContext(scope, context({ userId: code }))
    expect((await getPerson(scope, { user: name })).counts).toMatchObject({ contexts: 2 })
    expect((await getPerson(scope, { user: code })).counts).toMatchObject({ contexts: 1 })
  })

  it('[person-4] is not erased twice at once; an overlapping person has to wait', async () => {
    const scope = await erasingScope()
    const { name, code } = await namesOf(scope, 0)
    const first = await erase(scope, name)
    const second = await erase(scope, name)
    expect(second.erasure).toMatchObject({ id: first.erasure?.id, status: 'running' })
    expect((await getPerson(scope, { user: name })).erasure).toEqual(first.erasure)
    await expect(erase(scope, code)).rejects.toMatchObject({ code: 'BUSY' })
    const job = {
      tenant: scope.tenant,
      id: first.erasure?.id ?? '',
      mode: 'preserve' as const,
      at: scope.now(),
      person: await personOf(scope, name),
    }
    expect(await beginErasure(scope, job)).toEqual({ type: 'begun' })
  })

  it('[person-4] is not erased again by a request that arrives late', async () => {
    const scope = await erasingScope()
    const at = scope.now()
    const { id } = await eraseWhole(scope, 'somebody')
    await createContext(scope, context({ userId: 'somebody' }))
    const late = {
      tenant: scope.tenant,
      id: 'era_late',
      mode: 'preserve' as const,
      at,
      person: await personOf(scope, 'somebody'),
    }
    expect(await beginErasure(scope, late)).toEqual({ type: 'running', id })
    expect((await getPerson(scope, { user: 'somebody' })).counts).toMatchObject({ contexts: 1 })
    expect(await beginErasure(scope, { ...late, at: scope.now() })).toEqual({ type: 'begun' })
  })

  it('[person-5] has nothing written about them during their erasure', async () => {
    const scope = await erasingScope()
    await erase(scope, 'somebody')
    const refused = { code: 'ERASURE_RUNNING' }
    await expect(createContext(scope, context({ userId: 'somebody' }))).rejects.toMatchObject(refused)
    await expect(storeMemory(scope, memory({ userId: 'somebody' }))).rejects.toMatchObject(refused)
    const fact = { user: 'somebody', key: 'k', value: 'v', source: 's', confidence: 1 }
    await expect(putFact(scope, fact)).rejects.toMatchObject(refused)
    await createContext(scope, context({ userId: 'somebody else' }))

    // During a second erasure of the same person, the chain refuses writes about the person as well.
    const other = await erasingScope()
    await eraseWhole(other, 'somebody')
    await createContext(other, context({ userId: 'somebody' }))
    await erase(other, 'somebody')
    await expect(createContext(other, context({ userId: 'somebody' }))).rejects.toMatchObject(refused)
  })

  it('[person-5] is named nowhere during their erasure', async () => {
    const scope = await erasingScope()
    const other = await createContext(scope, context({ userId: 'other', autoComplete: 'all-completed' }))
    const under = await createContext(scope, context({ userId: 'other', parentId: other.id }))
    await updateContext(scope, { context: under.id, status: 'completed' })
    await erase(scope, 'somebody')
    const before = await tablesOf(scope)
    const memorySpaceId = 'somebody'
    const by = 'somebody'
    const one = { context: other.id }
    const fact = { user: 'other', key: 'k', value: 'v', source: 'somebody', confidence: 1 }
    const filter = { userId: 'other' }
    for (const write of [
      () => createContext(scope, context({ memorySpaceId })),
      () => updateContext(scope, { ...one, data: { a: 1 }, by }),
      () => updateContexts(scope, { filter, updates: { data: { a: 1 } }, by, limit: 100 }),
      () => addParticipant(scope, { ...one, participant: 'somebody' }),
      () => storeMemory(scope, memory({ memorySpaceId })),
      () => putFact(scope, fact),
    ])
      await expect(write(), write.toString()).rejects.toMatchObject({ code: 'ERASURE_RUNNING' })
    expect(await tablesOf(scope)).toEqual(before)
    await removeParticipant(scope, { ...one, participant: 'somebody' })
  })

  it.each(['preserve', 'subtree'] as const)(
    '[person-2] with a name of the deployment itself does not take its contexts along: %s',
    async (mode) => {
      const scope = await freshScope({ erasing: { ...NOT_ERASING, ownNames: ['maya'], countLedgers: async () => 0 } })
      const other = await createContext(scope, context({ userId: 'other', memorySpaceId: 'maya' }))
      await updateContext(scope, { context: other.id, data: { a: 1 }, by: 'maya' })
      await updateContext(scope, { context: other.id, data: { a: 2 }, by: 'erased' })
      await storeMemory(scope, memory({ memorySpaceId: 'maya', userId: 'other' }))
      await putFact(scope, { user: 'other', key: 'k', value: 'v', source: 'maya', confidence: 1 })
      const before = await tablesOf(scope)
      for (const user of ['maya', 'erased']) {
        await createContext(scope, context({ userId: user }))
        const plan = (await erasePerson(scope, { user, dryRun: true, mode })).effect
        expect(plan.contexts).toEqual({ deleted: 1, reparented: 0, promoted: 0, scrubbed: 0 })
        expect((await eraseWhole(scope, user, mode)).effect).toEqual(plan)
      }
      expect(await tablesOf(scope)).toEqual(before)
    },
  )

  it('[person-5] has conversations that get a tombstone before they are emptied', async () => {
    const marked: boolean[] = []
    const jobs: ErasureJob[] = []
    const isMarked = async (session: string) =>
      !(await commit(scope, { guards: await notErasedSession(scope, session), writes: [] })).ok
    const scope: Scope = await freshScope({
      erasing: {
        ...NOT_ERASING,
        conversation: async (session) => void marked.push(await isMarked(session)),
        countLedgers: async () => 0,
        eraseLedgers: async () => {},
        begin: (job) => {
          jobs.push(job)
          return beginErasure(scope, job)
        },
      },
    })
    for (const session of ['one', 'two']) await beginSession(scope, session, 'somebody', 'ctx_none', 1)
    await erase(scope, 'somebody')
    const [job] = jobs
    if (!job) throw new Error('nothing was begun')
    for (let piece = await nextPiece(scope, job); piece !== null; piece = await nextPiece(scope, job)) await piece.act()
    expect(marked).toEqual([true, true])
    expect([await isMarked('one'), await isMarked('another')]).toEqual([true, false])
  })

  it('[person-2] leaves a circle of others as it is', async () => {
    const scope = await freshScope()
    const theirs = await createContext(scope, context({ userId: 'somebody' }))
    const under = await createContext(scope, context({ parentId: theirs.id }))
    await write(scope, 'UPDATE contexts SET parent_id = ?3 WHERE tenant = ?1 AND id = ?2', theirs.id, under.id)
    expect((await eraseWhole(scope, 'somebody')).effect.contexts).toMatchObject({ deleted: 1 })
    const { contexts } = await tablesOf(scope)
    expect(contexts).toMatchObject([{ id: under.id, depth: 0 }])
    const { items } = await verifyIntegrity(scope, { limit: 10 })
    expect(items.map(({ kind }) => kind)).toContain('cycle')
  })

  it.runIf(IS_LONG)('[person-13] with twice as many contexts below costs twice as much to erase', async () => {
    const readFor = async (children: number) => {
      const { scope, meter } = metered(await erasingScope())
      const theirs = await createContext(scope, context({ userId: 'somebody' }))
      for (let place = 0; place < children; place += 1) await createContext(scope, context({ parentId: theirs.id }))
      meter.reset()
      expect((await eraseWhole(scope, 'somebody')).effect.contexts).toMatchObject({ deleted: 1, promoted: children })
      return meter.spent.read
    }
    const few = await readFor(60)
    expect(await readFor(120)).toBeLessThan(2.5 * few)
  })

  it('[person-13] costs the same, however many conversations others have', async () => {
    const readFor = async (others: number) => {
      const { scope, meter } = metered(
        await freshScope({ erasing: { ...NOT_ERASING, conversation: () => Promise.resolve() } }),
      )
      const read = async (act: () => Promise<unknown>) => {
        meter.reset()
        await act()
        return meter.spent.read
      }
      await beginSession(scope, 'theirs', 'somebody', 'ctx_none', 1)
      for (let place = 0; place < others; place += 1) await beginSession(scope, `a-${place}`, 'other', 'ctx_none', 1)
      const user = 'somebody'
      return {
        shown: await read(() => getPerson(scope, { user })),
        exported: await read(() => exportPerson(scope, { user })),
        erased: await read(() => eraseWhole(scope, user)),
      }
    }
    expect(await readFor(40)).toEqual(await readFor(2))
  })

  it('[person-9] is not found if nothing is known, but is if they were erased', async () => {
    const scope = await erasingScope()
    await expect(getPerson(scope, { user: 'nobody' })).rejects.toMatchObject({ code: 'PERSON_NOT_FOUND' })
    await expect(exportPerson(scope, { user: 'nobody' })).rejects.toMatchObject({ code: 'PERSON_NOT_FOUND' })
    await erase(scope, 'nobody')
    expect(await getPerson(scope, { user: 'nobody' })).toMatchObject({ erasure: { status: 'running' }, sessions: [] })
  })
})

describe('the last erasure of a person', () => {
  it('[person-9] is the last of any of their names', async () => {
    const scope = await erasingScope()
    const { name, code } = await namesOf(scope, 0)
    for (const user of [name, code, name, code]) {
      const { id } = await eraseWhole(scope, user)
      expect((await getPerson(scope, { user: name })).erasure?.id).toBe(id)
    }
  })
})

describe('an export', { timeout: 60_000 }, () => {
  it.runIf(IS_LONG)('[person-10] has everything, in the form it names, over many pages', async () => {
    const transcript = [{ id: 'm1', who: 'learner' as const, text: 'Hello.', at: 5 }]
    const scope = await freshScope({ conversations: { transcript: async () => transcript } })
    const { name, code } = await namesOf(scope, 0)
    const made = await createContext(scope, context({ userId: name }))
    for (let version = 2; version <= 105; version += 1)
      await updateContext(scope, { context: made.id, data: { version } })
    await createContext(scope, context({ userId: code }))
    await createContext(scope, context({ userId: 'another' }))
    for (let place = 0; place < 203; place += 1)
      await storeMemory(scope, memory({ userId: place % 2 === 0 ? name : code, content: `thing ${place}` }))
    await putFact(scope, { user: name, key: 'k', value: 'v', source: 's', confidence: 1 })
    await beginSession(scope, 'a-session', code, made.id, 1)

    const exported = await exportPerson(scope, { user: name })
    expect(personExport.strict().parse(exported)).toEqual(exported)
    expect(exported).toMatchObject({ schema: PERSON_EXPORT_SCHEMA, userId: name })
    expect(exported.contexts.map(({ previousVersions }) => previousVersions.length)).toEqual([104, 0])
    expect(exported.contexts[0]?.previousVersions.map(({ version }) => version)).toEqual(
      Array.from({ length: 104 }, (_, place) => place + 1),
    )
    expect(new Set(exported.memories.map(({ content }) => content)).size).toBe(203)
    expect(exported.facts).toHaveLength(1)
    expect(exported.sessions).toMatchObject([{ session: 'a-session', messages: transcript }])

    const streamed = JSON.parse(await new Response(await exportPersonStream(scope, name)).text()) as object
    expect(streamed).toEqual({ ...exported, exportedAt: expect.any(Number) })
  })

  it('[person-10] has a JSON Schema', () => {
    expect(personExportSchema()).toMatchObject({
      $id: PERSON_EXPORT_SCHEMA,
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      required: expect.arrayContaining(['sessions', 'contexts', 'memories', 'facts']),
    })
  })
})

describe('retention', { timeout: 60_000 }, () => {
  /**
   * Makes retention start at the scope's tenant. This tenant's name comes after the tenants' names of all earlier
   * tests.
   */
  const only = (scope: Scope) => (tenant: string) => ({
    ...scope,
    tenant: tenant === '' ? scope.tenant.slice(0, -1) : tenant,
  })
  let tenants = 0

  async function forgetting(before: number) {
    const emptied: string[] = []
    tenants += 1
    const scope = await freshScope({
      tenant: `~${String(tenants).padStart(6, '0')}.`,
      erasing: { ...NOT_ERASING, conversation: async (session) => void emptied.push(session) },
    })
    return { scope, emptied, run: (own: Scope = scope) => retain(only(own), { before, pieces: 100 }) }
  }

  it('[person-11] deletes what is old, and joins what remains', async () => {
    const old = 1_000
    const { scope, emptied, run } = await forgetting(2 * DAY_MS)
    const then = { ...scope, now: () => old }
    const now = { ...scope, now: () => 4 * DAY_MS }
    const root = await createContext(then, context())
    const middle = await createContext(then, context({ parentId: root.id }))
    const touched = await createContext(then, context({ parentId: middle.id }))
    await updateContext(now, { context: touched.id, data: { a: 1 } })
    const young = await createContext(now, context({ parentId: touched.id }))
    await storeMemory(then, memory({ content: 'old' }))
    await storeMemory(now, memory({ content: 'young' }))
    await putFact(then, { user: 'u', key: 'old', value: 'v', source: 's', confidence: 1 })
    await putFact(now, { user: 'u', key: 'young', value: 'v', source: 's', confidence: 1 })
    const talked = await createContext(
      then,
      context({ userId: 'u', conversationRef: { conversationId: 'old-s', messageIds: [] } }),
    )
    await storeMemory(now, memory({ contextId: talked.id, userId: 'u', content: 'of the old one' }))
    await beginSession(scope, 'old-s', 'u', talked.id, old)
    const runRoot = await createContext(then, context({ userId: 'u' }))
    const elsewhere = await createContext(
      now,
      context({ conversationRef: { conversationId: 'old-s', messageIds: ['m1'] } }),
    )
    const talking = await createContext(
      then,
      context({ parentId: runRoot.id, userId: 'u', conversationRef: { conversationId: 'young-s', messageIds: [] } }),
    )
    // For retention, a memory is as old as the conversation that the memory comes from.
    await storeMemory(then, memory({ contextId: talking.id, userId: 'u', content: 'of the young one' }))
    for (const session of ['old-s', 'young-s'])
      await putFact(then, { user: 'u', key: session, value: 'v', source: `conversation ${session}`, confidence: 1 })
    await beginSession(scope, 'young-s', 'u', talking.id, 4 * DAY_MS, runRoot.id)

    expect(await run()).toEqual({ sessions: 1, contexts: 2, memories: 1, facts: 1, failed: 0, isMore: false })
    expect(emptied).toEqual(['old-s'])
    const left = await tablesOf(scope)
    expect(left.contexts.map(({ id, parent_id, root_id, depth }) => ({ id, parent_id, root_id, depth }))).toEqual([
      { id: touched.id, parent_id: null, root_id: touched.id, depth: 0 },
      { id: young.id, parent_id: touched.id, root_id: touched.id, depth: 1 },
      { id: runRoot.id, parent_id: null, root_id: runRoot.id, depth: 0 },
      { id: elsewhere.id, parent_id: null, root_id: elsewhere.id, depth: 0 },
      { id: talking.id, parent_id: runRoot.id, root_id: runRoot.id, depth: 1 },
    ])
    expect(left.contexts.find(({ id }) => id === elsewhere.id)).toMatchObject({
      conversation_id: null,
      message_ids: null,
    })
    expect(left.memories.map(({ content }) => String(content)).toSorted()).toEqual(['of the young one', 'young'])
    expect(left.facts.map(({ key }) => String(key)).toSorted()).toEqual(['young', 'young-s'])
    expect(left.sessions.map(({ session }) => session)).toEqual(['young-s'])
    expect(await commit(scope, { guards: await notErasedSession(scope, 'old-s'), writes: [] })).toEqual({ ok: false })
    expect(await commit(scope, { guards: await notErasedSession(scope, 'young-s'), writes: [] })).toMatchObject({
      ok: true,
    })
    expect((await verifyIntegrity(scope, { limit: 100 })).items).toEqual([])
  })

  /** Returns the same scope with a database that runs `happen` just before its first write. */
  function beforeWriting(scope: Scope, happen: () => Promise<unknown>): Scope {
    let isOver = false
    const db = {
      prepare: (sql: string) => scope.db.prepare(sql),
      batch: async (statements: D1PreparedStatement[]) => {
        if (!isOver) {
          isOver = true
          await happen()
        }
        return scope.db.batch(statements)
      },
    } as unknown as D1Database
    return { ...scope, db }
  }

  it('[person-11] keeps a context that changes meanwhile', async () => {
    const { scope, run } = await forgetting(500_000)
    const then = { ...scope, now: () => 1_000 }
    await createContext(then, context())
    const touched = await createContext(then, context())
    const touch = () => updateContext({ ...scope, now: () => 1_000_000 }, { context: touched.id, data: { a: 1 } })
    await run(beforeWriting(scope, touch))
    expect((await tablesOf(scope)).contexts.map(({ id }) => id)).toEqual([touched.id])
  })

  it('[person-11] keeps a conversation that is used meanwhile', async () => {
    const { scope, emptied, run } = await forgetting(2 * DAY_MS)
    for (const session of ['absent', 'used']) await beginSession(scope, session, 'u', 'ctx_none', 1)
    const use = () =>
      write(scope, "UPDATE sessions SET active_at = ?2 WHERE tenant = ?1 AND session = 'used'", 3 * DAY_MS)
    expect(await run(beforeWriting(scope, use))).toMatchObject({ sessions: 1, failed: 0 })
    expect(emptied).toEqual(['absent'])
    expect(await commit(scope, { guards: await notErasedSession(scope, 'used'), writes: [] })).toMatchObject({
      ok: true,
    })
  })

  it('[person-11] keeps a conversation a day longer, since it reports its use once a day', async () => {
    const { scope, emptied, run } = await forgetting(2 * DAY_MS)
    await beginSession(scope, 'gone', 'u', 'ctx_none', DAY_MS - 1)
    await beginSession(scope, 'kept', 'u', 'ctx_none', DAY_MS)
    expect(await run()).toMatchObject({ sessions: 1 })
    expect(emptied).toEqual(['gone'])
  })

  it('[person-11] leaves a sound tree, whatever is old in it', () =>
    fc.assert(
      fc.asyncProperty(anyForest, fc.nat({ max: 60 }), async (forest, age) => {
        const { scope } = await forgetting(0)
        await plant(scope, { ...forest, sessions: [] })
        const [median] = await rows<{ at: number }>(
          scope,
          'SELECT updated_at AS at FROM contexts WHERE tenant = ?1 ORDER BY updated_at LIMIT 1 OFFSET ?2',
          age % forest.contexts.length,
        )
        const before = median?.at ?? 0
        await retain(only(scope), { before, pieces: 100 })
        const { contexts } = await tablesOf(scope)
        expect(contexts.every(({ updated_at: at }) => Number(at) >= before)).toBe(true)
        expect((await verifyIntegrity(scope, { limit: 1_000 })).items).toEqual([])
      }),
      { numRuns: runs('costly') },
    ))

  it('[person-12] continues if a conversation cannot be emptied', async () => {
    const { scope } = await forgetting(0)
    const bad = Array.from({ length: 11 }, (_, place) => `b${String(place).padStart(2, '0')}`)
    const broken = (session: string) =>
      bad.includes(session) ? Promise.reject(new Error('broken')) : Promise.resolve()
    const mortal = { ...scope, erasing: { ...scope.erasing, conversation: broken } }
    for (const session of ['a', ...bad, 'c']) {
      const { id } = await createContext(
        scope,
        context({ conversationRef: { conversationId: session, messageIds: [] } }),
      )
      await beginSession(scope, session, 'u', id, 1)
    }
    const before = 2 + DAY_MS
    expect(await retain(only(mortal), { before, pieces: 100 })).toMatchObject({ sessions: 2, failed: 11 })
    const left = await tablesOf(scope)
    expect(left.sessions.map(({ session }) => session)).toEqual(bad)
    expect(left.contexts.map(({ conversation_id: session }) => String(session)).toSorted()).toEqual(bad)
    expect(await retain(only(scope), { before, pieces: 100 })).toMatchObject({ sessions: 11, failed: 0 })
  })

  it('[person-12] continues where the last run ended', async () => {
    const { scope } = await forgetting(0)
    for (let place = 0; place < 205; place += 1) await createContext(scope, context())
    const before = Number.MAX_SAFE_INTEGER
    const first = await retain(only(scope), { before, pieces: 2 })
    expect(first).toMatchObject({ contexts: 100, isMore: true })
    const second = await retain(only(scope), { before, pieces: 100 })
    expect(second).toMatchObject({ contexts: 105, isMore: false })
  })

  it('[person-12] reaches the last tenant, however many before it have nothing old', async () => {
    const { scope } = await forgetting(0)
    const inTenant = (place: number) => ({ ...scope, tenant: `${scope.tenant}${place}` })
    for (const place of [1, 2, 3, 4, 5]) await createContext(inTenant(place), context())
    await createContext({ ...inTenant(6), now: () => 1_000 }, context())
    const { scope: own, watch } = watched(scope)
    expect(await retain(only(own), { before: 500_000, pieces: 4 })).toMatchObject({ contexts: 1, isMore: false })
    const plans = await plansOf(scope.db, watch)
    expect(plans.filter((step) => /^SCAN (?:sessions|contexts|memories|facts)\b/.test(step))).toEqual([])
  })
})
