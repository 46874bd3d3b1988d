import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { figureRanges, stretchesOf } from '../../../sims/game/notebook/paper.ts'
import { boundLine, documentRowOf, lookOf } from '../../../widget/paper.ts'
import type { DocumentLook } from '../../../widget/paper.ts'
import { simulationFile } from '../../support/play-run.ts'
import { IS_LONG, runs } from '../../support/runs.ts'

const figures = (line: string) => figureRanges(line).map(({ from, to }) => line.slice(from, to))

describe('figures', () => {
  it.each([
    ['Overall hallucination rate: 8.1% (n=2,400)', ['8.1%', '2,400']],
    ['Full medical run, not yet booked: 3,000 prompts, 4 working days', ['3,000', '4 working days']],
    ['C.1 Launch: Thursday 09:00, in the member app', ['09:00']],
    ['C.2 Late launch: credit of $40,000 for each week', ['$40,000']],
    ['C.3 Error ceilings: 10.0% for general answers, 2.0% for regulated advice', ['10.0%', '2.0%']],
    ['Send one category to the nurse line: config change, 20 minutes', ['20 minutes']],
    ['4.2 Exit: 30-day notice', ['30-day']],
    ['§ 12 says 3 °C', ['12', '3 °C']],
    ['On 2026-03-14 it was −4.5 °C ± 0.2', ['2026-03-14', '−4.5 °C', '± 0.2']],
    ['p < 0.05, range 10-12', ['< 0.05', '10', '12']],
    ['80 % of 12 m², H2O, run47, v1.2.3', ['80 %', '12 m²']],
    ['by wave: spring +0.12 m/s, autumn -3.1% (p<0.001)', ['+0.12 m/s', '-3.1%', '<0.001']],
    ['wanted: 15 mg.min/l. At 0.08 mg/l for 30 minutes', ['15 mg.min/l', '0.08 mg/l', '30 minutes']],
    ['last instalment of €80,000, 7 months on, 5 min late', ['€80,000', '7 months', '5 min']],
    ['Checklist, item 14: box 7, valve 7 and note 3, by 30 June, 30 tubes in May', ['30']],
    ['No figure at all', []],
  ])('of %j', (line, expected) => {
    expect(figures(line)).toEqual(expected)
    expect(figures(boundLine(line)).map((figure) => figure.replaceAll('\u00a0', ' '))).toEqual(expected)
  })

  it('[embed-78] no row ends before a figure, or between a figure and its unit', () => {
    const bound = boundLine('Town 0.46 mg/l, autumn -3.1%, 3,000 prompts of run 47, "it\'s so"')
    expect(bound.split(' ')).toEqual(
      ['Town~0.46~mg/l,', 'autumn~-3.1%,', '3,000', 'prompts', 'of', 'run~47,', '“it’s', 'so”'].map((word) =>
        word.replaceAll('~', '\u00a0'),
      ),
    )
  })

  it('no clause number of the launch decision is a figure, and every figure of its documents is one', () => {
    const lines = simulationFile('launch-decision').npcs.flatMap(({ document }) => document?.lines ?? [])
    expect(lines.length).toBeGreaterThan(10)
    for (const line of lines) {
      const found = figures(line).join(' ')
      for (const [number = ''] of line
        .replace(/^C\.\d/, '')
        .replace('C.3', '')
        .matchAll(/\d[\d.,:]*\d|\d/g))
        expect(found).toContain(number)
      expect(figureRanges(line).filter(({ from }) => line.slice(0, from).endsWith('C.'))).toEqual([])
    }
  })

  it('a line in stretches is the line, with each figure once and in order', () => {
    const line = fc.oneof(
      fc.string({ unit: IS_LONG ? 'binary' : 'grapheme-ascii', maxLength: 60 }),
      fc.stringMatching(/^[a-c0-9.,:%$ -]{0,40}$/),
    )
    fc.assert(
      fc.property(line, fc.stringMatching(/^[a0-9 ]{0,3}$/), (given, word) => {
        const stretches = stretchesOf(given, word.split(' ').filter(Boolean))
        const texts = stretches.map(({ pieces, closing }) => pieces.map(({ text }) => text).join('') + closing)
        expect(texts.join('')).toBe(given)
        const numbers = stretches.flatMap(({ figure }) => figure ?? [])
        expect(numbers).toEqual(numbers.map((_, index) => index))
        expect(numbers).toHaveLength(figureRanges(given).length)
      }),
      { numRuns: runs('dear') },
    )
  })
})

describe('the look of a document', () => {
  it.each<[string, DocumentLook]>([
    ['test report', 'report'],
    ['lab sheet', 'report'],
    ['contract clause', 'clause'],
    ['service log', 'log'],
    ['Survey', 'survey'],
    ['minutes', 'minutes'],
    ['catalogue', 'report'],
    ['analysis note', 'report'],
    ['licence condition', 'clause'],
    ['freezer log', 'log'],
    ['email', 'letter'],
    ['whatever', 'report'],
  ])('of a %s is that of a %s', (kind, look) => {
    expect(lookOf(kind)).toBe(look)
  })

  it.each<[DocumentLook, string, string | null, string, string | null]>([
    ['report', 'Overall rate: 8.1% (n=2,400)', null, 'Overall rate', '8.1% (n=2,400)'],
    ['report', 'Nothing to see here', null, 'Nothing to see here', null],
    ['clause', 'C.2 Late launch: credit of $40,000', 'C.2', 'Late launch: credit of $40,000', null],
    ['clause', '4.2 Exit', '4.2', 'Exit', null],
    ['log', '09:14 gate closed', '09:14', 'gate closed', null],
    ['log', 'Mon 09:14 state: down', 'Mon 09:14', 'state', 'down'],
    ['minutes', '3. Budget: put off', '3.', 'Budget: put off', null],
    ['clause', '14.1 Notice is due within 2 hours', '14.1', 'Notice is due within 2 hours', null],
    ['log', 'Fri 18:40 door not latched', 'Fri 18:40', 'door not latched', null],
    ['letter', 'Dear all', null, 'Dear all', null],
  ])('a line of a %s: %s', (look, line, mark, label, value) => {
    const row = documentRowOf(line, look)
    const part = (given: { from: number; to: number } | null) => given && line.slice(given.from, given.to)
    expect([part(row.mark), part(row.label), part(row.value)]).toEqual([mark, label, value])
  })

  it('every letter of a line is shown, except the blanks and the colon between its parts', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-C0-9.: %§-]{0,40}$/),
        fc.constantFrom<DocumentLook>('report', 'clause', 'log', 'minutes'),
        (line, look) => {
          const { mark, label, value } = documentRowOf(line, look)
          const parts = [mark, label, value].filter((part) => part !== null)
          let at = 0
          for (const { from, to } of parts) {
            expect(line.slice(at, from)).toMatch(/^[\s:]*$/)
            at = to
          }
          expect(at).toBe(line.length)
        },
      ),
      { numRuns: runs('dear') },
    )
  })
})
