import type { ChainErrorCode } from '../../worker/chain/chain-error.ts'

/** The part of JSON Schema that the API's requests use. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** One way in which a field can be wrong. */
export interface Violation {
  readonly how: string
  readonly path: readonly (string | number)[]
  /** The wrong value, which replaces the valid one. `ABSENT` means that the request lacks the field. */
  readonly value: unknown
  readonly codes: readonly ChainErrorCode[]
  /**
   * The part of the request to which the error must point. Without this value, the error must point to the wrong field.
   */
  readonly pointsAt?: readonly (string | number)[]
}

const ABSENT = Symbol('absent')

const MOST_TEXT = 66_000

/**
 * Returns every way in which a value can violate a JSON schema, for each field of the schema. `valid` is a value that
 * does not violate the schema.
 */
export function violations(schema: Schema, valid: unknown, path: readonly (string | number)[] = []): Violation[] {
  const here = own(schema, path)
  const properties = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const at = [...path, name]
    const missing: Violation[] = schema.required?.includes(name)
      ? [{ how: 'missing', path: at, value: ABSENT, codes: ['MISSING_REQUIRED_FIELD'] }]
      : []
    return [...missing, ...violations(inner, (valid as Record<string, unknown> | undefined)?.[name], at)]
  })
  const first = schema.items && violations(schema.items, (valid as unknown[] | undefined)?.[0], [...path, 0])
  return [...here, ...properties, ...(first ?? [])]
}

/**
 * Returns the ways in which a parameter in a request's path or query can be wrong. Leaves out texts that cannot stand
 * in a path.
 */
export function textViolations(schema: Schema, part: 'params' | 'query'): Violation[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const missing = part === 'query' && schema.required?.includes(name)
    const canBeSent = (value: string) => part === 'query' || (!/^\.{0,2}$/.test(value) && value.trim() !== '')
    const wrong = wrongTexts(inner, name).filter(([, value]) => canBeSent(value))
    return [
      ...(missing ? [{ how: 'missing', path: [name], value: ABSENT, codes: ['MISSING_REQUIRED_FIELD'] } as const] : []),
      ...wrong.map(([how, value, codes]) => ({ how, path: [name], value, codes })),
    ]
  })
}

type Wrong = readonly [how: string, value: string, codes: readonly ChainErrorCode[]]

function wrongTexts(schema: Schema, name: string): readonly Wrong[] {
  const isDate = schema.anyOf !== undefined
  if (isDate)
    return [...DATES.filter((each) => typeof each === 'string'), '', '-1', '1e3', 'NaN'].map((text) => [
      `time ${text}`,
      text,
      ['INVALID_DATE'],
    ])
  if (schema.type === 'integer') {
    const { minimum = 0, maximum = 0 } = schema
    const numbers = [
      String(minimum - 1),
      String(maximum + 1),
      'NaN',
      'Infinity',
      '',
      ' ',
      '1.5',
      '1e2',
      '0x10',
      '9'.repeat(20),
      'ten',
      '٣',
    ]
    return numbers.map((text) => [`number ${text}`, text, ['INVALID_RANGE']])
  }
  if (schema.type === 'boolean')
    return ['TRUE', '1', '', 'yes'].map((text) => [`flag ${text}`, text, ['INVALID_FORMAT']])
  if (schema.enum) {
    const code: ChainErrorCode = name === 'status' ? 'INVALID_STATUS' : 'INVALID_FORMAT'
    return ['nonsense', '', String(schema.enum[0]).toUpperCase(), ` ${String(schema.enum[0])}`].map((text) => [
      `option ${text}`,
      text,
      [code],
    ])
  }
  const { minLength, maxLength = 0 } = schema
  return [
    ...(minLength === undefined ? [] : [['empty', '', [emptyCode(name)]] as const]),
    ...(minLength === undefined || name === 'cursor' ? [] : [['blank', BLANK, blankCodes(schema)] as const]),
    ...(maxLength === 0
      ? []
      : [['too long', 'x'.repeat(maxLength + 1), [name === 'cursor' ? 'INVALID_CURSOR' : 'TOO_LONG']] as const]),
    ['a NUL', 'a\0b', ['INVALID_FORMAT']],
    ...mismatches(schema).map((text): Wrong => [`written ${JSON.stringify(text)}`, text, [patternCode(schema)]]),
  ]
}

const BLANK = ' \t\n'

/** A blank text may also be refused because it does not match the pattern of a name that is not trimmed. */
function blankCodes(schema: Schema): readonly ChainErrorCode[] {
  const isMatched = schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(BLANK)
  return isMatched ? ['WHITESPACE_ONLY'] : ['WHITESPACE_ONLY', patternCode(schema)]
}

function emptyCode(name: string): ChainErrorCode {
  return name === 'cursor' ? 'INVALID_CURSOR' : 'MISSING_REQUIRED_FIELD'
}

const DATES: readonly unknown[] = [
  'yesterday',
  '2026-13-01T00:00:00Z',
  '2026-11-20T09:00:00',
  '2026-11-20',
  true,
  {},
  [],
]

function own(schema: Schema, path: readonly (string | number)[]): Violation[] {
  const name = String(path.at(-1) ?? '')
  const wrong = (how: string, value: unknown, ...codes: ChainErrorCode[]): Violation => ({ how, path, value, codes })
  const options = schema.anyOf ?? []
  if (options.some(({ format }) => format === 'date-time'))
    return [null, -1, 1.5, ...DATES].map((value) =>
      wrong(`time ${JSON.stringify(value)}`, value, 'INVALID_DATE', 'INVALID_RANGE'),
    )
  const real = options.find(({ type }) => type !== 'null')
  // A field such as `description` may be null. If it is not null, it must fit the schema `real`. So the function
  // returns every violation of `real` except the value null.
  if (real) return own(real, path).filter(({ value }) => value !== null)
  const typeCodes: ChainErrorCode[] =
    name === 'status' ? ['INVALID_STATUS'] : name === 'cursor' ? ['INVALID_CURSOR'] : ['INVALID_TYPE']
  const types = wrongTypes(schema).map((value) => wrong(`type ${JSON.stringify(value)}`, value, ...typeCodes))
  switch (schema.type) {
    case 'string':
      return [...types, ...wrongStrings(schema, name).map(([how, value, codes]) => wrong(how, value, ...codes))]
    case 'integer':
    case 'number':
      return [
        ...types,
        ...(schema.minimum === undefined ? [] : [wrong('too small', schema.minimum - 1, 'INVALID_RANGE')]),
        ...(schema.maximum === undefined ? [] : [wrong('too large', schema.maximum + 1, 'INVALID_RANGE')]),
        ...(schema.type === 'integer'
          ? [wrong('a fraction', 1.5, 'INVALID_RANGE'), wrong('huge', 1e300, 'INVALID_RANGE')]
          : []),
      ]
    case 'array':
      return [
        ...types,
        ...(schema.minItems === undefined ? [] : [wrong('empty', [], 'EMPTY_ARRAY')]),
        ...(schema.maxItems === undefined
          ? []
          : [
              wrong(
                'too many',
                Array.from({ length: schema.maxItems + 1 }, () => 'x'),
                'TOO_LONG',
              ),
            ]),
      ]
    case 'object':
      return [...(path.length === 0 ? [] : types), ...wrongObjects(schema, path)]
    default:
      return types
  }
}

function wrongTypes({ type }: Schema): readonly unknown[] {
  const all: readonly (readonly [string, unknown])[] = [
    ['null', null],
    ['string', 'x'],
    ['number', 5],
    ['boolean', true],
    ['array', ['x']],
    ['object', { x: 1 }],
  ]
  return all.flatMap(([name, value]) => (name === (type === 'integer' ? 'number' : type) ? [] : [value]))
}

function wrongStrings(schema: Schema, name: string): readonly Wrong[] {
  if (schema.enum) return wrongTexts(schema, name)
  return [...wrongTexts(schema, name), ['half a character', 'a\ud800b', ['INVALID_FORMAT']]]
}

/** Returns texts that nearly match a pattern, but do not match it. */
function mismatches({ pattern }: Schema): readonly string[] {
  if (pattern === undefined) return []
  const near = [
    '..',
    '.',
    'ctx',
    'ctx_',
    'ctx_ö',
    'CTX_1',
    'mem_!',
    `ctx_${'x'.repeat(65)}`,
    "ctx_1'--",
    'Ünicode',
    '9key',
    '-',
    ' ana',
    'ana ',
  ]
  return near.filter((text) => !new RegExp(pattern, 'u').test(text))
}

function patternCode({ pattern = '' }: Schema): ChainErrorCode {
  return /^\^(ctx|mem|era|grt|tok)_/.test(pattern) ? 'INVALID_ID' : 'INVALID_FORMAT'
}

function wrongObjects(schema: Schema, path: readonly (string | number)[]): Violation[] {
  if (schema.additionalProperties === false)
    return ['nonsense', '__proto__', 'constructor', 'toString'].map((key) => ({
      how: `unknown field ${key}`,
      path: [...path, key],
      value: 1,
      codes: ['UNKNOWN_FIELD'],
    }))
  return [
    { how: 'too deep', path, value: nested(33), codes: ['TOO_DEEP'] },
    { how: 'too large', path, value: { text: 'x'.repeat(MOST_TEXT) }, codes: ['TOO_LONG'] },
    { how: 'a prototype in it', path: [...path, '__proto__'], value: { is: 1 }, codes: ['UNKNOWN_FIELD'] },
    { how: 'a NUL in it', path: [...path, 'text'], value: 'a\0b', codes: ['INVALID_FORMAT'] },
  ]
}

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { in: nested(levels - 1) }
}

/**
 * Returns a copy of `whole` in which the value at a path is replaced, or the field at the path is removed. A key such
 * as `__proto__` is treated as an ordinary key.
 */
export function withValue(whole: unknown, [step, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (step === undefined) return value
  if (Array.isArray(whole))
    return whole.map((item, index) => (index === step ? withValue(item, rest, value) : (item as unknown)))
  const entries = Object.entries((whole ?? {}) as Record<string, unknown>)
  const others = entries.filter(([name]) => name !== String(step))
  if (rest.length === 0 && value === ABSENT) return Object.fromEntries(others)
  const inner =
    entries.find(([name]) => name === String(step))?.[1] ?? (typeof rest[0] === 'number' ? [null] : undefined)
  return Object.fromEntries([...others, [step, withValue(inner, rest, value)]])
}

/** Returns the JSON pointer to a place in a part of a request, such as its body. */
export function pointerOf(part: string, path: readonly (string | number)[]): string {
  return ['', part, ...path.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/')
}
