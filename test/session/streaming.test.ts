import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LiveReply } from '../../worker/session/live-reply.ts'

describe('deltas', () => {
  it('[message-5] who comes back gets exactly the rest of this attempt, and all of any other', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.nat(40),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 3 }),
        (text, offset, turn, attempt) => {
          const live = new LiveReply(2, 2)
          live.add(text)
          const rest = live.rest({ turn, attempt, offset })
          const same = turn === 2 && attempt === 2 && offset <= text.length
          expect(rest).toEqual({
            turn: 2,
            attempt: 2,
            offset: same ? offset : 0,
            text: same ? text.slice(offset) : text,
          })
        },
      ),
    )
    const live = new LiveReply(1, 1)
    live.add('Hi.')
    expect(live.rest(undefined)).toEqual({ turn: 1, attempt: 1, offset: 0, text: 'Hi.' })
  })
})
