import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hitsIn, holdsAll, piecesOf, wordsOf } from '../../../sims/game/notebook/search.ts'
import { runs } from '../../support/runs.ts'

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.stringMatching(/^[aáàeéßøﬁ ,.0-9%$]{0,60}$/))

const marked = (question: string, given: string) =>
  piecesOf(given, hitsIn(wordsOf(question), given))
    .filter(({ hit }) => hit)
    .map((piece) => piece.text)

describe('search', () => {
  it.each([
    ['maya', 'Maya Patel', ['Maya']],
    ['senal', 'La señal', ['señal']],
    ['SEÑAL', 'La señal', ['señal']],
    ['senal', 'La sen\u0303al.', ['sen\u0303al']],
    ['strasse', 'Straße 4', ['Straße']],
    ['fi', 'a ﬁgure', ['ﬁ']],
    ['soren', 'Søren', ['Søren']],
    ["it isn't", 'It isn’t booked', ['It', 'isn’t']],
    ['3000', '3,000 prompts', ['3,000']],
    ['3,000', '3,000 prompts', ['3,000']],
    ['1,2', '1,2 and 12', ['1,2']],
    ['23 medical', 'Medical advice fails at 23.4%', ['Medical', '23']],
    ['a b', 'b a c', ['b', 'a']],
    ['Wärme', 'warme', ['warme']],
    ['𝟐𝟑', '23.4%', ['23']],
  ])('[page-46] %j is found in %j', (question, given, hits) => {
    expect(marked(question, given)).toEqual(hits)
    expect(holdsAll(wordsOf(question), [given])).toBe(true)
  })

  it('[page-46] every word has to stand somewhere, in whichever of the texts', () => {
    expect(holdsAll(wordsOf('maya 23'), ['Maya Patel', 'fails at 23.4%'])).toBe(true)
    expect(holdsAll(wordsOf('maya 24'), ['Maya Patel', 'fails at 23.4%'])).toBe(false)
    expect(holdsAll(wordsOf('  \t'), [])).toBe(true)
  })

  it('[page-46] marking takes nothing away and adds nothing, and marks are apart from each other', () => {
    fc.assert(
      fc.property(text, text, (question, given) => {
        const hits = hitsIn(wordsOf(question), given)
        const pieces = piecesOf(given, hits)
        expect(pieces.map((piece) => piece.text).join('')).toBe(given)
        expect(pieces.every((piece) => piece.text !== '')).toBe(true)
        for (const [index, { from, to }] of hits.entries()) {
          expect(from).toBeLessThan(to)
          expect(from).toBeGreaterThan(hits[index - 1]?.to ?? -1)
        }
      }),
      { numRuns: runs('usual') },
    )
  })

  it('[page-46] every part of a text is found in it, and no character is cut in two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), fc.nat(), fc.nat(), (given, a, b) => {
        const characters = Array.from(given)
        const [from, to] = [a % characters.length, b % characters.length].toSorted((x, y) => x - y)
        const asked = characters.slice(from, (to ?? 0) + 1).join('')
        const words = wordsOf(asked)
        fc.pre(!given.includes(','))
        expect(holdsAll(words, [given])).toBe(true)
        for (const piece of piecesOf(given, hitsIn(words, given)))
          expect(piece.text.isWellFormed()).toBe(given.isWellFormed())
      }),
      { numRuns: runs('usual') },
    )
  })

  it('[page-46] a part of a text has the part of its marks', () => {
    const line = 'Medical advice: 23.4%'
    expect(piecesOf(line, hitsIn(['advice: 23'], line), 16)).toEqual([
      { text: '23', hit: true },
      { text: '.4%', hit: false },
    ])
    expect(piecesOf(line, [], 3, 3)).toEqual([])
  })
})
