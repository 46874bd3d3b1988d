import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageHashOf, viewOf } from '../../widget/assistant/page-view.ts'
import type { PageView } from '../../worker/wire/messages.ts'
import { upSchemas } from '../../worker/wire/schema.ts'

function view(content: string, cursor?: number): NonNullable<PageView['editor']> {
  const sent = viewOf({ editor: { filename: 'a.md', content, ...(cursor !== undefined && { cursor }) } })
  if (typeof sent === 'string' || !sent.editor) throw new Error(String(sent))
  return sent.editor
}

const bytesIn = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

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
          expect(bytesIn(content)).toBeLessThanOrEqual(48_000)
          if (text.length <= 24_000 && bytesIn(text) <= 48_000) expect(content).toBe(text)
          const page = viewOf({ editor: { filename: 'a.md', content: text, cursor } })
          expect(upSchemas.page.safeParse({ hash: pageHashOf(JSON.stringify(page)), page }).success).toBe(true)
        },
      ),
      { numRuns: 100 },
    )
    const end = `${'A line of text.\n'.repeat(4_000)}The heron stands in the pond.\n`
    expect(view(end, end.length).content).toMatch(/^A line of text\.[^]*in the pond\.\n$/)
    expect(view('🙂'.repeat(20_000), 9_001).content).toMatch(/^(?:🙂)+$/u)
    expect(view('x'.repeat(50_000), -5).start).toBe(0)
  })

  it('[assistant-16] is cut to what the server takes, and to what fits into one frame', () => {
    const hits = (text: string) =>
      Array.from({ length: 40 }, () => ({ title: text.repeat(900), url: text.repeat(900), text: text.repeat(9_000) }))
    for (const page of [
      { text: 'x'.repeat(9_000), results: { web: hits('x').slice(0, 5) } },
      {
        pipeline: { id: 'i'.repeat(900), title: 't'.repeat(900), summary: 's'.repeat(9_000) },
        results: { local: hits('x'), web: hits('x') },
      },
      { editor: { filename: 'f'.repeat(900), content: '', language: 'l'.repeat(900), editable: false } },
      ...['x', '\u0001', 'é', '🙂', '\ud83d'].map((letter) => ({
        editor: { filename: letter.repeat(900), content: letter.repeat(60_000), cursor: 30_000 },
        results: { local: hits(letter), web: hits(letter) },
        tools: Array.from({ length: 40 }, () => letter.repeat(90)),
      })),
    ]) {
      const sent = { hash: '0'.repeat(16), page: viewOf(page) }
      expect(upSchemas.page.safeParse(sent).success).toBe(true)
      expect(bytesIn(['page', sent])).toBeLessThan(65_000)
    }
    // The first results stay, and the text before any result.
    const { editor, results } = viewOf({
      editor: { filename: 'a.md', content: 'x'.repeat(24_000) },
      results: { local: hits('y').slice(0, 3), web: hits('z').slice(0, 20) },
    }) as PageView
    expect(editor?.content).toHaveLength(24_000)
    expect([results?.local?.length, results?.web?.length]).toEqual([3, 8])
  })

  const a = { title: 'a', url: 'a', text: 'a' }
  it.each<[unknown, string]>([
    [null, 'the page is neither a text nor an object.'],
    ['a', 'the page is neither a text nor an object.'],
    [[], 'the page is neither a text nor an object.'],
    [{}, 'give exactly one of editor, pipeline and text.'],
    [{ text: 'a', pipeline: { id: 'a', title: 'b' } }, 'give exactly one of editor, pipeline and text.'],
    [{ text: 1 }, 'the page: text is no text.'],
    [{ editor: null }, 'the page: editor is no object.'],
    [{ editor: { filename: '', content: '' } }, 'editor.filename is empty.'],
    [{ editor: { content: 'a' } }, 'editor: filename is no text.'],
    [{ editor: { filename: 'a', content: 1 } }, 'editor: content is no text.'],
    [{ editor: { filename: 'a', content: '', cursor: NaN } }, 'editor: cursor is no number.'],
    [{ editor: { filename: 'a', content: '', editable: 'no' } }, 'editor: editable is no boolean.'],
    [{ pipeline: { id: '', title: 'a' } }, 'pipeline.id or pipeline.title is empty.'],
    [{ pipeline: { id: 'a', title: 'a', summary: 1 } }, 'pipeline: summary is no text.'],
    [{ pipeline: { id: 'a', title: 'a', preference: 'maybe' } }, 'pipeline.preference is neither prefer nor ignore.'],
    [
      Object.defineProperty({}, 'text', {
        get: () => {
          throw new Error('gone')
        },
      }),
      'Error: gone',
    ],
  ])('[assistant-16] of %j is nothing, with a sentence', (page, why) => {
    expect(viewOf(page as never)).toBe(why)
  })

  it.each<[unknown, unknown, string]>([
    [{ text: 'a', tools: 'web_search' }, { text: 'a' }, 'the page: tools is no list.'],
    [{ text: 'a', tools: [1, 'b'] }, { text: 'a', tools: ['b'] }, 'a name in tools is no text.'],
    [{ text: 'a', agent: 1 }, { text: 'a' }, 'the page: agent is no text.'],
    [{ text: 'a', results: [] }, { text: 'a' }, 'results is no object.'],
    [{ text: 'a', results: { web: 'a' } }, { text: 'a' }, 'results: web is no list.'],
    [
      { text: 'a', results: { web: [a, { ...a, url: 1 }] } },
      { text: 'a', results: { local: [], web: [a] } },
      'a search result: url is no text.',
    ],
  ])('[assistant-16] of %j is what is right of it, with a sentence', (page, sent, why) => {
    const faults: string[] = []
    expect(viewOf(page as never, faults)).toEqual(sent)
    expect(faults).toEqual([`${why} It is left out.`])
  })

  it('[assistant-16] names a cursor that is not within the text, and sends the text', () => {
    const faults: string[] = []
    expect(viewOf({ editor: { filename: 'a', content: 'b', cursor: -5 } }, faults)).toMatchObject({
      editor: { content: 'b' },
    })
    expect(faults).toEqual(['editor.cursor is not within the text.'])
  })

  it('[assistant-16] is a page that the server takes, or a sentence, whatever the page is', () => {
    const value = fc.oneof(fc.anything(), fc.constantFrom('', 'a', 1, true, [], {}, null))
    const hit = fc.record({ title: value, url: value, text: value }, { requiredKeys: [] })
    const any = fc.record(
      {
        editor: fc.record(
          { filename: value, content: value, language: value, cursor: value, editable: value },
          { requiredKeys: [] },
        ),
        pipeline: fc.record({ id: value, title: value, summary: value, preference: value }, { requiredKeys: [] }),
        text: value,
        results: fc.record({ local: fc.array(hit), web: value }, { requiredKeys: [] }),
        tools: value,
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(any, fc.anything()), (page) => {
        const view = viewOf(page as never)
        if (typeof view === 'string') return
        expect(upSchemas.page.safeParse({ hash: '0'.repeat(16), page: view }).success).toBe(true)
      }),
    )
  })
})
