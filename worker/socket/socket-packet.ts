import { Decoder, Encoder, PacketType, type Packet } from 'socket.io-parser'
import type { Frame } from './engine-packet.ts'

/** A packet that a client may send, inside an Engine.IO `message` packet (Socket.IO protocol v5). */
export type ClientPacket =
  | { type: 'connect'; namespace: string; auth: unknown }
  | { type: 'disconnect'; namespace: string }
  | { type: 'event'; namespace: string; name: string; args: readonly unknown[]; ackId: number | null }
  | { type: 'ack'; namespace: string }

/** Why a packet is refused. The server sends this text to the client when it closes the socket. */
export type PacketFault = JsonRisk | 'unknown-type' | 'attachment' | 'namespace' | 'ack-id' | 'payload'

export type DecodedPacket = { ok: true; packet: ClientPacket } | { ok: false; fault: PacketFault }

/**
 * The largest acknowledgement id that is accepted. The official client counts its events from 0 and never comes near
 * this limit.
 */
export const MAX_ACK_ID = 2 ** 31 - 1

/** The longest name of a namespace that is accepted, in UTF-16 code units, with its leading slash. */
export const MAX_NAMESPACE = 64

/**
 * Parses one packet: a text, and after it as many binary attachments as the text announces. Each packet has a reader of
 * its own, so that no data leaks from one packet to the next, or from one client to another.
 */
export class PacketReader {
  readonly #maxAttachments: number
  readonly #decoder: Decoder
  #decoded: Packet | null = null

  constructor(maxAttachments: number) {
    this.#maxAttachments = maxAttachments
    this.#decoder = new Decoder({ reviver: refuseProtoKey, maxAttachments })
    this.#decoder.on('decoded', (packet: Packet) => {
      this.#decoded = packet
    })
  }

  /**
   * Reads the next part of the packet. Returns the packet or its fault; null while attachments are missing. Never
   * throws.
   */
  read(part: Frame): DecodedPacket | null {
    const fault = typeof part === 'string' ? (headFault(part, this.#maxAttachments) ?? jsonRisk(part)) : null
    if (fault !== null) return { ok: false, fault }
    try {
      this.#decoder.add(part)
      if (this.#decoded === null) return null
      const packet = clientPacket(this.#decoded)
      return packet === null ? { ok: false, fault: 'payload' } : { ok: true, packet }
    } catch {
      return { ok: false, fault: 'payload' }
    }
  }
}

/**
 * Encodes a CONNECT packet: `0{"sid":"…"}`, or `0/ns,{…}`. With `pid`, the client can later recover the events that it
 * missed.
 */
export function encodeConnect(namespace: string, answer: { sid: string; pid?: string }): string {
  return encodeText({ type: PacketType.CONNECT, nsp: namespace, data: answer })
}

/**
 * Encodes a CONNECT_ERROR packet: `4{"message":"…"}`, or `4/ns,{…}`. After this packet, the official client never tries
 * again.
 */
export function encodeConnectError(namespace: string, error: { message: string; data?: unknown }): string {
  return encodeText({ type: PacketType.CONNECT_ERROR, nsp: namespace, data: error })
}

/**
 * Encodes a DISCONNECT packet: `1`, or `1/ns,`. After this packet, the official client does not reconnect by itself.
 */
export function encodeDisconnect(namespace: string): string {
  return encodeText({ type: PacketType.DISCONNECT, nsp: namespace })
}

/**
 * Encodes an EVENT packet: `2["name",body]`, and any attachments after it.
 *
 * @throws TypeError if an argument cannot be written as JSON
 */
export function encodeEvent(namespace: string, name: string, args: readonly unknown[]): Frame[] {
  return encode({ type: PacketType.EVENT, nsp: namespace, data: [name, ...args] })
}

/**
 * Encodes an EVENT packet that has no attachments, as `encodeEvent` does, but without a search for bytes in it.
 *
 * @throws TypeError if an argument cannot be written as JSON
 */
export function encodeTextEvent(name: string, args: readonly unknown[]): Frame[] {
  return [`${PacketType.EVENT}${JSON.stringify([name, ...args])}`]
}

/**
 * Encodes an ACK packet: `3<id>[body]`, and any attachments after it.
 *
 * @throws TypeError if an argument cannot be written as JSON
 */
export function encodeAck(namespace: string, ackId: number, args: readonly unknown[]): Frame[] {
  return encode({ type: PacketType.ACK, nsp: namespace, id: ackId, data: [...args] })
}

/** Matches the type, the attachments, the namespace, the acknowledgement id and the first character of the payload. */
const HEAD = /^([0-6])(?:(?<=[56])(\d{1,3})-)?(?:(\/[^,]*)(?:,|$))?(\d*)([^]?)/

/**
 * Checks everything before a packet's payload, because the official decoder is too lenient: it reads a blank as
 * acknowledgement id 0, rounds long ids and accepts an event without a payload.
 */
function headFault(text: string, maxAttachments: number): PacketFault | null {
  const head = HEAD.exec(text)
  if (head === null) return 'unknown-type'
  const [, type = '', attachments = '0', namespace = '/', ackId = '', payload = ''] = head
  const isBinary = type === '5' || type === '6'
  if (isBinary && (Number(attachments) < 1 || Number(attachments) > maxAttachments)) return 'attachment'
  if (type === '4') return 'unknown-type'
  if (namespace.length > MAX_NAMESPACE) return 'namespace'
  if (ackId.length > 10 || Number(ackId) > MAX_ACK_ID) return 'ack-id'
  if (type === '0') return ackId === '' && (payload === '' || payload === '{') ? null : 'payload'
  if (type === '1') return ackId === '' && payload === '' ? null : 'payload'
  if ((type === '3' || type === '6') && ackId === '') return 'ack-id'
  return payload === '[' ? null : 'payload'
}

function clientPacket(packet: Packet): ClientPacket | null {
  const namespace = packet.nsp
  if (packet.type === PacketType.CONNECT) return { type: 'connect', namespace, auth: packet.data }
  if (packet.type === PacketType.DISCONNECT) return { type: 'disconnect', namespace }
  if (packet.type === PacketType.ACK) return { type: 'ack', namespace }
  if (packet.type !== PacketType.EVENT || !Array.isArray(packet.data)) return null
  const data: unknown[] = packet.data
  const [name, ...args] = data
  if (typeof name !== 'string') return null
  return { type: 'event', namespace, name, args, ackId: packet.id ?? null }
}

function encodeText(packet: Packet): string {
  return String(encode(packet)[0])
}

function encode(packet: Packet): Frame[] {
  const [text, ...attachments]: unknown[] = new Encoder().encode(packet)
  return [String(text), ...attachments.map(bytesOf)]
}

/**
 * @throws TypeError for a Blob or a File, whose bytes are not available synchronously
 */
function bytesOf(attachment: unknown): Uint8Array<ArrayBuffer> {
  if (attachment instanceof ArrayBuffer) return new Uint8Array(attachment)
  if (!ArrayBuffer.isView(attachment)) throw new TypeError('an attachment has to be bytes')
  return new Uint8Array(attachment.buffer as ArrayBuffer, attachment.byteOffset, attachment.byteLength)
}

/** The deepest nesting of a payload that is accepted, and the most values in it. */
export const MAX_DEPTH = 32
export const MAX_VALUES = 4096

export type JsonRisk = 'too-deep' | 'too-many-values'

/**
 * Returns the reason why a JSON text must not be parsed; null if the text may be parsed. A text of 64 KiB can contain
 * 32,000 nested arrays, which are cheap to parse but expensive to copy or validate. The function only counts brackets
 * and commas outside strings, so it does not notice invalid JSON.
 */
export function jsonRisk(text: string): JsonRisk | null {
  let depth = 0
  let values = 1
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (inString) {
      if (char === BACKSLASH) i++
      else if (char === QUOTE) inString = false
      continue
    }
    if (char === QUOTE) inString = true
    else if (char === COMMA) values++
    else if (char === OPEN_BRACKET || char === OPEN_BRACE) depth++
    else if (char === CLOSE_BRACKET || char === CLOSE_BRACE) depth--
    if (depth > MAX_DEPTH) return 'too-deep'
    if (values > MAX_VALUES) return 'too-many-values'
  }
  return null
}

/**
 * A reviver for `JSON.parse` that throws if a key is `__proto__`, however the key is escaped. A copy of an object with
 * this key could get another prototype.
 */
export function refuseProtoKey(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('a payload may not name __proto__')
  return value
}

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
