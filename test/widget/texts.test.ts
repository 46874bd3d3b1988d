import { describe, expect, it } from 'vitest'
import { englishTexts as texts } from '../../widget/texts/en.ts'
import type { Refusal } from '../../worker/wire/messages.ts'

describe('what the widget says itself', () => {
  it.each([
    'forbidden-origin',
    'identity-required',
    'rate-limited',
    'not-admitted',
    'too-fast',
    'spent',
    'wrong-version',
  ])('[embed-63] says in its own plain words why there is no conversation, and what to do: %s', (code) => {
    const said = texts.whyRefused(refusal(code), false)
    expect(said).not.toBe(texts.whyRefused(refusal('unavailable'), false))
    expect(said).not.toContain('The service’s words')
    // The text has two sentences: the first says what happened, and the second what to do.
    expect(said.match(/[.]( |$)/g)?.length).toBeGreaterThan(1)
    expect(said).not.toMatch(/[!]|session|token|origin|denied|error/i)
  })

  it('[embed-24] gives the reason why a message was not sent in its own words, else in the service’s, else none', () => {
    expect(texts.whyNot(refusal('spent'))).toMatch(/^Not sent\. Your message is kept\. Enough has been said/)
    expect(texts.whyNot(refusal('unknown-choice'))).toBe('Not sent. Your message is kept. The service’s words')
    expect(texts.whyNot(null)).toBe('Not sent. Your message is kept. ')
    expect(texts.again({ ...refusal('too-many-turns'), next: 'start-over' })).toBe('Start a new conversation')
    expect([texts.again(refusal('spent')), texts.again(null)]).toEqual(['Try again', 'Try again'])
  })
})

function refusal(code: string): Refusal {
  return { ok: false, next: 'give-up', code: code as Refusal['code'], message: 'The service’s words' }
}
