import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginSession, newCid, Player } from '../support/player.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'

let server: WorkerServer

beforeAll(async () => {
  // The rehearsal actor replies so slowly that the first attempt cannot end before the deployment.
  server = await startWorkerServer({ configPath: 'wrangler.toml', vars: { WALKON_REHEARSAL_PACE_MS: '2000' } })
})
afterAll(() => server.stop())

describe('a deployment in the middle of a reply', () => {
  it('[message-17] starts a second attempt of the turn, and the conversation goes on', async () => {
    const session = await beginSession(server)
    const player = await Player.join(server, session)
    await player.emit('say', { cid: newCid(), text: "Hi, what's going on?" })
    await player.until(() => player.deltas.at(0))
    player.leave()
    await server.redeploy({ WALKON_REHEARSAL_PACE_MS: '0' })
    const again = await Player.join(server, session)
    const turn = await again.turn(1, 2)
    expect(turn).toMatchObject({ attempt: 2, outcome: 'complete' })
    expect(again.events.filter(({ type }) => type === 'turn')).toHaveLength(1)
    expect((await again.say('So what did run 47 show?')).outcome).toBe('complete')
    again.leave()
  })
})
