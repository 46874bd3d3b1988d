import { describe, expect, it } from 'vitest'
import { locate, type ProposedOperation } from '../../../worker/core/assistant/editor-operations.ts'

const propose = (op: ProposedOperation['op'], quote: string, text = ''): ProposedOperation => ({
  op,
  quote,
  text,
  why: '',
})
const ids = (index: number) => `e${index}`
const TEXT = 'The teh cat sat on the mat. It was was warm.\n\nNobody knew why.'

describe('an editor operation', () => {
  it('[assistant-7] is found by its quote, and refused if the quote is missing, stands twice, changes nothing or overlaps', () => {
    const { operations, refused } = locate(
      TEXT,
      [
        propose('replace', 'teh cat', 'cat'),
        propose('replace', 'at ', 'x'),
        propose('replace', 'dog', 'cat'),
        propose('replace', 'warm', 'warm'),
        propose('delete', 'cat sat'),
        propose('insert', 'why.', ' I do.'),
        propose('insert', 'why.', ''),
        propose('replace', '', 'x'),
        propose('replace', 'mat', 'x'.repeat(5_000)),
      ],
      ids,
    )
    expect(operations.map(({ id, op, start, expected }) => [id, op, start, expected])).toEqual([
      ['e0', 'replace', 4, 'teh cat'],
      ['e5', 'insert', TEXT.length, ''],
    ])
    expect(refused.map(({ index, why }) => [index, why])).toEqual([
      [1, 'ambiguous'],
      [2, 'not-found'],
      [3, 'nothing-to-do'],
      [4, 'overlaps'],
      [6, 'nothing-to-do'],
      [7, 'nothing-to-do'],
      [8, 'too-long'],
    ])
  })
})
