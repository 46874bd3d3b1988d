import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runView } from '../../worker/core/run/run-view.ts'
import { NOT_ERASING } from '../../worker/chain/people/erasing.ts'
import { retain } from '../../worker/chain/people/retain.ts'
import { recordDecision, type DecisionRequest } from '../../worker/chain/runs/decide.ts'
import { findPlay } from '../../worker/chain/runs/open-play.ts'
import { MOST_LEARNERS } from '../../worker/chain/classes/classes.ts'
import { applyEvents } from '../../worker/chain/runs/apply-events.ts'
import { readRun } from '../../worker/chain/runs/read-run.ts'
import { startRun } from '../../worker/chain/runs/start-run.ts'
import { rows, type Scope } from '../../worker/chain/scope.ts'
import { type Death, Died, dyingDatabase } from './support/dying-database.ts'
import { eraseWhole } from './support/erase.ts'
import { beginErasing } from './support/erasure-running.ts'
import { freshScope } from './support/fresh-scope.ts'
import { inTurns } from './support/in-turns.ts'
import { metered } from './support/metered.ts'
import { brings, heard, LAUNCH, opening, played, type Started, started } from './support/plays.ts'
import { standing, wholeWay } from './support/runs.ts'
import { runs } from '../support/runs.ts'

const AT = 1_900_000_000_000
const DAY_MS = 86_400_000

const viewOf = async (scope: Scope, run: Started) => {
  const read = await readRun(scope, run)
  return read && runView(read.standing, LAUNCH)
}

const count = async (scope: Scope, table: string): Promise<number> => {
  const [row] = await rows<{ n: number }>(scope, `SELECT count(*) AS n FROM ${table} WHERE tenant = ?1`)
  return row?.n ?? 0
}

const SHIP: DecisionRequest = { option: 'hold-back-medical', reason: 'Nobody signs 23.4%.', evidence: [] }

describe('starting a run', () => {
  it('[game-1] writes its root alone', async () => {
    const scope = await freshScope()
    const { id } = await started(scope)
    expect(await standing(scope, id)).toMatchObject([
      {
        id,
        parent: null,
        space: 'run',
        status: 'active',
        version: 1,
        participants: ['run'],
        data: { scenario: 'launch-decision', version: 1, nickname: 'Moth', completes: ['maya', 'marcus', 'ines'] },
      },
    ])
    expect([await count(scope, 'sessions'), await count(scope, 'plays')]).toEqual([0, 0])
  })

  it('[game-1] writes nothing for a learner who is being erased', async () => {
    const scope = await freshScope()
    await beginErasing(scope, 'ada')
    await expect(started(scope)).rejects.toMatchObject({ code: 'ERASURE_RUNNING' })
    expect(await count(scope, 'contexts')).toBe(0)
  })
})

describe('starting a run in a class', () => {
  const CLASS = { id: 'cls_1', title: 'Tuesdays', scenario: 'launch-decision' } as const
  const start = (scope: Scope) =>
    startRun(scope, { scenario: LAUNCH, learner: { kind: 'anonymous', id: 'a' }, nickname: 'Moth', class: CLASS })

  async function withClass(): Promise<Scope> {
    const scope = await freshScope()
    await rows(
      scope,
      `INSERT INTO classes (tenant, id, code, title, scenario, created_at)
       VALUES (?1, 'cls_1', 'CODE', 'Tuesdays', 'launch-decision', 1)`,
    )
    return scope
  }

  it('[game-3] writes the run and its membership together, and both are deleted together', async () => {
    const scope = await withClass()
    const run = await start(scope)
    if (!run.ok) throw new Error(run.why)
    const read = await readRun(scope, { id: run.run, learner: { id: 'a' } })
    expect(read?.standing).toMatchObject({ nickname: 'Moth', class: { id: 'cls_1', title: 'Tuesdays' } })
    const members = 'SELECT class_id, run_id FROM class_runs WHERE tenant = ?1'
    expect(await rows(scope, members)).toEqual([{ class_id: 'cls_1', run_id: run.run }])
    await eraseWhole(scope, 'a')
    expect([await count(scope, 'class_runs'), await count(scope, 'contexts')]).toEqual([0, 0])
  })

  it('[game-3] writes neither if the class is gone or full', async () => {
    const none = await freshScope()
    expect(await start(none)).toEqual({ ok: false, why: 'unknown-class' })
    expect(await count(none, 'contexts')).toBe(0)
    const full = await withClass()
    expect(await start(full)).toMatchObject({ ok: true })
    await rows(
      full,
      `INSERT INTO contexts (tenant, id, root_id, depth, purpose, space, participants, data, status, auto_complete,
         created_at, updated_at, version, updated_by)
       WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       SELECT ?1, 'r' || i, 'r' || i, 0, 'p', 'run', '[]', '{}', 'active', 'never', 1, 1, 1, 'tests' FROM n`,
      MOST_LEARNERS,
    )
    await rows(
      full,
      `INSERT INTO class_runs (tenant, class_id, run_id, joined_at)
       SELECT ?1, 'cls_1', id, 1 FROM contexts WHERE tenant = ?1 AND updated_by = 'tests' AND space = 'run' AND user_id IS NULL`,
    )
    expect(await start(full)).toEqual({ ok: false, why: 'class-full' })
    expect(await count(full, 'contexts')).toBe(MOST_LEARNERS)
  })
})

describe('talking', () => {
  it('[game-8] gives twenty requests at once the same conversation', async () => {
    const scope = await freshScope()
    const run = await started(scope)
    const sessions = await Promise.all(Array.from({ length: 20 }, () => played(scope, run, 'maya')))
    expect(new Set(sessions).size).toBe(1)
    expect([await count(scope, 'sessions'), await count(scope, 'plays'), await count(scope, 'contexts')]).toEqual([
      1, 1, 2,
    ])
    expect((await viewOf(scope, run))?.people.map(({ npc, status }) => [npc, status])).toEqual([
      ['maya', 'talking'],
      ['marcus', 'new'],
      ['ines', 'new'],
      ['otto', 'new'],
    ])
  })

  it('[game-8] makes one conversation for each colleague, in any order of requests', async () => {
    const anyNpcs = fc.array(fc.constantFrom('maya', 'marcus', 'otto'), { minLength: 2, maxLength: 4 })
    const anyTurns = fc.array(fc.nat(7), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(anyNpcs, anyTurns, async (npcs, turns) => {
        const scope = await freshScope()
        const run = await started(scope)
        const sessions = await inTurns(
          scope,
          turns,
          npcs.map((npc) => (own: Scope) => played(own, run, npc)),
        )
        const byNpc = Map.groupBy(sessions, (_, place) => npcs[place])
        for (const own of byNpc.values()) expect(new Set(own).size).toBe(1)
        expect(await count(scope, 'sessions')).toBe(new Set(npcs).size)
        expect(await count(scope, 'plays')).toBe(new Set(npcs).size)
      }),
      { numRuns: runs('costly') },
    )
  })

  it('[game-8] [game-9] a repeated request after a crash finds what was written', async () => {
    for (const deaths of [['before'], ['after'], [null, 'before'], [null, 'after']] as Death[][]) {
      const scope = await freshScope()
      const run = await started(scope)
      const mortal = { ...scope, db: dyingDatabase(scope.db, [...deaths]) }
      const first = await played(mortal, run, 'maya').catch((error: unknown) => {
        if (!(error instanceof Died)) throw error
        return null
      })
      const second = await played(scope, run, 'maya')
      expect(first ?? second).toBe(second)
      expect([await count(scope, 'sessions'), await count(scope, 'plays')]).toEqual([1, 1])
    }
  })

  it("[game-7] [game-8] begins nothing in a deleted run or another learner's", async () => {
    const scope = await freshScope()
    const run = await started(scope)
    const eve: Started = { ...run, learner: { kind: 'verified', id: 'eve' } }
    expect(await opening(scope, eve, 'maya')).toEqual({ ok: false, why: 'unknown-run' })
    expect(await viewOf(scope, eve)).toBeNull()
    expect(await recordDecision(scope, eve, SHIP)).toEqual({ type: 'unknown-run' })
    await rows(scope, 'DELETE FROM contexts WHERE tenant = ?1')
    expect(await opening(scope, run, 'maya')).toEqual({ ok: false, why: 'unknown-run' })
    expect(await viewOf(scope, run)).toBeNull()
    expect(await recordDecision(scope, run, SHIP)).toEqual({ type: 'unknown-run' })
    expect(await count(scope, 'sessions')).toBe(0)
  })

  it('[game-8] begins nothing for a learner who is being erased', async () => {
    const scope = await freshScope()
    const run = await started(scope)
    await beginErasing(scope, 'ada')
    await expect(opening(scope, run, 'maya')).rejects.toMatchObject({ code: 'ERASURE_RUNNING' })
    expect([await count(scope, 'sessions'), await count(scope, 'plays')]).toEqual([0, 0])
  })
})

describe('the state of a run', () => {
  it('[game-5] has a document from when it was handed over, before the conversation ends', async () => {
    const scope = await freshScope()
    const run = await started(scope)
    const maya = await played(scope, run, 'maya')
    const paper = { title: 'Run 47', kind: 'test report', lines: ['Overall: 8.1%'] }
    await brings(scope, maya, [
      { type: 'met', at: AT },
      { type: 'paper', paper, at: AT + 1 },
    ])
    expect((await viewOf(scope, run))?.documents).toEqual([{ ...paper, npc: 'maya', at: AT + 1 }])
    await applyEvents(scope, maya, 3, [
      { type: 'ended', completion: 'earned', document: 'Run 47', next: null, at: AT + 2 },
    ])
    expect((await viewOf(scope, run))?.documents).toEqual([{ ...paper, npc: 'maya', at: AT + 1 }])
  })

  it('[game-5] has what its conversations brought', async () => {
    const scope = await freshScope()
    const run = await started(scope)
    const maya = await played(scope, run, 'maya')
    await brings(scope, maya, [
      { type: 'met', at: AT },
      heard(AT + 1, 'medical-rate'),
      { type: 'level', level: 'cooperative', at: AT + 2 },
      { type: 'objective', objective: 'size-the-risk', title: 'Learn it', at: AT + 3 },
      {
        type: 'ended',
        completion: 'earned',
        document: 'Run 47',
        paper: { title: 'Run 47', kind: 'test report', lines: ['Overall: 8.1%'] },
        next: { npc: 'marcus', why: 'He knows what the contract allows.' },
        at: AT + 4,
      },
    ])
    const marcus = await played(scope, run, 'marcus')
    await brings(scope, marcus, [
      heard(AT, 'credit'),
      { type: 'ended', completion: 'forced', document: null, next: null, at: AT + 5 },
    ])
    const view = await viewOf(scope, run)
    expect(view).toMatchObject({
      id: run.id,
      scenario: 'launch-decision',
      version: 1,
      nickname: 'Moth',
      class: null,
      again: null,
      people: [
        {
          npc: 'maya',
          status: 'over',
          level: 'cooperative',
          completion: 'earned',
          next: { npc: 'marcus', why: 'He knows what the contract allows.' },
        },
        { npc: 'marcus', status: 'over', level: 'neutral', completion: 'forced', next: null },
        { npc: 'ines', status: 'new', level: 'neutral', completion: null, next: null },
        { npc: 'otto', status: 'new' },
      ],
      facts: [
        { id: 'credit', npc: 'marcus', said: 'So much for credit.', turn: 1, at: AT },
        { id: 'medical-rate', npc: 'maya', at: AT + 1 },
      ],
      documents: [{ npc: 'maya', title: 'Run 47', kind: 'test report', lines: ['Overall: 8.1%'], at: AT + 4 }],
      decision: null,
    })
    expect(view?.objectives.map(({ id, npc, state }) => [id, npc, state])).toEqual([
      ['get-your-bearings', 'otto', 'open'],
      ['size-the-risk', 'maya', 'met'],
      ['read-the-contract', 'marcus', 'missed'],
      ['find-the-switch', 'ines', 'open'],
    ])
  })

  it('[game-4] is read in one trip and two statements', async () => {
    const scope = await freshScope()
    const run = await started(scope)
    const trips = async () => {
      const { scope: own, meter } = metered(scope)
      await readRun(own, run)
      return meter.spent
    }
    expect(await trips()).toMatchObject({ trips: 1, written: 0 })
    for (const npc of ['otto', 'maya', 'marcus', 'ines']) {
      const session = await played(scope, run, npc)
      await brings(scope, session, wholeWay(AT))
    }
    const other = await started(scope, { learner: 'eve' })
    for (const npc of ['otto', 'maya']) await played(scope, other, npc)
    const after = await trips()
    expect(after).toMatchObject({ trips: 1, written: 0 })
    // The query reads nine contexts and four conversations with two rows each, plus index entries. It reads no row of
    // another run.
    expect(after.read).toBeLessThan(50)
  })

  it('[game-5] the guide’s objective is met once the learner talks with all the others', async () => {
    const scope = await freshScope()
    const run = await started(scope)
    const state = async () => (await viewOf(scope, run))?.objectives.find(({ id }) => id === 'get-your-bearings')?.state
    for (const npc of ['otto', 'maya', 'marcus']) await played(scope, run, npc)
    expect(await state()).toBe('open')
    await played(scope, run, 'ines')
    expect(await state()).toBe('met')
  })

  it('[game-5] and once the learner has talked with the guide and gone on to a colleague', async () => {
    const scope = await freshScope()
    const run = await started(scope)
    const state = async () => (await viewOf(scope, run))?.objectives.find(({ id }) => id === 'get-your-bearings')?.state
    await brings(scope, await played(scope, run, 'otto'), [{ type: 'met', at: AT }])
    expect(await state()).toBe('open')
    await played(scope, run, 'maya')
    expect(await state()).toBe('met')
  })

  it('[game-5] ignores malformed data that a tenant wrote', async () => {
    const scope = await freshScope()
    const run = await started(scope)
    const session = await played(scope, run, 'maya')
    for (const data of [
      '{"facts":7,"level":"furious","paper":{"title":1},"earned":"x","next":3}',
      '{"facts":[{"fact":1}]}',
    ]) {
      await rows(scope, 'UPDATE contexts SET data = ?2 WHERE tenant = ?1 AND conversation_id = ?3', data, session)
      expect(await viewOf(scope, run)).toMatchObject({
        facts: [],
        documents: [],
        people: [{ level: 'neutral', next: null }, {}, {}, {}],
      })
    }
    await rows(
      scope,
      `UPDATE contexts SET data = '{"decision":[1],"nickname":{}}' WHERE tenant = ?1 AND id = ?2`,
      run.id,
    )
    expect(await viewOf(scope, run)).toMatchObject({ decision: null, nickname: null })
    await rows(scope, 'DELETE FROM contexts WHERE tenant = ?1 AND conversation_id = ?2', session)
    expect(await viewOf(scope, run)).toMatchObject({ people: [{ npc: 'maya', status: 'talking' }, {}, {}, {}] })
  })
})

describe('deciding', () => {
  async function told(scope: Scope): Promise<Started> {
    const run = await started(scope)
    await brings(scope, await played(scope, run, 'maya'), [heard(AT, 'medical-rate', 'ceiling')])
    return run
  }

  it('[game-11] is the next version of the root, and completes the run', async () => {
    const scope = await freshScope()
    const run = await told(scope)
    const asked = { ...SHIP, evidence: ['ceiling'], unticked: ['gate'] }
    const decided = await recordDecision(scope, run, asked)
    expect(decided).toMatchObject({ type: 'decided', standing: { decision: asked } })
    const [root] = await standing(scope, run.id)
    expect(root).toMatchObject({ status: 'completed', version: 2, data: { nickname: 'Moth', decision: asked } })
    const { at, ...made } = (await viewOf(scope, run))?.decision ?? { at: 0 }
    expect(made).toEqual(asked)
    expect(root?.completedAt).toBe(at)
  })

  it.each(['completed', 'cancelled', 'blocked'])('[game-11] leaves a run that is %s as it is', async (status) => {
    const scope = await freshScope()
    const run = await told(scope)
    await rows(scope, 'UPDATE contexts SET status = ?2 WHERE tenant = ?1 AND id = ?3', status, run.id)
    expect(await recordDecision(scope, run, SHIP)).toMatchObject({ type: 'decided' })
    expect((await standing(scope, run.id))[0]).toMatchObject({ status, version: 2 })
  })

  it('[game-11] refuses evidence that was not heard', async () => {
    const scope = await freshScope()
    const run = await told(scope)
    const answer = await recordDecision(scope, run, { ...SHIP, evidence: ['ceiling', 'credit', 'nonsense'] })
    expect(answer).toMatchObject({ type: 'not-heard', facts: ['credit', 'nonsense'] })
    // The learner heard this fact in another run, so it does not count as heard in this run.
    const other = await started(scope)
    expect(await recordDecision(scope, other, { ...SHIP, evidence: ['ceiling'] })).toMatchObject({ type: 'not-heard' })
    expect((await standing(scope, run.id))[0]).toMatchObject({ status: 'active', version: 1 })
  })

  it('[game-17] refuses an option whose facts were not all heard, and keeps one that was chosen', async () => {
    const scope = await freshScope()
    const run = await told(scope)
    const early = await recordDecision(scope, run, SHIP, ['ceiling', 'gate'])
    expect(early).toMatchObject({ type: 'not-earned', missing: ['gate'] })
    // A fact that is cited and one that is needed can both be missing.
    const both = await recordDecision(scope, run, { ...SHIP, evidence: ['credit'] }, ['gate'])
    expect(both).toMatchObject({ type: 'not-heard', facts: ['credit'], missing: ['credit', 'gate'] })
    expect((await standing(scope, run.id))[0]).toMatchObject({ status: 'active', version: 1 })
    expect(await recordDecision(scope, run, SHIP, ['ceiling'])).toMatchObject({ type: 'decided' })
    // Another version of the scenario may need more. The same decision is accepted again all the same.
    expect(await recordDecision(scope, run, SHIP, ['ceiling', 'gate'])).toMatchObject({ type: 'decided' })
  })

  it('[game-12] stores one decision, and accepts the same again', async () => {
    const anyTurns = fc.array(fc.nat(7), { maxLength: 24 })
    await fc.assert(
      fc.asyncProperty(anyTurns, async (turns) => {
        const scope = await freshScope()
        const run = await told(scope)
        const asked = ['a', 'b', 'a', 'c'].map((reason) => ({ ...SHIP, reason }))
        const tasks = asked.map((each) => (own: Scope) => recordDecision(own, run, each))
        const answers = await inTurns(scope, turns, tasks)
        const made = (await viewOf(scope, run))?.decision
        for (const [place, answer] of answers.entries()) {
          expect(answer.type).toBe(asked[place]?.reason === made?.reason ? 'decided' : 'other')
          expect('standing' in answer && answer.standing.decision).toEqual(made)
        }
        expect((await standing(scope, run.id))[0]).toMatchObject({ version: 2 })
      }),
      { numRuns: runs('costly') },
    )
  })

  it('[game-12] a repeated request after a crash decides once', async () => {
    for (const deaths of [['before'], ['after'], [null, 'before'], [null, 'after']] as Death[][]) {
      const scope = await freshScope()
      const run = await told(scope)
      const mortal = { ...scope, db: dyingDatabase(scope.db, [...deaths]) }
      await expect(recordDecision(mortal, run, SHIP)).rejects.toThrow(Died)
      expect(await recordDecision(scope, run, SHIP)).toMatchObject({ type: 'decided' })
      expect((await standing(scope, run.id))[0]).toMatchObject({ status: 'completed', version: 2 })
    }
  })

  it('[game-12] does not change by what is heard later', async () => {
    const scope = await freshScope()
    const run = await told(scope)
    await recordDecision(scope, run, SHIP)
    const [before] = await standing(scope, run.id)
    await brings(scope, await played(scope, run, 'marcus'), [heard(AT, 'credit'), ...wholeWay(AT, null)])
    const [after] = await standing(scope, run.id)
    // The colleague becomes a participant of the run. This makes no new version of the run's context.
    expect(after).toEqual({ ...before, participants: ['run', 'maya', 'marcus'] })
    expect((await viewOf(scope, run))?.facts.map(({ id }) => id)).toContain('credit')
  })

  it('[game-11] is not written for a learner who is being erased', async () => {
    const scope = await freshScope()
    const run = await told(scope)
    await beginErasing(scope, 'ada')
    await expect(recordDecision(scope, run, SHIP)).rejects.toMatchObject({ code: 'ERASURE_RUNNING' })
    expect((await standing(scope, run.id))[0]).toMatchObject({ version: 1 })
  })
})

describe("the end of a run's data", () => {
  const erasing = { ...NOT_ERASING, conversation: () => Promise.resolve() }

  it.each(['preserve', 'subtree'] as const)(
    '[game-16] nothing remains once its learner is erased: %s',
    async (mode) => {
      const scope = await freshScope({ erasing })
      const run = await started(scope)
      await played(scope, run, 'maya')
      const others = await started(scope, { learner: 'eve' })
      await played(scope, others, 'maya')
      await recordDecision(scope, run, SHIP)
      await eraseWhole(scope, 'ada', mode)
      for (const table of ['plays', 'sessions']) expect([table, await count(scope, table)]).toEqual([table, 1])
      expect(await count(scope, 'contexts')).toBe(2)
      expect(JSON.stringify(await rows(scope, 'SELECT * FROM contexts WHERE tenant = ?1'))).not.toContain('23.4%')
      expect(await viewOf(scope, others)).toMatchObject({ people: [{ status: 'talking' }, {}, {}, {}] })
    },
  )

  it('[game-8] [game-16] retention deletes a conversation, which may begin again, and then the run', async () => {
    // Retention takes the tenants in the order of their names, and here starts at this tenant. So the name of this
    // tenant has to sort after the names that all other tests use.
    const scope = await freshScope({ erasing, tenant: '~game.' })
    const only = (tenant: string) => ({ ...scope, tenant: tenant === '' ? scope.tenant.slice(0, -1) : tenant })
    const run = await started(scope)
    const old = await played(scope, run, 'maya')
    const kept = await played(scope, run, 'otto')
    await brings(scope, kept, [{ type: 'met', at: AT }])
    // Retention keeps a conversation one day longer than the recorded last use of the conversation requires
    // ([person-11]).
    const forget = (usedBefore: number) => retain(only, { before: usedBefore + DAY_MS, pieces: 100 })
    await forget(AT)
    expect(await findPlay(scope, run.id, 'maya')).toBeNull()
    expect(await findPlay(scope, run.id, 'otto')).not.toBeNull()
    const fresh = await played(scope, run, 'maya')
    expect(fresh).not.toBe(old)
    await forget(AT + 1)
    expect(await count(scope, 'plays')).toBe(0)
    expect(await viewOf(scope, run)).toBeNull()
  })
})
