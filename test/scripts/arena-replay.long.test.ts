import { mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replay } from '../../scripts/arena/replay.ts'
import { DOORS_CONFIG } from '../support/doors.ts'
import worked from '../fixtures/maya-path.json' with { type: 'json' }
import { KillableServer } from '../support/killable-server.ts'
import { beginSession, newCid, Player } from '../support/player.ts'

const state = mkdtempSync(path.join(tmpdir(), 'walkon-replay-state-'))
let server: KillableServer

describe.skipIf(process.platform !== 'linux')('the databases of a real server', () => {
  beforeAll(async () => {
    server = await KillableServer.start(DOORS_CONFIG, {}, state)
  })
  afterAll(async () => {
    await server.stop()
    rmSync(state, { recursive: true, force: true })
  })

  it('[arena-22] [arena-24] hold a conversation that is the same on the graph that the checkout has', async () => {
    const session = await beginSession(server)
    const player = await Player.join(server, session)
    let turns = 0
    for (const step of worked.turns) {
      await player.say(step.learner)
      turns += 1
      if (!step.choose) continue
      const { choice } = step.choose
      expect(await player.emit('choose', { cid: newCid(), pivot: step.node, choice })).toMatchObject({ ok: true })
    }
    await player.until(() => player.commands().find((id) => id === 'AI_EndConversation'))
    player.leave()
    await server.kill()

    const found = await readdir(state, { recursive: true })
    const files = found.filter((file) => /ConversationObject[/\\].*\.sqlite$/.test(file))
    const told = await replay(files.map((file) => path.join(state, file)))
    expect(told).toContain('  launch-decision/maya  same\n')
    expect(told).toContain('1 conversation: 1 same, 0 same end by another way, 0 parts, 0 not evaluable')
    expect(told).toContain(`${turns} of ${turns} recorded turns evaluated (100 %), 0 of them in other words`)
  })
})
