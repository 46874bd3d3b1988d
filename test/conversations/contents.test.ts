import { beforeAll, describe, expect, it } from 'vitest'
import { builtScenarios } from '../../build/catalogue.ts'
import { openSession } from '../support/player.ts'
import { SharedServer } from '../support/shared.ts'

let server: SharedServer

beforeAll(async () => {
  server = await SharedServer.open('plain')
})

const maya = () => openSession(server, { scenario: 'launch-decision', npc: 'maya' })

async function rowOf<T>(session: string, query: string): Promise<T> {
  const [row] = (await server.sql({ className: 'ConversationObject', id: session }, query)) as T[]
  if (row === undefined) throw new Error('there is no row')
  return row
}

describe('what a conversation stores', () => {
  it('[version-19] is hashes in place of its contents, the same for all', async () => {
    const sessions = await Promise.all(Array.from({ length: 4 }, maya))
    const infos = await Promise.all(
      sessions.map(async (session) => (await rowOf<{ info: string }>(session, 'SELECT info FROM session')).info),
    )
    const pins = infos.map((info) => (JSON.parse(info) as { pins: { scenario: string; graph: string } }).pins)
    const built = builtScenarios.find(({ id }) => id === 'launch-decision')?.hash
    expect(new Set(pins.map(({ scenario }) => scenario))).toEqual(new Set([built]))
    // The seed chooses among the wordings of the backbone.
    expect(new Set(pins.map(({ graph }) => graph)).size).toBeLessThanOrEqual(3)
    expect(Math.max(...infos.map((info) => info.length))).toBeLessThan(1_500)
  })
})

it('[publish-10] nobody gets a scenario from outside', async () => {
  for (const { hash } of builtScenarios)
    for (const where of [`worker-only/${hash}.json`, `worker-only/${hash}`, `worker-only/%2e/${hash}.json`])
      expect([where, (await server.fetch(where)).status]).toEqual([where, 404])
})
