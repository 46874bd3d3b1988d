import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clean as cleanAgain } from '../../widget/clean.ts'
import { clean, createCleaner } from '../../worker/core/text/clean.ts'
import { GOES, hostileLines, STAYS, TERMINAL } from '../support/hostile-text.ts'
import { chunkings } from '../support/replies.ts'
import { runs } from '../support/runs.ts'

const ANY = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...GOES.map(({ text }) => text),
        ...STAYS.map(({ text }) => text),
        ...TERMINAL.map(([raw]) => raw),
      ),
      fc.constantFrom(
        '\u200d',
        '\u200c',
        '\ufe0f',
        '\ufe0e',
        '\u20e3',
        '\u001b',
        '\u001b]',
        '\u009b',
        '\r',
        '\n',
        '👩',
        '🏽',
        'ک',
        'क',
        '्',
        '1',
        'a',
        '\ud83d',
      ),
      fc.string({ unit: 'binary', maxLength: 6 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

const HIDDEN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- each character is meant by itself
  /[\0-\x08\v\f\x0e-\x1f\r\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ufe00-\ufe0d\u{e0000}-\u{e0fff}]/u

describe('what nobody can see', () => {
  it.each(GOES)('[forgery-1] goes: $name', ({ text }) => expect(clean(`a${text}b`)).toBe('ab'))

  it('[forgery-1] is in no text that was cleaned, whatever it was', () => {
    fc.assert(
      fc.property(ANY, (text) => {
        expect(clean(text)).not.toMatch(HIDDEN)
        expect(clean(text).isWellFormed()).toBe(true)
      }),
      { numRuns: runs('cheap') },
    )
  })

  it('[forgery-1] every kind of line break is one line feed, and a tab stays', () => {
    expect(clean('a\r\nb\rc\u2028d\u2029e\u0085f\vg\fh\ti')).toBe('a\nb\nc\nd\ne\nf\ng\nh\ti')
    expect(clean('a\r\u200b\nb')).toBe('a\nb')
  })

  it.each(TERMINAL)('[forgery-2] a terminal would show of %j what is left: %j', (raw, left) =>
    expect(clean(raw)).toBe(left),
  )

  it('[forgery-2] a sequence that is never ended takes no more than its line, and no more than its limit', () => {
    expect(clean(`\u001b]0;title\nWe wait.`)).toBe('\nWe wait.')
    expect(clean(`\u001b]0;${'x'.repeat(600)}`).length).toBe(600 - 512 + 2)
    expect(clean(`\u001b[${'1;'.repeat(60)}m`).length).toBeGreaterThan(0)
  })

  it.each(STAYS)('[forgery-3] stays, to the code unit: $name', ({ text }) => {
    expect(clean(text)).toBe(text)
    expect(clean(`${text} ${text}`)).toBe(`${text} ${text}`)
  })

  it('[forgery-3] goes where real text has no use for it', () => {
    for (const [raw, left] of [
      ['a\u200db', 'ab'],
      ['\u200d👩', '👩'],
      ['👩\u200d\ufe0f💻', '👩\u200d💻'],
      ['ک\u200c\u200dه', 'ک\u200cه'],
      ['👩\u200d', '👩'],
      ['👩\u200d\u200d💻', '👩\u200d💻'],
      ['👩\u200da', '👩a'],
      ['a\ufe0f', 'a'],
      ['1\ufe0f', '1'],
      ['1\ufe0f2', '12'],
      ['❤\ufe0f\ufe0f', '❤\ufe0f'],
      ['ک\u200ca', 'کa'],
      ['a\u200cک', 'aک'],
      ['ک\u200c\u200cک', 'ک\u200cک'],
      ['क्\u200d\u200d', 'क्\u200d'],
      ['葛\u{e0100}', '葛'],
    ])
      expect(clean(raw ?? '')).toBe(left)
  })

  it('[forgery-4] is gone once and for all', () => {
    fc.assert(
      fc.property(ANY, (text) => {
        const once = clean(text)
        expect(clean(once)).toBe(once)
      }),
      { numRuns: runs('cheap') },
    )
  })

  it('[forgery-4] is dropped the same however the text is cut, and no more than one character is held back', () => {
    fc.assert(
      fc.property(
        ANY.chain((text) => fc.tuple(fc.constant(text), chunkings(text))),
        ([text, chunks]) => {
          let cleaned = ''
          const cleaner = createCleaner({ push: (point) => void (cleaned += point), end: () => undefined })
          let fed = ''
          for (const chunk of chunks) {
            for (let at = 0; at < chunk.length; at += 1) cleaner.push(chunk.charAt(at))
            fed += chunk
            const whole = clean(fed)
            expect(whole.startsWith(cleaned)).toBe(true)
            expect(Array.from(whole.slice(cleaned.length)).length).toBeLessThanOrEqual(1)
          }
          cleaner.end()
          expect(cleaned).toBe(clean(text))
        },
      ),
      { numRuns: runs('cheap') },
    )
  })

  it('[forgery-5] the widget drops nothing that the server kept', () => {
    fc.assert(
      fc.property(ANY, (text) => {
        expect(cleanAgain(clean(text))).toBe(clean(text))
      }),
      { numRuns: runs('cheap') },
    )
    for (const { text } of STAYS) expect(cleanAgain(text)).toBe(text)
    for (const line of hostileLines) expect(cleanAgain(clean(line))).toBe(clean(line))
  })
})
