import type { Json } from '../../worker/chain/api/openapi.ts'

/**
 * Returns the part of a document that a reference such as `#/components/schemas/Context` names. Returns undefined if
 * the document has no such part.
 */
export function follow(document: Json, reference: string): unknown {
  return reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>(
      (at, step) => (at as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    )
}

const KNOWN = new Set([
  '$ref',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
  'items',
  'anyOf',
  'enum',
  'const',
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'default',
  'description',
])

/**
 * Compares a value with a JSON schema. Returns a line for each violation: the path, and what is wrong there. Knows only
 * the part of JSON Schema 2020-12 that the API's OpenAPI document uses.
 *
 * @throws for a keyword that the function does not know, because a keyword without a check would accept any value
 */
export function schemaProblems(document: Json, schema: Json, value: unknown, path = ''): string[] {
  const unknown = Object.keys(schema).filter((word) => !KNOWN.has(word))
  if (unknown.length > 0) throw new Error(`a schema with ${unknown.join(', ')}`)
  if (typeof schema['$ref'] === 'string')
    return schemaProblems(document, follow(document, schema['$ref']) as Json, value, path)
  if (Array.isArray(schema['anyOf'])) {
    const tries = (schema['anyOf'] as Json[]).map((option) => schemaProblems(document, option, value, path))
    return tries.some((problems) => problems.length === 0) ? [] : [`${path}: fits none`]
  }
  const {
    type,
    minimum,
    maximum,
    minLength,
    maxLength,
    minItems,
    maxItems,
    pattern,
    enum: options,
  } = schema as {
    type?: string | string[]
    minimum?: number
    maximum?: number
    minLength?: number
    maxLength?: number
    minItems?: number
    maxItems?: number
    pattern?: string
    enum?: unknown[]
  }
  const wrong = (is: boolean, what: string) => (is ? [`${path}: ${what}`] : [])
  const types = type === undefined ? [] : [type].flat()
  if (types.length > 0 && !types.some((each) => isOf(each, value))) return [`${path}: is no ${types.join(' or ')}`]
  if (typeof value === 'number')
    return [...wrong(value < (minimum ?? value), 'too small'), ...wrong(value > (maximum ?? value), 'too large')]
  if (typeof value === 'string')
    return [
      ...wrong(value.length < (minLength ?? 0), 'too short'),
      ...wrong(value.length > (maxLength ?? value.length), 'too long'),
      ...wrong(pattern !== undefined && !new RegExp(pattern, 'u').test(value), 'written otherwise'),
      ...wrong(options !== undefined && !options.includes(value), 'no option'),
      ...wrong('const' in schema && schema['const'] !== value, 'another text'),
      ...wrong(schema['format'] === 'date-time' && Number.isNaN(Date.parse(value)), 'no time'),
    ]
  if (Array.isArray(value))
    return [
      ...wrong(value.length < (minItems ?? 0), 'too few'),
      ...wrong(value.length > (maxItems ?? value.length), 'too many'),
      ...value.flatMap((item, index) =>
        schemaProblems(document, (schema['items'] ?? {}) as Json, item, `${path}/${index}`),
      ),
    ]
  if (typeof value !== 'object' || value === null) return []
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = schema as {
    properties?: Record<string, Json>
    required?: string[]
    additionalProperties?: boolean | Json
  }
  return [
    ...required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${path}/${name}: missing`),
    ...Object.entries(value).flatMap(([name, inner]) => {
      const own = properties[name]
      if (own) return schemaProblems(document, own, inner, `${path}/${name}`)
      return wrong(additionalProperties === false, `${name} is unknown`)
    }),
  ]
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}
