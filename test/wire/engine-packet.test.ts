import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeEnginePacket, encodeEnginePacket } from '../../worker/socket/engine-packet.ts'
import type { EnginePacketType } from '../../worker/socket/engine-packet.ts'

const TYPES: EnginePacketType[] = ['open', 'close', 'ping', 'pong', 'message', 'upgrade', 'noop']

describe('Engine.IO packets', () => {
  it('[protocol-5] writes a digit, then the data', () => {
    expect(TYPES.map((type) => encodeEnginePacket(type))).toEqual(['0', '1', '2', '3', '4', '5', '6'])
    expect(encodeEnginePacket('message', '2["hb"]')).toBe('42["hb"]')
  })

  it('[protocol-5] reads back every packet it writes', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TYPES), fc.string({ unit: 'binary' }), (type, data) => {
        expect(decodeEnginePacket(encodeEnginePacket(type, data))).toEqual({ type, data })
      }),
    )
  })

  it.each(['', '7', '9', ' ', '\n', '/', ':', 'b', '٤2["x"]', '\u0000'])(
    '[protocol-5] knows no packet in %j',
    (frame) => {
      expect(decodeEnginePacket(frame)).toBeNull()
    },
  )

  it('[protocol-5] never throws, and reads only what starts with 0 to 6', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (frame) => {
        expect(decodeEnginePacket(frame) !== null).toBe(/^[0-6]/.test(frame))
      }),
    )
  })
})
