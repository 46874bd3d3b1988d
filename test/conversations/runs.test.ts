import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { subjectOf } from '../../worker/chain/people/tombstones.ts'
import path from '../fixtures/maya-path.json' with { type: 'json' }
import { type Given, keepCredentials } from '../support/credentials.ts'
import { door } from '../support/doors.ts'
import { askGame, runOf, startGame, talkWith } from '../support/game-client.ts'
import { noorPath } from '../support/noor-path.ts'
import { newCid, Player } from '../support/player.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'
import { issueRunKey } from '../../worker/trust/game-credentials.ts'
import { DEVELOPMENT_KEYS } from '../../worker/trust/token-keys.ts'
import type { RunView } from '../../worker/wire/run.ts'
import { IS_LONG } from '../support/runs.ts'

const CONFIG = 'test/conversations/fault-worker.toml'
const IDENTITY_SECRET = 'sZ8sJ9vX0mQ4kT7wR2yB5nC8dF1gH3jL'
const VARS = {
  WALKON_REHEARSAL_PACE_MS: '0',
  WALKON_IDENTITY: 'optional',
  WALKON_IDENTITY_SECRET: IDENTITY_SECRET,
}
/** The settings with which a worker without configured secrets derives people's ids. */
const DEPLOYED = { secret: 'walkon development secret, known to everybody', tenant: 'walkon' }
/** The timeout is longer than the chain's own retry delay after several failures on a slow machine. */
const POLL = { timeout: 60_000, interval: 20 }

let server: WorkerServer
const players: Player[] = []

beforeAll(async () => {
  server = await startWorkerServer({ configPath: CONFIG, vars: VARS })
})
afterEach(async () => {
  for (const player of players.splice(0)) player.leave()
  await database('up')
})
afterAll(() => server.stop())

type Begun = Given & { readonly session: string; readonly run?: { readonly id: string; readonly key: string } }

async function ask(body: object, at = server): Promise<{ status: number; body: unknown }> {
  const response = await at.fetch('api/sessions', { method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, body: await response.json() }
}

async function begin(body: object, at = server): Promise<Begun> {
  const answer = await ask(body, at)
  if (answer.status !== 201) throw new Error(`no session: ${JSON.stringify(answer)}`)
  const begun = answer.body as Begun
  keepCredentials(begun)
  return begun
}

/** Opens a conversation in a run. @throws when the conversation belongs to no run */
async function beginIn(body: object): Promise<Required<Begun>> {
  const begun = await begin(body)
  if (!begun.run) throw new Error('part of no run')
  return begun as Required<Begun>
}

async function join(session: string, at = server): Promise<Player> {
  const player = await Player.join(at, session)
  players.push(player)
  return player
}

async function rows<T>(body: string): Promise<readonly T[]> {
  return (await (await server.fetch('doors/db', { method: 'POST', body })).json()) as T[]
}

interface Context {
  readonly id: string
  readonly parent_id: string | null
  readonly space: string
  readonly status: string
  readonly version: number
  readonly user_id: string
  readonly data: Readonly<Record<string, unknown>>
}

async function contextsOf(run: string): Promise<readonly Context[]> {
  const found = await rows<Context & { data: string }>(
    `SELECT * FROM contexts WHERE root_id = '${run}' ORDER BY created_at, row`,
  )
  return found.map((each) => ({ ...each, data: JSON.parse(each.data) as Context['data'] }))
}

const vouchedFor = (user: string) => ({
  identity: { user, hash: createHmac('sha256', IDENTITY_SECRET).update(user).digest('hex') },
})

const database = (mode: 'up' | 'down' | 'lost' | 'silent') => server.fetch(`doors/db/${mode}`, { method: 'POST' })

async function queueOf(session: string): Promise<{ waiting: number; attempts: number; last: number }> {
  return (await (await server.fetch(`doors/${session}/queue`)).json()) as {
    waiting: number
    attempts: number
    last: number
  }
}

/** Resolves when no event of a conversation is waiting for the chain. */
const brought = (session: string) =>
  vi.waitFor(async () => expect(await queueOf(session)).toMatchObject({ waiting: 0 }), POLL)

/** Plays all turns of Maya's path, and picks the cards. */
async function playMaya(player: Player): Promise<void> {
  for (const { learner, node, choose } of path.turns) {
    await player.say(learner)
    if (choose) await player.emit('choose', { cid: newCid(), pivot: node, choice: choose.choice })
  }
  await ended(player)
}

/** Sends minimal messages until the conversation ends by itself. */
async function sayLittle(player: Player): Promise<void> {
  for (;;) {
    const answer = await player.emit('say', { cid: newCid(), text: 'Hm.' })
    if (!answer.ok) break
    await player.turn(answer.turn)
  }
  await ended(player)
}

const ended = (player: Player) => player.until(() => player.commands().find((id) => id === 'AI_EndConversation'))

describe('a run through the API', { timeout: 120_000 }, () => {
  it(
    '[run-1] [run-5] [run-7] [run-8] is the root context of a learner’s conversations',
    { timeout: 180_000 },
    async () => {
      const maya = await beginIn({ scenario: 'launch-decision', npc: 'maya' })
      const { run } = maya
      await playMaya(await join(maya.session))
      await brought(maya.session)
      const waits = (await contextsOf(run.id)).at(-1)
      expect(waits).toMatchObject({ space: 'marcus', status: 'active', data: { handOver: 'marcus', from: 'maya' } })

      const marcus = await beginIn({ npc: 'marcus', run: run.key })
      expect(marcus.run.id).toBe(run.id)
      await sayLittle(await join(marcus.session))
      await brought(marcus.session)
      const contexts = await contextsOf(run.id)
      expect(contexts.map(({ space, status }) => ({ space, status }))).toEqual([
        { space: 'run', status: 'active' },
        { space: 'maya', status: 'completed' },
        { space: 'marcus', status: 'completed' },
        { space: 'marcus', status: 'completed' },
        { space: 'ines', status: 'active' },
      ])
      const [root, first, handOver, second, next] = contexts
      // These contexts have changed only because conversations began. No event of a conversation has changed them.
      expect([root?.version, handOver?.version, next?.version]).toEqual([1, 2, 1])
      expect(first).toMatchObject({
        parent_id: root?.id,
        data: {
          npc: 'maya',
          completion: 'earned',
          earned: ['size-the-risk'],
          document: expect.stringMatching(/\S/) as string,
          paper: { title: expect.stringMatching(/\S/) as string, lines: expect.arrayContaining([]) as string[] },
          level: expect.stringMatching(/^(guarded|cooperative|trusting)$/) as string,
          facts: expect.arrayContaining([
            expect.objectContaining({ fact: 'medical-rate', turn: expect.any(Number) as number }),
          ]) as unknown[],
          next: 'marcus',
        },
      })
      expect(handOver).toMatchObject({ parent_id: first?.id, data: { takenBy: second?.id } })
      expect(second).toMatchObject({ parent_id: root?.id, data: { completion: 'forced', next: 'ines' } })
      expect(new Set(contexts.map(({ user_id }) => user_id)).size).toBe(1)
      const sessions = await rows<{ session: string; learner: string; ended_at: number | null }>(
        `SELECT * FROM sessions WHERE run_id = '${run.id}' ORDER BY created_at`,
      )
      expect(sessions).toMatchObject([
        { session: maya.session, learner: 'anonymous', npc: 'maya' },
        { session: marcus.session, learner: 'anonymous', npc: 'marcus' },
      ])
      for (const { ended_at } of sessions) expect(ended_at).not.toBeNull()

      // The scenario names the colleagues whose conversations must end before the run is completed. Ines is the last of
      // these colleagues.
      const ines = await beginIn({ npc: 'ines', run: run.key })
      await sayLittle(await join(ines.session))
      await brought(ines.session)
      expect((await contextsOf(run.id))[0]).toMatchObject({ status: 'completed', version: 2 })
      const otto = await beginIn({ npc: 'otto', run: run.key })
      await (await join(otto.session)).say('So, what now?')
      await brought(otto.session)
      expect((await contextsOf(run.id))[0]).toMatchObject({ status: 'completed', version: 2 })
    },
  )

  it('[run-5] contains each annotation of the walk once', async () => {
    const { session, run } = await beginIn({ scenario: 'week-three', npc: 'noor' })
    const player = await join(session)
    for (const line of noorPath.slice(0, 1)) await player.say(line)
    await brought(session)
    const text = 'The two questions begin here. First the work, then the people.'
    const [, noor] = await contextsOf(run.id)
    expect(noor?.data['annotations']).toMatchObject([{ text }])
    const kept = await rows(
      `SELECT kind, content, context_id, root_id FROM memories WHERE conversation_id = '${session}'`,
    )
    expect(kept).toEqual([{ kind: 'annotation', content: text, context_id: noor?.id, root_id: run.id }])
    for (const line of noorPath.slice(1)) await player.say(line)
    await ended(player)
    await brought(session)
    expect((await contextsOf(run.id)).map(({ status, version }) => [status, version])).toEqual([
      ['completed', 2],
      ['completed', 7],
    ])
  })

  it('[run-2] has one learner in all its conversations, who is recognised in this run only', async () => {
    const first = await beginIn({ npc: 'maya' })
    await (await join(first.session)).say('Hello.')
    await brought(first.session)
    const again = await beginIn({ npc: 'maya', run: first.run.key })
    const elsewhere = await beginIn({ npc: 'maya' })
    const [one, two, three] = await Promise.all(
      [first, again, elsewhere].map(({ session }) => door(server, session, 'info')),
    )
    expect(two?.learner).toEqual(one?.learner)
    expect(three?.learner).not.toEqual(one?.learner)
    expect([one, two, three].map((info) => info?.person)).toEqual(['new', 'returning', 'new'])
    // A value in the request takes precedence over the value that the run stores.
    const said = await beginIn({ npc: 'maya', run: first.run.key, returning: false })
    expect((await door(server, said.session, 'info')).person).toBe('new')
  })

  it("[run-2] accepts only its own learner's identity", async () => {
    const ours = await beginIn({ npc: 'maya', ...vouchedFor('ada') })
    const theirs = { npc: 'maya', run: ours.run.key }
    expect((await ask({ ...theirs, ...vouchedFor('bob') })).body).toMatchObject({
      error: { code: 'identity-required' },
    })
    const nobodys = await beginIn({ npc: 'maya' })
    const signedIn = { npc: 'maya', run: nobodys.run.key, ...vouchedFor('ada') }
    expect((await ask(signedIn)).body).toMatchObject({ error: { code: 'identity-required' } })
    const [first, again, unsaid] = await Promise.all(
      [ours, await begin({ ...theirs, ...vouchedFor('ada') }), await begin(theirs)].map(({ session }) =>
        door(server, session, 'info'),
      ),
    )
    expect(first?.learner.kind).toBe('verified')
    expect([again?.learner, unsaid?.learner]).toEqual([first?.learner, first?.learner])
  })

  it('[run-3] gives a verified learner without an identity no credentials that outlive the run key', async () => {
    const now = Date.now()
    const until = Math.floor(now / 1000) + 100
    const endsOf = (key: string) =>
      (JSON.parse(Buffer.from(key.split('.')[1] ?? '', 'base64url').toString()) as { exp: number }).exp
    const endsFor = async (who: object, also: object = who) => {
      const { session, run } = await beginIn({ npc: 'maya', ...who })
      const { learner } = await door(server, session, 'info')
      const held = { id: run.id, scenario: 'launch-decision', learner, until }
      const key = await issueRunKey({ deployment: 'walkon', ...DEVELOPMENT_KEYS }, held, now)
      const next = await beginIn({ npc: 'marcus', run: key, ...also })
      return [endsOf(next.run.key) > until, endsOf(next.key) > until]
    }
    expect(await endsFor(vouchedFor('cleo'), {})).toEqual([false, false])
    expect(await endsFor(vouchedFor('cleo'))).toEqual([true, true])
    expect(await endsFor({})).toEqual([true, true])
  })

  it('[run-3] accepts only its own key, and has to exist', async () => {
    const { run } = await beginIn({ npc: 'maya' })
    expect((await ask({ scenario: 'week-three', run: run.key })).status).toBe(404)
    await rows(`DELETE FROM contexts WHERE root_id = '${run.id}'`)
    const before = await (await server.fetch('doors/begun')).json()
    expect(await ask({ npc: 'maya', run: run.key })).toEqual({
      status: 404,
      body: { error: { next: 'start-over', code: 'unknown-run', message: expect.any(String) as string } },
    })
    expect(await (await server.fetch('doors/begun')).json()).toBe(before)
  })

  it('[run-1] begins no conversation that cannot be stored: no object, and a clear error', async () => {
    const before = await (await server.fetch('doors/begun')).json()
    await database('down')
    expect(await ask({ npc: 'maya' })).toEqual({
      status: 500,
      body: { error: { next: 'retry-after', code: 'unavailable', message: expect.any(String) as string } },
    })
    await database('up')
    const { run } = await beginIn({ npc: 'maya' })
    const [{ user_id } = { user_id: '' }] = await contextsOf(run.id)
    const subject = await subjectOf(DEPLOYED, user_id)
    await rows(
      `INSERT INTO tombstones (tenant, subject, kind, at, running) VALUES ('walkon', '${subject}', 'person', 1, 1)`,
    )
    expect(await ask({ npc: 'maya', run: run.key })).toMatchObject({
      body: { error: { next: 'retry-after', retryAfterMs: 5_000 } },
    })
    expect(await (await server.fetch('doors/begun')).json()).toBe(Number(before) + 1)
  })

  it.runIf(IS_LONG)('[run-4] is left out without a database, and conversations work as before', async () => {
    const plain = await startWorkerServer({ configPath: 'test/conversations/alarm-worker.toml', vars: VARS })
    try {
      const begun = await begin({ npc: 'maya' }, plain)
      expect(begun.run).toBeUndefined()
      const player = await join(begun.session, plain)
      expect((await player.say('Hello.')).outcome).toBe('complete')
      const tables = await plain.sql(
        { className: 'ConversationObject', id: begun.session },
        "SELECT count(*) AS n FROM sqlite_master WHERE name IN ('chain_events', 'chain_cursor')",
      )
      expect(tables).toEqual([{ n: 0 }])
      player.leave()
    } finally {
      await plain.stop()
    }
  })
})

describe('what a conversation gathers', () => {
  it('[run-15] is in the run when the page asks for it, when the last client leaves, and when the talk ends', async () => {
    const gathering = await startWorkerServer({ configPath: CONFIG, vars: { ...VARS, WALKON_GATHER_MS: '900000' } })
    try {
      const { key } = await startGame(gathering)
      const player = await talkWith(gathering, key, 'maya')
      players.push(player)
      const facts = async (headers = {}) =>
        (await askGame<RunView>(gathering, 'api/run', { key, headers })).body.facts.length
      await player.say('How often is it wrong?')
      await player.say('And how many prompts were medical?')
      expect(await facts()).toBe(0)
      const shown = await facts({ 'Cache-Control': 'no-cache' })
      expect(shown).toBeGreaterThan(0)
      await player.say('What does the contract allow?')
      await player.say('Is there a ceiling?')
      expect(await facts()).toBe(shown)
      player.leave()
      await vi.waitFor(async () => expect(await facts()).toBeGreaterThan(shown), POLL)

      const marcus = await talkWith(gathering, key, 'marcus')
      players.push(marcus)
      await marcus.say('I have to go. Goodbye!')
      const status = async () => (await runOf(gathering, key)).people.find(({ npc }) => npc === 'marcus')?.status
      await vi.waitFor(async () => expect(await status()).toBe('over'), POLL)
    } finally {
      await gathering.stop()
    }
  })
})

describe('a chain event of a conversation', { timeout: 120_000 }, () => {
  it.runIf(IS_LONG)(
    '[run-9] waits while the database is down and arrives later, unnoticed by the learner',
    async () => {
      const { session, run } = await beginIn({ scenario: 'week-three', npc: 'noor' })
      const player = await join(session)
      await database('down')
      expect((await player.say(noorPath[0])).outcome).toBe('complete')
      expect((await player.say(noorPath[1])).outcome).toBe('complete')
      await vi.waitFor(async () => expect((await queueOf(session)).attempts).toBeGreaterThan(1), POLL)
      expect(await queueOf(session)).toMatchObject({ waiting: 2, last: 2 })
      expect((await contextsOf(run.id)).map(({ version }) => version)).toEqual([1, 1])
      await database('up')
      await brought(session)
      expect((await contextsOf(run.id)).map(({ version }) => version)).toEqual([1, 3])
      expect(await queueOf(session)).toMatchObject({ attempts: 0 })
    },
  )

  it('[run-9] [run-6] is stored once, although the database’s answer was lost', async () => {
    const { session, run } = await beginIn({ scenario: 'week-three', npc: 'noor' })
    const player = await join(session)
    await database('lost')
    await player.say(noorPath[0])
    await vi.waitFor(async () => expect((await queueOf(session)).attempts).toBeGreaterThan(0), POLL)
    await database('up')
    await brought(session)
    expect((await contextsOf(run.id)).map(({ version }) => version)).toEqual([1, 3])
    expect(await rows(`SELECT id FROM memories WHERE conversation_id = '${session}'`)).toHaveLength(1)
  })

  it.runIf(IS_LONG)('[run-9] waits for a database that does not answer, and delays no learner', async () => {
    const { session, run } = await beginIn({ scenario: 'week-three', npc: 'noor' })
    const player = await join(session)
    await database('silent')
    for (const line of noorPath.slice(0, 3)) expect((await player.say(line)).outcome).toBe('complete')
    expect((await contextsOf(run.id)).map(({ version }) => version)).toEqual([1, 1])
    await database('up')
    await brought(session)
    expect((await contextsOf(run.id)).map(({ version }) => version)).toEqual([1, 3])
  })

  it.runIf(IS_LONG)('[run-9] arrives although the object dies or is redeployed before its delivery', async () => {
    const { session, run } = await beginIn({ scenario: 'week-three', npc: 'noor' })
    const player = await join(session)
    await database('silent')
    await player.say(noorPath[0])
    expect(await queueOf(session)).toMatchObject({ waiting: 2 })
    await door(server, session, 'die')
    expect(await queueOf(session)).toMatchObject({ waiting: 2 })
    // The test's mode `silent`, in which the database does not answer, ends with the process. The new process starts
    // with `up`.
    await server.redeploy()
    await brought(session)
    expect((await contextsOf(run.id)).map(({ version }) => version)).toEqual([1, 3])
  })

  it('[run-10] is dropped for good if the conversation is erased', async () => {
    const { session, run } = await beginIn({ scenario: 'week-three', npc: 'noor' })
    const subject = await subjectOf(DEPLOYED, session)
    await rows(
      `INSERT INTO tombstones (tenant, subject, kind, at, running) VALUES ('walkon', '${subject}', 'session', 1, 0)`,
    )
    const player = await join(session)
    await player.say(noorPath[0])
    // The queue's cursor is gone, so the queue no longer counts new events.
    await vi.waitFor(async () => expect(await queueOf(session)).not.toHaveProperty('last'), POLL)
    await player.say(noorPath[1])
    expect(await queueOf(session)).toMatchObject({ waiting: 0 })
    expect(await queueOf(session)).not.toHaveProperty('last')
    expect((await contextsOf(run.id)).map(({ version }) => version)).toEqual([1, 1])
  })

  it('[run-10] sets no alarm once it is delivered', async () => {
    const { session } = await beginIn({ scenario: 'week-three', npc: 'noor' })
    const player = await join(session)
    await player.say(noorPath[0])
    await brought(session)
    player.leave()
    await vi.waitFor(async () => expect(await (await server.fetch(`doors/${session}/alarmAt`)).json()).toBeNull(), POLL)
  })

  it('[run-14] costs two rows, and two for its delivery; a turn without events costs none', async () => {
    const { session } = await beginIn({ scenario: 'week-three', npc: 'noor' })
    const player = await join(session)
    const rowsOf = async (line: string) => {
      await server.fetch(`doors/${session}/written`)
      await player.say(line)
      await brought(session)
      const written = (await (await server.fetch(`doors/${session}/written`)).json()) as {
        table: string
        rows: number
      }[]
      const count = (table: string) => written.reduce((sum, each) => sum + (each.table === table ? each.rows : 0), 0)
      return [count('chain_events'), count('chain_cursor')]
    }
    // The turn has two events: the first message and an annotation.
    expect(await rowsOf(noorPath[0])).toEqual([4, 2])
    expect(await rowsOf(noorPath[1])).toEqual([0, 0])
  })

  it('[run-11] is separate from the transcript, which has exactly what the learner saw', async () => {
    const { session } = await beginIn({ npc: 'maya' })
    const player = await join(session)
    for (const { learner } of path.turns.slice(0, 3)) await player.say(learner)
    await player.emit('choose', { cid: newCid(), pivot: 'PIVOT_1', choice: 'a' })
    const messages = (await (await server.fetch(`doors/${session}/transcript`)).json()) as {
      id: string
      who: string
      text: string
    }[]
    expect(messages.map(({ who }) => who)).toEqual([
      'npc',
      ...Array.from({ length: 4 }, () => ['learner', 'npc']).flat(),
    ])
    expect(messages.slice(1, 3)).toMatchObject([
      { id: 'say-1', text: path.turns[0]?.learner },
      { id: 'reply-1', text: player.events.find((event) => event.type === 'turn')?.text },
    ])
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length)
  })
})
