import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { askGame, openTalk, runOf, startGame, talkWith } from '../support/game-client.ts'
import { chainOf, ERASURE_CONFIG, identityOf, PEOPLE_VARS } from '../support/people-server.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'

let server: WorkerServer
beforeAll(async () => {
  server = await startWorkerServer({
    configPath: ERASURE_CONFIG,
    vars: { ...PEOPLE_VARS, WALKON_REHEARSAL_PACE_MS: '0' },
  })
})
afterAll(() => server.stop())

async function plays(): Promise<number> {
  const db = await server.database()
  const { results } = await db.prepare('SELECT count(*) AS n FROM plays').all<{ n: number }>()
  return results[0]?.n ?? 0
}

describe('a person who has played', { timeout: 120_000 }, () => {
  it('[game-16] gets all runs in their export, and no data of them is left after an erasure', async () => {
    const chain = chainOf(server)
    const { id, key } = await startGame(server, { nickname: 'Moth of four', identity: identityOf('ada') })
    const other = await startGame(server, { identity: identityOf('eve') })
    await openTalk(server, other.key, 'otto')
    const player = await talkWith(server, key, 'maya')
    await player.say('Hello from ada.')
    player.leave()
    const reason = 'Because a nurse is better than a guess.'
    const body = { option: 'ship-as-is', reason, evidence: [] }
    expect((await askGame(server, 'api/run/decision', { key, body })).status).toBe(200)

    const { contexts, sessions } = await chain.exportPerson({ user: 'ada' })
    const decision = { option: 'ship-as-is', reason, evidence: [], at: expect.any(Number) as number }
    expect(contexts).toContainEqual(
      expect.objectContaining({ id, data: expect.objectContaining({ nickname: 'Moth of four', decision }) as object }),
    )
    expect(sessions).toMatchObject([
      { npc: 'maya', runId: id, messages: [{ id: 'opening' }, { text: 'Hello from ada.' }, {}] },
    ])

    expect(await plays()).toBe(2)
    const { erasure } = await chain.erasePerson({ user: 'ada' })
    await vi.waitFor(async () => expect((await chain.getErasure({ erasure: erasure?.id ?? '' })).status).toBe('done'), {
      timeout: 60_000,
      interval: 50,
    })
    expect(await plays()).toBe(1)
    const gone = { status: 404, body: { error: { code: 'unknown-run', next: 'start-over' } } }
    expect(await askGame(server, 'api/run', { key })).toMatchObject(gone)
    expect(await askGame(server, 'api/run/talk', { key, body: { npc: 'maya' } })).toMatchObject(gone)
    expect(await askGame(server, 'api/run/decision', { key, body })).toMatchObject(gone)
    expect((await runOf(server, other.key)).people.at(-1)).toMatchObject({ npc: 'otto', status: 'talking' })
    // An erased learner may start over.
    const anew = await startGame(server, { identity: identityOf('ada') })
    expect((await runOf(server, anew.key)).nickname).toBeNull()
  })
})
