import * as fc from 'fast-check'
import { jsonrepair } from 'jsonrepair'
import { describe, expect, it } from 'vitest'
import { NO_ACTOR_INPUT } from '../../worker/core/reply/echoes.ts'
import { readReply } from '../../worker/core/reply/read-report.ts'
import type { Report, ReportQuality } from '../../worker/core/reply/report.ts'
import { createReplySplitter, type ReplySplitterOptions } from '../../worker/core/reply/splitter.ts'
import { corpusFile } from '../support/corpus/case.ts'
import { hostileReply } from '../support/replies.ts'
import { runs } from '../support/runs.ts'

interface Stream {
  readonly name: string
  /** The received bytes in hexadecimal. */
  readonly chunks: readonly string[]
  readonly speech: string
  readonly quality: ReportQuality
  readonly report: Partial<Report>
  /** Issues that the reply splitter must report. The splitter may report further issues. */
  readonly issues: readonly string[]
  readonly options?: ReplySplitterOptions
}

const { cases } = corpusFile('streams') as { readonly cases: readonly Stream[] }

describe('a reply in bytes', () => {
  it.each(cases)('[corpus-5] [reply-1] $name', ({ chunks, speech, quality, report, issues, options }) => {
    const heard = hear(chunks.map(bytesOf), options)
    expect(heard.speech).toBe(speech)
    expect(heard.quality).toBe(quality)
    expect(heard.report).toMatchObject(report)
    for (const issue of issues) expect(heard.issues).toContain(issue)
  })

  it.each(cases)(
    '[corpus-5] [reply-1] is the same byte by byte and cut once anywhere: $name',
    ({ chunks, options }) => {
      const bytes = bytesOf(chunks.join(''))
      const whole = hear([bytes], options)
      expect(
        hear(
          [...bytes].map((byte) => Uint8Array.of(byte)),
          options,
        ),
      ).toEqual(whole)
      for (let at = 0; at <= bytes.length; at++)
        expect(hear([bytes.subarray(0, at), bytes.subarray(at)], options)).toEqual(whole)
    },
  )

  it('[corpus-5] [reply-1] is the same however any reply is cut, inside its characters too (25)', () => {
    fc.assert(
      fc.property(hostileReply, fc.array(fc.nat({ max: 2000 }), { maxLength: 12 }), (reply, at) => {
        const bytes = new TextEncoder().encode(reply)
        const cuts = [0, ...at.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
        const chunks = cuts.slice(1).map((cut, i) => bytes.subarray(cuts[i], cut))
        expect(hear(chunks)).toEqual(hear([bytes]))
      }),
      { numRuns: runs('usual') },
    )
  })
})

/** Decodes the chunks as UTF-8, holding back incomplete characters, and splits the text as a reply. */
function hear(chunks: readonly Uint8Array[], options: ReplySplitterOptions = {}) {
  const decoder = new TextDecoder('utf-8')
  const splitter = createReplySplitter(options)
  for (const chunk of chunks) splitter.feed(decoder.decode(chunk, { stream: true }))
  splitter.feed(decoder.decode())
  const end = splitter.end()
  const { report, quality } = readReply(end, { repair: jsonrepair, outside: NO_ACTOR_INPUT })
  return { speech: end.speech, report, quality, issues: end.issues.map(({ kind }) => kind) }
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
