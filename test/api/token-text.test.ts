import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { DEVELOPMENT_TOKEN, isTokenText, newTokenText } from '../../worker/chain/tokens/token-text.ts'
import { log } from '../../worker/log.ts'

describe('the text of a token', () => {
  it('[api-6] begins with wkn_, ends with a checksum, and is always new', () => {
    const tokens = Array.from({ length: 200 }, newTokenText)
    for (const token of tokens) expect(token).toMatch(/^wkn_[A-Za-z0-9_-]{49}$/)
    expect(tokens.every(isTokenText)).toBe(true)
    expect(new Set(tokens).size).toBe(200)
  })

  it('[api-6] is not accepted with any character changed', () => {
    const token = newTokenText()
    const letter = fc.constantFrom('A', 'B', 'x', 'z', '0', '9', '-', '_')
    fc.assert(
      fc.property(fc.nat(token.length - 1), letter, (at, other) => {
        fc.pre(token[at] !== other)
        expect(isTokenText(token.slice(0, at) + other + token.slice(at + 1))).toBe(false)
      }),
    )
    for (const text of ['', 'wkn_', token.slice(1), `${token} `, ` ${token}`, `${token}\n`])
      expect(isTokenText(text)).toBe(false)
  })

  it('[api-13] of the development token is valid, and says that it is no secret', () => {
    expect(isTokenText(DEVELOPMENT_TOKEN)).toBe(true)
    expect(DEVELOPMENT_TOKEN).toContain('known-to-everybody')
  })

  it('[api-6] [trust-21] is removed from log lines', () => {
    const write = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    log('chain', { token: newTokenText() })
    expect(write.mock.calls.flat().join('')).toBe('{"event":"chain","token":"[redacted]"}')
    write.mockRestore()
  })
})
