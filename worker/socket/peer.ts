import type { CloseReason, Line, LineRecord, Seat } from './line.ts'
import { encodeMessage, type Frame } from './engine-packet.ts'
import { encodeAck, encodeEvent } from './socket-packet.ts'

/**
 * Everything that is stored about one connected client: the fields of the client's `Seat` in a namespace, and the
 * fields of the connection's `LineRecord`.
 */
export type PeerRecord = Seat & Omit<LineRecord, 'id' | 'seats'>

/**
 * One connected client, by any transport. The code may make several `Peer` objects for the same client, so compare
 * peers by `sid`, never by identity. A `Peer` reads and writes the stored record of the connection; only packets that
 * are held back (`hold`) are in the `Peer` itself.
 */
export class Peer {
  readonly namespace: string
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

  /** @throws Error if the peer has left */
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

  /** True if each durable event to this client is sent with its offset in the log. */
  get recovers(): boolean {
    return this.#seat?.recovers === true
  }

  /** True if the client asked for the short form of events that have one. */
  get isShort(): boolean {
    return this.#seat?.isShort === true
  }

  get admittedUntil(): number | null {
    return this.#seat?.admittedUntil ?? null
  }

  /** The origin of the page that opened the connection; null for a client that is not a page. */
  get origin(): string | null {
    return this.#line.record.origin
  }

  /** The data that `admit` stored last; null before the first `admit`. */
  get admission(): unknown {
    return this.#seat?.admission ?? null
  }

  /**
   * Lets the client take part until `until` (milliseconds since 1970), and stores the caller's data about the
   * admission. When the client renews its credentials, this method is called again.
   */
  admit(until: number, admission: unknown): void {
    this.update({ admittedUntil: until, admission })
  }

  /** True while the peer is connected, as far as the server knows. */
  get isOpen(): boolean {
    return this.#line.isOpen && this.#seat !== undefined
  }

  update(change: Partial<Seat>): void {
    const { seats } = this.#line.record
    this.#line.update({ seats: seats.map((seat) => (seat.sid === this.sid ? { ...seat, ...change } : seat)) })
  }

  /**
   * Sends an event. Returns false if the peer is gone; an event that was sent may still be lost on the way.
   *
   * @throws TypeError if an argument cannot be written as JSON
   */
  emit(name: string, ...args: unknown[]): boolean {
    return this.send(encodeEvent(this.namespace, name, args))
  }

  /**
   * Sends an event, with its offset in the log if the client recovers missed events. After a dropped connection, such a
   * client requests the events after the last offset that it got. Other clients get no offset, because the official
   * client takes any string at the end of an event for an offset.
   */
  emitAt(offset: string, name: string, body: unknown): boolean {
    return this.recovers ? this.emit(name, body, offset) : this.emit(name, body)
  }

  /** Acknowledges an event by the id that came with it. Returns false if the peer is gone. */
  ack(ackId: number, ...args: unknown[]): boolean {
    return this.send(encodeAck(this.namespace, ackId, args))
  }

  /** Sends a packet, with its attachments. Returns false if the peer is gone. */
  send(packet: readonly Frame[]): boolean {
    if (this.#seat === undefined) return false
    if (this.#held === null) return packet.every((part) => this.#line.send(encodeMessage(part)))
    this.#held.push(...packet)
    return true
  }

  /**
   * Holds back all packets to the client from now on, until the server has decided whether to accept the client. If the
   * server accepts the client, the first packet that the client gets has to be CONNECT.
   */
  hold(): void {
    this.#held = []
  }

  release(...first: Frame[]): void {
    const held = this.#held ?? []
    this.#held = null
    this.send([...first, ...held])
  }

  releaseOnly(packet: Frame): void {
    this.#held = null
    this.send([packet])
  }

  /**
   * Closes the connection; later frames from the client are ignored. `detail` is appended to the reason, which the
   * platform limits to 123 bytes. Closing twice is harmless.
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
