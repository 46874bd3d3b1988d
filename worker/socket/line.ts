import type { CloseReason } from './close-reason.ts'
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
  /** When the client last gave a sign of life that wakes nobody: a heartbeat or a poll. Milliseconds since 1970. */
  lastSign(): number
}

/** All that is kept of a connection. A WebSocket's is in its attachment and so outlives hibernation. */
export interface LineRecord {
  /** The Engine.IO id. Whoever has it can poll in the client's place, so it is never shown to anybody else. */
  id: string
  transport: 'websocket' | 'polling'
  /** Sends heartbeats of its own, so the server sends no pings to keep it. */
  hb: boolean
  /** Is given its missed events on return. */
  recovers: boolean
  /** The page it was opened from, as the Worker told (`origin-header.ts`); null for whoever is no page. */
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
