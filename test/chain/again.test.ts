import { describe, expect, it } from 'vitest'
import { NOT_ERASING } from '../../worker/chain/people/erasing.ts'
import { recordDecision } from '../../worker/chain/runs/decide.ts'
import { readRun } from '../../worker/chain/runs/read-run.ts'
import { rows, type Scope } from '../../worker/chain/scope.ts'
import { runView } from '../../worker/core/run/run-view.ts'
import { beginAgain, type Objects } from '../../worker/http/game/begin-again.ts'
import type { NewEvent } from '../../worker/wire/messages.ts'
import type { RelationshipLevel } from '../../worker/wire/messages.ts'
import { Died } from './support/dying-database.ts'
import { eraseWhole } from './support/erase.ts'
import { beginErasing } from './support/erasure-running.ts'
import { freshScope } from './support/fresh-scope.ts'
import { brings, LAUNCH, played, type Started, started } from './support/plays.ts'
import { standing } from './support/runs.ts'
import { broughtBy, copyOf, type Talk, ToldTalks } from './support/told-talks.ts'
import { IS_LONG } from '../support/runs.ts'

const AT = 1_799_000_000_000

const reply = (turn: number, text: string, level: RelationshipLevel = 'neutral'): NewEvent => ({
  type: 'turn',
  turn,
  attempt: 1,
  text,
  outcome: 'complete',
  level,
})
const asks = (turn: number, pivot: string): NewEvent => ({
  type: 'command',
  turn,
  id: `AI_PivotMoment:${pivot}`,
  command: { name: 'AI_PivotMoment', pivot, question: 'Which?', choices: [] },
})
const earns = (turn: number, objective: string): NewEvent => ({
  type: 'command',
  turn,
  id: 'AI_AdvanceObjective',
  command: { name: 'AI_AdvanceObjective', objective, title: objective },
})
const ends = (turn: number, next: string | null): NewEvent => ({
  type: 'command',
  turn,
  id: 'AI_EndConversation',
  command: {
    name: 'AI_EndConversation',
    completion: 'earned',
    document: { title: `Paper of turn ${turn}`, kind: 'note', lines: ['A line.'] },
    next: next === null ? null : { id: next, name: next, role: '', hue: 1, why: `See ${next}.` },
  },
})

/** Returns a text in which the colleague states a fact. */
const words = (fact: string): string => {
  const found = LAUNCH.simulation?.facts.find(({ id }) => id === fact)
  return `So it is: ${found?.heard.map(([term]) => term).join(' and ') ?? ''}.`
}

/**
 * Otto's conversation ends before `MOMENT`. Marcus's begins before `MOMENT` and ends after it. Inês's begins after
 * `MOMENT`.
 */
const TALKS: readonly Talk[] = [
  {
    npc: 'otto',
    createdAt: AT,
    ends: [
      { at: AT + 10, events: [reply(1, 'Morning.')] },
      { at: AT + 20, events: [reply(2, 'Off you go.', 'cooperative'), earns(2, 'get-your-bearings'), ends(2, 'maya')] },
    ],
  },
  {
    npc: 'maya',
    createdAt: AT + 30,
    ends: [
      { at: AT + 40, events: [reply(1, 'Hi.')] },
      { at: AT + 60, events: [reply(2, words('medical-rate'), 'guarded'), asks(2, 'PIVOT_1')] },
      { at: AT + 90, events: [reply(3, 'Well.', 'cooperative'), asks(3, 'PIVOT_2')] },
      { at: AT + 99, events: [reply(4, 'Bye.'), earns(4, 'size-the-risk'), ends(4, 'marcus')] },
    ],
  },
  {
    npc: 'marcus',
    createdAt: AT + 45,
    ends: [
      { at: AT + 50, events: [reply(1, words('credit'), 'guarded')] },
      { at: AT + 70, events: [reply(2, 'That is all.'), ends(2, null)] },
    ],
  },
  { npc: 'ines', createdAt: AT + 80, ends: [{ at: AT + 85, events: [reply(1, 'Hello.')] }] },
]

const FORK = { npc: 'maya', pivot: 'PIVOT_1' }
const WISH = { moment: FORK, cid: 'wish-1' }
/** The moment in the run from which the learner plays again. */
const MOMENT = AT + 60

interface Played {
  readonly scope: Scope
  readonly run: Started
  readonly talks: ToldTalks
  readonly sessions: ReadonlyMap<string, string>
}

/** Plays a run up to `until` and delivers all the run's events to the chain. */
async function playedUntil(until: number, isDecided: boolean): Promise<Played> {
  const scope = await freshScope()
  const run = await started(scope)
  const talks = new ToldTalks(scope)
  const sessions = new Map<string, string>()
  for (const talk of TALKS.filter(({ createdAt }) => createdAt <= until)) {
    const session = await played(scope, run, talk.npc)
    sessions.set(talk.npc, session)
    talks.tell(session, talk)
    const copy = copyOf(talk, { at: until })
    if (copy) await brings(scope, session, broughtBy(copy))
  }
  if (isDecided) await recordDecision(scope, run, { option: 'hold-back-medical', reason: 'So.', evidence: [] })
  return { scope, run, talks, sessions }
}

const viewOf = async (scope: Scope, id: string, { learner }: Started) => {
  const read = await readRun(scope, { id, learner })
  return read && runView(read.standing, LAUNCH)
}

const count = async (scope: Scope, table: string): Promise<number> => {
  const [row] = await rows<{ n: number }>(scope, `SELECT count(*) AS n FROM ${table} WHERE tenant = ?1`)
  return row?.n ?? 0
}

/** Returns a run's contexts without ids and times of writing, which are different in every copy. */
const shapeOf = async (scope: Scope, run: string) =>
  (await standing(scope, run))
    .filter(({ parent }) => parent !== null)
    .map(({ space, status, purpose, data }) => ({
      space,
      status,
      purpose,
      data: { ...data, ...('takenBy' in data && { takenBy: 'somebody' }) },
    }))
    .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))

/** Plays a run to its decision and begins it again, and plays another one only until `until`, to compare it with. */
async function begunAgain(until: number, wish: Parameters<typeof beginAgain>[2]) {
  const other = await playedUntil(until, false)
  const stood = await viewOf(other.scope, other.run.id, other.run)
  const played = await playedUntil(AT + 100, true)
  const { scope, run, talks } = played
  const before = await viewOf(scope, run.id, run)
  const begun = await beginAgain({ scope, objects: talks }, run, wish)
  if (!begun.ok) throw new Error(begun.why)
  return { ...played, other, stood, before, begun, view: await viewOf(scope, begun.run, run) }
}

describe('a run that begins again', () => {
  it('[again-4] [again-5] has the state of the earlier run at that moment, before its decision', async () => {
    const { other, stood, scope, run, talks, sessions, before, begun, view } = await begunAgain(MOMENT, WISH)
    expect(view).toEqual({
      ...stood,
      id: begun.run,
      startedAt: view?.startedAt,
      again: FORK,
    })
    expect(view?.people.map(({ npc, status }) => [npc, status])).toEqual([
      ['maya', 'talking'],
      ['marcus', 'talking'],
      ['ines', 'new'],
      ['otto', 'over'],
    ])
    expect(view?.facts.map(({ id, at }) => [id, at])).toEqual([
      ['credit', AT + 50],
      ['medical-rate', AT + 60],
    ])
    expect([view?.nickname, view?.decision, view?.documents.length]).toEqual(['Moth', null, 1])
    expect(await shapeOf(scope, begun.run)).toEqual(await shapeOf(other.scope, other.run.id))
    expect(await viewOf(scope, run.id, run)).toEqual(before)
    expect(before?.decision).not.toBeNull()
    expect([...talks.begun.values()].map(({ opening }) => [opening.learner, opening.run?.id])).toEqual(
      Array.from({ length: 3 }, () => [run.learner, begun.run]),
    )
    const from = await rows<{ npc: string; from_session: string; from_seq: number }>(
      scope,
      'SELECT npc, from_session, from_seq FROM plays WHERE tenant = ?1 AND run_id = ?2 ORDER BY npc',
      begun.run,
    )
    expect(from).toEqual([
      { npc: 'marcus', from_session: sessions.get('marcus'), from_seq: 1 },
      { npc: 'maya', from_session: sessions.get('maya'), from_seq: 3 },
      { npc: 'otto', from_session: sessions.get('otto'), from_seq: 4 },
    ])
  })

  it('[again-4] can be decided differently, and can itself begin again', async () => {
    const { scope, run, talks } = await playedUntil(AT + 100, true)
    const first = await beginAgain({ scope, objects: talks }, run, WISH)
    if (!first.ok) throw new Error(first.why)
    const other = { ...run, id: first.run }
    for (const { session } of await rows<{ session: string }>(
      scope,
      'SELECT session FROM plays WHERE tenant = ?1 AND run_id = ?2',
      other.id,
    )) {
      const { copy } = talks.begun.get(session) ?? {}
      if (copy) talks.tell(session, TALKS.find(({ npc }) => npc === JSON.parse(copy.info).npc) ?? TALKS[0]!)
    }
    expect(await beginAgain({ scope, objects: talks }, other, WISH)).toEqual({ ok: false, why: 'undecided' })
    expect(
      await recordDecision(scope, other, { option: 'ship-as-is', reason: 'No.', evidence: ['credit'] }),
    ).toMatchObject({
      type: 'decided',
    })
    const second = await beginAgain({ scope, objects: talks }, other, WISH)
    if (!second.ok) throw new Error(second.why)
    expect(second.run).not.toBe(first.run)
    expect((await viewOf(scope, second.run, run))?.decision).toBeNull()
    expect((await viewOf(scope, run.id, run))?.decision?.option).toBe('hold-back-medical')
    expect((await viewOf(scope, other.id, run))?.decision?.option).toBe('ship-as-is')
  })

  it('[again-11] begins from the decision with everything that was said before it', async () => {
    const { stood, scope, run, before, begun, view } = await begunAgain(AT + 100, { ...WISH, moment: null })
    expect(view).toEqual({
      ...stood,
      id: begun.run,
      startedAt: view?.startedAt,
      again: { npc: null, pivot: null },
    })
    expect(view?.people.map(({ npc, status }) => [npc, status])).toEqual([
      ['maya', 'over'],
      ['marcus', 'over'],
      ['ines', 'talking'],
      ['otto', 'over'],
    ])
    expect(await viewOf(scope, run.id, run)).toEqual(before)
  })

  it('[again-4] is not in the class of the earlier run', async () => {
    const { scope, run, talks } = await playedUntil(AT + 100, true)
    await rows(
      scope,
      `UPDATE contexts SET data = json_set(data, '$.class', json('{"id":"c","title":"B"}')) WHERE tenant = ?1 AND id = ?2`,
      run.id,
    )
    await rows(
      scope,
      `INSERT INTO classes (tenant, id, code, title, scenario, created_at) VALUES (?1, 'c', 'CODE', 'B', 's', 1)`,
    )
    await rows(scope, `INSERT INTO class_runs (tenant, class_id, run_id, joined_at) VALUES (?1, 'c', ?2, 1)`, run.id)
    const begun = await beginAgain({ scope, objects: talks }, run, WISH)
    expect(begun.ok && (await viewOf(scope, begun.run, run))?.class).toBeNull()
    expect((await viewOf(scope, run.id, run))?.class).toEqual({ id: 'c', title: 'B' })
  })
})

describe('one request, one run', () => {
  it('[again-6] a repeated request, also several at once, gets the same run', async () => {
    const { scope, run, talks } = await playedUntil(AT + 100, true)
    const asked = await Promise.all(Array.from({ length: 8 }, () => beginAgain({ scope, objects: talks }, run, WISH)))
    const runs = new Set(asked.map((each) => each.ok && each.run))
    expect(runs.size).toBe(1)
    expect([await count(scope, 'plays'), talks.begun.size]).toEqual([4 + 3, 3])
    const others = await Promise.all([
      beginAgain({ scope, objects: talks }, run, { ...WISH, cid: 'wish-2' }),
      beginAgain({ scope, objects: talks }, run, { ...WISH, moment: { ...FORK, pivot: 'PIVOT_2' } }),
    ])
    expect(new Set([...runs, ...others.map((each) => each.ok && each.run)]).size).toBe(3)
  })

  it.runIf(IS_LONG)(
    '[again-6] after a crash at any step, a repeated request finds one complete run',
    { timeout: 120_000 },
    async () => {
      const whole = await playedUntil(AT + 100, true)
      const expected = await beginAgain({ scope: whole.scope, objects: whole.talks }, whole.run, WISH)
      if (!expected.ok) throw new Error(expected.why)
      const shape = await shapeOf(whole.scope, expected.run)
      let places = 0
      for (const when of ['before', 'after'] as const)
        for (let place = 0; ; place += 1) {
          const { scope, run, talks } = await playedUntil(AT + 100, true)
          const mortal = dyingAt(place, when, { scope, objects: talks })
          const first = await beginAgain(mortal, run, WISH).catch((error: unknown) => {
            if (!(error instanceof Died)) throw error
            return null
          })
          if (first !== null) break
          places += 1
          const second = await beginAgain({ scope, objects: talks }, run, WISH)
          if (!second.ok) throw new Error(`${when} ${place}: ${second.why}`)
          expect([await count(scope, 'plays'), talks.begun.size], `${when} ${place}`).toEqual([7, 3])
          expect(await rows(scope, 'SELECT id FROM contexts WHERE tenant = ?1 AND parent_id IS NULL')).toHaveLength(2)
          expect(await shapeOf(scope, second.run), `${when} ${place}`).toEqual(shape)
        }
      expect(places).toBeGreaterThan(30)
    },
  )
})

describe('what cannot be begun again', () => {
  it('[again-7] a run without a decision, a deleted run, and another learner’s run', async () => {
    const { scope, run, talks } = await playedUntil(AT + 100, false)
    const ask = (held: Started) => beginAgain({ scope, objects: talks }, held, WISH)
    expect(await ask(run)).toEqual({ ok: false, why: 'undecided' })
    expect(await ask({ ...run, id: 'ctx_gone' })).toEqual({ ok: false, why: 'unknown-run' })
    expect(await ask({ ...run, learner: { kind: 'verified', id: 'eve' } })).toEqual({ ok: false, why: 'unknown-run' })
    expect(talks.begun.size).toBe(0)
  })

  it('[again-7] an unknown moment, a deleted conversation, and one written by older code', async () => {
    const { scope, run, talks, sessions } = await playedUntil(AT + 100, true)
    const ask = (moment: object = {}) =>
      beginAgain({ scope, objects: talks }, run, { ...WISH, moment: { ...FORK, ...moment } })
    const none = { ok: false, why: 'unknown-moment' }
    expect(await ask({ pivot: 'PIVOT_9' })).toEqual(none)
    expect(await ask({ npc: 'nobody' })).toEqual(none)
    expect(await ask({ npc: 'otto' })).toEqual(none)
    talks.old.add(sessions.get('marcus') ?? '')
    expect(await ask()).toEqual(none)
    talks.old.clear()
    talks.forget(sessions.get('maya') ?? '')
    expect(await ask()).toEqual(none)
    expect([await count(scope, 'plays'), talks.begun.size]).toEqual([4, 0])
  })

  it('[again-7] a conversation that is deleted while it is copied', async () => {
    const { scope, run, talks, sessions } = await playedUntil(AT + 100, true)
    const before = await count(scope, 'contexts')
    const objects: Objects = {
      newSession: () => talks.newSession(),
      beginAs: (...args) => talks.beginAs(...args),
      flush: (session) => talks.flush(session),
      scenario: () => talks.scenario(),
      async copyUntil(session, moment) {
        const copy = await talks.copyUntil(session, moment)
        await rows(scope, 'DELETE FROM sessions WHERE tenant = ?1 AND session = ?2', sessions.get('maya') ?? '')
        return copy
      },
    }
    expect(await beginAgain({ scope, objects }, run, WISH)).toEqual({ ok: false, why: 'unknown-moment' })
    expect([await count(scope, 'contexts'), talks.begun.size]).toEqual([before, 0])
  })
})

describe('erasing a person', () => {
  it('[again-8] deletes both runs, and none begins meanwhile', async () => {
    const { scope, run, talks } = await playedUntil(AT + 100, true)
    const begun = await beginAgain({ scope, objects: talks }, run, WISH)
    expect(begun.ok).toBe(true)
    const erased: string[] = []
    const conversation = (session: string) => {
      erased.push(session)
      return Promise.resolve()
    }
    await eraseWhole({ ...scope, erasing: { ...NOT_ERASING, conversation } }, 'ada')
    expect(new Set(erased).size).toBe(7)
    for (const table of ['contexts', 'sessions', 'plays'])
      expect([table, await count(scope, table)]).toEqual([table, 0])

    const other = await playedUntil(AT + 100, true)
    await beginErasing(other.scope, 'ada')
    await expect(beginAgain({ scope: other.scope, objects: other.talks }, other.run, WISH)).rejects.toMatchObject({
      code: 'ERASURE_RUNNING',
    })
    expect(await count(other.scope, 'plays')).toBe(4)
  })
})

/**
 * Returns a database and conversation objects that fail from the call with the number `place` on (counted from 0).
 * `when` says whether this call fails before or after its work is done. Later calls fail too.
 */
function dyingAt(
  place: number,
  when: 'before' | 'after',
  { scope, objects }: { readonly scope: Scope; readonly objects: Objects },
): { readonly scope: Scope; readonly objects: Objects } {
  let left = place
  let isDead = false
  const call = async <T>(act: () => Promise<T>): Promise<T> => {
    const isHere = left === 0
    left -= 1
    if (isDead || (isHere && when === 'before')) {
      isDead = true
      throw new Died()
    }
    const answer = await act()
    if (isHere || isDead) {
      isDead = true
      throw new Died()
    }
    return answer
  }
  const bound = (real: D1PreparedStatement) => ({ real, all: () => call(() => real.all()) })
  const db = {
    prepare: (sql: string) => ({
      bind: (...values: readonly unknown[]) => bound(scope.db.prepare(sql).bind(...values)),
    }),
    batch: (statements: readonly { real: D1PreparedStatement }[]) =>
      call(() => scope.db.batch(statements.map(({ real }) => real))),
  } as unknown as D1Database
  return {
    scope: { ...scope, db },
    objects: {
      newSession: () => objects.newSession(),
      copyUntil: (...asked) => call(() => objects.copyUntil(...asked)),
      beginAs: (...asked) => call(() => objects.beginAs(...asked)),
      flush: (...asked) => call(() => objects.flush(...asked)),
      scenario: (hash) => objects.scenario(hash),
    },
  }
}
