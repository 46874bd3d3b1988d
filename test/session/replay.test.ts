import { describe, expect, it } from 'vitest'
import { replayOf } from '../../worker/session/replay.ts'
import type { LogEvent } from '../../worker/wire/messages.ts'

const EVENTS = [1, 2, 3].map((seq): LogEvent => ({
  seq,
  at: 0,
  type: 'turn-start',
  turn: seq,
  attempt: 1,
  cid: `c${seq}`,
  text: 'Hello',
}))

describe('what a client that recovers has missed', () => {
  const replay = replayOf(
    () => ({ epoch: 'e', head: () => 3, eventsAfter: (after) => EVENTS.filter(({ seq }) => seq > after) }),
    { get: () => undefined, put: () => {} },
  )

  it.each([
    [null, ['1', '2', '3']],
    ['0', ['1', '2', '3']],
    ['2', ['3']],
    ['3', []],
  ])('[protocol-32] after %j comes %j', (offset, missed) => {
    expect(replay.missedSince(offset)?.map((each) => each.offset)).toEqual(missed)
  })

  it.each(['4', '', '-1', '1e1', ' 2', '0x1', '99999999999999999999'])(
    '[protocol-32] %j is no place in this log',
    (offset) => {
      expect(replay.missedSince(offset)).toBeNull()
    },
  )
})
