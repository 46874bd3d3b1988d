import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { door, DOORS_CONFIG } from '../support/doors.ts'
import { WIRE_VERSION } from '../../worker/wire/version.ts'
import { openSession, Player } from '../support/player.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'
import { IS_LONG } from '../support/runs.ts'

const MAYA = { scenario: 'launch-decision', npc: 'maya' }
const PACE = { WALKON_REHEARSAL_PACE_MS: '0' }

let server: WorkerServer
const players: Player[] = []

beforeAll(async () => {
  server = await startWorkerServer({ configPath: DOORS_CONFIG, vars: PACE })
})
afterEach(() => {
  for (const player of players.splice(0)) player.leave()
})
afterAll(() => server.stop())

async function join(session: string): Promise<Player> {
  const player = await Player.join(server, session)
  players.push(player)
  return player
}

async function engineOf(body: object): Promise<string> {
  return (await door(server, await openSession(server, body), 'walk')).engine
}

describe('the counting engine, with the same protocol', { timeout: 60_000 }, () => {
  it('[message-24] [message-6] ends after six exchanges, with the events and commands of every conversation', async () => {
    const player = await join(await openSession(server, { ...MAYA, engine: 'legacy' }))
    expect(player.hello).toMatchObject({ v: WIRE_VERSION, mode: 'snapshot', level: 'neutral', events: [] })
    for (const turn of [1, 2, 3, 4, 5, 6]) {
      expect(player.commands()).not.toContain('AI_EndConversation')
      const reply = await player.say(`Tell me more about run 47, please (${turn}).`)
      expect(reply).toMatchObject({ turn, attempt: 1, outcome: 'complete' })
      expect(player.streamed(turn)).toBe(reply.text)
    }
    await player.until(() => player.commands().find((id) => id === 'AI_EndConversation'))
    for (const { type } of player.events) expect(['turn-start', 'turn', 'command', 'pivot-end']).toContain(type)
    for (const id of player.commands()) expect(id).toMatch(/^AI_(PivotMoment|AdvanceObjective|EndConversation)/)
    expect(await player.say('And the 23.4%?')).toMatchObject({ turn: 7, outcome: 'complete' })
  })

  it.runIf(IS_LONG)('[message-19] goes on after a deployment that starts new conversations on the graph', async () => {
    await server.redeploy({ ...PACE, WALKON_ENGINE: 'legacy' })
    const session = await openSession(server, MAYA)
    const player = await join(session)
    await player.say("Hi, what's going on?")
    player.leave()

    await server.redeploy({ ...PACE, WALKON_ENGINE: 'graph' })
    expect(await engineOf(MAYA)).toBe('graph')
    const again = await join(session)
    for (const turn of [2, 3, 4, 5, 6]) expect((await again.say(`Go on (${turn}).`)).turn).toBe(turn)
    await again.until(() => again.commands().find((id) => id === 'AI_EndConversation'))
    expect(await door(server, session, 'walk')).toMatchObject({ engine: 'legacy', seq: 6 })
  })

  it.runIf(IS_LONG)(
    '[message-24] is chosen by the seed in the mode `ab`, unless the request names an engine',
    async () => {
      await server.redeploy({ ...PACE, WALKON_ENGINE: 'ab' })
      const sessions = await Promise.all(Array.from({ length: 30 }, () => openSession(server, MAYA)))
      const begun = await Promise.all(sessions.map((session) => door(server, session, 'info')))
      expect(begun.map(({ engine }) => engine)).toEqual(begun.map(({ seed }) => (seed % 2 === 1 ? 'legacy' : 'graph')))
      expect(new Set(begun.map(({ engine }) => engine))).toEqual(new Set(['legacy', 'graph']))
      expect(await engineOf({ ...MAYA, engine: 'graph' })).toBe('graph')
      expect(await engineOf({ ...MAYA, engine: 'legacy' })).toBe('legacy')
    },
  )

  it.runIf(IS_LONG)('[message-24] is not used for a colleague who needs the walker', async () => {
    await server.redeploy({ ...PACE, WALKON_ENGINE: 'legacy' })
    expect(await engineOf(MAYA)).toBe('legacy')
    expect(await engineOf({ scenario: 'week-three', npc: 'noor' })).toBe('graph')
    expect(await engineOf({ scenario: 'week-three', npc: 'noor', engine: 'legacy' })).toBe('graph')
    expect(await engineOf({ scenario: 'one-to-one', engine: 'legacy' })).toBe('graph')
  })

  it.each([
    ['an engine that is none', { ...MAYA, engine: 'xstate' }],
    ['a returning that is neither', { ...MAYA, returning: 'yes' }],
  ])('[message-24] [message-1] a request with %s is refused, and no conversation begins', async (_, body) => {
    const response = await server.fetch('api/sessions', { method: 'POST', body: JSON.stringify(body) })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { next: 'give-up', code: 'malformed' } })
  })
})
