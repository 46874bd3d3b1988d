/** How deep a payload may nest, and how many values it may hold. No message of Walkon comes near either. */
export const MAX_DEPTH = 32
export const MAX_VALUES = 4096

export type JsonRisk = 'too-deep' | 'too-many-values'

/**
 * Looks through JSON text before it is parsed: 64 KiB hold 32,000 nested arrays, and what is cheap to parse is
 * dear to walk, clone or validate. Counts brackets and commas outside strings, in one pass and without allocating.
 * Says nothing about validity: that is the parser's business. Returns null when the text may be parsed.
 */
export function jsonRisk(text: string): JsonRisk | null {
  let depth = 0
  let values = 1
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (inString) {
      if (char === BACKSLASH) i++
      else if (char === QUOTE) inString = false
      continue
    }
    if (char === QUOTE) inString = true
    else if (char === COMMA) values++
    else if (char === OPEN_BRACKET || char === OPEN_BRACE) depth++
    else if (char === CLOSE_BRACKET || char === CLOSE_BRACE) depth--
    if (depth > MAX_DEPTH) return 'too-deep'
    if (values > MAX_VALUES) return 'too-many-values'
  }
  return null
}

/** A reviver for `JSON.parse` that throws at a `__proto__` key, however it is escaped, so that no later copy is poisoned. */
export function refuseProtoKey(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('a payload may not name __proto__')
  return value
}

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
