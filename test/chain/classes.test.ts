import { describe, expect, it } from 'vitest'
import {
  closeClass,
  MOST_WRONG_CODES,
  newCode,
  readCode,
  forgetClasses,
  findClass,
  joinClass,
  JOINS_A_MINUTE,
  MOST_LEARNERS,
  removeLearners,
  renewCode,
  whyNotJoined,
  startClass,
  WRONG_CODES_MS,
} from '../../worker/chain/classes/classes.ts'
import { readClass, classLines } from '../../worker/chain/classes/read-class.ts'
import { commit } from '../../worker/chain/commit.ts'
import { csvOf } from '../../worker/chain/contexts/csv.ts'
import { NOT_ERASING } from '../../worker/chain/people/erasing.ts'
import { applyEvents } from '../../worker/chain/runs/apply-events.ts'
import { recordDecision } from '../../worker/chain/runs/decide.ts'
import { readRun } from '../../worker/chain/runs/read-run.ts'
import { startRun } from '../../worker/chain/runs/start-run.ts'
import { rows, type Scope, statement } from '../../worker/chain/scope.ts'
import { classView, MOST_REASONS } from '../../worker/core/run/class-view.ts'
import type { Scenario, Simulation } from '../../worker/core/scenario/scenario.ts'
import { eraseWhole } from './support/erase.ts'
import { freshScope } from './support/fresh-scope.ts'
import { metered } from './support/metered.ts'
import { brings, heard, LAUNCH, played, type Started } from './support/plays.ts'

const { simulation } = LAUNCH
if (!simulation) throw new Error('the launch decision is no simulation')
const SIMULATION: Scenario & { readonly simulation: Simulation } = { ...LAUNCH, simulation }
const DECIDING = simulation.facts.filter(({ deciding }) => deciding)
const AT = 1_900_000_000_000

/** Starts a class and returns it. @throws when the chain does not find the new class */
async function begun(scope: Scope, title = 'Thursday, group B') {
  const { id, code } = await startClass(scope, { title, scenario: LAUNCH.id })
  return { ...(await found(scope, code)), id, code }
}

/** Returns the class with a code, as a client that is not counted finds it. @throws when the code leads to no class */
async function found(scope: Scope, code: string) {
  const known = await findClass(scope, code, null)
  if (typeof known === 'string') throw new Error(known)
  return known
}

type Begun = Awaited<ReturnType<typeof begun>>

/** Starts a run in a class. @throws when the learner cannot join */
async function joined(scope: Scope, to: Begun, nickname: string, learner = nickname): Promise<Started> {
  const who = { kind: 'verified', id: learner } as const
  const run = await startRun(scope, { scenario: LAUNCH, learner: who, nickname, class: to })
  if (!run.ok) throw new Error(run.why)
  return { id: run.run, learner: who }
}

/** Returns the teacher's view of a class. @throws when the class does not exist */
async function viewOf(scope: Scope, id: string) {
  const standing = await readClass(scope, id)
  if (!standing) throw new Error('there is no class')
  return classView(standing, SIMULATION)
}

/** Writes `many` learners with a conversation each into a class, in as few statements as possible. */
async function filled(scope: Scope, id: string, many: number): Promise<void> {
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)`
  const insert = (table: string, columns: string, values: string) =>
    statement(scope, `INSERT INTO ${table} (tenant, ${columns}) ${numbers} SELECT ?1, ${values} FROM n`, many)
  const context = `id, root_id, parent_id, depth, purpose, space, user_id, participants, data, status, auto_complete,
    created_at, updated_at, version, updated_by`
  const common = `'[]', '{"nickname":"n","facts":[{"fact":"credit","at":1}],"decision":{"option":"ship-as-is","evidence":[],"at":2}}', 'active', 'never', i, i, 1, 'b'`
  await commit(scope, {
    guards: [],
    writes: [
      insert('contexts', context, `'ctx_' || i, 'ctx_' || i, NULL, 0, 'p', 'run', 'u' || i, ${common}`),
      insert('contexts', context, `'ctx_m' || i, 'ctx_' || i, 'ctx_' || i, 1, 'p', 'maya', 'u' || i, ${common}`),
      insert(
        'sessions',
        'session, user_id, learner, scenario, npc, run_id, context_id, created_at, active_at',
        `'s' || i, 'u' || i, 'verified', 's', 'maya', 'ctx_' || i, 'ctx_m' || i, i, i`,
      ),
      insert('plays', 'run_id, npc, session', `'ctx_' || i, 'maya', 's' || i`),
      insert('class_runs', 'class_id, run_id, joined_at', `'${id}', 'ctx_' || i, i`),
    ],
  })
}

describe('the code of a class', () => {
  it('[class-2] is drawn anew each time, and made of what nobody takes for something else', () => {
    const codes = Array.from({ length: 500 }, () => newCode())
    expect(new Set(codes).size).toBe(500)
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{6}$/)
    // In the 500 codes, each of the 32 digits occurs at every position.
    for (let place = 0; place < 6; place += 1) expect(new Set(codes.map((code) => code[place])).size).toBe(32)
  })

  it('[class-2] is read as people write it', () => {
    expect(readCode('7k3 mq9')).toBe('7K3MQ9')
    expect(readCode('OI1-lab')).toBe('0111AB')
    expect(readCode('0123456789AB')).toBe('0123456789AB')
    expect(readCode(' o1i3-4567 89ab\n')).toBe('011345678 9AB'.replace(' ', ''))
    expect(readCode('lI1OO0abcdef')).toBe('111000ABCDEF')
    for (const none of [
      '',
      '12345',
      '1234567',
      '12345U',
      '0123456789A',
      '0123456789ABC',
      '0123456789AU',
      "0123456789A'",
      '-'.repeat(70),
    ])
      expect(readCode(none)).toBeNull()
  })
})

describe('joining', () => {
  it('[class-1] [class-4] a run is in its class with the transaction that writes it', async () => {
    const scope = await freshScope()
    const thursday = await begun(scope)
    const { id } = await joined(scope, thursday, 'Moth')
    expect((await viewOf(scope, thursday.id)).learners).toMatchObject([{ run: id, nickname: 'Moth' }])
    expect(await found(scope, thursday.code.toLowerCase())).toMatchObject({ id: thursday.id })
    expect(await findClass(scope, newCode(), null)).toBe('unknown-class')
    expect(await findClass(await freshScope(), thursday.code, null)).toBe('unknown-class')
  })

  it('[class-4] many may go by one name', async () => {
    const scope = await freshScope()
    const thursday = await begun(scope)
    for (const learner of ['one', 'two', 'three']) await joined(scope, thursday, 'Moth', learner)
    expect((await viewOf(scope, thursday.id)).learners.map(({ nickname }) => nickname)).toEqual([
      'Moth',
      'Moth',
      'Moth',
    ])
  })

  it('[class-5] five hundred are in, and no more, even if the last come at once', async () => {
    const scope = await freshScope()
    const thursday = await begun(scope)
    await filled(scope, thursday.id, MOST_LEARNERS - 2)
    const late = await Promise.allSettled(Array.from({ length: 6 }, (_, i) => joined(scope, thursday, `late-${i}`)))
    expect(late.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    for (const each of late) if (each.status === 'rejected') expect(String(each.reason)).toContain('class-full')
    expect((await viewOf(scope, thursday.id)).learners).toHaveLength(MOST_LEARNERS)
    expect(await whyNotJoined(scope, thursday.id)).toBe('class-full')
    // A learner who could not join has no run either.
    expect(await rows(scope, "SELECT id FROM contexts WHERE tenant = ?1 AND user_id LIKE 'late-%'")).toHaveLength(2)
  })

  it('[class-5] sixty join within a minute, and the next one after it', async () => {
    const scope = await freshScope()
    const thursday = await begun(scope)
    for (let i = 0; i < JOINS_A_MINUTE; i += 1) await joined(scope, thursday, `learner-${i}`)
    await expect(joined(scope, thursday, 'late')).rejects.toThrow('class-busy')
    expect(await rows(scope, "SELECT id FROM contexts WHERE tenant = ?1 AND user_id = 'late'")).toEqual([])
    const later: Scope = { ...scope, now: () => scope.now() + 60_000 }
    await joined(later, thursday, 'late')
  })

  it('[class-10] learners who are removed leave their places to others, and keep their runs', async () => {
    const scope = await freshScope()
    const [thursday, friday] = [await begun(scope), await begun(scope, 'Friday')]
    const [moth, heron] = [await joined(scope, thursday, 'Moth'), await joined(scope, thursday, 'Heron')]
    const elsewhere = await joined(scope, friday, 'Finch')
    await filled(scope, thursday.id, MOST_LEARNERS - 2)
    await expect(joined(scope, thursday, 'late')).rejects.toThrow('class-full')
    await removeLearners(scope, thursday.id, [moth.id, elsewhere.id, 'ctx_none'])
    await joined(scope, thursday, 'late')
    const names = (await viewOf(scope, thursday.id)).learners.map(({ nickname }) => nickname)
    expect(names).not.toContain('Moth')
    expect(names).toEqual(expect.arrayContaining(['Heron', 'late']))
    expect((await viewOf(scope, friday.id)).learners).toHaveLength(1)
    // A removed learner's run is in no class any more.
    expect((await readRun(scope, moth))?.standing).toMatchObject({ nickname: 'Moth', class: null })
    expect((await readRun(scope, heron))?.standing.class).toEqual({ id: thursday.id, title: thursday.title })
  })

  it('[class-11] a new code lets learners in, and the one before lets in nobody', async () => {
    const scope = await freshScope()
    const thursday = await begun(scope)
    await joined(scope, thursday, 'Moth')
    await renewCode(scope, thursday.id)
    const { code, learners } = await viewOf(scope, thursday.id)
    expect(code).not.toBe(thursday.code)
    expect(learners).toHaveLength(1)
    expect(await findClass(scope, thursday.code, null)).toBe('unknown-class')
    expect((await found(scope, code)).id).toBe(thursday.id)
  })

  it('[class-2] [class-11] no two classes have one code, even if it is drawn twice', async () => {
    const scope = await freshScope()
    const drawn =
      (...codes: string[]) =>
      () =>
        codes.shift() ?? 'ZZZZZZ'
    const first = await startClass(scope, { title: 'a', scenario: LAUNCH.id }, drawn('AAAAAA'))
    const second = await startClass(scope, { title: 'b', scenario: LAUNCH.id }, drawn('AAAAAA', 'AAAAAA', 'BBBBBB'))
    expect([first.code, second.code]).toEqual(['AAAAAA', 'BBBBBB'])
    await renewCode(scope, first.id, drawn('BBBBBB', 'CCCCCC'))
    expect([(await found(scope, 'CCCCCC')).id, (await found(scope, 'BBBBBB')).id]).toEqual([first.id, second.id])
    await expect(renewCode(scope, first.id, () => 'BBBBBB')).rejects.toThrow(expect.objectContaining({ code: 'BUSY' }))
    expect((await found(scope, 'CCCCCC')).id).toBe(first.id)
  })

  it('[class-11] a class that has gone gets no new code, and one try is enough to know', async () => {
    const { scope, meter } = metered(await freshScope())
    await renewCode(scope, 'cls_gone')
    expect(meter.spent).toMatchObject({ trips: 2, written: 0 })
  })

  it('[class-14] a closed class takes nobody until it is opened again, and keeps those who are in', async () => {
    const scope = await freshScope()
    const thursday = await begun(scope)
    await joined(scope, thursday, 'Moth')
    await closeClass(scope, thursday.id, true)
    expect(await found(scope, thursday.code)).toMatchObject({ title: 'Thursday, group B', closed: true })
    await expect(joined(scope, thursday, 'late')).rejects.toThrow('class-closed')
    expect(await viewOf(scope, thursday.id)).toMatchObject({ closed: true, learners: [{ nickname: 'Moth' }] })
    await closeClass(scope, thursday.id, false)
    expect((await found(scope, thursday.code)).closed).toBe(false)
    await joined(scope, thursday, 'late')
    expect((await viewOf(scope, thursday.id)).learners).toHaveLength(2)
  })

  it('[class-12] a client that has tried sixty wrong codes waits ten minutes, even for the right code', async () => {
    const scope = await freshScope()
    const thursday = await begun(scope)
    const asks = (code: string, client: string | null, at = scope) => findClass(at, code, client)
    const wrong = Array.from({ length: MOST_WRONG_CODES + 5 }, (_, i) => `0${String(i).padStart(5, '0')}`)
    // Requests sent at once get no more tries, and the same wrong code counts once.
    const answers = await Promise.all([...wrong, ...wrong].map((code) => asks(code, 'school')))
    expect(answers.filter((answer) => answer === 'too-many-codes').length).toBeGreaterThan(0)
    expect(await asks(thursday.code, 'school')).toBe('too-many-codes')
    expect(await asks(thursday.code, 'elsewhere')).toMatchObject({ id: thursday.id })
    expect(await asks(thursday.code, null)).toMatchObject({ id: thursday.id })
    const [{ n, clients } = {}] = await rows<{ n: number; clients: string }>(
      scope,
      'SELECT count(*) AS n, group_concat(DISTINCT client) AS clients FROM wrong_codes WHERE tenant = ?1',
    )
    expect(n).toBe(MOST_WRONG_CODES)
    expect(clients).toMatch(/^[0-9a-f]{64}$/)
    const later: Scope = { ...scope, now: () => scope.now() + WRONG_CODES_MS }
    expect(await asks(thursday.code, 'school', later)).toMatchObject({ id: thursday.id })
    expect(await rows(scope, 'SELECT code FROM wrong_codes WHERE tenant = ?1')).toEqual([])
  })

  it('[class-2] [class-12] a code of twelve digits still works, and isn’t counted', async () => {
    const scope = await freshScope()
    const { id } = await begun(scope)
    await rows(scope, "UPDATE classes SET code = '0123456789AB' WHERE tenant = ?1")
    expect(await findClass(scope, 'o123-4567-89ab', 'school')).toMatchObject({ id })
    for (let i = 0; i <= MOST_WRONG_CODES; i += 1)
      expect(await findClass(scope, `0123456789${String(i).padStart(2, '0')}`, 'school')).toBe('unknown-class')
    expect(await findClass(scope, '0123456789AB', 'school')).toMatchObject({ id })
  })

  it('[class-4] a class that has gone meanwhile takes nobody', async () => {
    const scope = await freshScope()
    const thursday = await begun(scope)
    await rows(scope, 'DELETE FROM classes WHERE tenant = ?1')
    await expect(joined(scope, thursday, 'Moth')).rejects.toThrow('unknown-class')
    expect(await rows(scope, 'SELECT id FROM contexts WHERE tenant = ?1')).toEqual([])
    const { guards, writes } = joinClass(scope, { class: thursday.id, run: 'ctx_none', at: 1 })
    expect(await commit(scope, { guards, writes })).toEqual({ ok: false })
  })
})

describe('what a teacher sees', () => {
  it('[class-6] who is where, what they heard and decided, and what those who decided missed most', async () => {
    let now = AT - 1_000
    const scope = await freshScope({ now: () => (now += 1) })
    const thursday = await begun(scope)
    const [one, two] = [await joined(scope, thursday, 'Moth'), await joined(scope, thursday, 'Owl')]
    await joined(scope, thursday, 'Newt')
    const all = (npc: string) => DECIDING.filter((fact) => fact.npc === npc).map(({ id }) => id)
    const maya = await played(scope, one, 'maya')
    await brings(scope, maya, [
      { type: 'met', at: AT },
      heard(AT + 1, ...all('maya'), 'no-fact-of-anybodys'),
      { type: 'ended', completion: 'earned', document: null, next: null, at: AT + 2 },
    ])
    await brings(scope, await played(scope, one, 'marcus'), [heard(AT + 3, ...all('marcus'))])
    await brings(scope, await played(scope, two, 'marcus'), [heard(AT + 4, ...all('marcus'))])
    // While no learner has decided, the view does not reveal the ending, because somebody who reads the view may have
    // to decide later.
    const before = await viewOf(scope, thursday.id)
    expect([before.missed, before.options]).toEqual([[], []])
    expect(before.learners.slice(0, 2).map(({ activeAt }) => activeAt)).toEqual([AT + 3, AT + 4])
    now = AT + 1_000
    await recordDecision(scope, one, { option: 'hold-back-medical', reason: 'A secret of theirs.', evidence: [] })
    await recordDecision(scope, two, { option: 'ship-as-is', reason: 'Why not.', evidence: [] })

    const view = await viewOf(scope, thursday.id)
    expect(view).toMatchObject({
      id: thursday.id,
      title: 'Thursday, group B',
      code: thursday.code,
      scenario: LAUNCH.id,
    })
    const [moth, owl, newt] = view.learners
    expect(moth).toMatchObject({
      run: one.id,
      nickname: 'Moth',
      facts: { heard: all('maya').length + all('marcus').length, deciding: DECIDING.length },
      option: 'hold-back-medical',
      verdict: 'right',
    })
    expect(moth?.people.map(({ npc, status }) => [npc, status])).toEqual([
      ['maya', 'over'],
      ['marcus', 'talking'],
      ['ines', 'new'],
      ['otto', 'new'],
    ])
    expect(owl).toMatchObject({ facts: { heard: all('marcus').length }, option: 'ship-as-is', verdict: 'wrong' })
    expect(newt).toMatchObject({ nickname: 'Newt', facts: { heard: 0 }, option: null, verdict: null })
    // `missed` counts only the two learners who have decided.
    expect(new Map(view.missed.map(({ npc, missed, of }) => [npc, [missed, of]]))).toEqual(
      new Map([
        ['ines', [2, 2]],
        ['maya', [1, 2]],
        ['marcus', [0, 2]],
      ]),
    )
    expect(view.missed.map(({ missed }) => missed)).toEqual(
      view.missed.map(({ missed }) => missed).toSorted((a, b) => b - a),
    )
    expect(view.options.map(({ option, n, verdict }) => [option, n, verdict])).toEqual([
      ['ship-as-is', 1, 'wrong'],
      ['delay-a-week', 0, 'defensible'],
      ['hold-back-medical', 1, 'right'],
    ])
    expect(view.options.flatMap(({ reasons }) => reasons)).toEqual([])
    expect(JSON.stringify(view)).not.toMatch(/secret|Why not/)
    // A missed fact comes with what would have brought it.
    expect(view.missed.find(({ fact }) => fact === 'ceiling')).toMatchObject({
      question: "What's the most we're allowed to get wrong?",
      paper: 'Eval run 47: edge cases by kind of question',
    })
  })

  it('[class-13] the reasons of an option in threes, in the order of the alphabet and without names', async () => {
    const scope = await freshScope()
    const thursday = await begun(scope)
    const decide = async (reason: string, option = 'ship-as-is') =>
      recordDecision(scope, await joined(scope, thursday, reason), { option, reason, evidence: [] })
    const shown = async () => (await viewOf(scope, thursday.id)).options.map(({ reasons }) => reasons)
    for (const reason of ['Printed.', 'Eight is less than ten.']) await decide(reason)
    await decide('A week is cheap.', 'delay-a-week')
    expect(await shown()).toEqual([[], [], []])
    await decide(`${'long '.repeat(200)}`)
    const three = (await shown())[0]
    expect(three).toEqual(['Eight is less than ten.', 'Printed.', expect.stringMatching(/^(?:long ){119}long…$/)])
    // A fourth reason would be the newest learner's, so it waits for two more.
    for (const reason of ['Because.', 'Aardvark.']) await decide(reason)
    expect((await shown())[0]).toEqual(three)
    await decide('Zebra.')
    expect((await shown())[0]).toHaveLength(6)
    for (let i = 0; i < MOST_REASONS; i += 1) await decide(`More ${i}.`)
    expect((await shown())[0]).toHaveLength(MOST_REASONS)
  })

  it('[class-13] the earliest reasons, by the number and not the digits of their times', async () => {
    let now = 8
    const scope = await freshScope({ now: () => now })
    const thursday = await begun(scope)
    for (; now < 12; now += 1)
      await recordDecision(scope, await joined(scope, thursday, 'Moth'), {
        option: 'ship-as-is',
        reason: `At ${now}.`,
        evidence: [],
      })
    expect((await viewOf(scope, thursday.id)).options[0]?.reasons).toEqual(['At 10.', 'At 8.', 'At 9.'])
  })

  it('[class-6] nothing that goes up with a fact before somebody has decided, so that no learner sees which it is', async () => {
    const scope = await freshScope()
    const thursday = await begun(scope)
    const run = await joined(scope, thursday, 'Moth')
    const [maya, marcus] = [await played(scope, run, 'maya'), await played(scope, run, 'marcus')]
    const shown = async () => (await viewOf(scope, thursday.id)).learners.map((each) => ({ ...each, activeAt: 0 }))
    const before = await shown()
    expect(before).toMatchObject([{ facts: null }])
    await brings(scope, maya, [heard(AT, ...DECIDING.map(({ id }) => id))])
    await brings(scope, marcus, [heard(AT, 'no-fact-of-anybodys')])
    expect(await shown()).toEqual(before)
    expect(classLines(await viewOf(scope, thursday.id))[1]?.slice(7, 9)).toEqual(['', ''])
  })

  it('[class-6] [debrief-7] a fact that was heard after the decision was missed when it counted', async () => {
    const scope = await freshScope({ now: () => AT + 10 })
    const thursday = await begun(scope)
    const run = await joined(scope, thursday, 'Moth')
    const maya = await played(scope, run, 'maya')
    await brings(scope, maya, [{ type: 'met', at: AT }, heard(AT, 'ceiling')])
    await recordDecision(scope, run, { option: 'hold-back-medical', reason: 'It holds.', evidence: [] })
    const { decision } = (await readClass(scope, thursday.id))?.learners[0] ?? {}
    if (!decision) throw new Error('undecided')
    expect(Object.keys(decision).toSorted()).toEqual(['at', 'evidence', 'option'])
    const after = await viewOf(scope, thursday.id)
    expect(after.learners).toMatchObject([{ facts: { heard: 1, deciding: DECIDING.length } }])
    await applyEvents(scope, maya, 3, [heard(decision.at + 1, ...DECIDING.map(({ id }) => id))])
    expect(await viewOf(scope, thursday.id)).toEqual({
      ...after,
      learners: after.learners.map((each) => ({ ...each, activeAt: decision.at + 1 })),
    })
  })

  it('[class-6] is read in four statements at once, and grows with the class alone', { timeout: 60_000 }, async () => {
    const scope = await freshScope()
    const thursday = await begun(scope)
    const other = await begun(scope, 'Friday')
    await filled(scope, thursday.id, MOST_LEARNERS)
    const { scope: own, meter } = metered(scope)
    const view = await viewOf(own, thursday.id)
    expect(view.learners).toHaveLength(MOST_LEARNERS)
    expect(view.learners[0]).toMatchObject({ nickname: 'n', option: 'ship-as-is', verdict: 'wrong' })
    expect(meter.spent).toMatchObject({ trips: 1, written: 0 })
    // The queries read eleven rows for a learner who talks with one colleague: membership and root for the list and
    // again for the reasons, and membership, play, conversation, context and fact.
    expect(meter.spent.read).toBeLessThan(12 * MOST_LEARNERS)
    meter.reset()
    expect((await viewOf(own, other.id)).learners).toEqual([])
    expect(meter.spent.read).toBeLessThan(10)
  })

  it('[class-6] whatever somebody has written into the contexts meanwhile', async () => {
    const scope = await freshScope()
    const thursday = await begun(scope)
    const run = await joined(scope, thursday, 'Moth')
    await played(scope, run, 'maya')
    for (const data of [
      '{"nickname":7,"decision":"x","facts":"credit"}',
      '{"nickname":["a"],"decision":{"option":{"a":1}},"facts":[1,"x",null,{"fact":7},{"fact":null},{}]}',
      '{"decision":{"option":""},"facts":{"fact":"credit"}}',
      '{"decision":[],"facts":7}',
      '{"decision":{"option":"ship-as-is","evidence":[],"at":"now"}}',
      '{"decision":null}',
      '{}',
    ]) {
      await rows(scope, 'UPDATE contexts SET data = ?2 WHERE tenant = ?1', data)
      expect((await viewOf(scope, thursday.id)).learners).toMatchObject([{ facts: null, option: null, verdict: null }])
    }
    const junk =
      '[1,"x",null,{"fact":7,"at":1},{"fact":"credit"},{"fact":"credit","at":"1"},{"fact":"credit","at":[]},{}]'
    const data = `{"decision":{"option":"ship-as-is","evidence":[],"at":1},"facts":${junk}}`
    await rows(scope, 'UPDATE contexts SET data = ?2 WHERE tenant = ?1', data)
    expect((await viewOf(scope, thursday.id)).learners).toMatchObject([{ facts: { heard: 0 }, verdict: 'wrong' }])
    await rows(scope, "DELETE FROM contexts WHERE tenant = ?1 AND space = 'maya'")
    expect((await viewOf(scope, thursday.id)).learners[0]?.people[0]).toEqual({ npc: 'maya', status: 'talking' })
  })
})

describe('the table of a class', () => {
  it('[class-7] has a line a learner, and nothing in it that a spreadsheet would run', async () => {
    const scope = await freshScope()
    const thursday = await begun(scope)
    const names = ['=1+1', '+A1', '-2', '@SUM(A1)', 'a "quoted", one', 'a ;=1+1', '=cmd|" /C calc"!A0']
    for (const name of names) await joined(scope, thursday, name)
    const view = await viewOf(scope, thursday.id)
    const [head, ...lines] = classLines(view)
    expect(head).toEqual([
      'nickname',
      'started',
      'active',
      'maya',
      'marcus',
      'ines',
      'otto',
      'facts heard',
      'facts',
      'decision',
      'verdict',
      'run',
    ])
    expect(lines.map(([name]) => name)).toEqual(names)
    expect(new Set(lines.map((line) => line.length))).toEqual(new Set([head?.length]))
    const csv = csvOf(classLines(view))
    expect(csv.split('\r\n').slice(1, 4)).toMatchObject([
      expect.stringMatching(/^'=1\+1,/),
      expect.stringMatching(/^'\+A1,/),
      expect.stringMatching(/^'-2,/),
    ])
    for (const line of csv.split('\r\n').slice(1, -1)) expect(line).toMatch(/^(?:'|"'|"a )/)
    expect(csvOf(classLines({ ...view, learners: [] }))).toMatch(/^nickname,[^\r]*\r\n$/)
  })
})

describe('what is kept of a class', () => {
  it('[class-8] whoever is erased leaves it, and the others stay', async () => {
    const scope = await freshScope()
    const thursday = await begun(scope)
    const run = await joined(scope, thursday, 'Moth', 'ada')
    await played(scope, run, 'maya')
    await joined(scope, thursday, 'Owl', 'eve')
    await eraseWhole({ ...scope, erasing: { ...NOT_ERASING, conversation: () => Promise.resolve() } }, 'ada')
    expect((await viewOf(scope, thursday.id)).learners.map(({ nickname }) => nickname)).toEqual(['Owl'])
    expect(await rows(scope, 'SELECT run_id FROM class_runs WHERE tenant = ?1')).toHaveLength(1)
  })

  it('[class-8] it is forgotten with age once nobody plays in it any more', async () => {
    const scope = await freshScope()
    const [empty, played_] = [await begun(scope), await begun(scope)]
    await joined(scope, played_, 'Moth')
    await forgetClasses(scope, scope.now())
    expect([await readClass(scope, empty.id), (await readClass(scope, played_.id))?.id]).toEqual([null, played_.id])
    const young = await begun(scope)
    await forgetClasses(scope, AT - 200_000_000_000)
    expect((await readClass(scope, young.id))?.id).toBe(young.id)
  })
})
