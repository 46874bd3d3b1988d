import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodePayload, encodePayload } from '../../worker/socket/engine-packet.ts'

const bytes = fc.uint8Array().map((array) => Uint8Array.from(array))
const text = fc.string({ unit: 'binary' }).map((data) => `4${data.replaceAll('\x1e', '')}`)

describe('payloads', () => {
  it('[protocol-26] joins packets with a separator, bytes as base64', () => {
    expect(encodePayload(['4hello', Uint8Array.from([1, 2, 3, 4])])).toBe('4hello\x1ebAQIDBA==')
    expect(encodePayload(['6'])).toBe('6')
  })

  it('[protocol-26] reads back what it writes', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(text, bytes), { minLength: 1 }), (frames) => {
        expect(decodePayload(encodePayload(frames), 1000)).toEqual(frames)
      }),
    )
  })

  it.each(['bA', 'bAQID=', 'b====', 'b!!!!', 'bAQ==AQ==', 'b AQI', '4a\x1ebé'])('[protocol-26] refuses %j', (body) => {
    expect(decodePayload(body, 1000)).toBeNull()
  })

  it('[protocol-26] refuses one packet too many, and takes the last that is allowed', () => {
    expect(decodePayload(Array(1000).fill('3').join('\x1e'), 1000)).toHaveLength(1000)
    expect(decodePayload(Array(1001).fill('3').join('\x1e'), 1000)).toBeNull()
  })

  it('[protocol-26] never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (body) => {
        expect(decodePayload(body, 10) ?? []).toBeInstanceOf(Array)
      }),
    )
  })
})
