import type { Frame } from './engine-packet.ts'

/**
 * One Engine.IO connection, by any transport: a WebSocket whose object may hibernate, a WebSocket whose object stays
 * awake, or a polling client. If a polling client upgrades to a WebSocket, its `Line` goes on to work, and then uses
 * the WebSocket.
 */
export interface Line {
  /** True while the connection is open in both directions, as far as the server knows. */
  readonly isOpen: boolean
  /** What is stored about the connection. Only `update` changes it. */
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
 * Everything that is stored about a connection. For a WebSocket, the platform stores this record with the socket (as
 * its attachment), also while the object hibernates.
 */
export interface LineRecord {
  /** The Engine.IO id. Anyone who has the id can poll in the client's place, so only the client gets the id. */
  id: string
  transport: 'websocket' | 'polling'
  /** True if the client sends heartbeats of its own. Then the server does not send it regular pings. */
  hb: boolean
  /** True if the client gets the events that it missed when it reconnects. */
  recovers: boolean
  /**
   * The origin of the page that opened the connection, from the Worker's `ORIGIN_HEADER`; null for a client that is not
   * a page.
   */
  origin: string | null
  /** When the connection was opened, in milliseconds since 1970. */
  connectedAt: number
  /**
   * When the connection left its last namespace, or was opened, in milliseconds since 1970; null while it takes part in
   * a namespace.
   */
  idleSince: number | null
  /** When the last ping was sent, or `connectedAt`. Milliseconds since 1970. */
  lastPingAt: number
  /** True if the last ping has not been answered. */
  pongDue: boolean
  /** The namespaces in which the connection takes part, or has requested to take part. */
  seats: Seat[]
}

/** The part that one connection takes in one namespace of Socket.IO. */
export interface Seat {
  namespace: string
  /** The Socket.IO id, which the client knows as `socket.id`. */
  sid: string
  /** The id of the tab, from the CONNECT payload; null before CONNECT is parsed, and for clients that send no id. */
  clientId: string | null
  /** True once the server has accepted CONNECT. From then on, the client gets broadcasts. */
  ready: boolean
  /**
   * True if each durable event to the client is sent with its offset in the log. After a dropped connection, the client
   * sends the last offset that it got.
   */
  recovers: boolean
  /** True if the client asked for the short form of events that have one. */
  isShort: boolean
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
 * define 1000 to 1013; the codes from 4000 on are this server's own. `close()` throws for the codes 1005 and 1006,
 * which may never be sent.
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
 * Returns the next action on an open connection if its client stays silent; null if there is none. Pings begin before
 * the client has sent CONNECT, because the client expects the first ping within `pingInterval` of the open packet.
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
 * The interval in which polling clients are checked, in milliseconds. Checks happen only at multiples of this interval.
 * Otherwise every poll would set the alarm to another time, which writes to the storage.
 */
const LOOK_EVERY_MS = 60_000

/** Returns when to close the connection of a client that last polled at `lastPollAt`, if it does not poll again. */
export function pollDeadline(lastPollAt: number, patience: number): Deadline {
  const at = Math.ceil((lastPollAt + patience) / LOOK_EVERY_MS) * LOOK_EVERY_MS
  return { at, act: 'ping-timeout' }
}
