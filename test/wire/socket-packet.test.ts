import fc from 'fast-check'
import { Decoder, Encoder, PacketType } from 'socket.io-parser'
import type { Packet } from 'socket.io-parser'
import { describe, expect, it } from 'vitest'
import type { Frame } from '../../worker/socket/engine-packet.ts'
import {
  MAX_ACK_ID,
  MAX_NAMESPACE,
  PacketReader,
  encodeAck,
  encodeConnect,
  encodeConnectError,
  encodeDisconnect,
  encodeEvent,
  encodeTextEvent,
} from '../../worker/socket/socket-packet.ts'
import type { DecodedPacket, PacketFault } from '../../worker/socket/socket-packet.ts'
import { runs } from '../support/runs.ts'

const RESERVED = ['connect', 'connect_error', 'disconnect', 'disconnecting', 'newListener', 'removeListener']
const eventName = fc.string({ unit: 'binary', maxLength: 30 }).filter((name) => !RESERVED.includes(name))
const body = fc.jsonValue({ maxDepth: 6 }).filter((value) => !JSON.stringify(value).includes('__proto__'))
const ackId = fc.nat(MAX_ACK_ID)

const REFUSED: [text: string, fault: PacketFault][] = [
  ['', 'unknown-type'],
  ['7', 'unknown-type'],
  ['x', 'unknown-type'],
  [' 2["a"]', 'unknown-type'],
  ['4{"message":"x"}', 'unknown-type'],
  ['51-["a",{"_placeholder":true,"num":0}]', 'attachment'],
  ['5["a"]', 'attachment'],
  ['61-0[{"_placeholder":true,"num":0}]', 'attachment'],
  [`0/${'n'.repeat(MAX_NAMESPACE)},`, 'namespace'],
  [`2/${'n'.repeat(60_000)}`, 'namespace'],
  [`2${MAX_ACK_ID + 1}["a"]`, 'ack-id'],
  [`2${'9'.repeat(400)}["a"]`, 'ack-id'],
  ['299999999999["a"]', 'ack-id'],
  ['3["a"]', 'ack-id'],
  ['2', 'payload'],
  ['21', 'payload'],
  ['2 ["a"]', 'payload'],
  ['2\n["a"]', 'payload'],
  ['2-1["a"]', 'payload'],
  ['21.5["a"]', 'payload'],
  ['21e3["a"]', 'payload'],
  ['2["a"', 'payload'],
  ['2["a"]x', 'payload'],
  ['2[]', 'payload'],
  ['2[1]', 'payload'],
  ['2[null]', 'payload'],
  ['2[["a"]]', 'payload'],
  ['2{"0":"a"}', 'payload'],
  ['2"a"', 'payload'],
  ['2["connect"]', 'payload'],
  ['2["disconnect",1]', 'payload'],
  ['2["a",{"__proto__":{"x":1}}]', 'payload'],
  ['2["a",{"\\u005f_proto__":1}]', 'payload'],
  ['0[]', 'payload'],
  ['0"token"', 'payload'],
  ['05{"v":1}', 'payload'],
  ['0{"v":', 'payload'],
  ['1{}', 'payload'],
  ['12', 'payload'],
  ['31{}', 'payload'],
  [`2["a",${'['.repeat(30_000)}`, 'too-deep'],
  [`2["a",${'{"a":'.repeat(10_000)}`, 'too-deep'],
  [`2["a",[${'0,'.repeat(30_000)}0]]`, 'too-many-values'],
]

describe('what the server writes', () => {
  it('[protocol-7] [protocol-8] [protocol-9] [protocol-12] writes the control packets to the letter', () => {
    expect(encodeConnect('/', { sid: 'S1' })).toBe('0{"sid":"S1"}')
    expect(encodeConnect('/ns', { sid: 'S1', pid: 'P' })).toBe('0/ns,{"sid":"S1","pid":"P"}')
    expect(encodeConnectError('/', { message: 'no' })).toBe('4{"message":"no"}')
    expect(encodeConnectError('/', { message: 'no', data: { code: 'x' } })).toBe(
      '4{"message":"no","data":{"code":"x"}}',
    )
    expect(encodeConnectError('/ns', { message: 'Invalid namespace' })).toBe('4/ns,{"message":"Invalid namespace"}')
    expect(encodeDisconnect('/')).toBe('1')
    expect(encodeDisconnect('/ns')).toBe('1/ns,')
  })

  it('[protocol-13] [protocol-14] writes events and answers to the letter', () => {
    expect(encodeEvent('/', 'delta', [{ text: 'Well met' }])).toEqual(['2["delta",{"text":"Well met"}]'])
    expect(encodeTextEvent('delta', [{ text: 'Well met' }])).toEqual(['2["delta",{"text":"Well met"}]'])
    expect(encodeEvent('/ns', 'x', [])).toEqual(['2/ns,["x"]'])
    expect(encodeAck('/', 17, [{ ok: true }])).toEqual(['317[{"ok":true}]'])
    expect(encodeAck('/', 0, [null])).toEqual(['30[null]'])
  })

  it('[protocol-18] sends bytes as attachments after the packet that announces them', () => {
    const bytes = Uint8Array.from([1, 2, 3])
    const placeholder = '{"_placeholder":true,"num":0}'
    expect(encodeEvent('/', 'x', [{ deep: [bytes] }])).toEqual([`51-["x",{"deep":[${placeholder}]}]`, bytes])
    expect(encodeAck('/', 7, [bytes.buffer])).toEqual([`61-7[${placeholder}]`, bytes])
  })

  it('[protocol-13] [protocol-14] writes what the official decoder reads', () => {
    fc.assert(
      fc.property(eventName, body, ackId, (name, value, id) => {
        expect(readOfficially(encodeEvent('/', name, [value]))).toEqual({
          type: PacketType.EVENT,
          nsp: '/',
          data: [name, asJson(value)],
        })
        expect(readOfficially(encodeAck('/', id, [value]))).toEqual({
          type: PacketType.ACK,
          nsp: '/',
          id,
          data: [asJson(value)],
        })
      }),
    )
  })
})

describe('what the server reads', () => {
  it('[protocol-6] reads each packet that a client sends', () => {
    expect(packetOf('0')).toEqual({ type: 'connect', namespace: '/', auth: undefined })
    expect(packetOf('0{"v":1}')).toEqual({ type: 'connect', namespace: '/', auth: { v: 1 } })
    expect(packetOf('0/ns')).toEqual({ type: 'connect', namespace: '/ns', auth: undefined })
    expect(packetOf('0/ns,{"v":1}')).toEqual({ type: 'connect', namespace: '/ns', auth: { v: 1 } })
    expect(packetOf('1')).toEqual({ type: 'disconnect', namespace: '/' })
    expect(packetOf('1/ns,')).toEqual({ type: 'disconnect', namespace: '/ns' })
    expect(packetOf('2["hb"]')).toEqual({ type: 'event', namespace: '/', name: 'hb', args: [], ackId: null })
    expect(packetOf('20["a",[1]]')).toEqual({ type: 'event', namespace: '/', name: 'a', args: [[1]], ackId: 0 })
    expect(packetOf('2/ns,7["a"]')).toEqual({ type: 'event', namespace: '/ns', name: 'a', args: [], ackId: 7 })
    expect(packetOf('312["a"]')).toEqual({ type: 'ack', namespace: '/' })
  })

  it('[protocol-13] keeps every argument', () => {
    expect(packetOf('2["a",1,2,3]')).toMatchObject({ name: 'a', args: [1, 2, 3] })
  })

  it('[protocol-18] reads a packet whose attachments follow it, as many as are allowed', () => {
    const announced = '52-["a",{"_placeholder":true,"num":0},{"_placeholder":true,"num":1}]'
    const reader = new PacketReader(2)
    expect(reader.read(announced)).toBeNull()
    expect(reader.read(Uint8Array.from([1]))).toBeNull()
    expect(reader.read(Uint8Array.from([2]))).toEqual({
      ok: true,
      packet: { type: 'event', namespace: '/', name: 'a', args: [Uint8Array.of(1), Uint8Array.of(2)], ackId: null },
    })
    expect(new PacketReader(1).read(announced)).toEqual({ ok: false, fault: 'attachment' })
  })

  it('[protocol-18] takes nothing between a packet and its attachments', () => {
    const reader = new PacketReader(1)
    expect(reader.read('51-["a",{"_placeholder":true,"num":0}]')).toBeNull()
    expect(reader.read('2["b"]')).toEqual({ ok: false, fault: 'payload' })
    expect(new PacketReader(1).read(new Uint8Array(1))).toEqual({ ok: false, fault: 'payload' })
    const beyond = new PacketReader(1)
    expect(beyond.read('51-["a",{"_placeholder":true,"num":1}]')).toBeNull()
    expect(beyond.read(new Uint8Array(1))).toEqual({ ok: false, fault: 'payload' })
  })

  it('[protocol-13] [protocol-14] reads whatever the official encoder writes for an event', () => {
    fc.assert(
      fc.property(eventName, body, fc.option(ackId, { nil: undefined }), (name, value, id) => {
        const data = [name, value]
        const [text] = new Encoder().encode({ type: PacketType.EVENT, nsp: '/', data, ...(id !== undefined && { id }) })
        expect(packetOf(text)).toEqual({
          type: 'event',
          namespace: '/',
          name,
          args: [asJson(value)],
          ackId: id ?? null,
        })
      }),
    )
  })

  it.each(REFUSED.map(([text, fault]) => ({ text, fault, start: JSON.stringify(text.slice(0, 40)) })))(
    '[protocol-19] refuses $start as $fault',
    ({ text, fault }) => {
      expect(readWhole(text)).toEqual({ ok: false, fault })
    },
  )

  it('[protocol-19] never throws, whatever comes', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(readWhole(text)).toHaveProperty('ok')
      }),
      { numRuns: runs('cheap') },
    )
  })

  it('[protocol-6] takes nothing that the official decoder refuses', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        if (readWhole(text).ok) expect(() => readOfficially(text)).not.toThrow()
      }),
      { numRuns: runs('cheap') },
    )
  })

  it('[protocol-19] leaves no object with a foreign prototype', () => {
    readWhole('2["a",{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}]')
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

const hostileText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .tuple(
      fc.constantFrom('0', '1', '2', '3', '4', '5', '6', '7'),
      fc.constantFrom('', '/', '/ns,', '/ns', '/,', ',', '1-'),
      fc.constantFrom('', '0', '17', ' ', '-1', '1e9', '99999999999999999999'),
      fc.oneof(fc.json(), fc.constantFrom('', '["a"]', '["a",', '{}', '[', '{"__proto__":1}', 'null')),
    )
    .map((parts) => parts.join('')),
)

/** Parses a packet as a conversation does, which accepts no binary attachments. */
function readWhole(text: string): DecodedPacket {
  return new PacketReader(0).read(text) ?? { ok: false, fault: 'attachment' }
}

function packetOf(text: unknown): unknown {
  const decoded = readWhole(String(text))
  return decoded.ok ? decoded.packet : decoded
}

function readOfficially(packet: string | readonly Frame[]): Packet | null {
  let read: Packet | null = null
  const decoder = new Decoder()
  decoder.on('decoded', (packet: Packet) => {
    read = packet
  })
  for (const part of typeof packet === 'string' ? [packet] : packet) decoder.add(part)
  return read
}

/** Returns a value after a JSON round trip, which does not preserve -0. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
