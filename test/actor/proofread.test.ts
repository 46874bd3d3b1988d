import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { proofread } from '../../worker/actor/assistant/proofread.ts'
import { locate } from '../../worker/core/assistant/editor-operations.ts'
import { afterChange, applyChange } from '../../widget/assistant/apply-change.ts'

/** Applies every proposed change, one after the other, as the person takes them. */
function mended(text: string): string {
  const { operations, refused } = locate(text, proofread(text), String)
  expect(refused).toEqual([])
  let now = text
  let open = operations
  for (let [change] = open; change; [change] = open) {
    const made = change
    const next = applyChange(now, made)
    if (next === null) throw new Error('the place is gone')
    open = open.slice(1).map((other) => afterChange(other, made, now))
    now = next
  }
  return now
}

describe('proofreading without a model', () => {
  it.each([
    ['I recieve teh letter.', 'I receive the letter.'],
    ['It was was a oil lamp .', 'It was an oil lamp.'],
    ['Teh end. it is over.', 'The end. It is over.'],
    ['A one-way street and a unicorn.', 'A one-way street and a unicorn.'],
    ['He had had enough of that that he saw.', 'He had had enough of that that he saw.'],
    ['Use `teh  code` and [teh](teh.md).', 'Use `teh  code` and [the](teh.md).'],
    ['```\nteh teh\n```\nteh', '```\nteh teh\n```\nthe'],
    ['---\ntitle: teh\n---\nteh', '---\ntitle: teh\n---\nthe'],
    ["Don't. I cant.", "Don't. I can't."],
    ['A hour, a honest answer, a urn and a umbrella.', 'An hour, an honest answer, an urn and an umbrella.'],
    ['An university, an useful map, an house, an one-off.', 'A university, a useful map, an house, a one-off.'],
    ['Plan A is a or b. An NGO, a MP.', 'Plan A is a or b. An NGO, a MP.'],
    ['Boil them for for a a minute.', 'Boil them for a minute.'],
    ['See dog , and 3 . 5 .', 'See dog, and 3 . 5.'],
    ['It was\nwas a oil lamp.', 'It was\nan oil lamp.'],
    ['# Lanterns\nLanterns burn.', '# Lanterns\nLanterns burn.'],
    ['| a  b | c  |\nIt was was so.', '| a  b | c  |\nIt was so.'],
    ['Butter, flour etc. and salt. Bye bye, Walla Walla.', 'Butter, flour etc. and salt. Bye bye, Walla Walla.'],
    ['TEH end', 'THE end'],
    ['', ''],
  ])('[assistant-12] %j becomes %j', (text, expected) => {
    expect(mended(text)).toBe(expected)
  })

  it('[assistant-12] changes whole words, one slip at a time, and not those of another paragraph', () => {
    const text = 'Teh end\n\nTeh lamp teh lamp: see dog , and [teh link] or a apple. It was\nwas a urn.'
    const { operations } = locate(text, proofread(text), String)
    expect(operations.map(({ expected, text: next }) => [expected, next])).toEqual([
      ['Teh', 'The'],
      ['Teh', 'The'],
      ['teh', 'the'],
      ['dog ,', 'dog,'],
      ['teh', 'the'],
      ['a', 'an'],
      ['was\nwas ', 'was\n'],
      ['a', 'an'],
    ])
  })

  it('[assistant-12] changes only the words that the person names', () => {
    expect(proofread('Teh bakery untill teh end .', ['until'])).toMatchObject([{ quote: 'untill', text: 'until' }])
    expect(proofread('Teh bakery untill teh end .', ['teh'])).toHaveLength(2)
    expect(proofread('Teh bakery untill teh end .', ['bakery'])).toEqual([])
  })

  it('[assistant-12] changes only what can be found again, whatever the text', () => {
    const piece = fc.constantFrom(
      'teh',
      'was was',
      'a apple',
      ' ,',
      'end. it',
      '\n',
      '`teh`',
      'word',
      '  ',
      '---',
      '|',
      'é🙂',
    )
    fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => void mended(pieces.join(' '))))
  })
})
