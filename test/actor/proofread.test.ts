import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { proofread } from '../../worker/actor/assistant/proofread.ts'
import { locate } from '../../worker/core/assistant/editor-operations.ts'
import { applyChange } from '../../widget/assistant/apply-change.ts'

/** Applies every proposed change, the last place first. */
function mended(text: string): string {
  const { operations, refused } = locate(text, proofread(text), String)
  expect(refused).toEqual([])
  return operations
    .toSorted((a, b) => b.start - a.start)
    .reduce((now, operation) => {
      const changed = applyChange(now, operation)
      if (changed === null) throw new Error('the place is gone')
      return changed
    }, text)
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
    ['', ''],
  ])('[assistant-12] %j becomes %j', (text, expected) => {
    expect(mended(text)).toBe(expected)
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
