import { beforeAll, describe, expect, it } from 'vitest'
import { MOST_AFTERS } from '../../worker/core/walk/after.ts'
import { beginSession, newCid, Player } from '../support/player.ts'
import { SharedServer } from '../support/shared.ts'

let server: SharedServer

beforeAll(async () => {
  server = await SharedServer.open('plain')
})

describe('a colleague whose conversation is over', { timeout: 60_000 }, () => {
  it('[message-34] answers questions from what they know, thirty at most', async () => {
    const player = await leave()
    const before = await walkOf(player)
    const [end] = player.commands().slice(-1)
    const answer = await player.say('How long does a full medical run take?')
    expect(answer).toMatchObject({ turn: 2, outcome: 'complete' })
    expect(answer.text).toContain('4 working days')
    expect(await walkOf(player)).toEqual({ ...before, seq: 2, afters: 1 })
    for (let turn = 3; turn <= MOST_AFTERS + 1; turn += 1)
      expect((await player.say(`And the average (${turn})?`)).turn).toBe(turn)
    expect(await player.emit('say', { cid: newCid(), text: 'And?' })).toMatchObject({ ok: false, code: 'ended' })
    expect(player.commands().at(-1)).toBe(end)
    player.leave()
  })

  it('[message-35] goes on after a goodbye that was taken back, across an eviction, and ends again', async () => {
    const player = await leave()
    await server.evict({ className: 'ConversationObject', id: player.hello.conversation.session })
    expect(player.commands()).toEqual(['AI_HandOverDocument', 'AI_EndConversation'])
    const resumed = await resume(player, 'Wait, one more thing. Where does it make things up?')
    expect(resumed).toMatchObject({ type: 'turn-start', resumed: true })
    expect(await walkOf(player)).toMatchObject({ end: null, resumed: 1 })
    await player.say('Goodbye, Maya.')
    await player.until(() => player.commands().find((id) => id === 'AI_EndConversation:2'))
    await resume(player, 'Wait, where was that again?')
    await player.say('Goodbye, Maya.')
    await player.until(() => player.commands().find((id) => id === 'AI_EndConversation:3'))
    // The walker resumes a conversation at most twice. After the third goodbye, the walker does not resume the
    // conversation: the learner's message counts as a question after the end.
    expect(await resume(player, 'Wait, how bad is it?')).not.toHaveProperty('resumed')
    expect(await walkOf(player)).toMatchObject({ end: { isLeft: true }, resumed: 2, afters: 1 })
    player.leave()
  })

  async function leave(): Promise<Player> {
    const player = await Player.join(server, await beginSession(server))
    await player.say('I have to go. Goodbye, Maya.')
    await player.until(() => player.commands().find((id) => id === 'AI_EndConversation'))
    return player
  }

  async function resume(player: Player, text: string): Promise<unknown> {
    const acknowledgement = await player.emit('say', { cid: newCid(), text, resume: true })
    if (!acknowledgement.ok) throw new Error(`refused: ${acknowledgement.code}`)
    await player.turn(acknowledgement.turn)
    return player.events.find(({ type, turn }) => type === 'turn-start' && turn === acknowledgement.turn)
  }

  async function walkOf(player: Player): Promise<object> {
    const [row] = await server.sql(
      { className: 'ConversationObject', id: player.hello.conversation.session },
      'SELECT walk FROM session',
    )
    return JSON.parse((row as { walk: string }).walk) as object
  }
})
