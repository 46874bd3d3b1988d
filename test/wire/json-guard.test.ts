import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_DEPTH, MAX_VALUES, jsonRisk, refuseProtoKey } from '../../worker/socket/socket-packet.ts'

describe('the guard before JSON.parse', () => {
  it('[protocol-19] lets 32 levels pass and not 33', () => {
    expect(jsonRisk('['.repeat(MAX_DEPTH) + ']'.repeat(MAX_DEPTH))).toBeNull()
    expect(jsonRisk('['.repeat(MAX_DEPTH + 1))).toBe('too-deep')
    expect(jsonRisk('{"a":'.repeat(MAX_DEPTH + 1))).toBe('too-deep')
  })

  it('[protocol-19] lets 4096 values pass and not 4097', () => {
    expect(jsonRisk(`[${'0,'.repeat(MAX_VALUES - 1)}0]`)).toBeNull()
    expect(jsonRisk(`[${'0,'.repeat(MAX_VALUES)}0]`)).toBe('too-many-values')
  })

  it('[protocol-19] takes brackets and commas inside strings for text', () => {
    expect(jsonRisk(JSON.stringify(['[{,'.repeat(5000)]))).toBeNull()
  })

  it('[protocol-19] knows where a string ends', () => {
    expect(jsonRisk(JSON.stringify([`"${'['.repeat(50)}`]))).toBeNull()
    expect(jsonRisk(`["\\\\",${'['.repeat(50)}`)).toBe('too-deep')
  })

  it('[protocol-19] counts the depth of any JSON value as the value has it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.constantFrom('list', 'object'), { maxLength: 40 }), (core, wrappers) => {
        const value = wrappers.reduce<unknown>((inner, kind) => (kind === 'list' ? [0, inner] : { a: inner }), core)
        expect(jsonRisk(JSON.stringify(value)) === 'too-deep').toBe(depthOf(value) > MAX_DEPTH)
      }),
    )
  })

  it.each(['{"__proto__":1}', '{"a":[{"\\u005f_proto__":{"x":1}}]}'])(
    '[protocol-19] refuses the key __proto__ in %s',
    (text) => {
      expect(() => JSON.parse(text, refuseProtoKey)).toThrow(SyntaxError)
    },
  )

  it('[protocol-19] lets a learner write __proto__', () => {
    expect(JSON.parse('["__proto__"]', refuseProtoKey)).toEqual(['__proto__'])
  })
})

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}
