import * as z from 'zod'
import { CHAIN_ERRORS, type ChainErrorCode } from '../chain-error.ts'
import { context, contextVersion } from './context-shapes.ts'
import { examples } from './examples.ts'
import { grant } from './grant-operations.ts'
import { fact, memory } from './memory-operations.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import { erasure, erasureEffect, personExport, session } from './people-operations.ts'

/** A part of the OpenAPI document, as JSON. */
export interface Json {
  readonly [key: string]: unknown
}

/** An OpenAPI 3.1 Operation Object. */
export interface DocumentOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters: readonly DocumentParameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Json }
  readonly responses: Readonly<Record<string, Json>>
}

export interface DocumentParameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: Json
  readonly example?: unknown
}

export interface ApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly security: readonly Json[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>
  readonly components: {
    readonly securitySchemes: Json
    readonly responses: Readonly<Record<string, Json>>
    readonly schemas: Readonly<Record<string, Json>>
  }
}

/**
 * The answers whose schema gets a name in the document. Any other answer's schema is written inline in its operation.
 */
const ANSWERS = {
  Context: context,
  ContextVersion: contextVersion,
  Memory: memory,
  Fact: fact,
  Session: session,
  Erasure: erasure,
  ErasureEffect: erasureEffect,
  PersonExport: personExport,
  Grant: grant,
}

const TAGS = [
  { name: 'contexts', description: 'The tree of a workflow: pieces of work, who does them, and their status.' },
  { name: 'memories', description: 'Texts that are remembered, and a search for them.' },
  { name: 'people', description: 'Everything known about a person, its export and its erasure.' },
  { name: 'grants', description: 'Who else may read a context, for what and until when.' },
] as const

const DESCRIPTION = [
  'Contexts, memories and people of a tenant. Every request needs a token of the tenant, which the operator of this',
  'service gives you: `Authorization: Bearer wkn_…`. It cannot see or change anything of another tenant. A refused request',
  'has changed nothing, and its `next` says what to do: `retry-after` the time it names, `start-over` by reading again,',
  '`sign-in` with another token, or `give-up`. Every write happens completely or not at all. Every list comes in pages:',
  '`next` is the `cursor` of the next request, null after the last page. Times are milliseconds since 1970.',
].join(' ')

/** Makes the OpenAPI 3.1 document of the whole API from the schemas that validate the API's requests. */
export function apiDocument(): ApiDocument {
  const schemas = answerSchemas()
  const paths: Record<string, Record<string, DocumentOperation>> = {}
  for (const [name, operation] of Object.entries(operations) as [keyof typeof operations, Operation][]) {
    const described = describe(name, operation, schemas)
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: described }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Walkon: contexts, memories, people', version: '1', description: DESCRIPTION },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'wkn_…' } },
      responses: Object.fromEntries(
        Object.entries(ALWAYS).map(([status, description]) => [`Refused${status}`, refusal(description)]),
      ),
      schemas: { ...schemas.named, Error: errorSchema() },
    },
  }
}

interface AnswerSchemas {
  readonly named: Readonly<Record<string, Json>>
  readonly byOperation: Readonly<Record<string, Json>>
}

/** Converts the schemas of all answers at once, so that operations with the same answer refer to the same schema. */
function answerSchemas(): AnswerSchemas {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(ANSWERS)) registry.add(schema, { id })
  const named = new Set<z.ZodType>(Object.values(ANSWERS))
  for (const [id, { answer }] of Object.entries(operations))
    if (!named.has(answer)) registry.add(answer, { id: `answer-${id}` })
  const uri = (id: string) => `#/components/schemas/${id}`
  const { schemas } = z.toJSONSchema(registry, { io: 'output', uri, override: answeredAs })
  const entries = Object.entries(schemas).map(([id, schema]) => [id, plain(schema)] as const)
  return {
    named: Object.fromEntries(entries.filter(([id]) => Object.hasOwn(ANSWERS, id))),
    byOperation: Object.fromEntries(
      Object.entries(operations).map(([id, { answer }]) => {
        const own = Object.entries(ANSWERS).find(([, schema]) => schema === answer)
        if (own) return [id, { $ref: `#/components/schemas/${own[0]}` }]
        return [id, entries.find(([name]) => name === `answer-${id}`)?.[1] ?? {}]
      }),
    ),
  }
}

function describe(
  name: keyof typeof operations,
  operation: Operation,
  { byOperation }: AnswerSchemas,
): DocumentOperation {
  const example: { readonly [part: string]: Json } = examples[name]
  const body = operation.body && {
    requestBody: {
      required: isRequired(operation.body),
      content: { 'application/json': { schema: written(operation.body), example: example['body'] } },
    },
  }
  return {
    operationId: name,
    summary: operation.summary,
    description: `The token has to allow \`${operation.needs}\`.`,
    tags: [tagOf(operation.path)],
    parameters: [
      ...parameters('path', operation.params, example['params']),
      ...parameters('query', operation.query, example['query']),
    ],
    ...body,
    responses: { [operation.status]: answered(operation, byOperation[name] ?? {}), ...refusals(operation) },
  }
}

function tagOf(path: string): string {
  const [, , first = ''] = path.split('/')
  return first === 'erasures' || path.startsWith('/api/people') ? 'people' : first
}

function isRequired(schema: z.ZodType): boolean {
  return !schema.safeParse({}).success
}

function parameters(place: 'path' | 'query', schema: z.ZodObject | undefined, example: Json = {}): DocumentParameter[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = written(schema) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: each,
    ...(Object.hasOwn(example, name) ? { example: readAs(each, example[name]) } : {}),
  }))
}

/** Reads the text of a query example as the type that the schema names. */
function readAs({ type }: Json, written: unknown): unknown {
  return type === 'integer' || type === 'boolean' ? JSON.parse(String(written)) : written
}

/** Returns the JSON Schema of a request as the client sends it, before zod's transforms. */
function written(schema: z.ZodType): Json {
  return plain(z.toJSONSchema(schema, { io: 'input', override: writtenAs }))
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>

/**
 * Removes `readOnly`, which would forbid clients to send a field, and the keywords that zod adds to numbers, flags and
 * times.
 */
const writtenAs: Override = ({ jsonSchema }) => {
  delete jsonSchema.readOnly
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.type === 'integer') delete jsonSchema.pattern
  if (jsonSchema.type === 'boolean') delete jsonSchema.enum
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
}

/** Allows further fields in answers, so that a later version may add some. */
const answeredAs: Override = (context) => {
  writtenAs(context)
  if (context.jsonSchema.additionalProperties === false) delete context.jsonSchema.additionalProperties
}

/**
 * Removes the `$schema` and `$id` that zod adds. They are not needed, because OpenAPI 3.1 uses the same JSON Schema
 * dialect.
 */
function plain(schema: Json): Json {
  return Object.fromEntries(Object.entries(schema).filter(([word]) => word !== '$schema' && word !== '$id'))
}

function answered({ media, summary }: Operation, schema: Json): Json {
  const isTable = media === 'text/csv'
  const headers = { 'Walkon-Next': { description: 'The cursor of the next part.', schema: { type: 'string' } } }
  return {
    description: summary,
    ...(isTable ? { headers } : {}),
    content: { [media ?? 'application/json']: { schema: isTable ? { type: 'string' } : schema } },
  }
}

/** The description of each refusal that every operation can answer with, by its HTTP status. */
const ALWAYS: Readonly<Record<string, string>> = {
  400: `Something is wrong with the request; \`issues\` lists all of it: ${codesOf(400)}.`,
  401: 'There is no token, or it is not valid.',
  403: 'The token does not allow this, or the page is of another origin.',
  413: 'The request is too large.',
  415: 'The body is not JSON, or its Content-Type is missing.',
  429: 'Too many requests.',
  500: 'Something went wrong in the service.',
  503: 'The database does not answer just now.',
}

function codesOf(status: number): string {
  return Object.entries(CHAIN_ERRORS)
    .flatMap(([code, [of]]) => (of === status ? [`\`${code}\``] : []))
    .join(', ')
}

function refusals({ errors }: Operation): Record<string, Json> {
  const shared = Object.keys(ALWAYS).map((status) => [status, { $ref: `#/components/responses/Refused${status}` }])
  const codes = Map.groupBy(errors, (code: ChainErrorCode) => String(CHAIN_ERRORS[code][0]))
  const own = [...codes].map(([status, these]) => {
    const sentence = Object.hasOwn(ALWAYS, status) ? `${ALWAYS[status]} ` : ''
    return [status, refusal(`${sentence}${these.map((code) => `\`${code}\``).join(', ')}`)]
  })
  return Object.fromEntries([...shared, ...own])
}

function refusal(description: string): Json {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } }
}

function errorSchema(): Json {
  const issue = { code: z.string(), pointer: z.string().nullable(), message: z.string() }
  return written(
    z.object({
      error: z.object({
        ...issue,
        /** The client's next step. */
        next: z.enum(['retry-after', 'start-over', 'sign-in', 'give-up']),
        pointer: issue.pointer.optional(),
        retryAfterMs: z.int().optional(),
        issues: z.array(z.object(issue)).optional(),
      }),
    }),
  )
}
