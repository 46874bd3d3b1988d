import type { LineRecord } from './line.ts'

/** All in milliseconds. */
export interface DeadlinePolicy {
  /** How long a client that sends no heartbeats may go without a ping. */
  pingInterval: number
  /** How long it has to answer one. */
  pingTimeout: number
  /** How long a connection may stay open without CONNECT. */
  connectTimeout: number
}

/** What is to be done to a connection, and from when on (milliseconds since 1970). */
export interface Deadline {
  at: number
  act: 'ping' | 'ping-timeout' | 'connect-timeout'
}

type Watched = Pick<LineRecord, 'hb' | 'idleSince' | 'lastPingAt' | 'pongDue'>

/**
 * The next thing to do to an open connection if it stays silent, or null when it may be left alone for good. Pings do
 * not wait for CONNECT: a client counts the time to the first one from the open packet.
 */
export function deadlineOf(record: Watched, policy: DeadlinePolicy): Deadline | null {
  const connect = connectDeadline(record, policy)
  const ping = pingDeadline(record, policy)
  if (connect === null || ping === null) return connect ?? ping
  return connect.at <= ping.at ? connect : ping
}

function connectDeadline({ idleSince }: Watched, { connectTimeout }: DeadlinePolicy): Deadline | null {
  return idleSince === null ? null : { at: idleSince + connectTimeout, act: 'connect-timeout' }
}

function pingDeadline({ hb, pongDue, lastPingAt }: Watched, policy: DeadlinePolicy): Deadline | null {
  if (hb) return null
  if (pongDue) return { at: lastPingAt + policy.pingTimeout, act: 'ping-timeout' }
  return { at: lastPingAt + policy.pingInterval, act: 'ping' }
}

/** How often a client that polls is looked for. Coarse, or every poll would move the alarm, and each move is a write. */
const LOOK_EVERY_MS = 60_000

/** When a client that last polled then is to be looked for, and is gone if it has not polled again. */
export function pollDeadline(lastPollAt: number, patience: number): Deadline {
  const at = Math.ceil((lastPollAt + patience) / LOOK_EVERY_MS) * LOOK_EVERY_MS
  return { at, act: 'ping-timeout' }
}
