import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashOf, viewOf } from '../../widget/assistant/page-view.ts'
import type { PageView } from '../../worker/wire/messages.ts'
import { upSchemas } from '../../worker/wire/schema.ts'

function view(content: string, cursor?: number): NonNullable<PageView['editor']> {
  const sent = viewOf({ editor: { filename: 'a.md', content, ...(cursor !== undefined && { cursor }) } })
  if (typeof sent === 'string' || !sent.editor) throw new Error(String(sent))
  return sent.editor
}

describe('what is sent of a page', () => {
  it('[assistant-16] of a long text is the part around the cursor, and the server takes it', () => {
    const line = fc.string({ maxLength: 90, unit: 'binary' })
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 100 }),
        fc.integer({ min: 1, max: 12 }),
        fc.nat(),
        (lines, times, pick) => {
          const text = `${lines.join('\n')}\n`.repeat(times)
          const cursor = pick % (text.length + 1)
          const { content, start = 0, length } = view(text, cursor)
          expect(text.slice(start, start + content.length)).toBe(content)
          expect(length).toBe(text.length)
          expect(new Blob([content]).size).toBeLessThanOrEqual(48_000)
          if (text.length <= 24_000 && new Blob([text]).size <= 48_000) expect(content).toBe(text)
          const page = viewOf({ editor: { filename: 'a.md', content: text, cursor } })
          expect(upSchemas.page.safeParse({ hash: hashOf(JSON.stringify(page)), page }).success).toBe(true)
        },
      ),
      { numRuns: 100 },
    )
    const end = `${'A line of text.\n'.repeat(4_000)}The heron stands in the pond.\n`
    expect(view(end, end.length).content).toMatch(/^A line of text\.[^]*in the pond\.\n$/)
    expect(view('🙂'.repeat(20_000), 9_001).content).toMatch(/^(?:🙂)+$/u)
    expect(view('x'.repeat(50_000), -5).start).toBe(0)
  })

  it('[assistant-16] is cut to what the server takes, or refused with a sentence', () => {
    const hits = Array.from({ length: 40 }, () => ({
      title: 't'.repeat(900),
      url: 'u'.repeat(900),
      text: 'x'.repeat(9_000),
    }))
    for (const page of [
      { text: 'x'.repeat(9_000), results: { web: hits.slice(0, 5) } },
      {
        pipeline: { id: 'i'.repeat(900), title: 't'.repeat(900), summary: 's'.repeat(9_000) },
        results: { local: hits, web: hits },
      },
      { editor: { filename: 'f'.repeat(900), content: '', language: 'l'.repeat(900), editable: false } },
    ])
      expect(upSchemas.page.safeParse({ hash: '0'.repeat(16), page: viewOf(page) }).success).toBe(true)
    for (const page of [
      {},
      { text: 'a', pipeline: { id: 'a', title: 'b' } },
      { editor: { filename: '', content: '' } },
      { pipeline: { id: '' } },
    ])
      expect(viewOf(page as never)).toEqual(expect.any(String))
  })
})
