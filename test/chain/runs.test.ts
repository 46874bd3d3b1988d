import { describe, expect, it } from 'vitest'
import type { ChainError } from '../../worker/chain/chain-error.ts'
import { commit } from '../../worker/chain/commit.ts'
import { hasMet } from '../../worker/chain/memories/has-met.ts'
import { subjectOf } from '../../worker/chain/people/tombstones.ts'
import { applyEvents } from '../../worker/chain/runs/apply-events.ts'
import { beginConversation, MOST_CONVERSATIONS } from '../../worker/chain/runs/begin-conversation.ts'
import { firstRow, rows, type Scope, statement } from '../../worker/chain/scope.ts'
import { freshScope } from './support/fresh-scope.ts'
import { beginning, standing, talk, wholeWay } from './support/runs.ts'

const AT = 1_900_000_000_000

async function write(scope: Scope, sql: string, ...values: readonly (string | number | null)[]): Promise<void> {
  await commit(scope, { guards: [], writes: [statement(scope, sql, ...values)] })
}

const cancel = (scope: Scope, context: string) =>
  write(scope, "UPDATE contexts SET status = 'cancelled', version = version + 1 WHERE tenant = ?1 AND id = ?2", context)

/** Returns a scope that runs `happens` after a caller's reads and before the caller's first transaction. */
function writesBetween(scope: Scope, happens: (scope: Scope) => Promise<void>): Scope {
  let batches = 0
  const batch: D1Database['batch'] = async (statements) => {
    batches += 1
    if (batches === 3) await happens(scope)
    return scope.db.batch(statements)
  }
  return { ...scope, db: { batch, prepare: (sql: string) => scope.db.prepare(sql) } as D1Database }
}

describe('a run', () => {
  it('[run-1] begins with a root and a conversation of the learner', async () => {
    const scope = await freshScope()
    const { session, place } = await talk(scope, 'maya')
    expect(await standing(scope, place.id)).toMatchObject([
      {
        id: place.id,
        parent: null,
        space: 'run',
        status: 'active',
        version: 1,
        purpose: 'The launch decision: Larkfield goes live on Thursday at nine. What do you ship?',
        data: { scenario: 'launch-decision', version: 1, completes: ['maya', 'marcus', 'ines'] },
        participants: ['run', 'maya'],
      },
      {
        id: place.context,
        parent: place.id,
        space: 'maya',
        status: 'active',
        version: 1,
        purpose: 'Learn what the test run really says',
        data: { npc: 'maya', objective: 'size-the-risk' },
        participants: ['maya'],
      },
    ])
    const row = await firstRow(scope, 'SELECT * FROM sessions WHERE tenant = ?1 AND session = ?2', session)
    expect(row).toMatchObject({ user_id: 'ada', learner: 'verified', run_id: place.id, context_id: place.context })
    const users = await rows(scope, 'SELECT user_id, conversation_id FROM contexts WHERE tenant = ?1 ORDER BY depth')
    expect(users).toEqual([
      { user_id: 'ada', conversation_id: null },
      { user_id: 'ada', conversation_id: session },
    ])
  })

  it('[run-1] takes the next conversation of the same learner', async () => {
    const scope = await freshScope()
    const { place } = await talk(scope, 'otto')
    const next = await talk(scope, 'maya', { run: place.id })
    expect(next.place.id).toBe(place.id)
    const contexts = await standing(scope, place.id)
    expect(contexts.map(({ space, parent }) => [space, parent])).toEqual([
      ['run', null],
      ['otto', place.id],
      ['maya', place.id],
    ])
    expect(contexts[0]?.participants).toEqual(['run', 'otto', 'maya'])
  })

  it('[run-1] writes nothing for another learner or a missing run', async () => {
    const scope = await freshScope()
    const { place } = await talk(scope, 'otto')
    const before = await rows(scope, 'SELECT * FROM contexts WHERE tenant = ?1')
    for (const wrong of [
      beginning('a', 'maya', { run: place.id, learner: 'eve' }),
      beginning('b', 'maya', { run: 'ctx_nothing' }),
      // The given context belongs to a conversation, so it is not a run.
      beginning('c', 'maya', { run: place.context }),
    ])
      expect(await beginConversation(scope, wrong)).toEqual({ ok: false, why: 'unknown-run' })
    expect(await rows(scope, 'SELECT * FROM contexts WHERE tenant = ?1')).toEqual(before)
    expect(await rows(scope, 'SELECT session FROM sessions WHERE tenant = ?1')).toHaveLength(1)
  })

  it('[run-1] takes a limited number of conversations', async () => {
    const scope = await freshScope()
    const { place } = await talk(scope, 'otto')
    await write(
      scope,
      `WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
       INSERT INTO sessions (tenant, session, user_id, learner, scenario, npc, run_id, context_id, created_at, active_at)
       SELECT ?1, 'filled-' || i, 'ada', 'verified', 'launch-decision', 'maya', ?2, '', 1, 1 FROM n`,
      place.id,
      MOST_CONVERSATIONS,
    )
    expect(await beginConversation(scope, beginning('d', 'maya', { run: place.id }))).toEqual({
      ok: false,
      why: 'run-full',
    })
  })

  it('[run-1] does not begin for a learner who is being erased', async () => {
    const scope = await freshScope()
    const { place } = await talk(scope, 'otto')
    const subject = await subjectOf(scope, 'ada')
    await write(
      scope,
      "INSERT INTO tombstones (tenant, subject, kind, at, running) VALUES (?1, ?2, 'person', 1, 1)",
      subject,
    )
    for (const run of [null, place.id])
      await expect(beginConversation(scope, beginning('e', 'maya', { run }))).rejects.toMatchObject({
        code: 'ERASURE_RUNNING',
      } satisfies Partial<ChainError>)
    expect(await rows(scope, 'SELECT session FROM sessions WHERE tenant = ?1')).toHaveLength(1)
    await write(scope, 'UPDATE tombstones SET running = 0 WHERE tenant = ?1')
    expect(await beginConversation(scope, beginning('e', 'maya'))).toMatchObject({ ok: true })
  })
})

describe('events of a conversation', () => {
  it('[run-5] make one version each, with an author', async () => {
    const scope = await freshScope()
    const { session, place } = await talk(scope, 'maya')
    expect(await applyEvents(scope, session, 1, wholeWay(AT))).toEqual({ type: 'applied', applied: 4 })
    const [, maya, handOver] = await standing(scope, place.id)
    expect(maya).toMatchObject({
      status: 'completed',
      version: 5,
      completedAt: AT + 2,
      data: {
        metAt: AT,
        annotations: [{ node: 'mark', text: 'The questions begin here.', at: AT + 1 }],
        earned: ['size-the-risk'],
        earnedAt: { 'size-the-risk': AT + 2 },
        completion: 'earned',
        document: 'Run 47',
        next: 'marcus',
      },
    })
    expect(handOver).toMatchObject({
      parent: place.context,
      space: 'marcus',
      status: 'active',
      version: 1,
      purpose: 'He knows what the contract allows.',
      data: { handOver: 'marcus', from: 'maya' },
    })
    const versions = await rows<{ version: number; at: number; made_by: string }>(
      scope,
      'SELECT version, at, made_by FROM context_versions WHERE tenant = ?1 AND context_id = ?2 ORDER BY version',
      place.context,
    )
    expect(versions.map(({ version }) => version)).toEqual([1, 2, 3, 4])
    expect(versions.slice(1).map(({ at }) => at)).toEqual([AT, AT + 1, AT + 2])
    expect(new Set(versions.map(({ made_by }) => made_by))).toEqual(new Set(['tests']))
  })

  it('[debrief-6] [run-5] keep each fact once in its latest words, the level and the paper, with one version each', async () => {
    const scope = await freshScope()
    const { session, place } = await talk(scope, 'maya')
    const paper = { title: 'Run 47', kind: 'report', lines: ['Medical: 23.4%', 'n=180'] }
    const events = [
      { type: 'met', at: AT },
      { type: 'heard', facts: [{ fact: 'rate', said: 'It’s 23.4%.', turn: 1 }], at: AT + 1 },
      { type: 'level', level: 'guarded', at: AT + 1 },
      {
        type: 'heard',
        facts: [
          { fact: 'rate', said: 'Still 23.4%.', turn: 2 },
          { fact: 'size', said: 'n=180', turn: null },
        ],
        at: AT + 2,
      },
      { type: 'heard', facts: [{ fact: 'size', said: 'n=180', turn: 3 }], at: AT + 3 },
      { type: 'ended', completion: 'forced', document: 'Run 47', paper, next: null, at: AT + 4 },
    ] as const
    for (const [place_, event] of events.entries()) await applyEvents(scope, session, place_ + 1, [event])
    const [, maya] = await standing(scope, place.id)
    expect(maya).toMatchObject({
      version: 7,
      data: {
        facts: [
          { fact: 'rate', said: 'Still 23.4%.', turn: 2, at: AT + 1 },
          { fact: 'size', said: 'n=180', turn: null, at: AT + 2 },
        ],
        level: 'guarded',
        completion: 'forced',
        paper,
      },
    })
  })

  it('[run-5] may lack the fields of a simulation', async () => {
    const scope = await freshScope()
    const { session, place } = await talk(scope, 'maya')
    await applyEvents(scope, session, 1, wholeWay(AT))
    const [, maya] = await standing(scope, place.id)
    for (const key of ['facts', 'level', 'paper']) expect(maya?.data).not.toHaveProperty(key)
  })

  it('[run-5] keep an annotation as a memory of its context', async () => {
    const scope = await freshScope()
    const { session, place } = await talk(scope, 'maya')
    await applyEvents(scope, session, 1, wholeWay(AT))
    await applyEvents(scope, session, 1, wholeWay(AT))
    expect(await rows(scope, 'SELECT * FROM memories WHERE tenant = ?1')).toMatchObject([
      {
        kind: 'annotation',
        importance: 10,
        content: 'The questions begin here.',
        space: 'maya',
        user_id: 'ada',
        context_id: place.context,
        root_id: place.id,
        conversation_id: session,
      },
    ])
  })

  it('[run-5] keep the last twenty annotations in the data, 500 characters each, and all as memories', async () => {
    const scope = await freshScope()
    const { session, place } = await talk(scope, 'maya')
    // The last character has two UTF-16 code units. The limit of the length is between these two code units.
    const long = `${'a'.repeat(499)}😀`
    const notes = Array.from({ length: 25 }, (_, place) => ({
      type: 'annotation' as const,
      node: `n${place}`,
      text: long,
      at: AT,
    }))
    await applyEvents(scope, session, 1, [{ type: 'met', at: AT }, ...notes])
    const annotations = (await standing(scope, place.id))[1]?.data['annotations']
    expect(annotations).toEqual(notes.slice(5).map((note) => ({ node: note.node, text: 'a'.repeat(499), at: AT })))
    const kept = await rows(scope, 'SELECT content FROM memories WHERE tenant = ?1')
    expect(kept).toEqual(notes.map(() => ({ content: long })))
  })

  it('[run-5] keep memories and facts', async () => {
    const scope = await freshScope()
    const { session } = await talk(scope, 'maya')
    const remembered = {
      type: 'remembered',
      memories: [
        { kind: 'said', content: 'I am new here.', importance: 60 },
        { kind: 'event', content: 'Got the report of run 47.', importance: 70 },
      ],
      facts: [{ key: 'name', value: 'Ada', confidence: 0.9 }],
      at: AT,
    } as const
    await applyEvents(scope, session, 1, [{ type: 'met', at: AT }, remembered])
    await applyEvents(scope, session, 2, [remembered])
    const memories = await rows(scope, 'SELECT kind, content FROM memories WHERE tenant = ?1 ORDER BY row')
    expect(memories).toEqual(remembered.memories.map(({ kind, content }) => ({ kind, content })))
    const facts = await rows(scope, 'SELECT key, value, source, at FROM facts WHERE tenant = ?1')
    expect(facts).toEqual([{ key: 'name', value: 'Ada', source: `conversation ${session}`, at: AT }])
  })

  it('[run-5] mark a learner as met once they have said something', async () => {
    const scope = await freshScope()
    const { session } = await talk(scope, 'maya')
    const asked = { userId: 'ada', scenario: 'launch-decision', npc: 'maya' }
    expect(await hasMet(scope, asked)).toBe(false)
    await applyEvents(scope, session, 1, [{ type: 'met', at: AT }])
    expect(await hasMet(scope, asked)).toBe(true)
    expect(await hasMet(scope, { ...asked, npc: 'marcus' })).toBe(false)
  })

  it('[run-5] keep the time of the last use', async () => {
    const scope = await freshScope()
    const { session } = await talk(scope, 'maya')
    await applyEvents(scope, session, 1, [
      { type: 'met', at: AT },
      { type: 'seen', at: AT + 86_400_000 },
    ])
    expect(await firstRow(scope, 'SELECT active_at, met_at, ended_at FROM sessions WHERE tenant = ?1')).toEqual({
      active_at: AT + 86_400_000,
      met_at: AT,
      ended_at: null,
    })
  })

  it('[run-6] are applied once however often they come, and not beyond a gap', async () => {
    const scope = await freshScope()
    const { session, place } = await talk(scope, 'maya')
    const events = wholeWay(AT)
    expect(await applyEvents(scope, session, 2, events.slice(1))).toEqual({ type: 'gap', applied: 0 })
    expect(await applyEvents(scope, session, 1, events.slice(0, 2))).toEqual({ type: 'applied', applied: 2 })
    expect(await applyEvents(scope, session, 1, events.slice(0, 2))).toEqual({ type: 'applied', applied: 2 })
    expect(await applyEvents(scope, session, 4, events.slice(3))).toEqual({ type: 'gap', applied: 2 })
    expect(await applyEvents(scope, session, 2, events.slice(1))).toEqual({ type: 'applied', applied: 4 })
    expect(await applyEvents(scope, session, 1, events)).toEqual({ type: 'applied', applied: 4 })
    expect((await standing(scope, place.id)).map(({ space, version }) => [space, version])).toEqual([
      ['run', 1],
      ['maya', 5],
      ['marcus', 1],
    ])
  })

  it('[run-6] are applied once if several bring them at once', async () => {
    const scope = await freshScope()
    const { session, place } = await talk(scope, 'maya')
    const events = wholeWay(AT)
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => applyEvents(scope, session, 1, events)))
    expect(all).toEqual(all.map(() => ({ type: 'applied', applied: 4 })))
    expect((await standing(scope, place.id)).map(({ version }) => version)).toEqual([1, 5, 1])
    expect(await rows(scope, 'SELECT id FROM memories WHERE tenant = ?1')).toHaveLength(1)
  })

  it('[run-6] are not applied twice, by the cursor alone', async () => {
    const scope = await freshScope()
    const { session, place } = await talk(scope, 'maya')
    const other = await talk(scope, 'marcus', { run: place.id })
    await applyEvents(scope, other.session, 1, [{ type: 'met', at: AT }])
    const events = wholeWay(AT).slice(0, 2)
    let writes = 0
    const batch: D1Database['batch'] = async (statements) => {
      writes += 1
      // Between the read and the write of the first call, another call delivers the first event. Then the run's rows
      // are reset, so that only the cursor in the session's row shows this delivery.
      if (writes === 3) {
        await applyEvents(scope, session, 1, events.slice(0, 1))
        await write(
          scope,
          'UPDATE sessions SET applied = applied - 1 WHERE tenant = ?1 AND session = ?2',
          other.session,
        )
        await write(scope, 'UPDATE contexts SET version = 1 WHERE tenant = ?1 AND id = ?2', place.context)
        await write(scope, 'DELETE FROM context_versions WHERE tenant = ?1 AND context_id = ?2', place.context)
      }
      return scope.db.batch(statements)
    }
    const between: Scope = { ...scope, db: { batch, prepare: (sql: string) => scope.db.prepare(sql) } as D1Database }
    expect(await applyEvents(between, session, 1, events)).toEqual({ type: 'applied', applied: 2 })
    expect(writes).toBeGreaterThan(3)
    expect((await standing(scope, place.id))[1]).toMatchObject({ space: 'maya', version: 2 })
  })

  it('[run-6] are decided again if any context of the run changes', async () => {
    const scope = await freshScope()
    const first = await talk(scope, 'maya')
    const run = first.place.id
    const second = await talk(scope, 'marcus', { run })
    const third = await talk(scope, 'ines', { run })
    for (const { session } of [first, second]) await applyEvents(scope, session, 1, wholeWay(AT, null))
    // Between the read and the write of this call, the context of the first conversation is cancelled. So the call must
    // not complete the run.
    const between = writesBetween(scope, (own) => cancel(own, first.place.context))
    expect(await applyEvents(between, third.session, 1, wholeWay(AT, null))).toMatchObject({ applied: 4 })
    expect((await standing(scope, run))[0]).toMatchObject({ status: 'active', version: 1 })
  })

  it('[run-6] are decided again if their own context changes, though it left the run', async () => {
    const scope = await freshScope()
    const { session, place } = await talk(scope, 'maya')
    const promote = 'UPDATE contexts SET parent_id = NULL, root_id = id, depth = 0 WHERE tenant = ?1 AND id = ?2'
    await write(scope, promote, place.context)
    await write(scope, 'DELETE FROM contexts WHERE tenant = ?1 AND id = ?2', place.id)
    const between = writesBetween(scope, (own) => cancel(own, place.context))
    expect(await applyEvents(between, session, 1, wholeWay(AT, null))).toMatchObject({ applied: 4 })
    expect(await standing(scope, place.context)).toMatchObject([{ status: 'cancelled', version: 6 }])
  })

  it('[run-6] are not applied if the learner’s erasure begins meanwhile', async () => {
    for (const kind of ['person', 'session'] as const) {
      const scope = await freshScope()
      const { session, place } = await talk(scope, 'maya')
      const insert = 'INSERT INTO tombstones (tenant, subject, kind, at, running) VALUES (?1, ?2, ?3, 1, ?4)'
      const subject = await subjectOf(scope, kind === 'person' ? 'ada' : session)
      const between = writesBetween(scope, (own) => write(own, insert, subject, kind, kind === 'person' ? 1 : 0))
      expect(await applyEvents(between, session, 1, wholeWay(AT))).toEqual({ type: 'gone' })
      expect((await standing(scope, place.id)).map(({ version }) => version)).toEqual([1, 1])
      expect(await rows(scope, 'SELECT id FROM memories WHERE tenant = ?1')).toEqual([])
    }
  })

  it('[run-6] of an erased or unknown conversation are never applied', async () => {
    const scope = await freshScope()
    const { session, place } = await talk(scope, 'maya')
    const gone = { type: 'gone' }
    expect(await applyEvents(scope, 'f'.repeat(64), 1, wholeWay(AT))).toEqual(gone)
    for (const [kind, of] of [
      ['person', 'ada'],
      ['session', session],
    ] as const) {
      const subject = await subjectOf(scope, of)
      const insert = 'INSERT INTO tombstones (tenant, subject, kind, at, running) VALUES (?1, ?2, ?3, 1, ?4)'
      await write(scope, insert, subject, kind, kind === 'person' ? 1 : 0)
      expect(await applyEvents(scope, session, 1, wholeWay(AT))).toEqual(gone)
      await write(scope, 'DELETE FROM tombstones WHERE tenant = ?1')
    }
    expect((await standing(scope, place.id)).map(({ version }) => version)).toEqual([1, 1])
    expect(await applyEvents(scope, session, 1, wholeWay(AT))).toMatchObject({ applied: 4 })
  })

  it('[run-5] keep a status that somebody else has set, and lose no data', async () => {
    for (const status of ['blocked', 'cancelled'] as const) {
      const scope = await freshScope()
      const { session, place } = await talk(scope, 'maya')
      await write(
        scope,
        'UPDATE contexts SET status = ?3, version = 2 WHERE tenant = ?1 AND id = ?2',
        place.context,
        status,
      )
      await applyEvents(scope, session, 1, wholeWay(AT))
      const [root, maya] = await standing(scope, place.id)
      expect(maya).toMatchObject({ status, completedAt: null, data: { completion: 'earned' }, version: 6 })
      expect(root).toMatchObject({ status: 'active' })
    }
  })

  it('[run-5] only move the cursor if the context was deleted', async () => {
    const scope = await freshScope()
    const { session, place } = await talk(scope, 'maya')
    await write(scope, 'DELETE FROM contexts WHERE tenant = ?1 AND id = ?2', place.context)
    expect(await applyEvents(scope, session, 1, wholeWay(AT))).toEqual({ type: 'applied', applied: 4 })
    expect(await standing(scope, place.id)).toMatchObject([{ space: 'run', version: 1 }])
    expect(await rows(scope, 'SELECT kind, context_id FROM memories WHERE tenant = ?1')).toEqual([
      { kind: 'annotation', context_id: null },
    ])
  })

  it('[run-5] are applied despite hostile data in the context', async () => {
    const scope = await freshScope()
    const { session, place } = await talk(scope, 'maya')
    const data = '{"__proto__":{"a":1},"annotations":"none","earned":{"x":1},"keep":12345678901234567890}'
    await write(scope, 'UPDATE contexts SET data = ?3 WHERE tenant = ?1 AND id = ?2', place.context, data)
    await applyEvents(scope, session, 1, wholeWay(AT))
    const [row] = await rows<{ data: string }>(
      scope,
      'SELECT data FROM contexts WHERE tenant = ?1 AND id = ?2',
      place.context,
    )
    expect(row?.data).toContain('"keep":12345678901234567890')
    expect(row?.data).toContain('"__proto__":{"a":1}')
    expect(row?.data).toContain('"earned":["size-the-risk"]')
  })
})

describe('a hand-over', () => {
  it('[run-7] waits until a conversation with that colleague begins, and then names it', async () => {
    const scope = await freshScope()
    const maya = await talk(scope, 'maya')
    await applyEvents(scope, maya.session, 1, wholeWay(AT))
    const run = maya.place.id
    // A conversation in another run does not complete the handover.
    await talk(scope, 'marcus')
    expect((await standing(scope, run)).at(-1)).toMatchObject({ space: 'marcus', status: 'active' })
    const marcus = await talk(scope, 'marcus', { run })
    const [handOver] = (await standing(scope, run)).filter(({ data }) => data['handOver'] === 'marcus')
    expect(handOver).toMatchObject({ status: 'completed', version: 2, data: { takenBy: marcus.place.context } })
    expect(handOver?.completedAt).not.toBeNull()
    expect((await standing(scope, run))[0]?.participants).toEqual(['run', 'maya', 'marcus'])
  })

  it('[run-7] is completed at once if a conversation with them is open', async () => {
    const scope = await freshScope()
    const maya = await talk(scope, 'maya')
    const marcus = await talk(scope, 'marcus', { run: maya.place.id })
    await talk(scope, 'marcus', { run: maya.place.id })
    await applyEvents(scope, maya.session, 1, wholeWay(AT))
    const [handOver] = (await standing(scope, maya.place.id)).filter(({ data }) => 'handOver' in data)
    expect(handOver).toMatchObject({ status: 'completed', version: 2, data: { takenBy: marcus.place.context } })
  })

  it('[run-7] that arrives late finds a conversation that began since', async () => {
    for (const later of [0, 100]) {
      const scope = await freshScope()
      const maya = await talk(scope, 'maya')
      const marcus = await talk(scope, 'marcus', { run: maya.place.id })
      await applyEvents(scope, marcus.session, 1, wholeWay(AT + later, null))
      await applyEvents(scope, maya.session, 1, wholeWay(AT))
      const [handOver] = (await standing(scope, maya.place.id)).filter(({ data }) => 'handOver' in data)
      expect(handOver).toMatchObject({ status: 'completed', data: { takenBy: marcus.place.context } })
    }
  })

  it('[run-7] to a colleague whose conversation had ended waits for the next one', async () => {
    const scope = await freshScope()
    const marcus = await talk(scope, 'marcus')
    await applyEvents(scope, marcus.session, 1, wholeWay(AT, null))
    const maya = await talk(scope, 'maya', { run: marcus.place.id })
    await applyEvents(scope, maya.session, 1, wholeWay(AT + 100))
    const waits = (await standing(scope, maya.place.id)).filter(({ data }) => 'handOver' in data)
    expect(waits).toMatchObject([{ status: 'active' }])
    await talk(scope, 'marcus', { run: maya.place.id })
    const taken = (await standing(scope, maya.place.id)).filter(({ data }) => 'handOver' in data)
    expect(taken).toMatchObject([{ status: 'completed' }])
  })

  it('[run-7] is never left waiting by a conversation that begins at the same moment', async () => {
    for (let round = 0; round < 8; round += 1) {
      const scope = await freshScope()
      const maya = await talk(scope, 'maya')
      await Promise.all([
        applyEvents(scope, maya.session, 1, wholeWay(AT)),
        talk(scope, 'marcus', { run: maya.place.id }),
      ])
      const [handOver] = (await standing(scope, maya.place.id)).filter(({ data }) => 'handOver' in data)
      expect(handOver?.status).toBe('completed')
    }
  })
})

describe('the end of a run', () => {
  it('[run-8] comes with the last conversation that the scenario names, in its transaction', async () => {
    const scope = await freshScope()
    const { session, place } = await talk(scope, 'otto')
    const run = place.id
    await applyEvents(scope, session, 1, wholeWay(AT, 'maya'))
    for (const [at, npc] of ['maya', 'marcus', 'ines'].entries()) {
      expect((await standing(scope, run))[0]).toMatchObject({ status: 'active', version: 1 })
      const each = await talk(scope, npc, { run })
      await applyEvents(scope, each.session, 1, wholeWay(AT + 10 * at, null))
    }
    const [root] = await standing(scope, run)
    expect(root).toMatchObject({ status: 'completed', version: 2, completedAt: AT + 22 })
  })

  it('[run-8] comes once if several end at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const scope = await freshScope()
      const first = await talk(scope, 'maya')
      const run = first.place.id
      const all = [first, await talk(scope, 'marcus', { run }), await talk(scope, 'ines', { run })]
      await Promise.all(all.map(({ session }) => applyEvents(scope, session, 1, wholeWay(AT, null))))
      expect((await standing(scope, run))[0]).toMatchObject({ status: 'completed', version: 2 })
    }
  })

  it('[run-8] does not come by a cancelled conversation', async () => {
    const scope = await freshScope()
    const first = await talk(scope, 'maya')
    const run = first.place.id
    const all = [first, await talk(scope, 'marcus', { run }), await talk(scope, 'ines', { run })]
    await write(
      scope,
      "UPDATE contexts SET status = 'cancelled', version = 2 WHERE tenant = ?1 AND id = ?2",
      first.place.context,
    )
    for (const { session } of all) await applyEvents(scope, session, 1, wholeWay(AT, null))
    expect((await standing(scope, run))[0]).toMatchObject({ status: 'active' })
    const again = await talk(scope, 'maya', { run })
    await applyEvents(scope, again.session, 1, wholeWay(AT, null))
    expect((await standing(scope, run))[0]).toMatchObject({ status: 'completed' })
  })

  it('[run-8] does not stop new conversations, which do not change the run', async () => {
    for (const status of ['completed', 'cancelled', 'blocked'] as const) {
      const scope = await freshScope()
      const { place } = await talk(scope, 'otto')
      const run = place.id
      await write(scope, 'UPDATE contexts SET status = ?3, version = 2 WHERE tenant = ?1 AND id = ?2', run, status)
      for (const npc of ['maya', 'marcus', 'ines']) {
        const each = await talk(scope, npc, { run })
        await applyEvents(scope, each.session, 1, wholeWay(AT, null))
      }
      const [root, ...others] = await standing(scope, run)
      expect(root).toMatchObject({ status, version: 2 })
      expect(others.map((each) => each.status)).toEqual(['active', 'completed', 'completed', 'completed'])
    }
  })
})
