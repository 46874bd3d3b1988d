import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyChange } from '../../widget/assistant/apply-change.ts'
import { locate, type ProposedOperation } from '../../worker/core/assistant/editor-operations.ts'

const TEXT = 'The cat sat on the mat. It was was warm.\n\nNobody knew why.'
const propose = (op: ProposedOperation['op'], quote: string, text = ''): ProposedOperation => ({
  op,
  quote,
  text,
  why: '',
})
const located = (text: string, proposal: ProposedOperation) => {
  const [operation] = locate(text, [proposal], String).operations
  if (!operation) throw new Error('not found')
  return operation
}

describe('a proposed change', () => {
  it('[assistant-15] is made where its text stands now, and not at all if the text is another one', () => {
    const change = located(TEXT, propose('replace', 'was was', 'was'))
    expect(applyChange(TEXT, change)).toBe(TEXT.replace('was was', 'was'))
    expect(applyChange(`A title.\n\n${TEXT}`, change)).toBe(`A title.\n\n${TEXT.replace('was was', 'was')}`)
    expect(applyChange(TEXT.replace('was was', 'was'), change)).toBe(null)
    expect(applyChange('', change)).toBe(null)
    expect(applyChange(`${TEXT}\n${TEXT}`, { ...change, start: 9 })).toBe(null)
    const end = located(TEXT, propose('insert', 'why.', ' I do.'))
    expect(applyChange(TEXT, end)).toBe(`${TEXT} I do.`)
    expect(applyChange(`So. ${TEXT}`, end)).toBe(`So. ${TEXT} I do.`)
  })

  it('[assistant-15] is made once, also if the text with it contains the text without it', () => {
    for (const [text, change] of [
      ['It is old.', propose('insert', 'It is old.', ' It is old.')],
      [TEXT, propose('insert', 'mat.', ' So.')],
      ['A teh b.', propose('replace', 'teh', 'teh (sic)')],
      ['teh', propose('replace', 'teh', '(sic) teh')],
      ['A teh', propose('replace', 'teh', 'teh (sic) teh')],
    ] as const) {
      const operation = located(text, change)
      const once = applyChange(text, operation)
      if (once === null) throw new Error('not made')
      expect(applyChange(once, operation)).toBe(null)
      expect(applyChange(`So. ${once}`, operation)).toBe(null)
    }
    // An insertion belongs between two texts. With another one after it, its place is gone.
    const change = located(TEXT, propose('insert', 'mat.', ' So.'))
    expect(applyChange(TEXT.replace(' It was was warm.', ' Now'), change)).toBe(null)
    expect(applyChange(`So: ${TEXT}`, change)).toBe(`So: ${TEXT.replace('mat.', 'mat. So.')}`)
    // What only begins like the change is not the change.
    expect(applyChange('A b cd', located('A b cd', propose('replace', 'b', 'b c')))).toBe('A b c cd')
    expect(applyChange('a\n\nb', located('a\n\nb', propose('insert', 'a', '\n')))).toBe('a\n\n\nb')
    expect(applyChange('It was was', located('It was was', propose('replace', 'was was', 'was')))).toBe('It was')
  })

  it('[assistant-15] changes nothing but its own place, wherever text was added', () => {
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
          const [operation] = locate(
            text,
            [propose(op, `${words[pick % words.length]}${pick % words.length}`, added)],
            String,
          ).operations
          if (!operation) return
          const now = before + text
          const result = applyChange(now, operation)
          if (result === null) return
          const places = [...now].length === 0 ? [0] : Array.from({ length: now.length + 1 }, (_, at) => at)
          const made = places.filter(
            (at) =>
              now.startsWith(operation.expected, at) &&
              result === now.slice(0, at) + operation.text + now.slice(at + operation.expected.length),
          )
          expect(made.length).toBeGreaterThan(0)
          if (before === '') expect(made).toContain(operation.start)
          if (operation.text.length > operation.expected.length) expect(applyChange(result, operation)).toBe(null)
        },
      ),
    )
  })
})
