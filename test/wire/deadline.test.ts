import { describe, expect, it } from 'vitest'
import { deadlineOf } from '../../worker/socket/deadline.ts'
import type { PeerRecord } from '../../worker/socket/peer.ts'

const POLICY = { pingInterval: 300, pingTimeout: 60, connectTimeout: 10 }
const RECORD: PeerRecord = {
  sid: 's',
  clientId: null,
  ready: true,
  hb: false,
  connectedAt: 1000,
  lastPingAt: 1000,
  pongDue: false,
}

describe('deadlines', () => {
  it('[P10] gives a socket its time to connect, heartbeats or not', () => {
    expect(deadlineOf({ ...RECORD, ready: false }, POLICY)).toEqual({ at: 1010, act: 'connect-timeout' })
    expect(deadlineOf({ ...RECORD, ready: false, hb: true }, POLICY)).toEqual({ at: 1010, act: 'connect-timeout' })
  })

  it('[P20] leaves a client with heartbeats alone', () => {
    expect(deadlineOf({ ...RECORD, hb: true }, POLICY)).toBeNull()
  })

  it('[P21] pings every other client, and waits for the answer', () => {
    expect(deadlineOf(RECORD, POLICY)).toEqual({ at: 1300, act: 'ping' })
    expect(deadlineOf({ ...RECORD, lastPingAt: 1300, pongDue: true }, POLICY)).toEqual({
      at: 1360,
      act: 'ping-timeout',
    })
    expect(deadlineOf({ ...RECORD, lastPingAt: 1300 }, POLICY)).toEqual({ at: 1600, act: 'ping' })
  })

  it('[P21] pings also before CONNECT, when the ping is due first', () => {
    const waiting = { ...RECORD, ready: false }
    expect(deadlineOf(waiting, { ...POLICY, pingInterval: 5 })).toEqual({ at: 1005, act: 'ping' })
    expect(deadlineOf(waiting, { ...POLICY, pingInterval: 10 })).toEqual({ at: 1010, act: 'connect-timeout' })
  })
})
