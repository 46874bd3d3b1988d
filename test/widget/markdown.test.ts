import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { clean } from '../../widget/clean.ts'
import { markdownWriter } from '../../widget/markdown.ts'
import { TinyElement, tinyDocument } from './tiny-dom.ts'
import { runs } from '../support/runs.ts'

beforeAll(() => {
  vi.stubGlobal('document', tinyDocument)
  // The Markdown parser reports its own invariants with `console.assert`, which the build removes.
  vi.spyOn(console, 'assert').mockReturnValue(undefined)
})
afterAll(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Generates text from Markdown's own characters. */
const marked = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '**',
        '*',
        '_',
        '`',
        '```\n',
        '~~',
        '# ',
        '> ',
        '- ',
        '1. ',
        '\n',
        '\n\n',
        '| a ',
        '|\n',
        '[',
        '](',
        ')',
        '!',
        '$',
        '$$',
        '\\',
        '<br>',
        '<b>',
        '- [ ] ',
        '---\n',
        '    ',
        ' ',
      ),
      fc.constantFrom(
        'https://a.example/x',
        'javascript:alert(1)',
        'http://b.example',
        'data:text/html,x',
        'mailto:m@c.example',
      ),
      fc.string({ maxLength: 6 }),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''))

describe('Markdown in a reply', () => {
  it('[embed-30] looks the same however the text was cut into pieces', () => {
    fc.assert(
      fc.property(marked, fc.array(fc.nat(80), { maxLength: 12 }), (text, cuts) => {
        expect(String(inPieces(text, cuts))).toBe(String(inPieces(text, [])))
      }),
      { numRuns: runs('usual') },
    )
  })

  it('[embed-30] never removes or replaces a drawn node while the reply grows', () => {
    fc.assert(
      fc.property(marked, fc.array(fc.nat(80), { maxLength: 12 }), (text, cuts) => {
        const root = new TinyElement('div')
        const writer = writerOn(root)
        let drawn: unknown[] = []
        for (const sofar of growing(text, cuts)) {
          writer.show(sofar, sofar === text)
          expect(root.nodes.filter((node) => drawn.includes(node))).toEqual(drawn)
          drawn = root.nodes
        }
      }),
      { numRuns: runs('dear') },
    )
  })

  it('[embed-34] makes only elements from a short list, whatever is written', () => {
    const allowed = 'p pre code em strong s a blockquote br hr ul ol li table tr td span'.split(' ')
    fc.assert(
      fc.property(fc.oneof(marked, fc.string({ maxLength: 200 })), (text) => {
        for (const { localName } of inPieces(text, []).all) expect(allowed).toContain(localName)
      }),
      { numRuns: runs('usual') },
    )
  })

  it.each([
    ['It burns oil (Lamps, https://docs.example/lamps), says Noor', 'https://docs.example/lamps'],
    ['See https://docs.example/lamps.', 'https://docs.example/lamps'],
    ['See https://docs.example/lamp_(oil).', 'https://docs.example/lamp_(oil)'],
  ])('[embed-33] in %j the address is %s', (text, address) => {
    const root = inPieces(text, [])
    expect(root.all.flatMap(({ attributes }) => attributes.get('href') ?? [])).toEqual([address])
    expect(root.textContent).toBe(text)
  })

  it('[embed-33] links only to https and mailto, always with a safe rel', () => {
    fc.assert(
      fc.property(marked, (text) => {
        for (const { attributes } of inPieces(text, []).all) {
          const href = attributes.get('href')
          if (href === undefined) continue
          expect(['https:', 'mailto:']).toContain(new URL(href).protocol)
          expect(attributes.get('rel')).toBe('noopener noreferrer nofollow')
        }
      }),
      { numRuns: runs('usual') },
    )
  })

  it.each([
    ['[the report](https://docs.example/r?x=1)', 'the report (docs.example)'],
    ['[pay here](https://good.example@evil.example/)', 'pay here (evil.example)'],
    ['[write](mailto:maya@halden.example)', 'write (maya@halden.example)'],
    ['[maya@halden.example](mailto:maya@halden.example)', 'maya@halden.example'],
    ['[docs.example](https://docs.example/r)', 'docs.example'],
    ['[docs.example](https://docs.example.evil.example/r)', 'docs.example (docs.example.evil.example)'],
    ['[https://docs.example/r](https://evil.example/r)', 'https://docs.example/r (evil.example)'],
    ['[раураl.example](https://раураl.example/)', 'раураl.example (xn--l-7sba6dbr.example)'],
    ['see https://docs.example/r now', 'see https://docs.example/r now'],
    ['(see https://docs.example/r).', '(see https://docs.example/r).'],
  ])('[embed-33] %s names where it leads', (text, shown) => {
    const root = inPieces(text, [])
    expect(root.textContent).toBe(shown)
    expect(root.all.some(({ attributes }) => attributes.has('href'))).toBe(true)
  })

  it.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:msgbox)',
    '[x](http://plain.example/)',
    '[x](//evil.example)',
    '[x](/local)',
    '[x](blob:https://a.example/1)',
    '[x](file:///etc/passwd)',
    'http://plain.example/x ',
  ])('[embed-33] %s is no link', (text) => {
    expect(inPieces(text, []).all.filter(({ attributes }) => attributes.has('href'))).toEqual([])
  })

  it('[embed-33] a link carries the address that was read, whatever page it stands on', () => {
    const hrefs = inPieces('[a](https:evil.example) [b](https:\\\\evil.example) [c](HTTPS://EVIL.example)', [])
      .all.map(({ attributes }) => attributes.get('href'))
      .filter((href) => href !== undefined)
    expect(new Set(hrefs)).toEqual(new Set(['https://evil.example/']))
  })

  it.each([
    [`It's "fine", isn't it? The learners' "own" 'em.`, '<p>It’s “fine”, isn’t it? The learners’ “own” ’em.</p>'],
    [`Say *don't* and "yes`, '<p>Say <em>don’t</em> and "yes</p>'],
    ['Type `it\'s "so"` now', `<p>Type <code>it's "so"</code> now</p>`],
    ['A 5" pipe, class="x"', '<p>A 5" pipe, class="x"</p>'],
  ])('[embed-78] %j is printed as in a book, and code stays as it is', (text, shown) => {
    const letters = [...text].map((_, at) => at)
    expect(String(inPieces(text, letters))).toBe(`<div>${shown}</div>`)
    expect(String(inPieces(text, []))).toBe(`<div>${shown}</div>`)
  })

  it('[embed-34] sums of money are text', () => {
    const text = 'It costs $5,000 now and $6,000 later, or $ 7 and 8$.'
    expect(inPieces(text, []).textContent).toBe(text)
  })

  it('[embed-34] an image is its words, and nothing is fetched', () => {
    const root = inPieces('Look: ![the chart](https://evil.example/?leak=1) there', [])
    expect(root.textContent).toBe('Look: the chart there')
    expect(root.all.flatMap(({ attributes }) => [...attributes.keys()])).toEqual([])
  })

  it('[embed-34] HTML is text', () => {
    const root = inPieces('<img src=x onerror=alert(1)> <script>alert(1)</script>', [])
    expect(root.textContent).toBe('<img src=x onerror=alert(1)> <script>alert(1)</script>')
    expect(root.all.map(({ localName }) => localName)).toEqual(['p'])
  })

  it('shows text as it came where it nests deeper than the parser allows', () => {
    const deep = `${'> '.repeat(60)}the bottom`
    expect(inPieces(deep, []).textContent).toContain('the bottom')
    expect(inPieces(`${'- '.repeat(200)}x **b** _i_`, []).textContent).toContain('x')
  })

  it('[embed-30] starts again when the text doesn’t continue the one before', () => {
    const root = new TinyElement('div')
    const writer = writerOn(root)
    writer.show('First **try', false)
    writer.show('Second', false)
    writer.show('Second go.', true)
    expect(String(root)).toBe('<div><p>Second go.</p></div>')
    writer.show('', false)
    expect(root.childNodes).toEqual([])
  })

  it('[embed-34] drops what hides or turns text, and keeps what a script needs', () => {
    expect(clean('pay\u202elap\u200b\u2066x\u0007\u{e0041}')).toBe('paylapx')
    expect(clean('\u061c\u00ad\u3164\u115f\ufff9\ufe00\u{e01ef}\u{1d173}')).toBe('')
    expect(clean('می\u200cخواهم 👩‍💻 ❤️\n\tok')).toBe('می\u200cخواهم 👩‍💻 ❤️\n\tok')
    expect(inPieces('a\u202eb', []).textContent).toBe('ab')
  })

  it('[embed-30] a long paragraph is one text node, not one for each piece', () => {
    const root = new TinyElement('div')
    const writer = writerOn(root)
    const words = Array.from({ length: 700 }, (_, index) => `word${index} `)
    for (const [index] of words.entries()) writer.show(words.slice(0, index + 1).join(''), false)
    expect(root.nodes).toHaveLength(2)
  })
})

function inPieces(text: string, cuts: number[]): TinyElement {
  const root = new TinyElement('div')
  const writer = writerOn(root)
  for (const sofar of growing(text, cuts)) writer.show(sofar, false)
  writer.show(text, true)
  return root
}

function growing(text: string, cuts: number[]): string[] {
  const ends = [...cuts.filter((cut) => cut < text.length), text.length].toSorted((a, b) => a - b)
  return ends.map((end) => text.slice(0, end))
}

function writerOn(root: TinyElement) {
  return markdownWriter(root as unknown as HTMLElement)
}
