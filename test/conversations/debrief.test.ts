import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import path from '../fixtures/maya-path.json' with { type: 'json' }
import { factsIn } from '../../worker/core/run/facts-in.ts'
import type { NextStep } from '../../worker/wire/messages.ts'
import type { ClassStarted, ClassView, DebriefView, ResultView, RunStarted } from '../../worker/wire/run.ts'
import { askGame, openTalk, runOf, startGame, talkWith } from '../support/game-client.ts'
import { newCid, type Player } from '../support/player.ts'
import { launchDecision } from '../support/rehearsal-conversation.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'
import { IS_LONG } from '../support/runs.ts'

const CONFIG = 'test/conversations/fault-worker.toml'
const POLL = { timeout: 60_000, interval: 20 }
const scenario = launchDecision()
const { facts, endings } = scenario.simulation ?? { facts: [], endings: [] }

let server: WorkerServer
const players: Player[] = []

beforeAll(async () => {
  server = await startWorkerServer({ configPath: CONFIG, vars: { WALKON_REHEARSAL_PACE_MS: '0' } })
})
afterEach(async () => {
  for (const player of players.splice(0)) player.leave()
  await database('up')
})
afterAll(() => server.stop())

const database = (mode: 'up' | 'down' | 'silent') => server.fetch(`doors/db/${mode}`, { method: 'POST' })

interface Problem {
  readonly error?: { readonly code: string; readonly next: NextStep }
}

const debriefOf = (key: string) => askGame<DebriefView & Problem>(server, 'api/run/debrief', { key })
const decide = (key: string, evidence: readonly string[], option = 'delay-a-week') =>
  askGame(server, 'api/run/decision', { key, body: { option, reason: 'It is the only one that holds.', evidence } })

async function join(key: string, npc: string): Promise<Player> {
  const player = await talkWith(server, key, npc)
  players.push(player)
  return player
}

const ended = (player: Player) => player.until(() => player.commands().find((id) => id === 'AI_EndConversation'))

async function playMaya(player: Player): Promise<void> {
  for (const { learner, node, choose } of path.turns) {
    await player.say(learner)
    if (choose) await player.emit('choose', { cid: newCid(), pivot: node, choice: choose.choice })
  }
  await ended(player)
}

const waiting = async (session: string) =>
  ((await (await server.fetch(`doors/${session}/queue`)).json()) as { waiting: number }).waiting

/** Resolves when no event of these conversations is waiting for the chain. */
async function brought(...players: readonly Player[]): Promise<void> {
  for (const { hello } of players) await expect.poll(() => waiting(hello.conversation.session), POLL).toBe(0)
}

/**
 * Requests the debrief until the server returns it: on a busy machine, the chain may get the events later than a
 * request waits.
 */
const debriefed = (key: string) =>
  vi.waitFor(async () => {
    const answer = await debriefOf(key)
    expect(answer.status).toBe(200)
    return answer
  }, POLL)

/** Makes the conversation's next `times` attempts to deliver chain events fail. */
const failing = (session: string, times: number) =>
  server.fetch(`doors/${session}/arm`, {
    method: 'POST',
    body: JSON.stringify(
      Array.from({ length: times }, () => ({ step: 'bring', when: 'before', nth: 1, fault: 'throw' })),
    ),
  })

/** Asks all questions, and then goes on talking until the conversation ends by itself. */
async function askAround(player: Player, questions: readonly string[]): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const answer = await player.emit('say', { cid: newCid(), text: questions[turn] ?? `Right, go on. ${turn}` })
    if (!answer.ok) break
    await player.turn(answer.turn)
  }
  await ended(player)
}

/** Returns the facts that a colleague stated in a talk, judged by the text alone. */
const toldIn = (talk: DebriefView['talks'][number] | undefined) =>
  facts
    .filter(({ npc }) => npc === talk?.npc)
    .filter((fact) => talk?.transcript.some(({ who, text }) => who === 'npc' && factsIn([fact], text).length > 0))
    .map(({ id }) => id)

describe('from the guide to the debrief', () => {
  it(
    '[debrief-3] [debrief-6] [debrief-7] [debrief-8] [debrief-14] [debrief-15] [debrief-16] [debrief-17] a run of the launch decision explains its outcome',
    { timeout: 180_000 },
    async () => {
      const { id, key } = await startGame(server)
      await askAround(await join(key, 'otto'), ['Who should I talk to?', 'What are the options?'])
      await playMaya(await join(key, 'maya'))
      await askAround(await join(key, 'marcus'), [
        'What does it cost to miss Thursday?',
        'Can we hold back one category?',
      ])
      // The conversation with Ines is left open.
      const ines = await join(key, 'ines')
      await ines.say('Can we switch the medical questions off? How long does that take?')
      await ines.say('What do you change when you flip it? What is a config change?')
      const view = await vi.waitFor(async () => {
        const run = await runOf(server, key)
        expect(run.people.map(({ status }) => status).toSorted()).toEqual(['over', 'over', 'over', 'talking'])
        // Each conversation tells the run what it brought when it can: what was heard last comes last.
        expect(run.options?.map((option) => option.id)).toContain('hold-back-medical')
        expect(run.more).toBeUndefined()
        return run
      }, POLL)
      await brought(ines)
      const heard = view.facts.map((fact) => fact.id)
      expect(heard).toEqual(expect.arrayContaining(['medical-rate', 'ceiling', 'full-medical-run', 'credit']))
      // Before the decision, no response reveals how the run may end.
      const early = await debriefOf(key)
      expect([early.status, early.body.error]).toMatchObject([409, { code: 'undecided', next: 'give-up' }])
      for (const { after } of endings) expect(JSON.stringify([view, early])).not.toContain(after[0])

      const evidence = ['medical-rate', 'credit']
      expect(await decide(key, evidence, 'hold-back-medical')).toMatchObject({ status: 200 })
      const { body } = await debriefed(key)
      expect(body.run).toMatchObject({ id, decision: { option: 'hold-back-medical', evidence } })
      // The learner cited neither the price nor the pager, and asked for no nurses in the evening.
      const after = endings[2]?.after.flatMap((each) => (typeof each === 'string' ? each : (each.otherwise ?? [])))
      expect(body.ending).toMatchObject({ option: 'hold-back-medical', verdict: 'right', after })
      expect(body.others.map(({ option }) => option)).toEqual(['ship-as-is', 'delay-a-week'])
      expect(body.talks.map(({ npc, completion }) => `${npc} ${completion}`).toSorted()).toEqual(
        ['otto earned', 'maya earned', 'ines null', `marcus ${talkWithNpc(body, 'marcus')?.completion}`].toSorted(),
      )

      // The facts that the run lists as heard are exactly those in the transcripts and in the documents.
      for (const npc of ['otto', 'maya', 'marcus', 'ines']) {
        const own = body.run.facts.filter((fact) => fact.npc === npc)
        expect(new Set(own.flatMap((fact) => (fact.turn === null ? [] : [fact.id])))).toEqual(
          new Set(toldIn(talkWithNpc(body, npc))),
        )
        for (const { said, turn } of own)
          if (turn !== null) expect(wordsOf(body, npc, turn)).toContain(said.split(' … ')[0] ?? '?')
      }
      for (const { id: fact, state } of body.facts) {
        const isHeard = body.run.facts.some((each) => each.id === fact)
        // What the reason states is cited too.
        if (evidence.includes(fact)) expect(state).toBe('cited')
        else expect(isHeard ? ['cited', 'ignored'] : ['missed']).toContain(state)
      }

      const maya = talkWithNpc(body, 'maya')
      expect(maya?.walk.map(({ node }) => node)).toEqual([
        'SURFACE',
        'DEEPEN',
        'PIVOT_1',
        'DECISIVE',
        'PIVOT_2',
        'RESOLVE',
        'CLOSE',
      ])
      expect(maya?.walk.every(({ reason }) => reason !== null)).toBe(true)
      expect(maya?.engagement.map(({ said }) => said)).toEqual(path.turns.map(({ learner }) => learner))
      expect(maya?.pivots.map(({ choice, again }) => [choice?.id, again])).toEqual(
        path.turns.flatMap(({ choose }) => (choose ? [[choose.choice, true]] : [])),
      )
      expect(maya?.accepts).toEqual([
        'I could live with a Thursday where this model answers no medical question, by day or by night, and my full run is booked.',
      ])
      const last = maya?.relationship.at(-1)?.level
      expect(body.run.people.find(({ npc }) => npc === 'maya')?.level).toBe(last)

      const checked = await askGame<ResultView>(server, 'api/results', { body: { result: body.result } })
      expect(checked).toMatchObject({
        status: 200,
        body: {
          scenario: 'launch-decision',
          verdict: 'right',
          // Two were ticked, and the reason states none.
          facts: { deciding: 8, cited: 2 },
          objectives: { of: 4 },
        },
      })
      expect(checked.body.facts.heard).toBe(body.facts.filter(({ state }) => state !== 'missed').length)
    },
  )

  const talkWithNpc = (body: DebriefView, npc: string) => body.talks.find((talk) => talk.npc === npc)
  /** Returns what the colleague says in a turn and in the reactions to the cards. */
  const wordsOf = (body: DebriefView, npc: string, turn: number) =>
    (talkWithNpc(body, npc)?.transcript ?? [])
      .filter(({ id, who }) => who === 'npc' && (id === `reply-${turn}` || id.startsWith('reaction-')))
      .map(({ text }) => text)
      .join(' ')
})

describe('a signed result', { timeout: 180_000 }, () => {
  const resultOf = async (key: string) => {
    const { body } = await debriefed(key)
    return (await askGame<ResultView>(server, 'api/results', { body: { result: body.result } })).body
  }

  it('[debrief-16] does not count facts and objectives after the decision', async () => {
    const { key } = await startGame(server)
    const maya = await join(key, 'maya')
    await maya.say('Morning, Maya.')
    await brought(maya)
    await decide(key, [])
    const before = await resultOf(key)
    await playMaya(maya)
    await brought(maya)
    const { facts: heard, objectives } = await runOf(server, key)
    expect(heard.length).toBeGreaterThan(0)
    expect(objectives.filter(({ state }) => state === 'met')).toHaveLength(1)
    expect(await resultOf(key)).toEqual(before)
    expect(before).toMatchObject({ facts: { heard: 0 }, objectives: { met: 0 } })
  })

  it('[debrief-19] names its run, its class, and whether the run was started again', async () => {
    const begin = async () => {
      const body = { title: 'Thursday, group B', scenario: scenario.id }
      return (await askGame<ClassStarted>(server, 'api/classes', { body })).body.class
    }
    const [teachers, learners] = [await begin(), await begin()]
    const run = await startGame(server, { class: learners.code, nickname: 'Moth' })
    const maya = await join(run.key, 'maya')
    await playMaya(maya)
    await brought(maya)
    await decide(run.key, [])
    const result = await resultOf(run.key)
    expect(result).toMatchObject({ run: run.id, class: 'Thursday, group B', again: false })
    const runsIn = async (key: string) =>
      (await askGame<ClassView>(server, 'api/class', { key })).body.learners.map((learner) => learner.run)
    expect(await runsIn(learners.key)).toEqual([run.id])
    expect(await runsIn(teachers.key)).not.toContain(result.run)

    const body = { npc: 'maya', pivot: 'PIVOT_1', cid: newCid() }
    const again = (await askGame<RunStarted>(server, 'api/run/again', { key: run.key, body })).body.run
    await decide(again.key, [])
    expect(await resultOf(again.key)).toMatchObject({ run: again.id, class: null, again: true })
  })
})

describe('a debrief', { timeout: 60_000 }, () => {
  it('[debrief-8] [debrief-15] exists for a run without any conversation', async () => {
    const { key } = await startGame(server)
    await openTalk(server, key, 'maya')
    await decide(key, [], 'ship-as-is')
    const { status, body } = await debriefOf(key)
    expect([status, body.talks, body.ending.verdict]).toEqual([200, [], 'wrong'])
    expect(new Set(body.facts.map(({ state }) => state))).toEqual(new Set(['missed']))
    // [debrief-21] The learner has heard nothing, and the debrief tells none of it.
    expect(facts.filter(({ text }) => JSON.stringify(body).includes(text))).toEqual([])
    expect(facts.flatMap((fact) => factsIn([fact], JSON.stringify(body.ending)))).toEqual([])
    expect(JSON.stringify(body)).not.toContain('nurse')
  })

  it('[debrief-15] includes events that were still on their way to the run', async () => {
    const { key } = await startGame(server)
    const maya = await join(key, 'maya')
    await decide(key, [])
    await database('down')
    for (const { learner } of path.turns.slice(0, 2)) await maya.say(learner)
    await database('up')
    const { body } = await debriefed(key)
    expect(body.run.facts.map(({ id }) => id)).toContain('medical-rate')
    // The learner heard this fact only after the decision.
    expect(body.facts.find(({ id }) => id === 'medical-rate')).toMatchObject({ state: 'missed', said: null })
  })

  it('[debrief-15] is refused, with no signed result, until all events are in the run', async () => {
    const { key } = await startGame(server)
    const maya = await join(key, 'maya')
    const { session } = maya.hello.conversation
    await failing(session, 1_000)
    for (const { learner } of path.turns.slice(0, 2)) await maya.say(learner)
    await decide(key, [])
    expect(await debriefOf(key)).toMatchObject({
      status: 500,
      body: { error: { code: 'unavailable', next: 'retry-after' } },
    })
    await failing(session, 0)
    const { body } = await debriefed(key)
    expect(body.facts.find(({ id }) => id === 'medical-rate')).toMatchObject({ state: 'ignored' })
    const checked = await askGame<ResultView>(server, 'api/results', { body: { result: body.result } })
    expect(checked.body.facts.heard).toBe(body.facts.filter(({ state }) => state !== 'missed').length)
  })

  it('[debrief-15] does not wait for events that were lost when the database was restored', async () => {
    const { key } = await startGame(server)
    const maya = await join(key, 'maya')
    await maya.say('Morning, Maya.')
    await brought(maya)
    const { session } = maya.hello.conversation
    await server.fetch('doors/db', {
      method: 'POST',
      body: `UPDATE sessions SET applied = 0 WHERE session = '${session}'`,
    })
    for (const { learner } of path.turns.slice(0, 2)) await maya.say(learner)
    await decide(key, [])
    expect((await debriefed(key)).body.talks.map(({ npc }) => npc)).toEqual(['maya'])
    expect(await waiting(session)).toBeGreaterThan(0)
  })

  it('[debrief-15] is refused with a retry when a conversation cannot be read', async () => {
    const { key } = await startGame(server)
    const { session } = await openTalk(server, key, 'maya')
    const maya = await join(key, 'maya')
    await maya.say('Morning, Maya.')
    await decide(key, [])
    await server.fetch(`doors/${session}/spoil`, { method: 'POST', body: "UPDATE turns SET report = 'no JSON'" })
    await server.evict({ className: 'ConversationObject', id: session })
    const { status, body } = await debriefOf(key)
    expect([status, body.error]).toMatchObject([500, { code: 'unavailable', next: 'retry-after' }])
    await server.fetch(`doors/${session}/spoil`, { method: 'POST', body: 'UPDATE turns SET report = NULL' })
    await debriefed(key)
  })

  it.runIf(IS_LONG)('[debrief-15] does not wait for a conversation that never answers', async () => {
    const { key } = await startGame(server)
    const { session } = await openTalk(server, key, 'maya')
    const maya = await join(key, 'maya')
    await maya.say('Morning, Maya.')
    await decide(key, [])
    // Waits until all work after the turn is done, so that the fault strikes the debrief's request and not an alarm's
    // delivery.
    await brought(maya)
    maya.leave()
    await expect.poll(async () => (await server.fetch(`doors/${session}/alarmAt`)).json(), POLL).toBeNull()
    const hangs = [{ step: 'schedule', when: 'before', nth: 1, fault: 'hang' }]
    await server.fetch(`doors/${session}/arm`, { method: 'POST', body: JSON.stringify(hangs) })
    expect(await debriefOf(key)).toMatchObject({ status: 500, body: { error: { code: 'unavailable' } } })
    expect((await debriefOf(key)).body.talks.map(({ npc }) => npc)).toEqual(['maya'])
  })

  it('[debrief-8] leaves out a conversation that was erased', async () => {
    const { key } = await startGame(server)
    for (const npc of ['maya', 'marcus']) await (await join(key, npc)).say('Good morning.')
    await decide(key, [])
    const { session } = await openTalk(server, key, 'maya')
    await server.fetch(`doors/${session}/erase`)
    const { body } = await debriefed(key)
    expect(body.talks.map(({ npc }) => npc)).toEqual(['marcus'])
  })

  it('[debrief-15] requires the key of the run', async () => {
    for (const key of ['', 'nonsense'])
      expect(await debriefOf(key)).toMatchObject({ status: 401, body: { error: { code: 'not-admitted' } } })
  })
})
