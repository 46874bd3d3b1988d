import type { Frame } from './engine-packet.ts'

/**
 * One Engine.IO connection, however its packets travel: a WebSocket that may sleep, one that may not, or a client
 * that polls. Two `Line`s of one connection always agree, and a poll's line goes on as the WebSocket's after an
 * upgrade: hold one across an `await` without a thought.
 */
export interface Line {
  /** Still open in both directions, as far as the server knows. */
  readonly isOpen: boolean
  readonly record: LineRecord
  update(change: Partial<LineRecord>): void
  /** Sends one packet. Returns false when the connection is gone; what was sent may still be lost on the way. */
  send(frame: Frame): boolean
  /** Ends the connection; nothing it sends from now on is read. Closing twice is harmless. */
  close(reason: CloseReason, detail?: string): void
  /** When the client last sent a heartbeat or polled, neither of which wakes the object. Milliseconds since 1970. */
  lastSign(): number
}

/** All that is kept of a connection. A WebSocket's is in its attachment and so outlives hibernation. */
export interface LineRecord {
  /** The Engine.IO id. Anyone who has it can poll in the client's place, so only the client gets it. */
  id: string
  transport: 'websocket' | 'polling'
  /** Sends heartbeats of its own, so the server sends no pings to keep it. */
  hb: boolean
  /** Is given its missed events on return. */
  recovers: boolean
  /** The origin of the page that opened it, from the Worker's `ORIGIN_HEADER`; null for a client that is not a page. */
  origin: string | null
  /** Milliseconds since 1970. */
  connectedAt: number
  /** Since when it takes part in no namespace, or null while it does. Milliseconds since 1970. */
  idleSince: number | null
  /** When the last ping left, or `connectedAt`. Milliseconds since 1970. */
  lastPingAt: number
  /** The last ping has not been answered. */
  pongDue: boolean
  /** Where it takes part, or asks to. */
  seats: Seat[]
}

/** One Socket.IO connection of a line: a namespace it takes part in. */
export interface Seat {
  namespace: string
  /** The Socket.IO id, as the client's `socket.id`. */
  sid: string
  /** Names the tab, from the CONNECT payload; null before that was read and for clients that name none. */
  clientId: string | null
  /** CONNECTed and accepted: takes part in broadcasts. */
  ready: boolean
  /** Its events carry offsets, from which it goes on after a drop. */
  recovers: boolean
  /** Until when its owner lets it take part, in milliseconds since 1970; null when there is no end to it. */
  admittedUntil: number | null
  /** What its owner keeps of why it was let in; null before that. */
  admission: unknown
}

/** The record of a connection that has just been opened. */
export function newRecord(
  chosen: Pick<LineRecord, 'id' | 'transport' | 'hb' | 'recovers' | 'origin'>,
  now: number,
): LineRecord {
  return { ...chosen, connectedAt: now, idleSince: now, lastPingAt: now, pongDue: false, seats: [] }
}

/**
 * Why the server closes a socket, with the code of the close frame. 1000 to 1013 have their meaning from RFC 6455
 * and the IANA registry; from 4000 on they are ours. 1005 and 1006 may never be sent and make `close()` throw.
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
