import { Decoder, Encoder, PacketType } from 'socket.io-parser'
import type { Packet } from 'socket.io-parser'
import { jsonRisk, refuseProtoKey } from './json-guard.ts'
import type { JsonRisk } from './json-guard.ts'

/** What a client may send, inside an Engine.IO `message` packet (Socket.IO protocol v5). */
export type ClientPacket =
  | { type: 'connect'; namespace: string; auth: unknown }
  | { type: 'disconnect'; namespace: string }
  | { type: 'event'; namespace: string; name: string; body: unknown; ackId: number | null }
  | { type: 'ack'; namespace: string }

/** Why a packet was not read. The text travels in the close frame, so it holds nothing of the packet. */
export type PacketFault = JsonRisk | 'unknown-type' | 'attachment' | 'namespace' | 'ack-id' | 'payload'

export type DecodedPacket = { ok: true; packet: ClientPacket } | { ok: false; fault: PacketFault }

/** The largest acknowledgement id. The official client counts from 0; a larger one would not survive as a number. */
export const MAX_ACK_ID = 2 ** 31 - 1

/** The longest namespace that is read, in UTF-16 code units, leading slash included. */
export const MAX_NAMESPACE = 64

/**
 * Reads one Socket.IO packet that came as text. Of several event arguments only the first is kept: every message
 * has one body. Packets with attachments are refused, because a conversation holds text only. Never throws.
 */
export function decodeSocketPacket(text: string): DecodedPacket {
  const fault = headFault(text) ?? jsonRisk(text)
  if (fault !== null) return { ok: false, fault }
  try {
    const packet = clientPacket(parse(text))
    return packet === null ? { ok: false, fault: 'payload' } : { ok: true, packet }
  } catch {
    return { ok: false, fault: 'payload' }
  }
}

/** CONNECT of the main namespace: `0{"sid":"…"}`. */
export function encodeConnect(sid: string): string {
  return encode({ type: PacketType.CONNECT, nsp: '/', data: { sid } })
}

/** CONNECT_ERROR: `4{"message":"…"}`, or `4/ns,{…}` for another namespace. The official client never tries again. */
export function encodeConnectError(namespace: string, error: { message: string; data?: unknown }): string {
  return encode({ type: PacketType.CONNECT_ERROR, nsp: namespace, data: error })
}

/** DISCONNECT of the main namespace: `1`. The official client does not come back by itself. */
export function encodeDisconnect(): string {
  return encode({ type: PacketType.DISCONNECT, nsp: '/' })
}

/** EVENT with one body: `2["name",body]`. @throws TypeError when the body cannot be written as JSON or holds binary. */
export function encodeEvent(name: string, body: unknown): string {
  return encode({ type: PacketType.EVENT, nsp: '/', data: [name, body] })
}

/** ACK with one body: `3<id>[body]`. @throws TypeError when the body cannot be written as JSON or holds binary. */
export function encodeAck(ackId: number, body: unknown): string {
  return encode({ type: PacketType.ACK, nsp: '/', id: ackId, data: [body] })
}

/** type, namespace, acknowledgement id, first character of the payload. */
const HEAD = /^([0-6])(?:(\/[^,]*)(?:,|$))?(\d*)([^]?)/

/**
 * Checks everything before the payload. The official decoder reads a blank as acknowledgement id 0, rounds long
 * ids, waits for attachments and lets an event without payload pass; none of that may reach it.
 */
function headFault(text: string): PacketFault | null {
  const head = HEAD.exec(text)
  if (head === null) return 'unknown-type'
  const [, type, namespace = '/', ackId = '', payload = ''] = head
  if (type === '5' || type === '6') return 'attachment'
  if (type === '4') return 'unknown-type'
  if (namespace.length > MAX_NAMESPACE) return 'namespace'
  if (ackId.length > 10 || Number(ackId) > MAX_ACK_ID) return 'ack-id'
  if (type === '0') return ackId === '' && (payload === '' || payload === '{') ? null : 'payload'
  if (type === '1') return ackId === '' && payload === '' ? null : 'payload'
  if (type === '3' && ackId === '') return 'ack-id'
  return payload === '[' ? null : 'payload'
}

/** @throws Error when the official decoder refuses the text. */
function parse(text: string): Packet | null {
  // One decoder for each packet: it keeps half-read attachments, and nothing may leak from one peer to another.
  const decoder = new Decoder({ reviver: refuseProtoKey, maxAttachments: 0 })
  let decoded: Packet | null = null
  decoder.on('decoded', (packet: Packet) => {
    decoded = packet
  })
  decoder.add(text)
  return decoded
}

function clientPacket(packet: Packet | null): ClientPacket | null {
  if (packet === null) return null
  const namespace = packet.nsp
  if (packet.type === PacketType.CONNECT) return { type: 'connect', namespace, auth: packet.data }
  if (packet.type === PacketType.DISCONNECT) return { type: 'disconnect', namespace }
  if (packet.type === PacketType.ACK) return { type: 'ack', namespace }
  if (packet.type !== PacketType.EVENT || !Array.isArray(packet.data)) return null
  const args: unknown[] = packet.data
  const [name, body] = args
  if (typeof name !== 'string') return null
  return { type: 'event', namespace, name, body, ackId: packet.id ?? null }
}

function encode(packet: Packet): string {
  const [text, ...attachments]: unknown[] = new Encoder().encode(packet)
  if (typeof text !== 'string' || attachments.length > 0) throw new TypeError('a body holds JSON only, no binary')
  return text
}
