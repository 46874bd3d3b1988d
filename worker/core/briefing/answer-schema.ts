import type { AnswerSchema } from './task.ts'

type Schema = Readonly<Record<string, unknown>>

const NULL: Schema = { type: 'null' }

/**
 * A schema of strict structured output: an object, every field required and none besides, and no keyword that a
 * provider may not know. A choice among alternatives at the top is not allowed there, so what was not picked is null.
 */
export function answerSchema(name: string, properties: Readonly<Record<string, Schema>>): AnswerSchema {
  return { name, schema: recordOf(properties) }
}

export function recordOf(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items }
}

/** One of the indices below `count`. */
export function indexBelow(count: number): Schema {
  return { type: 'integer', enum: Array.from({ length: count }, (_, index) => index) }
}

export function oneOf(texts: readonly string[]): Schema {
  return { type: 'string', enum: texts }
}

export function orNull(schema: Schema): Schema {
  return { anyOf: [schema, NULL] }
}

export const TEXT: Schema = { type: 'string' }
export const TEXTS: Schema = listOf(TEXT)
