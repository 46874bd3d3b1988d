import { describe, expect, it } from 'vitest'
import { deadlineOf, pollDeadline, newRecord } from '../../worker/socket/line.ts'

const POLICY = { pingInterval: 300, pingTimeout: 60, connectTimeout: 10 }
const OPENED = newRecord({ id: 'e', transport: 'websocket', hb: false, recovers: false, origin: null }, 1000)
const RECORD = { ...OPENED, idleSince: null }

describe('deadlines', () => {
  it('[protocol-10] gives a socket its time to connect, heartbeats or not', () => {
    expect(deadlineOf(OPENED, POLICY)).toEqual({ at: 1010, act: 'connect-timeout' })
    expect(deadlineOf({ ...OPENED, hb: true }, POLICY)).toEqual({ at: 1010, act: 'connect-timeout' })
  })

  it('[protocol-20] leaves a client with heartbeats alone', () => {
    expect(deadlineOf({ ...RECORD, hb: true }, POLICY)).toBeNull()
  })

  it('[protocol-21] pings every other client, and waits for the answer', () => {
    expect(deadlineOf(RECORD, POLICY)).toEqual({ at: 1300, act: 'ping' })
    expect(deadlineOf({ ...RECORD, lastPingAt: 1300, pongDue: true }, POLICY)).toEqual({
      at: 1360,
      act: 'ping-timeout',
    })
    expect(deadlineOf({ ...RECORD, lastPingAt: 1300 }, POLICY)).toEqual({ at: 1600, act: 'ping' })
  })

  it('[protocol-21] pings also before CONNECT, when the ping is due first', () => {
    const waiting = OPENED
    expect(deadlineOf(waiting, { ...POLICY, pingInterval: 5 })).toEqual({ at: 1005, act: 'ping' })
    expect(deadlineOf(waiting, { ...POLICY, pingInterval: 10 })).toEqual({ at: 1010, act: 'connect-timeout' })
  })

  it('[protocol-27] looks for a client that polls at whole minutes only, and never early', () => {
    expect(pollDeadline(0, 80_000)).toEqual({ at: 120_000, act: 'ping-timeout' })
    for (const lastPollAt of [39_999, 40_000, 40_001, 99_000]) {
      const { at } = pollDeadline(lastPollAt, 80_000)
      expect(at % 60_000).toBe(0)
      expect(at - lastPollAt).toBeGreaterThanOrEqual(80_000)
      expect(at - lastPollAt).toBeLessThan(140_000)
    }
  })
})
