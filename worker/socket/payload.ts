import { base64Of } from '../bytes.ts'
import type { Frame } from './engine-packet.ts'

/** Stands between the packets of one HTTP body. In JSON it is always escaped, so no packet holds one. */
const SEPARATOR = '\x1e'

/** Writes packets as the body of a poll's answer: one after the other, bytes as `b` and their base64. */
export function encodePayload(frames: readonly Frame[]): string {
  return frames.map((frame) => (typeof frame === 'string' ? frame : `b${base64Of(frame)}`)).join(SEPARATOR)
}

/** Reads the body of a POST. Returns null when it holds too many packets or bytes that are no base64. Never throws. */
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
