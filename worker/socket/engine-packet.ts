/** The packet types of Engine.IO v4; the place in the list is the character on the wire. */
const TYPES = ['open', 'close', 'ping', 'pong', 'message', 'upgrade', 'noop'] as const

export type EnginePacketType = (typeof TYPES)[number]

/** One Engine.IO packet. `data` is what follows the type character and is empty for most types. */
export interface EnginePacket {
  type: EnginePacketType
  data: string
}

/** One packet as it travels: text with its type in front, or the bytes of a message, which have no type. */
export type Frame = string | Uint8Array<ArrayBuffer>

/**
 * Writes a packet as the text of one WebSocket frame: one digit, then the data (Engine.IO protocol v4, "Packet
 * encoding"). Over a WebSocket a frame carries exactly one packet, so there is no length and no separator.
 */
export function encodeEnginePacket(type: EnginePacketType, data = ''): string {
  return TYPES.indexOf(type) + data
}

/** Writes a message: text becomes a `message` packet, bytes are one already. */
export function encodeMessage(message: Frame): Frame {
  return typeof message === 'string' ? encodeEnginePacket('message', message) : message
}

/** Reads the text of one WebSocket frame. Returns null when it starts with no known packet type. Never throws. */
export function decodeEnginePacket(frame: string): EnginePacket | null {
  // Not Number(): that reads ' ' and '\n' as 0.
  const type = TYPES[frame.charCodeAt(0) - 48]
  return type === undefined ? null : { type, data: frame.slice(1) }
}
