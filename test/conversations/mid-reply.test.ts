import { describe, expect, it } from 'vitest'
import { beginSession, newCid } from '../support/player.ts'
import { servePlayers } from '../support/serve.ts'

// Slow enough that a busy machine is still in the middle of the reply when it comes back.
const served = servePlayers({ WALKON_REHEARSAL_PACE_MS: '60' })
const { join } = served

describe('in the middle of a reply', () => {
  it('[M12] [M13] a second message while one is answered is refused as busy, and taken later', async () => {
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
    await player.turn(1)
    expect(await player.emit('say', second)).toMatchObject({ ok: true, turn: 2 })
    await player.turn(2)
  })

  it('[M4] [M5] a reload in the middle of a reply loses nothing and doubles nothing', async () => {
    const session = await beginSession(served.server)
    const first = await join(session, { clientId: 'tab' })
    await first.emit('say', { cid: newCid(), text: "Hi, what's going on?" })
    const delta = await first.until(() => first.deltas.at(1))
    first.leave()
    const have = { turn: 1, attempt: 1, offset: delta.offset + delta.text.length }
    const cursor = { epoch: first.hello.epoch, seq: 1 }
    const again = await join(session, { clientId: 'tab', cursor, have })
    expect(again.hello.mode).toBe('resume')
    expect(again.hello.events).toEqual([])
    expect(again.hello.running?.offset).toBe(have.offset)
    const turn = await again.turn(1)
    const shown =
      first.deltas
        .slice(0, 2)
        .map(({ text }) => text)
        .join('') + (again.hello.running?.text ?? '')
    const rest = again.deltas.map(({ text }) => text).join('')
    expect(shown + rest).toBe(turn.text)
  })

  it('[M4] [M5] a page that kept nothing gets everything, the running reply included', async () => {
    const session = await beginSession(served.server)
    const first = await join(session)
    await first.emit('say', { cid: newCid(), text: "Hi, what's going on?" })
    await first.until(() => first.deltas.at(1))
    const fresh = await join(session)
    expect(fresh.hello).toMatchObject({ mode: 'snapshot', head: 1, running: { turn: 1, attempt: 1, offset: 0 } })
    const turn = await fresh.turn(1)
    expect((fresh.hello.running?.text ?? '') + fresh.deltas.map(({ text }) => text).join('')).toBe(turn.text)
  })
})
