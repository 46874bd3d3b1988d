import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyOperation, locate, type ProposedOperation } from '../../../worker/core/assistant/editor-operations.ts'

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

  it('[assistant-7] is applied where its text stands now, and refused if the text is another one', () => {
    const [operation] = locate(TEXT, [propose('replace', 'was was', 'was')], ids).operations
    if (!operation) throw new Error('not found')
    expect(applyOperation(TEXT, operation)).toMatchObject({ ok: true, text: TEXT.replace('was was', 'was') })
    const moved = `A title.\n\n${TEXT}`
    expect(applyOperation(moved, operation)).toMatchObject({ ok: true, text: moved.replace('was was', 'was') })
    expect(applyOperation(TEXT.replace('was was', 'was'), operation)).toEqual({ ok: false, why: 'text-changed' })
    expect(applyOperation('', operation)).toEqual({ ok: false, why: 'text-changed' })
    expect(applyOperation(`${TEXT}\n${TEXT}`, { ...operation, start: 9 })).toEqual({ ok: false, why: 'text-changed' })
  })

  it('[assistant-7] changes nothing but its own place, wherever text was added around it', () => {
    const word = fc.stringMatching(/^[a-z]{1,6}$/)
    const kind = fc.constantFrom('replace' as const, 'insert' as const, 'delete' as const)
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 30 }),
        fc.nat(),
        kind,
        fc.string(),
        fc.string(),
        (words, pick, op, added, before) => {
          const text = words.map((each, index) => `${each}${index}`).join(' ')
          const at = pick % words.length
          const quote = `${words[at]}${at}`
          const { operations } = locate(text, [propose(op, quote, added)], ids)
          const [operation] = operations
          if (!operation) return
          const now = before + text
          const done = applyOperation(now, operation)
          if (!done.ok) return
          const end = done.start + operation.expected.length
          expect(now.slice(done.start, end)).toBe(operation.expected)
          expect(done.text).toBe(now.slice(0, done.start) + operation.text + now.slice(end))
          if (before === '') expect(done.start).toBe(operation.start)
        },
      ),
    )
  })
})
