import { beforeAll, describe, expect, it } from 'vitest'
import path from '../fixtures/maya-path.json' with { type: 'json' }
import { beginSession, newCid, Player } from '../support/player.ts'
import { SharedServer } from '../support/shared.ts'

let server: SharedServer

beforeAll(async () => {
  server = await SharedServer.open('plain')
})

describe('the worked example, over a real socket', { timeout: 120_000 }, () => {
  it('[walk-27] [message-9] [message-18] runs to its end on one socket, with the object evicted between turns', async () => {
    const session = await beginSession(server)
    const player = await Player.join(server, session)
    const nodes: string[] = []
    for (const [i, step] of path.turns.entries()) {
      const turn = await player.say(step.learner)
      expect(turn.outcome).toBe('complete')
      expect(turn.text).not.toBe('')
      expect(player.streamed(turn.turn)).toBe(turn.text)
      if (step.choose) await pick(player, { pivot: step.node, choice: step.choose.choice })
      await server.evict({ className: 'ConversationObject', id: session })
      nodes.push(String(await nodeAfter(session)))
      expect(player.client.socket.connected, `after turn ${i + 1}`).toBe(true)
    }
    expect(nodes).toEqual(['DEEPEN', 'PIVOT_1', 'DECISIVE', 'DECISIVE', 'PIVOT_2', 'RESOLVE', 'CLOSE', 'CLOSE'])
    await player.until(() => player.commands().find((id) => id === 'AI_EndConversation'))
    expect(player.commands()).toEqual([
      'AI_PivotMoment:PIVOT_1',
      'AI_AdvanceObjective:size-the-risk',
      'AI_PivotMoment:PIVOT_2',
      'AI_EndConversation',
    ])
    expect(player.client.unread().filter((name) => name === 'disconnect')).toEqual([])
    expect(player.events.map(({ seq }) => seq)).toEqual(player.events.map((_, i) => i + 1))
    expect((await player.say('And the ceiling that you signed for?')).outcome).toBe('complete')
    expect(await nodeAfter(session)).toBe('CLOSE')
    player.leave()
  })
})

async function pick(player: Player, choose: { pivot: string; choice: string }): Promise<void> {
  const acknowledgement = await player.emit('choose', { cid: newCid(), ...choose })
  expect(acknowledgement).toMatchObject({ ok: true })
  await player.until(() => player.events.find((event) => event.type === 'pivot-end' && event.pivot === choose.pivot))
}

async function nodeAfter(session: string): Promise<unknown> {
  const [row] = await server.sql(
    { className: 'ConversationObject', id: session },
    "SELECT json_extract(walk, '$.node') AS node FROM session",
  )
  return (row as { node: string }).node
}
