import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HistoryLine } from '../../worker/core/briefing/briefing.ts'
import { latestLines } from '../../worker/core/briefing/latest.ts'
import { runs } from '../support/runs.ts'

const LEFT_OUT = /left out/
/** A learner's message and a reply of maximum length. */
const exchange = (name: string): HistoryLine[] => [
  { who: 'learner', text: name.padEnd(2_000, '.') },
  { who: 'npc', text: name.padEnd(8_000, '.') },
]

const anyExchange = fc
  .tuple(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: 8_000 }), fc.boolean())
  .map(([asked, answered, isMarked]): HistoryLine[] => [
    { who: 'learner', text: 'a'.repeat(asked) },
    { who: 'npc', text: 'b'.repeat(answered) },
    ...(isMarked ? [{ who: 'marker', text: 'note' } as const] : []),
  ])

describe('what an actor is told of a long conversation', () => {
  it('[budget-19] a short one is told whole', () => {
    const history = [...Array(9)].flatMap((_, i): HistoryLine[] => [
      { who: 'learner', text: `question ${i}` },
      { who: 'npc', text: `answer ${i}`.padEnd(600, '.') },
    ])
    expect(latestLines(history)).toEqual(history)
  })

  it('[budget-19] of a long one the newest exchanges, whole, and that there was more', () => {
    const history = ['first', 'second', 'third'].flatMap(exchange)
    expect(latestLines(history)).toEqual([
      { who: 'marker', text: expect.stringMatching(LEFT_OUT) },
      ...exchange('third'),
    ])
  })

  it('[budget-19] [briefing-8] whatever was said, it is the end of it, bounded, and whole wherever it fits', () => {
    fc.assert(
      fc.property(fc.array(anyExchange, { maxLength: 14 }), (exchanges) => {
        const history = exchanges.flat()
        const told = latestLines(history)
        const isCut = told.length > 0 && LEFT_OUT.test(told[0]?.text ?? '')
        const kept = isCut ? told.slice(1) : told
        expect(kept).toEqual(kept.length === 0 ? [] : history.slice(-kept.length))
        expect(isCut).toBe(kept.length < history.length)
        expect(kept.length).toBeLessThanOrEqual(20)
        const length = kept.reduce((sum, { text }) => sum + text.length, 0)
        expect(length).toBeLessThanOrEqual(12_000)
        const newest = exchanges.at(-1) ?? []
        expect(kept.slice(-newest.length)).toEqual(newest)
        // The history must not be cut more than necessary: with one more exchange, it would have too many lines or
        // characters.
        const before = history.slice(0, history.length - kept.length).findLastIndex(({ who }) => who === 'learner')
        const more = history.slice(before)
        const moreLength = more.reduce((sum, { text }) => sum + text.length, 0)
        if (isCut && before >= 0) expect(more.length > 20 || moreLength > 12_000).toBe(true)
      }),
      { numRuns: runs('usual') },
    )
  })
})
