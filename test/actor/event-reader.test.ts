import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventReader } from '../../worker/actor/event-reader.ts'
import { encode, hostileChunks } from '../support/model-steps.ts'

const wide = { eventSize: 10_000, totalBytes: 10_000 }
const lineTexts = [
  'data: [DONE]',
  'data:[DONE]',
  'data: [DONE]x',
  'xdata: [DONE]',
  'data: {}',
  ': c',
  '',
  '<p>',
  'dataset',
  'event',
  'retry:1',
]

describe('the reader of an event stream', () => {
  it('[model-14] [model-24] sees what the lines say, however they end and however the bytes are cut', () => {
    const body = fc.array(fc.tuple(fc.constantFrom(...lineTexts), fc.constantFrom('\n', '\r\n', '\r')), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(body, fc.boolean(), fc.array(fc.nat(80)), (lines, hasMark, cuts) => {
        const reader = new EventReader(wide)
        const text = (hasMark ? '\uFEFF' : '') + lines.flat().join('')
        expect(feedAll(reader, text, cuts)).toBe(true)
        const whole = lines.map(([line]) => line)
        expect(reader.isDone).toBe(whole.some((line) => line === 'data: [DONE]' || line === 'data:[DONE]'))
        const isStream = whole.some((line) => /^(:|(data|event|id|retry)(:|$))/.test(line))
        expect(reader.isForeign).toBe(text !== '' && !isStream)
      }),
    )
  })

  for (const lineEnd of ['\n', '\r\n', '\r']) {
    const name = JSON.stringify(lineEnd)

    it(`[model-21] counts an event to its blank line, with ${name}`, () => {
      const isTaken = (text: string) => feedAll(new EventReader({ eventSize: 20, totalBytes: 1_000 }), text, [3, 9, 14])
      expect(isTaken(`data: 90123456789012${lineEnd}${lineEnd}`.repeat(5))).toBe(true)
      expect(isTaken(`data: x${lineEnd}`.repeat(5))).toBe(false)
      expect(isTaken('data: 901234567890123')).toBe(false)
    })

    it(`[model-21] counts the whole, with ${name}`, () => {
      const text = `:${lineEnd}${lineEnd}`.repeat(10)
      expect(feedAll(new EventReader({ eventSize: 20, totalBytes: text.length }), text, [7])).toBe(true)
      expect(feedAll(new EventReader({ eventSize: 20, totalBytes: text.length - 1 }), text, [7])).toBe(false)
    })
  }
})

function feedAll(reader: EventReader, text: string, cuts: readonly number[]): boolean {
  return hostileChunks(encode(text), cuts).every((step) => step.kind === 'send' && reader.feed(step.bytes) !== null)
}
