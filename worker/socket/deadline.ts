import type { PeerRecord } from './peer.ts'

/** All in milliseconds. */
export interface DeadlinePolicy {
  /** How long a client that sends no heartbeats may go without a ping. */
  pingInterval: number
  /** How long it has to answer one. */
  pingTimeout: number
  /** How long a socket may stay open without CONNECT. */
  connectTimeout: number
}

/** What is to be done to a socket, and from when on (milliseconds since 1970). */
export interface Deadline {
  at: number
  act: 'ping' | 'ping-timeout' | 'connect-timeout'
}

/**
 * The next thing to do to an open socket if it stays silent, or null when it may be left alone for good. Pings do not
 * wait for CONNECT: a client counts the time to the first one from the open packet.
 */
export function deadlineOf(record: PeerRecord, policy: DeadlinePolicy): Deadline | null {
  const connect = connectDeadline(record, policy)
  const ping = pingDeadline(record, policy)
  if (connect === null || ping === null) return connect ?? ping
  return connect.at <= ping.at ? connect : ping
}

function connectDeadline({ ready, connectedAt }: PeerRecord, { connectTimeout }: DeadlinePolicy): Deadline | null {
  return ready ? null : { at: connectedAt + connectTimeout, act: 'connect-timeout' }
}

function pingDeadline({ hb, pongDue, lastPingAt }: PeerRecord, policy: DeadlinePolicy): Deadline | null {
  if (hb) return null
  if (pongDue) return { at: lastPingAt + policy.pingTimeout, act: 'ping-timeout' }
  return { at: lastPingAt + policy.pingInterval, act: 'ping' }
}
