import { base64Of } from '../bytes.ts'

/** The packet types of Engine.IO v4. A type is sent as one digit: its index in this list. */
const TYPES = ['open', 'close', 'ping', 'pong', 'message', 'upgrade', 'noop'] as const

export type EnginePacketType = (typeof TYPES)[number]

/** One Engine.IO packet. `data` is everything after the type's digit; most types have no data. */
export interface EnginePacket {
  type: EnginePacketType
  data: string
}

/** One packet as it is sent: a text that begins with the type's digit, or the bytes of a message, without a digit. */
export type Frame = string | Uint8Array<ArrayBuffer>

/**
 * Writes a packet as the text of one WebSocket frame: one digit, then the data (Engine.IO protocol v4, "Packet
 * encoding"). Over a WebSocket a frame carries exactly one packet, so there is no length and no separator.
 */
export function encodeEnginePacket(type: EnginePacketType, data = ''): string {
  return TYPES.indexOf(type) + data
}

/** Encodes a message as a frame: text becomes a `message` packet; bytes are sent as they are. */
export function encodeMessage(message: Frame): Frame {
  return typeof message === 'string' ? encodeEnginePacket('message', message) : message
}

/** Parses the text of one WebSocket frame. Returns null if it does not start with a known packet type. Never throws. */
export function decodeEnginePacket(frame: string): EnginePacket | null {
  // The digit is not read with Number(), which parses ' ' and '\n' as 0.
  const type = TYPES[frame.charCodeAt(0) - 48]
  return type === undefined ? null : { type, data: frame.slice(1) }
}

/** The character between two packets of one HTTP body. JSON always escapes this character, so no packet contains it. */
const SEPARATOR = '\x1e'

/** Encodes packets as the body of a poll's answer: one after the other, bytes as `b` and their base64. */
export function encodePayload(frames: readonly Frame[]): string {
  return frames.map((frame) => (typeof frame === 'string' ? frame : `b${base64Of(frame)}`)).join(SEPARATOR)
}

/** Parses the body of a POST. Returns null if it contains too many packets or bad base64. Never throws. */
export function decodePayload(body: string, maxPackets: number): Frame[] | null {
  const parts = body.split(SEPARATOR, maxPackets + 1)
  if (parts.length > maxPackets) return null
  const frames = parts.map((part) => (part.startsWith('b') ? fromBase64(part.slice(1)) : part))
  return frames.includes(null) ? null : frames.filter((frame) => frame !== null)
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}
