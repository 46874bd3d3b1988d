import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { event, streamed } from '../support/completion-stream.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { head, send, type Step, wait } from '../support/model-steps.ts'
import { beginSession, newCid } from '../support/player.ts'
import { servePlayers } from '../support/serve.ts'

/** Delay between two words, in milliseconds. */
const PACE_MS = 20

let model: ModelServer
let mayEnd = false
const vars: Record<string, string> = { OPENAI_MODEL: 'walkon-test', WALKON_MODEL_MAX_CHARACTERS: '200000' }

beforeAll(async () => {
  model = await startModelServer(() => goingOn())
  vars['OPENAI_BASE_URL'] = model.url
})
beforeEach(() => {
  mayEnd = false
})
afterAll(() => model.close())

const served = servePlayers(vars)
const { join } = served

/** Returns the steps of a reply that goes on, on any machine, until `mayEnd` is true. */
async function* goingOn(): AsyncGenerator<Step> {
  yield head()
  for (let word = 1; !mayEnd; word++) {
    yield wait(pause(PACE_MS))
    yield send(event({ content: `word ${word}, ` }))
  }
  yield* streamed(['and that was that.\n---END---\n{"node_satisfied": false}']).slice(1)
}

describe('in the middle of a reply', { timeout: 60_000 }, () => {
  it('[message-12] [message-13] a second message is refused as busy, and accepted later', async () => {
    const player = await join(await beginSession(served.server))
    expect(await player.emit('say', { cid: newCid(), text: "Hi, what's going on?" })).toMatchObject({ ok: true })
    const second = { cid: newCid(), text: 'And another thing' }
    expect(await player.emit('say', second)).toEqual({
      ok: false,
      next: 'retry-after',
      code: 'busy',
      message: expect.any(String),
      retryAfterMs: 1000,
    })
    expect(await player.emit('choose', { cid: newCid(), pivot: 'PIVOT_1', choice: 'a' })).toMatchObject({
      code: 'busy',
    })
    mayEnd = true
    await player.turn(1)
    expect(await player.emit('say', second)).toMatchObject({ ok: true, turn: 2 })
    await player.turn(2)
  })

  it('[message-4] [message-5] a reload in the middle of a reply loses nothing and doubles nothing', async () => {
    const session = await beginSession(served.server)
    const first = await join(session, { clientId: 'tab' })
    await first.emit('say', { cid: newCid(), text: "Hi, what's going on?" })
    const delta = await first.until(() => first.deltas.at(1))
    first.leave()
    const have = { turn: 1, attempt: 1, offset: delta.offset + delta.text.length }
    const cursor = { epoch: first.hello.epoch, seq: 2 }
    const again = await join(session, { clientId: 'tab', cursor, have })
    expect(again.hello.mode).toBe('resume')
    expect(again.hello.events).toEqual([])
    expect(again.hello.running?.offset).toBe(have.offset)
    mayEnd = true
    const turn = await again.turn(1)
    const shown =
      first.deltas
        .slice(0, 2)
        .map(({ text }) => text)
        .join('') + (again.hello.running?.text ?? '')
    const rest = again.deltas.map(({ text }) => text).join('')
    expect(shown + rest).toBe(turn.text)
  })

  it('[message-4] [message-5] a page without stored state gets everything, including the running reply', async () => {
    const session = await beginSession(served.server)
    const first = await join(session)
    await first.emit('say', { cid: newCid(), text: "Hi, what's going on?" })
    await first.until(() => first.deltas.at(1))
    const fresh = await join(session)
    expect(fresh.hello).toMatchObject({ mode: 'snapshot', head: 2, running: { turn: 1, attempt: 1, offset: 0 } })
    mayEnd = true
    const turn = await fresh.turn(1)
    expect((fresh.hello.running?.text ?? '') + fresh.deltas.map(({ text }) => text).join('')).toBe(turn.text)
  })
})
