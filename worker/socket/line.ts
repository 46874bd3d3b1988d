import type { Frame } from './engine-packet.ts'

/**
 * One Engine.IO connection, by any transport: a WebSocket that may hibernate, a WebSocket that may not, or a polling
 * client. Two `Line`s of the same connection always have the same state. After an upgrade, the line of a polling client
 * continues as the line of the WebSocket. So a `Line` may be held across an `await`.
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
   * Returns when the client last sent a heartbeat or polled, in milliseconds since 1970; if it never did, when the
   * connection was opened.
   */
  lastSign(): number
}

/**
 * Everything that is stored about a connection. The record of a WebSocket is stored in the socket's attachment, so it
 * survives hibernation.
 */
export interface LineRecord {
  /** The Engine.IO id. Anyone who has the id can poll in the client's place, so only the client gets the id. */
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
  /**
   * The time since which the connection takes part in no namespace, in milliseconds since 1970; null while it takes
   * part in one.
   */
  idleSince: number | null
  /** When the last ping was sent, or `connectedAt`. Milliseconds since 1970. */
  lastPingAt: number
  /** True if the last ping has not been answered. */
  pongDue: boolean
  /** The namespaces in which the connection takes part, or has requested to take part. */
  seats: Seat[]
}

/** A namespace in which a line (an Engine.IO connection) takes part. Socket.IO calls this a connection too. */
export interface Seat {
  namespace: string
  /** The Socket.IO id, as the client's `socket.id`. */
  sid: string
  /** The id of the tab, from the CONNECT payload; null before CONNECT is parsed, and for clients that send no id. */
  clientId: string | null
  /** True once the server has accepted CONNECT. From then on, the client gets broadcasts. */
  ready: boolean
  /**
   * True if events to the client carry offsets. After a dropped connection, the client sends the last offset it got.
   */
  recovers: boolean
  /**
   * The time until which the owner of the sockets (the Durable Object) lets the client take part, in milliseconds since
   * 1970; null for no limit.
   */
  admittedUntil: number | null
  /** The data that the owner of the sockets stored about the client's admission; null before the admission. */
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
 * define 1000 to 1013; the codes from 4000 on are this server's own. The codes 1005 and 1006 may never be sent and make
 * `close()` throw.
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
 * Returns the next action on an open connection, if its client sends nothing before; null if no action will be due.
 * Pings do not wait for CONNECT, because a client counts the time to the first ping from the open packet.
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
 * The interval in which polling clients are checked, in milliseconds. Checks happen only at multiples of it, because
 * otherwise every poll would move the alarm, and each move is a write.
 */
const LOOK_EVERY_MS = 60_000

/**
 * Returns when to check a client that last polled at `lastPollAt`. A client that has not polled again by then is gone.
 */
export function pollDeadline(lastPollAt: number, patience: number): Deadline {
  const at = Math.ceil((lastPollAt + patience) / LOOK_EVERY_MS) * LOOK_EVERY_MS
  return { at, act: 'ping-timeout' }
}
