import { describe, expect, it } from 'vitest'
import { Backlog } from '../../worker/socket/socket-line.ts'

const FRAME = 'x'.repeat(10)
/** A socket without methods: the backlog only identifies a socket and calls none of its methods. */
const socket = (): WebSocket => Object.create(null)

describe('what a client has not read yet', () => {
  it('[protocol-31] asks once, and counts on until the answer', () => {
    const backlog = new Backlog({ askAfter: 25, limit: 100 })
    const ws = socket()
    expect([1, 2, 3, 4].map(() => backlog.add(ws, FRAME))).toEqual(['fine', 'fine', 'ask', 'fine'])
    backlog.answered(ws)
    // The client's answer shows that the client has read everything that was sent before the question. The 10 bytes
    // that were sent after the question still count as unread.
    expect([1, 2].map(() => backlog.add(ws, FRAME))).toEqual(['fine', 'ask'])
  })

  it('[protocol-31] gives up a client that leaves more than the limit unread, and no other', () => {
    const backlog = new Backlog({ askAfter: 25, limit: 100 })
    const [slow, other] = [socket(), socket()]
    const verdicts = Array.from({ length: 11 }, () => backlog.add(slow, FRAME))
    expect(verdicts.indexOf('too-slow')).toBe(10)
    expect(backlog.add(other, FRAME)).toBe('fine')
  })

  it('[protocol-31] ignores an answer that was not asked for', () => {
    const backlog = new Backlog({ askAfter: 1000, limit: 15 })
    const ws = socket()
    backlog.add(ws, FRAME)
    backlog.answered(ws)
    expect(backlog.add(ws, FRAME)).toBe('too-slow')
  })
})
