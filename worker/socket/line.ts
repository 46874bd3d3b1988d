import type { Frame } from './engine-packet.ts'

/**
 * One Engine.IO connection, by any transport: a WebSocket that may hibernate, one that may not, or a polling client.
 * Two `Line`s of one connection always agree, and after an upgrade a poll's line continues as the WebSocket's. So a
 * `Line` may be held across an `await`.
 */
export interface Line {
  /** True while the connection is open in both directions, as far as the server knows. */
  readonly isOpen: boolean
  readonly record: LineRecord
  update(change: Partial<LineRecord>): void
  /** Sends one packet. Returns false if the connection is gone; a packet that was sent may still be lost on the way. */
  send(frame: Frame): boolean
  /** Closes the connection; later frames from the client are ignored. Closing twice is harmless. */
  close(reason: CloseReason, detail?: string): void
  /**
   * Returns when the client last sent a heartbeat or polled, which does not wake the object. Milliseconds since 1970.
   */
  lastSign(): number
}

/**
 * Everything that is stored about a connection. A WebSocket's record is in its attachment, and so outlives hibernation.
 */
export interface LineRecord {
  /** The Engine.IO id. Anyone who has it can poll in the client's place, so only the client gets it. */
  id: string
  transport: 'websocket' | 'polling'
  /** True if the client sends heartbeats of its own, so that the server sends no pings to keep the connection. */
  hb: boolean
  /** True if the client gets its missed events when it comes back. */
  recovers: boolean
  /**
   * The origin of the page that opened the connection, from the Worker's `ORIGIN_HEADER`; null for a client that is not
   * a page.
   */
  origin: string | null
  /** When the connection was opened, in milliseconds since 1970. */
  connectedAt: number
  /** Since when the connection takes part in no namespace, or null while it does. Milliseconds since 1970. */
  idleSince: number | null
  /** When the last ping was sent, or `connectedAt`. Milliseconds since 1970. */
  lastPingAt: number
  /** True if the last ping has not been answered. */
  pongDue: boolean
  /** The namespaces in which the connection takes part, or asks to. */
  seats: Seat[]
}

/** One Socket.IO connection of a line: a namespace in which it takes part. */
export interface Seat {
  namespace: string
  /** The Socket.IO id, as the client's `socket.id`. */
  sid: string
  /** The id of the tab, from the CONNECT payload; null before that is parsed, and for clients that send none. */
  clientId: string | null
  /** True once CONNECT was accepted: the client then gets broadcasts. */
  ready: boolean
  /** True if the client's events carry offsets, from which it recovers after a drop. */
  recovers: boolean
  /** Until when the layer above lets the client take part, in milliseconds since 1970; null for no limit. */
  admittedUntil: number | null
  /** What the layer above stored about the admission; null before that. */
  admission: unknown
}

/** Returns the record of a connection that has just been opened. */
export function newRecord(
  chosen: Pick<LineRecord, 'id' | 'transport' | 'hb' | 'recovers' | 'origin'>,
  now: number,
): LineRecord {
  return { ...chosen, connectedAt: now, idleSince: now, lastPingAt: now, pongDue: false, seats: [] }
}

/**
 * The reasons for which the server closes a socket, with the code of the close frame. RFC 6455 and the IANA registry
 * define 1000 to 1013; from 4000 on they are ours. 1005 and 1006 may never be sent and make `close()` throw.
 */
export const CLOSE_CODES = {
  'client-left': 1000,
  malformed: 1002,
  binary: 1003,
  'not-connected': 1008,
  flood: 1008,
  'too-large': 1009,
  failed: 1011,
  'made-room': 1013,
  replaced: 4001,
  'ping-timeout': 4002,
  'connect-timeout': 4003,
  expired: 4004,
  'too-slow': 4005,
} as const

export type CloseReason = keyof typeof CLOSE_CODES

/** The time limits of connections, in milliseconds. */
export interface DeadlinePolicy {
  /** How long a client that sends no heartbeats may go without a ping. */
  pingInterval: number
  /** How long a client has to answer a ping. */
  pingTimeout: number
  /** How long a connection may stay open without CONNECT. */
  connectTimeout: number
}

/** An action on a connection, and the time from which it is due (milliseconds since 1970). */
export interface Deadline {
  at: number
  act: 'ping' | 'ping-timeout' | 'connect-timeout'
}

type Watched = Pick<LineRecord, 'hb' | 'idleSince' | 'lastPingAt' | 'pongDue'>

/**
 * Returns the next action on an open connection that stays silent, or null if there is none. Pings do not wait for
 * CONNECT: a client counts the time to the first ping from the open packet.
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

/**
 * How often a polling client is checked. The interval is coarse, because otherwise every poll would move the alarm, and
 * each move is a write.
 */
const LOOK_EVERY_MS = 60_000

/** Returns when to check a client that last polled at this time. It is gone if it has not polled again by then. */
export function pollDeadline(lastPollAt: number, patience: number): Deadline {
  const at = Math.ceil((lastPollAt + patience) / LOOK_EVERY_MS) * LOOK_EVERY_MS
  return { at, act: 'ping-timeout' }
}
