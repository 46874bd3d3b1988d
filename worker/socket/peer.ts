import type { CloseReason, Line, LineRecord, Seat } from './line.ts'
import { encodeMessage, type Frame } from './engine-packet.ts'
import { encodeAck, encodeEvent } from './socket-packet.ts'

/** Everything known about a peer: its own seat and its connection. */
export type PeerRecord = Seat & Omit<LineRecord, 'id' | 'seats'>

/**
 * One connected client, whatever it is connected by. It holds no state of its own but what it keeps back while it
 * connects, so two `Peer`s of one client always agree. Compare peers by `sid`, never by identity.
 */
export class Peer {
  readonly namespace: string
  /** The Socket.IO id. */
  readonly sid: string
  readonly #line: Line
  #held: Frame[] | null = null

  constructor(line: Line, { namespace, sid }: Pick<Seat, 'namespace' | 'sid'>) {
    this.#line = line
    this.namespace = namespace
    this.sid = sid
  }

  get line(): Line {
    return this.#line
  }

  /** @throws Error when the peer has left. */
  get record(): PeerRecord {
    const { id: _, seats: __, ...line } = this.#line.record
    if (this.#seat === undefined) throw new Error('this peer has left')
    return { ...line, ...this.#seat }
  }

  get clientId(): string | null {
    return this.#seat?.clientId ?? null
  }

  get hb(): boolean {
    return this.#line.record.hb
  }

  get isReady(): boolean {
    return this.#seat?.ready === true
  }

  /** Its events carry offsets. */
  get recovers(): boolean {
    return this.#seat?.recovers === true
  }

  get admittedUntil(): number | null {
    return this.#seat?.admittedUntil ?? null
  }

  /** The origin of the page that opened it, from the Worker; null for a client that is not a page. */
  get origin(): string | null {
    return this.#line.record.origin
  }

  /** What `admit` kept last; null before that. */
  get admission(): unknown {
    return this.#seat?.admission ?? null
  }

  /** Lets the peer take part until then (milliseconds since 1970), and keeps why. A renewal says it again. */
  admit(until: number, admission: unknown): void {
    this.update({ admittedUntil: until, admission })
  }

  /** Still there, as far as the server knows. */
  get isOpen(): boolean {
    return this.#line.isOpen && this.#seat !== undefined
  }

  update(change: Partial<Seat>): void {
    const { seats } = this.#line.record
    this.#line.update({ seats: seats.map((seat) => (seat.sid === this.sid ? { ...seat, ...change } : seat)) })
  }

  /**
   * Sends an event. Returns false when the peer is gone; what was sent may still be lost on the way.
   *
   * @throws TypeError when an argument cannot be written as JSON.
   */
  emit(name: string, ...args: unknown[]): boolean {
    return this.send(encodeEvent(this.namespace, name, args))
  }

  /**
   * Sends an event that brings the client to `offset`, from which it goes on after a drop. The official client takes
   * any event's last argument for it that is a string, so a client gets it that recovers, and no other.
   */
  emitAt(offset: string, name: string, body: unknown): boolean {
    return this.recovers ? this.emit(name, body, offset) : this.emit(name, body)
  }

  /** Answers an event that asked for it, by the id it came with. Returns and throws as `emit` does. */
  ack(ackId: number, ...args: unknown[]): boolean {
    return this.send(encodeAck(this.namespace, ackId, args))
  }

  /** Sends a packet, with its attachments. Returns false when the peer is gone. */
  send(packet: readonly Frame[]): boolean {
    if (this.#seat === undefined) return false
    if (this.#held === null) return packet.every((part) => this.#line.send(encodeMessage(part)))
    this.#held.push(...packet)
    return true
  }

  /** Keeps back everything sent from now on. CONNECT has to leave first, and it is not yet known whether it will. */
  hold(): void {
    this.#held = []
  }

  /** Sends `first`, then what was kept back. */
  release(...first: Frame[]): void {
    const held = this.#held ?? []
    this.#held = null
    this.send([...first, ...held])
  }

  /** Forgets what was kept back and sends `packet` alone. */
  releaseOnly(packet: Frame): void {
    this.#held = null
    this.send([packet])
  }

  /**
   * Closes the connection; nothing it sends from now on is read. `detail` is appended to the reason, which the platform
   * limits to 123 bytes. Closing twice is harmless.
   */
  close(reason: CloseReason, detail?: string): void {
    this.#held = null
    this.update({ ready: false })
    this.#line.close(reason, detail)
  }

  get #seat(): Seat | undefined {
    return this.#line.record.seats.find(({ sid }) => sid === this.sid)
  }
}
