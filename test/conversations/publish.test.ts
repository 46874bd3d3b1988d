import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { publish } from '../../scripts/sim/publish.ts'
import type { ScenarioVersion } from '../../worker/chain/scenarios/scenario-versions.ts'
import type { SimulationCard } from '../../worker/wire/run.ts'
import { keepCredentials, type Given } from '../support/credentials.ts'
import maya from '../fixtures/maya-ten-turns.json' with { type: 'json' }
import type { NpcState } from '../../worker/core/walk/npc-state.ts'
import type { ToldRecord } from '../../worker/session/assistant/assistant-record.ts'
import { openDayIn } from '../support/open-day-script.ts'
import { newCid, openSession, Player } from '../support/player.ts'
import { webhookSecret } from '../support/webhook-receiver.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'
import { IS_LONG } from '../support/runs.ts'

const SECRET = 'p4Qm8sLx2VtR6yWn1ZcB9dKf3HgJ5aUe'

let server: WorkerServer
const folder = mkdtempSync(path.join(tmpdir(), 'walkon-publish-'))
const file = openDayIn(folder)
const original = readFileSync(file, 'utf8')
const players: Player[] = []

beforeAll(async () => {
  server = await startWorkerServer({
    configPath: 'wrangler.toml',
    vars: { WALKON_ADMIN_SECRET: SECRET, WALKON_REHEARSAL_PACE_MS: '0' },
    rateLimits: { LIMIT_ADMIN: 10_000, LIMIT_SESSIONS: 10_000 },
  })
})
afterAll(async () => {
  for (const player of players) player.leave()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const GREETING = 'Morning.'
/** The names of the versions in their greetings. A figure in a greeting would have to be in the document. */
const NAMES: Readonly<Record<number, string>> = { 1: 'Alder', 2: 'Birch', 5: 'Cedar', 6: 'Elm', 9: 'Maple' }

/** Returns the example in another version, with a greeting that names the version. */
function edition(version: number, more: (text: string) => string = (text) => text): string {
  const name = `open-day-${version}.yaml`
  const greeted = original
    .replace(/^version: 1$/m, `version: ${version}`)
    .replace(/greeting: >-\n(?: {6}.*\n)+/, `greeting: ${GREETING} This is ${NAMES[version]}.\n`)
  const written = path.join(path.dirname(file), name)
  writeFileSync(written, more(greeted))
  return written
}

const send = (wanted: string, secret: string | undefined = SECRET) => publish(wanted, { to: server.url.href, secret })

async function admin(at: string, init: RequestInit = {}): Promise<Answered> {
  const headers = { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json' }
  const answer = await server.fetch(`api/admin/${at}`, { headers, ...init })
  return { status: answer.status, body: await answer.json() }
}

const withdraw = (id: string, version: number) => admin(`scenarios/${id}/${version}/withdraw`, { method: 'POST' })

async function listed(id: string): Promise<readonly ScenarioVersion[]> {
  const { scenarios } = (await admin('scenarios')).body as { scenarios: readonly ScenarioVersion[] }
  return scenarios.filter((each) => each.id === id)
}

async function begin(body: object): Promise<Given & { session: string; run: { id: string; key: string } }> {
  const answer = await server.fetch('api/sessions', { method: 'POST', body: JSON.stringify(body) })
  const begun = (await answer.json()) as Given & { session: string; run: { id: string; key: string } }
  if (answer.status === 201) keepCredentials(begun)
  return begun
}

const beginStatus = async (scenario?: string) =>
  (await server.fetch('api/sessions', { method: 'POST', body: JSON.stringify({ scenario, npc: undefined }) })).status

async function join(session: string): Promise<Player> {
  const player = await Player.join(server, session)
  players.push(player)
  return player
}

const greetingOf = (player: Player) =>
  player.hello.events.flatMap((event) => (event.type === 'opening' ? [event.text] : []))[0]

const cards = async () => (await (await server.fetch('scenarios.json')).json()) as SimulationCard[]

const LEARNER = [
  'What is wrong with the tent?',
  'So there is wind on Saturday, and the tent is in it.',
  'Then it is not safe.',
  'And it takes 3 hours to take down.',
]

describe('a scenario that is published to a running server', () => {
  it('[publish-1] [publish-3] is listed, is in the library, and is played; a newer version and a withdrawal change no conversation that has begun', async () => {
    expect(await beginStatus('open-day')).toBe(404)
    expect(await send(edition(1))).toMatchObject({
      ok: true,
      lines: [expect.stringContaining('open-day, version 1'), expect.any(String)],
    })
    expect(await listed('open-day')).toMatchObject([{ version: 1, source: 'published', withdrawnAt: null }])
    expect((await cards()).find(({ id }) => id === 'open-day')).toMatchObject({ version: 1, title: 'The open day' })

    const first = await begin({ scenario: 'open-day', npc: 'nadia' })
    const player = await join(first.session)
    expect(greetingOf(player)).toContain('Alder')
    for (const text of LEARNER.slice(0, 2)) expect((await player.say(text)).outcome).toBe('complete')

    // A newer version while the first is played.
    expect(await send(edition(2))).toMatchObject({ ok: true })
    expect((await cards()).filter(({ id }) => id === 'open-day')).toMatchObject([{ version: 2 }])
    const second = await begin({ scenario: 'open-day', npc: 'nadia' })
    expect(greetingOf(await join(second.session))).toContain('Birch')

    // Both are withdrawn while they are played.
    for (const version of [2, 1]) expect(await withdraw('open-day', version)).toMatchObject({ status: 200 })
    expect(await beginStatus('open-day')).toBe(404)
    expect((await cards()).some(({ id }) => id === 'open-day')).toBe(false)

    await server.evict({ className: 'ConversationObject', id: first.session })
    for (const text of LEARNER.slice(2)) expect((await player.say(text)).outcome).toBe('complete')
    const fork = await player.until(() =>
      player.events.find((event) => event.type === 'command' && event.command.name === 'AI_PivotMoment'),
    )
    expect(fork).toBeDefined()
    await player.emit('choose', { cid: newCid(), pivot: 'PIVOT_1', choice: 'a' })
    for (let turn = 0; turn < 30 && !player.commands().some((id) => /end/i.test(id)); turn += 1)
      await player.say('So it is 52 km/h against a limit of 38 km/h, and the tent has to come down. Bye.')
    expect(player.events.some((event) => event.type === 'command' && event.command.name === 'AI_EndConversation')).toBe(
      true,
    )

    // The run of the first conversation is a run of version 1, and its other colleagues speak as version 1 has them.
    const view = await server.fetch('api/run', { headers: { Authorization: `Bearer ${first.run.key}` } })
    expect(await view.json()).toMatchObject({ scenario: 'open-day', version: 1 })
    const other = await begin({ run: first.run.key, npc: 'joel' })
    expect(other.session).toMatch(/^[0-9a-f]{64}$/)

    // The same content again takes the withdrawal back.
    expect(await send(edition(1))).toMatchObject({ ok: true })
    expect(await listed('open-day')).toMatchObject([
      { version: 1, withdrawnAt: null },
      { version: 2, withdrawnAt: expect.any(Number) },
    ])
    expect(greetingOf(await join((await begin({ scenario: 'open-day', npc: 'nadia' })).session))).toContain('Alder')
  })

  it('[publish-2] never changes: other content needs another version', async () => {
    const before = await listed('open-day')
    const changed = edition(1, (text) => text.replace(GREETING, 'Hello there.'))
    expect(await send(changed)).toEqual({
      ok: false,
      lines: [
        'This version is there already, with other content. Raise `version`, and publish again.',
        '\nNothing was published.',
      ],
    })
    expect(await listed('open-day')).toEqual(before)
  })

  it.runIf(IS_LONG)('[publish-2] two that arrive together with other content become one', async () => {
    const wanted = ['One', 'Two', 'Three', 'Four'].map((word) => {
      const text = readFileSync(
        edition(9, (each) => each.replace(GREETING, `${word}.`)),
        'utf8',
      )
      const own = path.join(path.dirname(file), `open-day-9-${word}.yaml`)
      writeFileSync(own, text)
      return own
    })
    const sent = await Promise.all(wanted.map((each) => send(each)))
    expect(sent.filter(({ ok }) => ok)).toHaveLength(1)
    const [kept] = (await listed('open-day')).filter(({ version }) => version === 9)
    const body = await (
      await server.database()
    )
      .prepare('SELECT body FROM scenario_bodies WHERE hash = ?1')
      .bind(kept?.hash ?? '')
      .all<{ body: string }>()
    const word = ['One', 'Two', 'Three', 'Four'][sent.findIndex(({ ok }) => ok)]
    expect(body.results[0]?.body).toContain(`"${word}. This is Maple."`)
    await withdraw('open-day', 9)
  })

  it.runIf(IS_LONG)('[publish-4] of the build is withdrawn and comes back in the same way', async () => {
    const [built] = await listed('launch-decision')
    expect(built).toMatchObject({ source: 'build', withdrawnAt: null })
    const running = await openSession(server, { scenario: 'launch-decision', npc: 'maya' })
    expect(await withdraw('launch-decision', built?.version ?? 0)).toMatchObject({ status: 200 })
    expect(await beginStatus('launch-decision')).toBe(404)
    expect((await cards()).some(({ id }) => id === 'launch-decision')).toBe(false)
    // A page that names no scenario gets the next one.
    expect(await beginStatus()).toBe(201)
    expect((await (await join(running)).say('What did run 47 show?')).outcome).toBe('complete')
    expect(await send('sims/launch-decision/scenario.yaml')).toMatchObject({ ok: true })
    expect(await listed('launch-decision')).toEqual([built])
    expect(await beginStatus('launch-decision')).toBe(201)
  })

  it('[publish-5] is checked by the server as a build checks it, and nothing with a finding is stored', async () => {
    const scenario = { id: 'open-day' }
    const bad: readonly (readonly [unknown, number])[] = [
      [null, 422],
      [[], 422],
      [{}, 422],
      [{ scenario, backbones: [], graphs: [] }, 422],
      [{ scenario: { ...scenario, ['__proto__x']: 1 }, backbones: 1, graphs: [] }, 422],
      [{ scenario, backbones: [{}], graphs: [{}] }, 422],
      [{ scenario, backbones: [], graphs: Array.from({ length: 101 }, () => ({})) }, 422],
      ['x'.repeat(2_000_000), 413],
    ]
    const before = (await admin('scenarios')).body
    for (const [body, status] of bad)
      expect([(await admin('scenarios', { method: 'POST', body: JSON.stringify(body) })).status, status]).toEqual([
        status,
        status,
      ])
    const found = (
      await admin('scenarios', { method: 'POST', body: JSON.stringify({ scenario, backbones: [], graphs: [] }) })
    ).body as { error: object; findings: readonly { at: string; message: string }[] }
    expect(found.error).toMatchObject({ code: 'findings', next: 'give-up' })
    expect(found.findings.length).toBeGreaterThan(5)
    expect(found.findings.every(({ at }) => at.startsWith('/scenario'))).toBe(true)
    // A backbone in which a learner is trapped: the server proves the graphs itself.
    const sent: { scenario: unknown; backbones: { nodes: { id: string; advance?: string }[] }[]; graphs: unknown[] }[] =
      []
    await publish(edition(5), {
      to: server.url.href,
      secret: SECRET,
      ask: async (_, init) => {
        sent.push(JSON.parse(String(init?.body)) as (typeof sent)[number])
        return new Response('{}', { status: 500 })
      },
    })
    const [data] = sent
    for (const backbone of data?.backbones ?? []) {
      const last = backbone.nodes.find(({ id }) => id === 'RESOLVE')
      if (last) last.advance = 'GROUND'
    }
    const trapped = await admin('scenarios', { method: 'POST', body: JSON.stringify(data) })
    expect(trapped).toMatchObject({ status: 422 })
    expect(JSON.stringify(trapped.body)).toContain('cannot be walked')
    expect((await admin('scenarios')).body).toEqual(before)
  })

  it('[publish-6] says what to do if it was not published', async () => {
    const told = async (sent: ReturnType<typeof send>) => (await sent).lines.join('\n')
    expect(await told(send(file, 'wrong'))).toContain('does not know this admin secret')
    expect(await told(send(file, ''))).toContain('WALKON_ADMIN_SECRET')
    expect(await told(publish(file, { to: 'walkon', secret: SECRET }))).toContain('is no address')
    expect(await told(publish(file, { to: 'http://127.0.0.1:1', secret: SECRET }))).toContain('does not answer')
    expect(await told(send('sims/graphs/week-three@1.yaml'))).toContain('is a context graph')
    const misspelt = edition(6, (text) => text.replace('deadline:', 'dedline:'))
    expect(await told(send(misspelt))).toMatch(/open-day-6\.yaml:\d+:\d+ \/simulation/)
    expect((await withdraw('open-day', 77)).status).toBe(404)
    expect((await withdraw('nowhere', 1)).status).toBe(404)
  })

  it('[publish-7] may bring its own context graph', async () => {
    const week = path.join('sims', 'week-three', 'scenario.yaml')
    const own = path.join(path.dirname(file), 'week.yaml')
    writeFileSync(
      own,
      readFileSync(week, 'utf8')
        .replace(/^id: week-three$/m, 'id: week-four')
        .replace(/week-three@1/g, 'week-three@1'),
    )
    const graph = readFileSync('sims/graphs/week-three@1.yaml', 'utf8')
    writeFileSync(path.join(path.dirname(file), 'week-three@1.yaml'), graph)
    writeFileSync(path.join(path.dirname(file), 'steady@1.yaml'), readFileSync('sims/graphs/steady@1.yaml', 'utf8'))
    expect(await send(own)).toMatchObject({ ok: true })
    const player = await join((await begin({ scenario: 'week-four' })).session)
    expect((await player.say('Hello, I have a minute now.')).outcome).toBe('complete')
  })
})

interface Answered {
  readonly status: number
  readonly body: unknown
}

async function npcState(session: string, state?: unknown): Promise<Answered> {
  const answer = await server.fetch(`api/admin/sessions/${session}/npc-state`, {
    method: state === undefined ? 'GET' : 'PUT',
    headers: { Authorization: `Bearer ${SECRET}` },
    ...(state === undefined ? {} : { body: JSON.stringify(state) }),
  })
  return { status: answer.status, body: await answer.json() }
}

const beginMaya = () => openSession(server, { scenario: 'launch-decision', npc: 'maya' })

type Turn = (typeof maya.turns)[number]

async function play(player: Player, turns: readonly Turn[]): Promise<void> {
  for (const { learner, choose } of turns) {
    await player.say(learner)
    if (choose)
      await player.emit('choose', { cid: newCid(), pivot: `PIVOT_${choose.pivot.slice(1)}`, choice: choose.choice })
  }
}

const ends = (player: Player) =>
  player.events.flatMap((event) =>
    event.type === 'command' && event.command.name === 'AI_EndConversation' ? [event.command.completion] : [],
  )

describe('the state that a host with its own engine stores', () => {
  it.runIf(IS_LONG)(
    '[publish-8] is what the source document shows after six turns, and a conversation that stands elsewhere goes on from it to the same end',
    async () => {
      const session = await beginMaya()
      const player = await Player.join(server, session)
      await play(player, maya.turns.slice(0, 6))
      const { body } = await npcState(session)
      expect(body).toMatchObject({
        current_node: 'DECISIVE',
        node_history: expect.arrayContaining(['SURFACE', 'DEEPEN', 'PIVOT_1', 'DECISIVE']),
        nodes_satisfied: expect.arrayContaining(['GROUND', 'SURFACE', 'DEEPEN', 'PIVOT_1']),
      })
      const state = body as NpcState
      expect(state.node_history.at(-1)).toBe('DECISIVE')

      const other = await beginMaya()
      const second = await Player.join(server, other)
      await play(second, maya.turns.slice(0, 6))
      const atFirst: NpcState = { current_node: 'GROUND', node_turn_count: 0, nodes_satisfied: [], node_history: [] }
      expect(await npcState(other, atFirst)).toMatchObject({ status: 200, body: atFirst })
      expect(await npcState(other, state)).toEqual({ status: 200, body: state })
      await server.evict({ className: 'ConversationObject', id: other })
      expect((await npcState(other)).body).toEqual(state)
      await Promise.all([play(player, maya.turns.slice(6)), play(second, maya.turns.slice(6))])
      const [mine, theirs] = [(await npcState(session)).body, (await npcState(other)).body] as [NpcState, NpcState]
      expect(ends(player)).toEqual(['earned'])
      expect(ends(second)).toEqual(['earned'])
      expect(theirs).toEqual(mine)
      player.leave()
      second.leave()
      expect(await npcState(session, state)).toMatchObject({ status: 409, body: { error: { code: 'ended' } } })
    },
  )

  it('[publish-9] is refused with a named error if it does not fit, and the conversation keeps its state', async () => {
    const session = await beginMaya()
    const before = (await npcState(session)).body as NpcState
    const bad: readonly (readonly [unknown, number])[] = [
      [null, 400],
      [{}, 400],
      [{ ...before, more: 1 }, 400],
      [{ ...before, node_turn_count: -1 }, 400],
      [{ ...before, node_history: Array.from({ length: 501 }, () => 'GROUND') }, 400],
      [{ ...before, current_node: 'NOWHERE' }, 422],
      [{ ...before, node_history: ['GROUND', '__proto__'] }, 422],
      [{ ...before, nodes_satisfied: ['constructor'] }, 422],
    ]
    for (const [state, status] of bad) expect((await npcState(session, state)).status).toBe(status)
    expect((await npcState(session)).body).toEqual(before)
    expect((await npcState('0'.repeat(64))).status).toBe(404)
    expect((await npcState('0'.repeat(64), before)).status).toBe(404)
  })
})

describe('what an agent was told', () => {
  it('[assistant-20] is shown part by part, with the reason for each', async () => {
    const session = await openSession(server, { scenario: 'page-assistant' })
    const player = await join(session)
    const page = { editor: { filename: 'a.md', content: 'The bridge has seven arches.' }, results: { web: [] } }
    await player.emit('page', { hash: '00000000000000aa', page })
    for (const text of ['How many arches has the bridge?', '@research What is a bridge?']) {
      const taken = await player.emit('say', { cid: newCid(), text, context: '00000000000000aa' })
      if (taken.ok) await player.turn(taken.turn)
    }
    const { told } = (await admin(`sessions/${session}/told`)).body as { told: readonly ToldRecord[] }
    expect(told.map(({ turn, step, agent, by }) => [turn, step, agent, by])).toEqual([
      [1, 'classifier', null, 'classifier'],
      [1, 'reply', 'chat', 'default'],
      [2, 'reply', 'research', 'mention'],
    ])
    const [, chat, research] = told
    expect(chat?.told.shared_memory?.active_editor?.content).toBe('The bridge has seven arches.')
    expect(chat?.because).toContainEqual({
      part: 'shared_memory.active_editor',
      why: 'editor',
      amount: expect.any(Number),
    })
    expect(Object.keys(research?.told.shared_memory ?? {}).toSorted()).toEqual([
      'data_sufficiency',
      'intelligence',
      'permitted',
      'research_findings',
      'search_results',
    ])
    expect(research?.told.messages?.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(JSON.stringify(told)).not.toContain(session)
    const parts = (record: ToldRecord | undefined) => record?.because.map(({ part }) => part)
    expect(parts(chat)).not.toEqual(parts(research))
  })

  it.runIf(IS_LONG)(
    '[assistant-1] [publish-7] of an assistant that is published too; a mention of two agents is answered by nobody',
    async () => {
      const own = path.join(path.dirname(file), 'desk.yaml')
      const text = readFileSync('sims/page-assistant/assistant.yaml', 'utf8')
      writeFileSync(
        own,
        text.replace('id: page-assistant', 'id: desk-assistant').replace('id: research', 'id: editorial'),
      )
      expect(await send(own)).toMatchObject({ ok: true })
      expect(await send('sims/backbones/agent.yaml')).toMatchObject({ ok: false })
      const player = await join(await openSession(server, { scenario: 'desk-assistant' }))
      const ask = async (said: string) => {
        const taken = await player.emit('say', { cid: newCid(), text: said })
        if (!taken.ok) throw new Error(taken.code)
        return player.turn(taken.turn)
      }
      expect(await ask('@edi look at this')).toMatchObject({
        text: '@editorial, @edit?',
        offers: ['@editorial look at this', '@edit look at this'],
      })
      expect((await ask('@edit look at this')).agent).toBe('edit')
      const safe = path.join(path.dirname(file), 'safe.yaml')
      const safety = 'safety: { agent: edit, words: [in danger] }\nagents:'
      writeFileSync(safe, text.replace('id: page-assistant', 'id: safe-assistant').replace('agents:', safety))
      expect(await send(safe)).toMatchObject({ ok: true })
      const other = await join(await openSession(server, { scenario: 'safe-assistant' }))
      await other.emit('lock', { agent: 'chat' })
      expect((await other.say('@research I am in danger!')).agent).toBe('edit')
      expect((await other.say('@research Is the danger over?')).agent).toBe('research')
      writeFileSync(safe, text.replace('agents:', safety.replace('edit', 'nobody')))
      expect((await send(safe)).lines.join()).toContain('there is no agent "nobody"')
      const misspelt = path.join(path.dirname(file), 'desk-2.yaml')
      writeFileSync(
        misspelt,
        text.replace('needs: [editor]', 'needs: [everything]').replace('id: research', 'id: chat'),
      )
      expect((await send(misspelt)).lines.join()).toMatch(/desk-2\.yaml:\d+:\d+/)
    },
  )

  it.runIf(IS_LONG)(
    '[assistant-21] of a tool that the deployment runs: asked about, called once, and its answer used',
    async () => {
      const asked: { readonly headers: Headers; readonly body: string }[] = []
      let answer: () => Response = () => new Response('Moths gather at lamps because of the angle of the light.')
      const receiver = createServer((request, response) => {
        void text(request).then(async (body) => {
          asked.push({ headers: new Headers(request.headers as Record<string, string>), body })
          const given = answer()
          response.writeHead(given.status).end(await given.text())
        })
      })
      await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
      onTestFinished(() => void receiver.close())
      const secret = webhookSecret(7)
      const { port } = receiver.address() as AddressInfo
      await server.redeploy({
        WALKON_WEBHOOK_URL: `http://127.0.0.1:${port}/hook`,
        WALKON_WEBHOOK_SECRET: secret,
        WALKON_WEBHOOK_INSECURE: 'true',
      })
      const own = path.join(path.dirname(file), 'tool.yaml')
      const assistant = readFileSync('sims/page-assistant/assistant.yaml', 'utf8')
      writeFileSync(
        own,
        assistant
          .replace('id: page-assistant', 'id: tool-assistant')
          .replace('        effect: reads', '        effect: reads\n        runs: deployment'),
      )
      expect(await send(own)).toMatchObject({ ok: true })
      const player = await join(await openSession(server, { scenario: 'tool-assistant' }))
      const ask = async (said: string, choice: string) => {
        const seen = player.events.length
        const taken = await player.emit('say', { cid: newCid(), text: said })
        if (!taken.ok) throw new Error(taken.code)
        const question = await player.until(() =>
          player.events.slice(seen).find((event) => event.type === 'permission'),
        )
        expect(await player.emit('tool', { call: `${taken.turn}.0`, claim: true })).toMatchObject({
          ok: false,
          code: 'stale',
        })
        await player.emit('permit', { id: question.type === 'permission' ? question.id : '', answer: choice })
        return player.turn(taken.turn)
      }
      expect((await ask('@research Why do moths gather?', 'deny')).text).toContain('nothing to cite')
      expect(asked).toHaveLength(0)
      expect((await ask('@research Why do moths gather?', 'once')).text).toContain('angle of the light')
      expect(asked).toHaveLength(1)
      const [first] = asked
      const verified = new Webhook(secret).verify(first?.body ?? '', Object.fromEntries(first?.headers ?? []))
      expect(verified).toMatchObject({ type: 'tool-call', data: { tool: 'web_search', input: 'Why do moths gather?' } })
      answer = () => new Response('no', { status: 500 })
      expect((await ask('@research Where do trams run?', 'once')).text).toContain('failed')
      expect(asked).toHaveLength(2)
    },
  )
})
