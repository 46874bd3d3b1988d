import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frontmatterOf, LONGEST_CONTENT, partAround } from '../../../worker/core/assistant/page-context.ts'

describe('the text of an editor', () => {
  it('[assistant-11] is kept whole, or the lines around the cursor', () => {
    const line = fc.string({ maxLength: 90 })
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 200 }),
        fc.integer({ min: 1, max: 8 }),
        fc.nat(),
        (lines, times, pick) => {
          const text = `${lines.join('\n')}\n`.repeat(times)
          const cursor = pick % (text.length + 1)
          const { content, start } = partAround(text, cursor)
          expect(content.length).toBeLessThanOrEqual(LONGEST_CONTENT)
          expect(text.slice(start, start + content.length)).toBe(content)
          if (text.length <= LONGEST_CONTENT) expect(content).toBe(text)
          else expect(cursor >= start && cursor <= start + content.length).toBe(true)
        },
      ),
      { numRuns: 200 },
    )
    const emoji = '🙂'.repeat(20_000)
    expect(partAround(emoji, 9_001).content).toMatch(/^(?:🙂)+$/u)
    expect(partAround('x'.repeat(50_000), -5).start).toBe(0)
  })

  it('[assistant-11] has frontmatter between two lines of three hyphens at its beginning', () => {
    expect(frontmatterOf('---\ntitle: A\n---\nText')).toBe('title: A')
    expect(frontmatterOf('---\r\ntitle: A\r\n---\r\n')).toBe('title: A')
    expect(frontmatterOf('Text\n---\ntitle: A\n---\n')).toBe(null)
    expect(frontmatterOf('---\nno end')).toBe(null)
  })
})
