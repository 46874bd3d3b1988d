import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ClassInvitation, ClassStarted, ClassView, RunStarted } from '../../worker/wire/run.ts'
import { askGame, runOf, startGame, talkWith } from '../support/game-client.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'
import { IS_LONG } from '../support/runs.ts'

const CONFIG = 'test/conversations/fault-worker.toml'
const VARS = { WALKON_REHEARSAL_PACE_MS: '0' }

let server: WorkerServer

beforeAll(async () => {
  server = await startWorkerServer({ configPath: CONFIG, vars: VARS })
})
afterEach(() => server.fetch('doors/db/up', { method: 'POST' }))
afterAll(() => server.stop())

async function startClass(title = 'Thursday, group B'): Promise<ClassStarted['class']> {
  const { status, body } = await askGame<ClassStarted>(server, 'api/classes', {
    body: { title, scenario: 'launch-decision' },
  })
  if (status !== 201) throw new Error(`no class: ${status} ${body.error?.code}`)
  return body.class
}

const classOf = (key: string) => askGame<ClassView>(server, 'api/class', { key })
const refusal = (status: number, code: string, next: string) => ({ status, body: { error: { code, next } } })

describe('a class', { timeout: 60_000 }, () => {
  it(
    '[class-1] [class-2] [class-6] begins empty, can be joined by its code, and shows its learners',
    { timeout: 60_000 },
    async () => {
      const { id, code, key } = await startClass(' Thursday,\u202e group\u200b  B ')
      expect(id).toMatch(/^cls_[\w-]{22}$/)
      expect((await classOf(key)).body).toMatchObject({ id, title: 'Thursday, group B', code, learners: [] })
      const spelled = `${code.slice(0, 3)}-${code.slice(3).toLowerCase()}`
      for (const written of [code, spelled])
        expect(await askGame<ClassInvitation>(server, `api/classes/${written}`)).toEqual({
          status: 200,
          body: { title: 'Thursday, group B', scenario: 'launch-decision', closed: false },
        })

      const run = await startGame(server, { class: spelled, nickname: 'Moth' })
      expect((await runOf(server, run.key)).class).toEqual({ id, title: 'Thursday, group B' })
      const player = await talkWith(server, run.key, 'maya')
      await player.say('Hello.')
      player.leave()
      const decided = await askGame(server, 'api/run/decision', {
        key: run.key,
        body: { option: 'delay-a-week', reason: 'My own words.', evidence: [] },
      })
      expect(decided.status).toBe(200)
      const { status, body } = await classOf(key)
      expect([status, body.learners.length]).toEqual([200, 1])
      expect(body.learners[0]).toMatchObject({ run: run.id, nickname: 'Moth', option: 'delay-a-week' })
      expect(body.learners[0]?.people.find(({ npc }) => npc === 'maya')?.status).toBe('talking')
      // The response contains no run key, no session and no text of a learner except the nickname.
      expect(JSON.stringify(body)).not.toMatch(/My own words|Hello|eyJ/)
    },
  )

  it('[class-7] is exported as a CSV', async () => {
    const { code, key } = await startClass()
    await startGame(server, { class: code, nickname: '=HYPERLINK("x")' })
    const response = await server.fetch('api/class/export.csv', { headers: { Authorization: `Bearer ${key}` } })
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="class.csv"')
    const [head, line] = (await response.text()).split('\r\n')
    expect(head).toMatch(/^nickname,started,active,/)
    expect(line).toMatch(/^"'=HYPERLINK\(""x""\)",20/)
  })

  it('[class-10] [class-11] only lets its teacher remove learners and renew its code', async () => {
    const { code, key } = await startClass()
    const run = await startGame(server, { class: code, nickname: 'Moth' })
    for (const path of ['api/class/remove', 'api/class/code', 'api/class/close', 'api/class/reopen'])
      expect((await askGame(server, path, { key: run.key, body: { runs: [run.id] } })).status).toBe(401)
    const removed = await askGame<ClassView>(server, 'api/class/remove', { key, body: { runs: [run.id] } })
    expect([removed.status, removed.body.learners]).toEqual([200, []])
    expect((await askGame(server, 'api/class/remove', { key, body: { runs: [] } })).status).toBe(400)
    const renewed = await askGame<ClassView>(server, 'api/class/code', { key, body: {} })
    expect(renewed.body.code).not.toBe(code)
    expect((await askGame(server, `api/classes/${code}`)).status).toBe(404)
    expect((await askGame(server, `api/classes/${renewed.body.code}`)).status).toBe(200)
    expect(await runOf(server, run.key)).toMatchObject({ id: run.id, nickname: 'Moth', class: null })
  })

  it('[class-14] tells who wants to join that it is closed, until its teacher opens it again', async () => {
    const { code, key } = await startClass()
    const asked = { body: { scenario: 'launch-decision', class: code, nickname: 'Moth' } }
    expect((await askGame<ClassView>(server, 'api/class/close', { key, body: {} })).body.closed).toBe(true)
    expect((await askGame<ClassInvitation>(server, `api/classes/${code}`)).body.closed).toBe(true)
    expect(await askGame(server, 'api/runs', asked)).toMatchObject(refusal(409, 'class-closed', 'give-up'))
    expect((await askGame<ClassView>(server, 'api/class/reopen', { key, body: {} })).body.closed).toBe(false)
    expect((await askGame(server, 'api/runs', asked)).status).toBe(201)
  })

  it('[class-4] does not contain a run that was started again from a fork', async () => {
    const { code, key } = await startClass()
    const run = await startGame(server, { class: code, nickname: 'Moth' })
    await askGame(server, 'api/run/decision', {
      key: run.key,
      body: { option: 'delay-a-week', reason: 'x', evidence: [] },
    })
    const { status } = await askGame<RunStarted>(server, 'api/run/again', {
      key: run.key,
      body: { npc: 'maya', pivot: 'PIVOT_1', cid: 'c' },
    })
    expect(status).toBe(404)
    expect((await classOf(key)).body.learners).toHaveLength(1)
  })
})

describe('a refused class request', { timeout: 60_000 }, () => {
  it('[class-1] names a scenario that is not a simulation, or has no title', async () => {
    const start = (body: unknown) => askGame(server, 'api/classes', { body })
    for (const scenario of ['week-three', 'nonsense', ''])
      expect(await start({ title: 'x', scenario })).toMatchObject(refusal(404, 'unknown-scenario', 'start-over'))
    const bad = [
      '{',
      '[]',
      'null',
      {},
      { title: 'x' },
      { title: 7, scenario: 'x' },
      { title: ' \u200b', scenario: 'x' },
    ]
    for (const body of [...bad, { title: 'x'.repeat(81), scenario: 'launch-decision' }])
      expect(await start(body)).toMatchObject(refusal(400, 'malformed', 'give-up'))
    expect(await start({ title: 'x'.repeat(5_000), scenario: 'x' })).toMatchObject(refusal(413, 'too-long', 'give-up'))
  })

  it('[class-2] has an invalid code, or the code of another simulation, on every route', async () => {
    for (const code of ['0123456789AB', 'x', "'--", '%00', 'a'.repeat(300)])
      expect(await askGame(server, `api/classes/${encodeURIComponent(code)}`)).toMatchObject(
        refusal(404, 'unknown-class', 'give-up'),
      )
    const { code } = await startClass()
    const join = { scenario: 'night-shift', class: code, nickname: 'Moth' }
    expect((await askGame(server, 'api/runs', { body: join })).status).toBe(404)
  })

  it('[class-12] comes from a network that has tried too many wrong codes, on every route', async () => {
    const { code } = await startClass()
    const headers = { 'CF-Connecting-IP': '203.0.113.60' }
    const tries = Array.from({ length: 60 }, (_, i) => askGame(server, `api/classes/0${10_000 + i}`, { headers }))
    expect(new Set((await Promise.all(tries)).map(({ status }) => status))).toEqual(new Set([404]))
    const join = { scenario: 'launch-decision', class: code, nickname: 'Moth' }
    for (const asked of [
      askGame(server, `api/classes/${code}`, { headers }),
      askGame(server, 'api/runs', { body: join, headers }),
    ])
      expect(await asked).toMatchObject(refusal(429, 'too-many-codes', 'retry-after'))
    expect((await askGame(server, 'api/runs', { body: join })).status).toBe(201)
  })

  it('[class-3] has any key other than the class’s own, on every route', async () => {
    const { id, key } = await startClass()
    const run = await startGame(server)
    await server.fetch('doors/db/down', { method: 'POST' })
    for (const at of ['api/class', 'api/class/export.csv'])
      for (const wrong of [undefined, '', 'x', id, run.key, `${key}x`, key.slice(0, -1)])
        expect(await askGame(server, at, wrong === undefined ? {} : { key: wrong })).toMatchObject(
          refusal(401, 'not-admitted', 'sign-in'),
        )
    // The key of a class gives no access to a run.
    expect(await askGame(server, 'api/run', { key })).toMatchObject(refusal(401, 'not-admitted', 'sign-in'))
    await server.fetch('doors/db/up', { method: 'POST' })
    expect((await classOf(key)).status).toBe(200)
  })

  it('[class-3] comes from a page of another origin', async () => {
    const { key, code } = await startClass()
    const headers = { Origin: 'https://elsewhere.example' }
    for (const asked of [
      askGame(server, 'api/class', { key, headers }),
      askGame(server, `api/classes/${code}`, { headers }),
      askGame(server, 'api/classes', { body: { title: 'x', scenario: 'launch-decision' }, headers }),
    ])
      expect(await asked).toMatchObject(refusal(403, 'forbidden-origin', 'give-up'))
  })

  it.runIf(IS_LONG)('[class-1] [class-3] reaches a deployment without a database', { timeout: 180_000 }, async () => {
    const plain = await startWorkerServer({ configPath: 'test/conversations/alarm-worker.toml', vars: VARS })
    try {
      const { key } = await startClass()
      const body = { title: 'x', scenario: 'launch-decision' }
      for (const asked of [
        askGame(plain, 'api/classes', { body }),
        askGame(plain, 'api/classes/0123456789AB'),
        askGame(plain, 'api/class', { key }),
        askGame(plain, 'api/class/export.csv', { key }),
      ])
        expect(await asked).toMatchObject(refusal(404, 'not-found', 'give-up'))
    } finally {
      await plain.stop()
    }
  })

  it('[class-9] leaves no title and no name in the log', async () => {
    const canary = 'heron-at-gate-ten'
    const { code, key } = await startClass(canary)
    const run = await startGame(server, { class: code, nickname: canary })
    expect((await classOf(key)).body.title).toBe(canary)
    // Waits for a log line that the server writes after all the other log lines of this test.
    const player = await talkWith(server, run.key, 'maya')
    await player.say('Hello.')
    player.leave()
    const { session } = player.hello.conversation
    const done = () => server.logs().some((line) => line.includes('"event":"turn-done"') && line.includes(session))
    await expect.poll(done).toBe(true)
    const logs = server.logs().join('\n')
    expect(logs).not.toContain(canary)
    expect(logs).not.toContain(code)
  })
})
