import { CLOSE_CODES } from './close-reason.ts'
import type { CloseReason } from './close-reason.ts'
import { encodeEnginePacket } from './engine-packet.ts'
import { encodeAck, encodeEvent } from './socket-packet.ts'

/** All the engine knows of a socket. It lives in the socket's attachment and so outlives hibernation. */
export interface PeerRecord {
  /** The Socket.IO id, as the client's `socket.id`. */
  sid: string
  /** Names the tab, from the CONNECT payload; null before CONNECT and for clients that name none. */
  clientId: string | null
  /** CONNECTed and accepted: takes part in broadcasts. */
  ready: boolean
  /** Sends heartbeats of its own, so the server sends no pings. */
  hb: boolean
  /** Milliseconds since 1970. */
  connectedAt: number
  /** When the last ping left, or `connectedAt`. Milliseconds since 1970. */
  lastPingAt: number
  /** The last ping has not been answered. */
  pongDue: boolean
}

/**
 * One connected socket. It holds no state of its own: everything is read from the attachment when asked for, so two
 * `Peer`s of one socket always agree and one made after a wake knows what the one before it knew. Compare peers by
 * `sid`, never by identity.
 */
export class Peer {
  readonly #ws: WebSocket
  #held: string[] | null = null

  constructor(ws: WebSocket) {
    this.#ws = ws
  }

  get sid(): string {
    return this.record.sid
  }

  get clientId(): string | null {
    return this.record.clientId
  }

  get hb(): boolean {
    return this.record.hb
  }

  /** Still open in both directions, as far as the server knows. */
  get isOpen(): boolean {
    return this.#ws.readyState === WebSocket.OPEN
  }

  get record(): PeerRecord {
    return readRecord(this.#ws)
  }

  update(change: Partial<PeerRecord>): void {
    this.#ws.serializeAttachment({ ...this.record, ...change } satisfies PeerRecord)
  }

  /**
   * Sends an event. Returns false when the socket is gone; what was sent may still be lost on the way.
   *
   * @throws TypeError when `body` cannot be written as JSON.
   */
  emit(name: string, body: unknown): boolean {
    return this.send(encodeEnginePacket('message', encodeEvent(name, body)))
  }

  /** Answers an event that asked for it, by the id it came with. Returns and throws as `emit` does. */
  ack(ackId: number, body: unknown): boolean {
    return this.send(encodeEnginePacket('message', encodeAck(ackId, body)))
  }

  /** Sends one whole frame. Returns false when the socket is gone. */
  send(frame: string): boolean {
    if (this.#held !== null) {
      this.#held.push(frame)
      return true
    }
    // `send` throws on a socket that closed since it was last looked at; that is no reason to stop a broadcast.
    try {
      this.#ws.send(frame)
      return true
    } catch {
      return false
    }
  }

  /** Keeps back everything sent from now on. CONNECT has to leave first, and it is not yet known whether it will. */
  hold(): void {
    this.#held = []
  }

  /** Sends `frame`, then what was kept back. */
  release(frame: string): void {
    const held = this.#takeHeld()
    for (const each of [frame, ...held]) this.send(each)
  }

  /** Forgets what was kept back and sends `frame` alone. */
  releaseOnly(frame: string): void {
    this.#takeHeld()
    this.send(frame)
  }

  /**
   * Closes the socket; nothing it sends from now on is read. `detail` is appended to the reason, which the platform
   * limits to 123 bytes. Closing twice is harmless.
   */
  close(reason: CloseReason, detail?: string): void {
    this.#takeHeld()
    if (!this.isOpen) return
    this.update({ ready: false })
    this.#ws.close(CLOSE_CODES[reason], detail === undefined ? reason : `${reason}: ${detail}`)
  }

  #takeHeld(): string[] {
    const held = this.#held ?? []
    this.#held = null
    return held
  }
}

/** The peer of a socket, or null when the socket is not one that the engine accepted. */
export function peerOf(ws: WebSocket): Peer | null {
  return isRecord(ws.deserializeAttachment()) ? new Peer(ws) : null
}

/** @throws Error when the socket is not one that the engine accepted. */
function readRecord(ws: WebSocket): PeerRecord {
  const attachment: unknown = ws.deserializeAttachment()
  if (!isRecord(attachment)) throw new Error('this socket has no peer record')
  return attachment
}

/** Only the engine writes attachments, so a record that has its id has all its fields. */
function isRecord(attachment: unknown): attachment is PeerRecord {
  return typeof attachment === 'object' && attachment !== null && 'sid' in attachment
}
